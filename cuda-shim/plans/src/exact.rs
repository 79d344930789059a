//! Exact products of matrices on the tensor cores for integers, in batches.
//!
//! How they are computed is explained where the entries' bodies are, in the GPU crate's
//! `tile/exact`. How many digits an element has depends on the data. So a first plan,
//! [`Product::find`], finds the range of each line's bits, in memory that the host reads then; from
//! what it reads, [`Product::choose`] makes the second one.

/// Threads of a block, and of one that multiplies: enough warps that some multiply while others
/// load.
pub const THREADS: usize = 256;
pub const MULTIPLYING: usize = 512;
/// Threads of a warp.
const WARP: usize = 32;
/// Rows of a tile.
pub const ROWS: usize = 128;
/// Columns of a tile.
pub const COLUMNS: usize = 64;
/// Lines of a panel, of which digits lie together.
pub const LINES: usize = 16;
/// Values of k that the tensor cores take at once.
pub const STEP: usize = 32;
/// Digits of a group.
pub const GROUP: usize = 3;
/// Packs of 16 bytes of a panel's digits of a group in a step: 32 for each digit.
pub const PACKS: usize = GROUP * WARP;
/// Bytes of them.
pub const PIECE: usize = 16 * PACKS;
/// Words that are found of all lines: the sum of the first two of [`WORDS`] in the line with most
/// bits, or 0; lines of the first operand with infinities and without NaNs, and of the second one.
pub const CHOICE: usize = 3;
/// Groups of a line, at most: f32's numbers have 277 bits.
pub const MOST_GROUPS: usize = 12;
/// Bits of an element in g groups: `24 g - MARGIN`.
pub const MARGIN: u32 = 2;
/// Words that are found of a line: 0 if there are only zeros, else [`BASE`] more than the highest
/// bit's place; [`BASE`] less the lowest bit's; [`INFINITE`] and [`NAN`].
pub const WORDS: usize = 3;
pub const BASE: u32 = 1 << 16;
pub const INFINITE: u32 = 1;
pub const NAN: u32 = 2;
/// Bytes of the totals of a tile.
pub const TOTALS: usize = 16 * ROWS * COLUMNS;
/// Steps that are in a block's memory at once: one in use, others on their way.
pub const STAGES: usize = 4;
pub const STAGE: usize = (ROWS + COLUMNS) / LINES * PIECE;
/// Steps that are chosen at once.
pub const LIST: usize = 1024;
/// Where the list of steps is in a block's memory, and bits that say which there are.
pub const LIST_AT: usize = STAGES * STAGE;
pub const BITS_AT: usize = LIST_AT + 4 * LIST;
/// Bytes of a block's memory.
pub const MEMORY: usize = BITS_AT + 4 * MULTIPLYING + 4 * (LIST / 32);
/// Rows whose outputs are rounded at once; what is added to them from lists, in two planes of
/// 64-bit sums whose rows are padded, so that those of a column go to different memory banks.
pub const SHARE: usize = 32;
pub const PITCH: usize = COLUMNS + 1;
pub const PLANE: usize = 8 * SHARE * PITCH;
pub const LOW: usize = 2 * PLANE;
/// Bytes of an entry of a list: an element's place in its line, and its lower group.
pub const ENTRY: usize = 8;

/// The entries.
#[macro_export]
macro_rules! exact_entries {
    ($to:ident) => {
        $to! {
            /// Finds the range of each line's bits.
            exact::ranges[T,] as Ranges() (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                found: *mut u32
            ) {
                "gemm_ranges_" [f16 bf16 f32 e4m3fn e5m2] "" () blocks(THREADS, 0);
            }
            /// Finds what is so of all lines.
            exact::choice[] as Choose() (
                a_found: *const u32, a_lines: usize, b_found: *const u32, b_lines: usize,
                choice: *mut u32
            ) {
                "gemm_choice" [_] "" () blocks(THREADS, 0);
            }
            /// Lists elements that have digits in the lower group, of lines with few.
            exact_low::low[T,] as Low() (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                found: *const u32, room: u32, counts: *mut u32, lists: *mut Words2,
                filled: *mut u32
            ) {
                "gemm_low_" [f16 bf16 f32 e4m3fn e5m2] "" () blocks(THREADS, 0);
            }
            /// Cuts elements into digits.
            exact::digits[T,] as Digits() (
                x: *const T, matrices: u32, each: u32, k: u32, far: i64, row: i64, step: i64,
                found: *const u32, groups: u32, room: u32, counts: *const u32, panels: u32, columns: u32,
                out: *mut Words4, marks: *mut u8, filled: *mut u32
            ) {
                "gemm_digits_" [f16 bf16 f32 e4m3fn e5m2] "" () blocks(THREADS, 0);
            }
            /// Rounds the sums.
            exact::round[T,] as Round() (
                sums: *const Words4, short: *const u32, a: *const T, b: *const T, out: *mut u8,
                products: u32, a_matrices: u32, b_matrices: u32, m: u32, n: u32, k: u32,
                a_far: i64, a_row: i64, a_column: i64, b_far: i64, b_row: i64, b_column: i64,
                out_far: i64, out_row: i64, out_column: i64, groups: u32,
                a_found: *const u32, b_found: *const u32, room: u32,
                a_counts: *const u32, b_counts: *const u32,
                a_lists: *const Words2, b_lists: *const Words2, to: u32, mode: u32
            ) {
                "gemm_round_" [f16 bf16 f32 e4m3fn e5m2] "" () blocks(THREADS, LOW);
            }
        }
    };
}

/// The entries that multiply integers on tensor cores, which sm_80 and later have.
#[macro_export]
macro_rules! exact_mma_entries {
    ($to:ident) => {
        $to! {
            /// Multiplies digits.
            exact::multiply[] as Multiply() (
                products: u32, a_matrices: u32, b_matrices: u32, down: u32, across: u32,
                steps: u32, groups: u32, a_digits: *const Words4, b_digits: *const Words4,
                a_marks: *const u8, b_marks: *const u8, a_filled: *const u32,
                b_filled: *const u32, totals: *mut Words4, sums: *mut Words4, short: *mut u32
            ) {
                "gemm_exact_mma" [_] "" () blocks(MULTIPLYING, MEMORY).least(0, 0);
            }
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::entry::{blocks, launches};
    use crate::{Launch, Matrices, Work, result_number};
    use bitexact::catalog::Type;

    exact_entries!(launches);

    /// Entries of a list, at most.
    const MOST: usize = 1024;
    /// Bytes of one plan's second memory, about, of several products.
    const LARGE: usize = 1 << 29;
    /// A plan is not made that takes more than [`LARGE`], and so many times the bytes of operands
    /// and results: rows, columns or k are too few for the tiles that they lie in.
    const WASTE: usize = 16;

    /// Entries that each list has room for. An entry costs each output of its line some
    /// instructions; the lower group's digits cost each output a part of k.
    fn room(k: usize) -> usize {
        (k / 128).clamp(32, MOST)
    }

    /// Products of a batch of matrices (m, k) and (k, n).
    #[derive(Clone, Copy, Debug)]
    pub struct Product {
        /// The operands' format: f16, bf16, f32, E4M3FN or E5M2.
        pub ty: Type,
        /// How many, m, n and k.
        pub sizes: [usize; 4],
        pub a: Matrices,
        pub b: Matrices,
        pub out: Matrices,
        /// The results' format (f16, bf16 or f32), and the mode's code.
        pub to: Type,
        pub mode: u32,
        /// Multiprocessors of the device.
        pub processors: usize,
    }

    /// What depends on the data.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Choice {
        /// Groups of digits, and entries of each line's list.
        groups: usize,
        room: usize,
        /// Lines with infinities: their outputs are made by the definition, with fewer threads than
        /// its own entry has.
        pub infinite: usize,
    }

    /// One operand's lines: of all matrices, and of each.
    struct Side {
        of: Matrices,
        matrices: usize,
        each: usize,
        /// From a line, and from an element, to the next.
        row: i64,
        step: i64,
        tile: usize,
        /// What was found, counts of listed elements, and groups that have digits.
        found: u64,
        counts: u64,
        filled: u64,
    }

    impl Side {
        const fn lines(&self) -> usize {
            self.matrices * self.each
        }

        /// Panels of a matrix.
        const fn panels(&self) -> usize {
            self.each.div_ceil(self.tile) * (self.tile / LINES)
        }
    }

    impl Product {
        /// Those from this number on, so many.
        #[must_use]
        pub fn part(&self, first: usize, count: usize) -> Self {
            let [_, m, n, k] = self.sizes;
            Self {
                sizes: [count, m, n, k],
                a: self.a.after(first, self.ty.bytes()),
                b: self.b.after(first, self.ty.bytes()),
                out: self.out.after(first, self.to.bytes()),
                ..*self
            }
        }

        /// How many products one plan should make, at least one; `None` if their sizes are beyond
        /// it.
        #[must_use]
        pub fn at_once(&self) -> Option<usize> {
            let [batch, m, n, k] = self.sizes;
            let sized = |size: &usize| (1..1 << 31).contains(size);
            if ![batch, m, n, k].iter().all(sized) || k >= 1 << 26 {
                return None;
            }
            // Of two groups, without lists.
            let choice = Choice {
                groups: 2,
                room: 0,
                infinite: 0,
            };
            let each = self.part(0, 1).large(choice)?;
            let elements = self.ty.bytes().checked_mul((m + n).checked_mul(k)?)?;
            let useful = elements.checked_add(self.to.bytes().checked_mul(m.checked_mul(n)?)?)?;
            let wasted = each > LARGE && each / WASTE > useful;
            (!wasted).then(|| (LARGE / each).clamp(1, batch))
        }

        /// The operands' sides, of which things are found at this address.
        fn sides(&self, small: u64) -> [Side; 2] {
            let [batch, m, n, _] = self.sizes;
            let side = |of: Matrices, each, [row, step]: [i64; 2], tile| Side {
                of,
                matrices: of.count(batch),
                each,
                row,
                step,
                tile,
                found: 0,
                counts: 0,
                filled: 0,
            };
            let ([_, a_row, a_column], [_, b_row, b_column]) = (self.a.strides, self.b.strides);
            let mut sides = [
                side(self.a, m, [a_row, a_column], ROWS),
                side(self.b, n, [b_column, b_row], COLUMNS),
            ];
            let mut at = small + 4 * CHOICE as u64;
            let mut after = |words: usize| {
                at += 4 * words as u64;
                at - 4 * words as u64
            };
            for side in &mut sides {
                side.filled = after(MOST_GROUPS);
            }
            for side in &mut sides {
                side.found = after(WORDS * side.lines());
            }
            for side in &mut sides {
                side.counts = after(side.lines());
            }
            sides
        }

        fn lines(&self) -> usize {
            self.sides(0).iter().map(Side::lines).sum()
        }

        /// Words of 32 bits, zeros before, that the host reads after [`Product::find`]. None of
        /// E4M3FN, whose numbers have at most 18 bits, which are one group, and which has no
        /// infinities.
        #[must_use]
        pub fn found(&self) -> usize {
            if self.ty == Type::E4m3fn { 0 } else { CHOICE }
        }

        /// Bytes of a first memory, zeros before, which begins with these words.
        #[must_use]
        pub fn small(&self) -> usize {
            4 * (CHOICE + 2 * MOST_GROUPS + (WORDS + 1) * self.lines())
        }

        /// Blocks of entries that go on with what is left over.
        fn some(&self, parts: usize) -> Work {
            Work::Blocks(parts.min(16 * self.processors))
        }

        /// Finds the range of each line's bits, and of all lines, in the first memory.
        #[must_use]
        pub fn find(&self, small: u64) -> Option<Vec<Launch>> {
            let k = self.sizes[3];
            let [a, b] = self.sides(small);
            let mut launches = Vec::new();
            for side in [&a, &b] {
                let parts = side.lines().div_ceil(8).saturating_mul(k.div_ceil(512));
                #[rustfmt::skip]
                let launch = Ranges {
                    x: side.of.address, matrices: side.matrices as u32, each: side.each as u32,
                    k: k as u32, far: side.of.strides[0], row: side.row, step: side.step,
                    found: side.found,
                };
                launches.push(launch.launch(self.ty, (), self.some(parts))?);
            }
            if self.found() != 0 {
                #[rustfmt::skip]
                let launch = Choose {
                    a_found: a.found, a_lines: a.lines(), b_found: b.found, b_lines: b.lines(),
                    choice: small,
                };
                let work = self.some(self.lines().div_ceil(THREADS));
                launches.push(launch.launch(None, (), work)?);
            }
            Some(launches)
        }

        /// What the words that were found ask for.
        #[must_use]
        pub fn choose(&self, found: &[u64]) -> Choice {
            let word = |number: usize| found.get(number).copied().unwrap_or(0);
            let [a, b] = self.sides(0);
            // A line of one that is the same for all counts for each product.
            let infinite = [(a, 1), (b, 2)]
                .map(|(side, number)| word(number) as usize * (self.sizes[0] / side.matrices));
            let infinite = infinite.iter().sum();
            let bits = match word(0) {
                0 => 1,
                sum => sum + 1 - 2 * u64::from(BASE),
            };
            let groups = (bits + u64::from(MARGIN)).div_ceil(24) as usize;
            let room = if groups == 2 { room(self.sizes[3]) } else { 0 };
            Choice {
                groups,
                room,
                infinite,
            }
        }

        /// Of how many lines with infinities a plan is still faster than the definition's entry.
        #[must_use]
        pub const fn infinite(&self) -> usize {
            let [batch, m, n, _] = self.sizes;
            batch * (m + n) / 32
        }

        /// Bytes of the second memory's parts: digits and marks of both sides, totals of blocks and
        /// of tiles, which tiles have short ones, lists of both sides.
        fn parts(&self, choice: Choice) -> [usize; 9] {
            let steps = self.sizes[3].div_ceil(STEP);
            let sides = self.sides(0);
            let pieces = sides.each_ref().map(|side| {
                let panels = side.matrices.saturating_mul(side.panels());
                panels.saturating_mul(steps * choice.groups)
            });
            let lists = sides
                .each_ref()
                .map(|side| (ENTRY * choice.room).saturating_mul(side.lines()));
            [
                PIECE.saturating_mul(pieces[0]),
                PIECE.saturating_mul(pieces[1]),
                pieces[0].next_multiple_of(16),
                pieces[1].next_multiple_of(16),
                TOTALS * self.blocks(),
                TOTALS.saturating_mul(self.tiles()),
                self.tiles().saturating_mul(4).next_multiple_of(16),
                lists[0],
                lists[1],
            ]
        }

        fn tiles(&self) -> usize {
            let [batch, m, n, _] = self.sizes;
            let tiles = m.div_ceil(ROWS).saturating_mul(n.div_ceil(COLUMNS));
            batch.saturating_mul(tiles)
        }

        fn blocks(&self) -> usize {
            self.tiles().min(self.processors)
        }

        /// Bytes of a second memory; `None` if a size is beyond what the entries count.
        #[must_use]
        pub fn large(&self, choice: Choice) -> Option<usize> {
            let counted = self.sizes[3] * choice.groups < 1 << 31 && self.tiles() < 1 << 31;
            let mut parts = self.parts(choice).into_iter();
            parts
                .try_fold(0, usize::checked_add)
                .filter(|_| counted && self.lines() < 1 << 31)
        }

        /// Makes the products, from what [`Product::find`] left in the first memory, with a second
        /// one.
        #[must_use]
        pub fn multiply(&self, choice: Choice, small: u64, large: u64) -> Option<Vec<Launch>> {
            let [m, n, k] = [1, 2, 3].map(|which| self.sizes[which] as u32);
            let products = self.sizes[0] as u32;
            let (groups, room) = (choice.groups as u32, choice.room as u32);
            let steps = self.sizes[3].div_ceil(STEP);
            let mut at = large;
            let [
                a_digits,
                b_digits,
                a_marks,
                b_marks,
                totals,
                sums,
                short,
                a_lists,
                b_lists,
            ] = self.parts(choice).map(|bytes| {
                at += bytes as u64;
                at - bytes as u64
            });
            let sides = self.sides(small);
            let [a, b] = &sides;
            let (a_matrices, b_matrices) = (a.matrices as u32, b.matrices as u32);
            let mut launches = Vec::new();
            for (side, lists) in sides.iter().zip([a_lists, b_lists]).filter(|_| room != 0) {
                let parts = side.lines().div_ceil(8);
                let parts = parts.saturating_mul(self.sizes[3].div_ceil(512));
                #[rustfmt::skip]
                let launch = Low {
                    x: side.of.address, matrices: side.matrices as u32, each: side.each as u32, k,
                    far: side.of.strides[0], row: side.row, step: side.step, found: side.found,
                    room, counts: side.counts, lists, filled: side.filled,
                };
                launches.push(launch.launch(self.ty, (), self.some(parts))?);
            }
            let to = [[a_digits, a_marks], [b_digits, b_marks]];
            for ((columns, side), [out, marks]) in (0..).zip(&sides).zip(to) {
                let pieces = side.matrices * side.panels() * steps;
                let work = Work::Blocks(pieces.div_ceil(THREADS / WARP).min(1 << 20));
                #[rustfmt::skip]
                let launch = Digits {
                    x: side.of.address, matrices: side.matrices as u32, each: side.each as u32, k,
                    far: side.of.strides[0], row: side.row, step: side.step, found: side.found,
                    groups, room, counts: side.counts, panels: side.panels() as u32, columns, out,
                    marks, filled: side.filled,
                };
                launches.push(launch.launch(self.ty, (), work)?);
            }
            #[rustfmt::skip]
            let launch = mma::Multiply {
                products, a_matrices, b_matrices, down: m.div_ceil(ROWS as u32),
                across: n.div_ceil(COLUMNS as u32), steps: steps as u32, groups, a_digits, b_digits,
                a_marks, b_marks, a_filled: a.filled, b_filled: b.filled, totals, sums, short,
            };
            launches.push(launch.launch(None, (), Work::Blocks(self.blocks()))?);
            let [a_far, a_row, a_column] = self.a.strides;
            let [b_far, b_row, b_column] = self.b.strides;
            let [out_far, out_row, out_column] = self.out.strides;
            #[rustfmt::skip]
            let launch = Round {
                sums, short, a: self.a.address, b: self.b.address, out: self.out.address, products,
                a_matrices, b_matrices, m, n, k, a_far, a_row, a_column, b_far, b_row, b_column,
                out_far, out_row, out_column, groups, a_found: a.found, b_found: b.found, room,
                a_counts: a.counts, b_counts: b.counts, a_lists, b_lists,
                to: result_number(self.to)?, mode: self.mode,
            };
            let parts = self.tiles().saturating_mul(ROWS / SHARE);
            let launch = launch.launch(self.ty, (), self.some(parts))?;
            launches.push(launch.with_memory(if room == 0 { 0 } else { LOW }));
            Some(launches)
        }
    }
}

/// The entries that multiply on tensor cores.
#[cfg(not(target_arch = "nvptx64"))]
pub mod mma {
    use super::{MEMORY, MULTIPLYING};
    use crate::entry::{blocks, launches};

    exact_mma_entries!(launches);
}
