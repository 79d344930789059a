//! Exact products of matrices on the tensor cores for integers, in batches.
//!
//! How they are computed is explained where the entries' bodies are, in the GPU crate's `tile/exact.rs`. How many digits an
//! element has depends on the data. So a first plan, [`Product::find`], finds the range of each line's bits, in memory that
//! the host reads then; from what it reads, [`Product::choose`] makes the second one.

/// Threads of a block, and of one that multiplies: enough warps that some multiply while others load.
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
/// Words that are found of all lines: the sum of the first two of [`WORDS`] in the line with most bits, or 0; lines of the
/// first operand with infinities and without NaNs, and of the second one.
pub const CHOICE: usize = 3;
/// Groups of a line, at most: f32's numbers have 277 bits.
pub const MOST_GROUPS: usize = 12;
/// Bits of an element in g groups: `24 g - MARGIN`.
pub const MARGIN: u32 = 2;
/// Words that are found of a line: 0 if there are only zeros, else [`BASE`] more than the highest bit's place; [`BASE`]
/// less the lowest bit's; [`INFINITE`] and [`NAN`].
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
/// Rows whose outputs are rounded at once; what is added to them from lists, in two planes of 64-bit sums whose rows are padded, so
/// that those of a column go to different memory banks.
pub const SHARE: usize = 32;
pub const PITCH: usize = COLUMNS + 1;
pub const PLANE: usize = 8 * SHARE * PITCH;
pub const LOW: usize = 2 * PLANE;
/// Bytes of an entry of a list: an element's place in its line, and its lower group.
pub const ENTRY: usize = 8;

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::{Choice, Matrices, Product};

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::Launch;

    /// Entries of a list, at most.
    const MOST: usize = 1024;
    /// Bytes of one plan's second memory, about, of several products.
    const LARGE: usize = 1 << 29;
    /// A plan is not made that takes more than [`LARGE`], and so many times the bytes of operands and results: rows, columns
    /// or k are too few for the tiles that they lie in.
    const WASTE: usize = 16;

    /// Entries that each list has room for. An entry costs each output of its line some instructions; the lower group's digits
    /// cost each output a part of k.
    fn room(k: usize) -> usize {
        (k / 128).clamp(32, MOST)
    }

    /// A batch of matrices: the address of the element at coordinate 0, and the strides in elements.
    #[derive(Clone, Copy, Debug)]
    pub struct Matrices {
        pub address: u64,
        pub strides: [i64; 3],
    }

    impl Matrices {
        /// Without so many of the first ones.
        fn after(self, matrices: usize, bytes: usize) -> Self {
            let far = (self.strides[0] as u64).wrapping_mul((matrices * bytes) as u64);
            Self {
                address: self.address.wrapping_add(far),
                ..self
            }
        }

        /// How many there are for so many products: one that is the same for all is cut up once.
        const fn count(self, products: usize) -> usize {
            match self.strides[0] {
                0 => 1,
                _ => products,
            }
        }
    }

    /// Products of a batch of matrices (m, k) and (k, n).
    #[derive(Clone, Copy, Debug)]
    pub struct Product {
        /// The operands' format, as entries are named, and the bytes of an element.
        pub name: &'static str,
        pub bytes: usize,
        /// How many, m, n and k.
        pub sizes: [usize; 4],
        pub a: Matrices,
        pub b: Matrices,
        pub out: Matrices,
        /// The result's format by number (f16, bf16, f32), its bytes, and the mode.
        pub to: u64,
        pub to_bytes: usize,
        pub mode: u64,
        /// Multiprocessors of the device.
        pub processors: usize,
    }

    /// What depends on the data.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Choice {
        /// Groups of digits, and entries of each line's list.
        groups: usize,
        room: usize,
        /// Lines with infinities: their outputs are made by the definition, with fewer threads than its own entry has.
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

        /// The first words of entries that read elements.
        fn words(&self, k: usize) -> Vec<u64> {
            let sizes = [self.matrices, self.each, k].map(|size| size as u64);
            let strides = [self.of.strides[0], self.row, self.step].map(|stride| stride as u64);
            [&[self.of.address][..], &sizes, &strides, &[self.found]].concat()
        }
    }

    impl Product {
        /// Those from this number on, so many.
        #[must_use]
        pub fn part(&self, first: usize, count: usize) -> Self {
            let [_, m, n, k] = self.sizes;
            Self {
                sizes: [count, m, n, k],
                a: self.a.after(first, self.bytes),
                b: self.b.after(first, self.bytes),
                out: self.out.after(first, self.to_bytes),
                ..*self
            }
        }

        /// How many products one plan should make, at least one; `None` if their sizes are beyond it.
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
            let elements = self.bytes.checked_mul((m + n).checked_mul(k)?)?;
            let useful = elements.checked_add(self.to_bytes.checked_mul(m.checked_mul(n)?)?)?;
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

        /// Words of 32 bits, zeros before, that the host reads after [`Product::find`]. None of E4M3FN, whose numbers have at most
        /// 18 bits, which are one group, and which has no infinities.
        #[must_use]
        pub fn found(&self) -> usize {
            if self.name == "e4m3fn" { 0 } else { CHOICE }
        }

        /// Bytes of a first memory, zeros before, which begins with these words.
        #[must_use]
        pub fn small(&self) -> usize {
            4 * (CHOICE + 2 * MOST_GROUPS + (WORDS + 1) * self.lines())
        }

        /// A launch of an entry for the operands' format.
        fn launch(&self, entry: &str, words: Vec<u64>, blocks: usize) -> Launch {
            Launch {
                entry: format!("{entry}_{}", self.name),
                words,
                blocks,
                threads: THREADS,
                memory: 0,
            }
        }

        /// Blocks of entries that go on with what is left over.
        fn some(&self, parts: usize) -> usize {
            parts.min(16 * self.processors)
        }

        /// Finds the range of each line's bits, and of all lines, in the first memory.
        #[must_use]
        pub fn find(&self, small: u64) -> Vec<Launch> {
            let k = self.sizes[3];
            let sides = self.sides(small);
            let ranges = sides.each_ref().map(|side| {
                let parts = side.lines().div_ceil(8).saturating_mul(k.div_ceil(512));
                self.launch("gemm_ranges", side.words(k), self.some(parts))
            });
            let [a, b] = sides.map(|side| [side.found, side.lines() as u64]);
            let choice = (self.found() != 0).then(|| Launch {
                entry: "gemm_choice".into(),
                words: [&a[..], &b, &[small]].concat(),
                blocks: self.some(self.lines().div_ceil(THREADS)),
                threads: THREADS,
                memory: 0,
            });
            ranges.into_iter().chain(choice).collect()
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

        /// Bytes of the second memory's parts: digits and marks of both sides, totals of blocks and of tiles, which tiles have
        /// short ones, lists of both sides.
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

        /// Makes the products, from what [`Product::find`] left in the first memory, with a second one.
        #[must_use]
        pub fn multiply(&self, choice: Choice, small: u64, large: u64) -> Vec<Launch> {
            let [batch, m, n, k] = self.sizes;
            let Choice { groups, room, .. } = choice;
            let steps = k.div_ceil(STEP);
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
            let mut launches = Vec::new();
            for (side, lists) in sides.iter().zip([a_lists, b_lists]).filter(|_| room != 0) {
                let last = [room as u64, side.counts, lists, side.filled];
                let words = [&side.words(k)[..], &last].concat();
                let parts = side.lines().div_ceil(8).saturating_mul(k.div_ceil(512));
                launches.push(self.launch("gemm_low", words, self.some(parts)));
            }
            for (number, side) in sides.iter().enumerate() {
                let sizes = [groups as u64, room as u64, side.counts];
                let panels = [side.panels() as u64, number as u64];
                let to = [[a_digits, a_marks], [b_digits, b_marks]][number];
                let words = [&side.words(k)[..], &sizes, &panels, &to, &[side.filled]].concat();
                let pieces = side.matrices * side.panels() * steps;
                let blocks = pieces.div_ceil(THREADS / WARP).min(1 << 20);
                launches.push(self.launch("gemm_digits", words, blocks));
            }
            let counts = [batch, a.matrices, b.matrices].map(|count| count as u64);
            let [down, across] = [m.div_ceil(ROWS), n.div_ceil(COLUMNS)];
            let sizes = [down, across, steps, groups].map(|size| size as u64);
            let filled = [a.filled, b.filled];
            let memories = [a_digits, b_digits, a_marks, b_marks];
            let made = [totals, sums, short];
            launches.push(Launch {
                entry: "gemm_exact_mma".into(),
                words: [&counts[..], &sizes, &memories, &filled, &made].concat(),
                blocks: self.blocks(),
                threads: MULTIPLYING,
                memory: MEMORY,
            });
            let addresses = [
                sums,
                short,
                self.a.address,
                self.b.address,
                self.out.address,
            ];
            let sizes = [m, n, k].map(|size| size as u64);
            let strides =
                [self.a, self.b, self.out].map(|of| of.strides.map(|stride| stride as u64));
            let found = [
                groups as u64,
                a.found,
                b.found,
                room as u64,
                a.counts,
                b.counts,
            ];
            let last = [a_lists, b_lists, self.to, self.mode];
            let words = [
                &addresses[..],
                &counts,
                &sizes,
                strides.as_flattened(),
                &found,
                &last,
            ];
            let parts = self.tiles().saturating_mul(ROWS / SHARE);
            launches.push(Launch {
                memory: if room == 0 { 0 } else { LOW },
                ..self.launch("gemm_round", words.concat(), self.some(parts))
            });
            launches
        }
    }
}
