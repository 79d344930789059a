//! Sums of products of digits, on the tensor cores.

use crate::tile::machine::fresh;
use crate::tile::{
    Memory, Operands, ThreadBlock, WARP, Words2, Words4, load4, store2, store4, unroll,
};
use gpu_plans::exact::{
    BITS_AT, COLUMNS, GROUP, LINES, LIST, LIST_AT, MULTIPLYING, PACKS, PIECE, ROWS, STAGE, STAGES,
    STEP, TOTALS,
};

/// Panels of a tile's rows, and of its columns.
const DOWN: usize = ROWS / LINES;
const ACROSS: usize = COLUMNS / LINES;
/// Bits of a total's fraction.
pub(super) const FRACTION: u32 = 48;
/// Steps after which sums in s32 are emptied.
const FULL: usize = ((1 << 31) - 1) / ((GROUP * STEP) << 14);
/// Tiles below each other that neighbouring blocks make.
const BAND: u32 = 8;
const _: () = assert!(8 * ROWS * COLUMNS <= LIST_AT, "sums replace the stages");

/// Digits of two groups, and sums of their products by weight, of 16 by 32 outputs: what a thread
/// has of its warp's.
struct Fragments {
    /// By digit; those of columns by panel and digit.
    a: [[u32; 4]; GROUP],
    b: [[[u32; 4]; GROUP]; 2],
    /// By half of a panel of columns, and by weight.
    sums: [[[u32; 4]; 2 * GROUP - 1]; 4],
}

impl Operands for Fragments {
    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        // A panel of columns after the other, so that few registers hold their digits.
        unroll!(Q in [0 1] {
            unroll!(J in [0 1 2] {
                let [low, low_far, next, next_far] = self.b[Q][J];
                unroll!(I in [0 1 2] {
                    let a = self.a[I];
                    let sums = &mut self.sums[2 * Q][I + J];
                    *sums = f(*sums, a, [low, low_far]);
                    let sums = &mut self.sums[2 * Q + 1][I + J];
                    *sums = f(*sums, a, [next, next_far]);
                });
            });
        });
    }
}

/// What a thread keeps.
struct ThreadState {
    fragments: Fragments,
    active: bool,
    count: u32,
}

/// A pair of groups of a tile.
#[derive(Clone, Copy)]
struct Pair {
    a: *const Words4,
    b: *const Words4,
    /// Packs from a panel to the next.
    pitch: u32,
    /// Steps in the list.
    steps: u32,
}

impl Pair {
    /// The step of this number, and marks of panels.
    ///
    /// # Safety
    ///
    /// Below the steps.
    #[inline(always)]
    unsafe fn entry<M: Memory>(memory: M, number: u32) -> u32 {
        // SAFETY: the caller's.
        unsafe { memory.read(LIST_AT + 4 * number as usize) }
    }

    /// Has a thread's part of a step copied into its stage.
    ///
    /// # Safety
    ///
    /// Below the count; nothing reads that stage.
    #[inline(always)]
    unsafe fn copy<M: Memory>(&self, memory: M, thread: usize, number: u32) {
        // SAFETY: the caller's.
        let step = unsafe { Self::entry(memory, number) } & 0xFFFF;
        let stage = number as usize % STAGES * STAGE;
        unroll!(P in [0 1 2] {
            let pack = P * MULTIPLYING + thread;
            if pack < (DOWN + ACROSS) * PACKS {
                let (from, panel) = if pack < DOWN * PACKS {
                    (self.a, pack / PACKS)
                } else {
                    (self.b, pack / PACKS - DOWN)
                };
                // A tile's panels have less than 2^32 packs.
                let at = panel as u32 * self.pitch + (pack % PACKS) as u32 + step * PACKS as u32;
                let at = at as usize;
                // SAFETY: a pack of the panel; the stage is within the memory.
                unsafe { memory.copy4(stage + 16 * pack, from.wrapping_add(at)) };
            }
        });
    }
}

/// A block's totals.
#[derive(Clone, Copy)]
struct Totals {
    /// Whether they have been written, and by how many weights they must be divided.
    touched: bool,
    behind: u32,
}

/// Sums of products of digits: for each of all tiles' outputs, row after row of a tile, a 128-bit
/// integer with a fraction of [`FRACTION`] bits, or one of 64 bits without a fraction where `short`
/// says so.
///
/// # Safety
///
/// The block has [`MULTIPLYING`] threads and [`MEMORY`](gpu_plans::exact::MEMORY) bytes. `a_digits`
/// and `a_marks` are what [`digits`] made of the rows of the first operands, so many panels of
/// them, of all tiles; likewise for the columns of the second ones, and `a_filled` and `b_filled`.
/// Of either side there are as many matrices as products, or one for all. `sums` has [`TOTALS`]
/// bytes for each tile, and `short` a word. If there are several groups or more than [`FULL`]
/// steps, so has `totals` for each block. Nothing else uses the sums and the totals meanwhile.
#[inline(always)]
pub unsafe fn multiply<B: ThreadBlock>(
    block: &mut B,
    products: u32,
    a_matrices: u32,
    b_matrices: u32,
    down: u32,
    across: u32,
    steps: u32,
    groups: u32,
    a_digits: *const Words4,
    b_digits: *const Words4,
    a_marks: *const u8,
    b_marks: *const u8,
    a_filled: *const u32,
    b_filled: *const u32,
    totals: *mut Words4,
    sums: *mut Words4,
    short: *mut u32,
) {
    let panels = [
        a_matrices * down * DOWN as u32,
        b_matrices * across * ACROSS as u32,
    ];
    let pitch = steps * PACKS as u32;
    let top = (2 * groups).saturating_sub(2);
    let mut tile = block.number() as u32;
    while tile < products * (down * across) {
        let (product, within) = (tile / (down * across), tile % (down * across));
        let corner = corner(within, down, across);
        let first = [
            matrix(product, a_matrices) * down + corner[0],
            matrix(product, b_matrices) * across + corner[1],
        ];
        let mut own = block.make(|_| ThreadState {
            fragments: Fragments {
                a: [[0; 4]; GROUP],
                b: [[[0; 4]; GROUP]; 2],
                sums: [[[0; 4]; 2 * GROUP - 1]; 4],
            },
            active: false,
            count: 0,
        });
        let mut kept = Totals {
            touched: false,
            behind: 0,
        };
        let mut filled = 0;
        for weight in 0..=top {
            let mut group = (weight + 1).saturating_sub(groups);
            while group <= weight && group < groups {
                let other = weight - group;
                // SAFETY: the caller's: a word for each group.
                let zeros = |filled: *const u32, group: u32| {
                    group + 1 < groups && unsafe { *filled.add(group as usize) } == 0
                };
                let mut from = 0;
                if zeros(a_filled, group) || zeros(b_filled, other) {
                    from = steps;
                }
                while from < steps {
                    let panel = |group: u32, which: usize, lines: usize| {
                        (group * panels[which] + first[which] * lines as u32) as usize
                            * pitch as usize
                            + from as usize * PACKS
                    };
                    let mut pair = Pair {
                        a: a_digits.wrapping_add(panel(group, 0, DOWN)),
                        b: b_digits.wrapping_add(panel(other, 1, ACROSS)),
                        pitch,
                        steps: (steps - from).min(LIST as u32),
                    };
                    let marks = |group: u32, which: usize, lines: usize| {
                        (group as usize * steps as usize + from as usize) * panels[which] as usize
                            + first[which] as usize * lines
                    };
                    let marks = [
                        a_marks.wrapping_add(marks(group, 0, DOWN)),
                        b_marks.wrapping_add(marks(other, 1, ACROSS)),
                    ];
                    // SAFETY: the caller's.
                    unsafe {
                        pair.steps = choose(block, &mut own, pair.steps, marks, panels);
                        if filled + pair.steps > FULL as u32 {
                            store(block, &mut own, kept, totals, None);
                            (filled, kept.touched, kept.behind) = (0, true, 0);
                        }
                        walk(block, &mut own, &pair);
                    }
                    filled += pair.steps;
                    from += LIST as u32;
                }
                group += 1;
            }
            if weight < top {
                if filled > 0 {
                    // SAFETY: the caller's.
                    unsafe { store(block, &mut own, kept, totals, None) };
                    (filled, kept.touched, kept.behind) = (0, true, 0);
                }
                kept.behind += 1;
            }
        }
        // SAFETY: the caller's.
        unsafe {
            let sums = sums.wrapping_add(tile as usize * (TOTALS / 16));
            store(
                block,
                &mut own,
                kept,
                totals,
                Some((sums, short.wrapping_add(tile as usize))),
            );
        }
        tile += block.blocks() as u32;
    }
}

/// The matrix of a side that has so many, of a product.
#[inline(always)]
pub(super) const fn matrix(product: u32, matrices: u32) -> u32 {
    if matrices == 1 { 0 } else { product }
}

/// The column of tiles, and the row, of a tile: neighbouring blocks share rows and columns.
#[inline(always)]
pub fn corner(tile: u32, down: u32, across: u32) -> [u32; 2] {
    let band = (BAND * across).max(1);
    let (top, within) = (tile / band * BAND, tile % band);
    let high = BAND.min(down.saturating_sub(top)).max(1);
    [top + within % high, within / high]
}

/// Adds the products of a pair's steps.
///
/// # Safety
///
/// The operands have the steps in the list.
#[inline(always)]
unsafe fn walk<B: ThreadBlock>(block: &mut B, own: &mut B::Each<ThreadState>, pair: &Pair) {
    // SAFETY of all: the caller's; a stage is copied to after the barrier that follows its reads.
    block.phase(own, |_, _, _| {});
    block.step(own, |thread, _, memory| {
        unroll!(S in [0 1 2] {
            if (S as u32) < pair.steps {
                unsafe { pair.copy(memory, thread, S as u32) };
            }
            memory.commit();
        });
    });
    for number in 0..pair.steps {
        block.arrive();
        block.step(own, |thread, own, memory| {
            let next = number + STAGES as u32 - 1;
            if next < pair.steps {
                unsafe { pair.copy(memory, thread, next) };
            }
            memory.commit();
            let (warp, lane) = (thread / WARP, thread % WARP);
            let masks = unsafe { Pair::entry(memory, number) } >> 16;
            own.active = masks >> (warp / 2) & 1 != 0 && masks >> (DOWN + warp % 2 * 2) & 3 != 0;
            let stage = number as usize % STAGES * STAGE + 16 * lane;
            let (left, right) = (warp / 2 * PIECE, (DOWN + warp % 2 * 2) * PIECE);
            unroll!(D in [0 1 2] {
                const AT: usize = 16 * D * WARP;
                unsafe {
                    own.fragments.a[D] = memory.read4(stage + left + AT);
                    own.fragments.b[0][D] = memory.read4(stage + right + AT);
                    own.fragments.b[1][D] = memory.read4(stage + right + PIECE + AT);
                }
            });
        });
        block.multiply(own, |own| (own.active, &mut own.fragments));
    }
}

/// Adds the sums to the block's totals, or puts these and the sums elsewhere; the sums are 0 then.
///
/// # Safety
///
/// There are totals of the block if they have been written, and room for new ones there, or at
/// `to`, where there is a word that says whether they are short: integers of 64 bits without the
/// fraction.
#[inline(always)]
unsafe fn store<B: ThreadBlock>(
    block: &mut B,
    own: &mut B::Each<ThreadState>,
    kept: Totals,
    from: *mut Words4,
    to: Option<(*mut Words4, *mut u32)>,
) {
    let from = from.wrapping_add(block.number() * (TOTALS / 16));
    let (to, tile) = to.map_or((from, None), |(to, tile)| (to, Some(tile)));
    let short = tile.is_some() && !kept.touched;
    // The stages are not read any more.
    block.phase(own, |_, _, _| {});
    block.phase(own, |thread, own, memory| {
        let thread = fresh(thread);
        let (warp, lane) = (thread / WARP, thread % WARP);
        unroll!(T in [0 1 2 3] {
            unroll!(H in [0 1] {
                let row = warp / 2 * LINES + 8 * H + lane / 4;
                let column = warp % 2 * 32 + T * 8 + 2 * (lane % 4);
                let mut two = [0i64; 2];
                unroll!(C in [0 1] {
                    unroll!(W in [0 1 2 3 4] {
                        let sum = &mut own.fragments.sums[T][W][2 * H + C];
                        two[C] += i64::from(*sum as i32) << (8 * W);
                        *sum = 0;
                    });
                });
                let words = two.map(|sum| [sum as u32, (sum >> 32) as u32]);
                let [[a, b], [c, d]] = words;
                // SAFETY: two of the tile's sums.
                unsafe { memory.write4(8 * (row * COLUMNS + column), [a, b, c, d]) };
            });
        });
    });
    block.phase(own, |thread, _, memory| {
        let thread = fresh(thread);
        if let Some(tile) = tile.filter(|_| thread == 0) {
            // SAFETY: the tile's word.
            unsafe { *tile = short.into() };
        }
        let mut at = thread;
        while at < ROWS * COLUMNS {
            // SAFETY: the caller's; each is one thread's.
            unsafe {
                if short {
                    let sum = memory.read2(8 * at);
                    store2(
                        to.cast::<Words2>().add(at),
                        [sum as u32, (sum >> 32) as u32],
                    );
                    at += MULTIPLYING;
                    continue;
                }
                let mut sum = 0;
                if kept.touched {
                    sum = total(from.add(at));
                    let mut behind = kept.behind;
                    while behind > 0 {
                        sum = lower(sum);
                        behind -= 1;
                    }
                }
                let more = i128::from(memory.read2(8 * at) as i64) << FRACTION;
                let sum = sum.wrapping_add(more) as u128;
                let word = |k: u32| (sum >> (32 * k)) as u32;
                store4(to.add(at), [word(0), word(1), word(2), word(3)]);
            }
            at += MULTIPLYING;
        }
    });
}

/// `total / 2^24`, its lowest bit set if a bit is lost.
#[inline(always)]
fn lower(total: i128) -> i128 {
    (total >> 24) | i128::from(total & 0xFF_FFFF != 0)
}

/// A 128-bit integer.
///
/// # Safety
///
/// It may be read.
#[inline(always)]
pub(super) unsafe fn total(at: *const Words4) -> i128 {
    // SAFETY: the caller's.
    let [a, b, c, d] = unsafe { load4(at) }.map(u128::from);
    (a | b << 32 | c << 64 | d << 96) as i128
}

/// Lists those of so many steps in which both operands have digits that are not 0; says how many.
///
/// # Safety
///
/// There are marks of all steps.
#[inline(always)]
unsafe fn choose<B: ThreadBlock>(
    block: &mut B,
    own: &mut B::Each<ThreadState>,
    steps: u32,
    marks: [*const u8; 2],
    panels: [u32; 2],
) -> u32 {
    const EACH: usize = LIST / MULTIPLYING;
    const SHARE: usize = 32 / EACH;
    let masks = |step: usize| {
        if step >= steps as usize {
            return 0;
        }
        let mut mask = [0; 2];
        // SAFETY: the caller's.
        unroll!(P in [0 1 2 3 4 5 6 7] {
            mask[0] |= u32::from(unsafe { *marks[0].add(step * panels[0] as usize + P) }) << P;
            if P < ACROSS {
                mask[1] |= u32::from(unsafe { *marks[1].add(step * panels[1] as usize + P) }) << P;
            }
        });
        if mask[0] == 0 || mask[1] == 0 {
            0
        } else {
            mask[0] | mask[1] << DOWN
        }
    };
    // SAFETY of all: words of the memory, each of one thread.
    block.phase(own, |thread, _, memory| {
        let thread = fresh(thread);
        let mut bits = 0;
        unroll!(K in [0 1] {
            bits |= u32::from(masks(thread * EACH + K) != 0) << K;
        });
        unsafe { memory.write(BITS_AT + 4 * thread, bits) };
    });
    const WHOLE: usize = BITS_AT + 4 * MULTIPLYING;
    block.phase(own, |thread, _, memory| {
        let thread = fresh(thread);
        if thread < LIST / 32 {
            let mut bits = 0;
            unroll!(K in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
                bits |= unsafe { memory.read(BITS_AT + 4 * (SHARE * thread + K)) } << (EACH * K);
            });
            unsafe { memory.write(WHOLE + 4 * thread, bits) };
        }
    });
    block.phase(own, |thread, own, memory| {
        let thread = fresh(thread);
        let (mut before, mut all, mut own_bits) = (0, 0, 0);
        for word in 0..LIST / 32 {
            let bits = unsafe { memory.read(WHOLE + 4 * word) };
            all += bits.count_ones();
            if word < thread / SHARE {
                before += bits.count_ones();
            } else if word == thread / SHARE {
                own_bits = bits;
            }
        }
        unroll!(K in [0 1] {
            let bit = thread % SHARE * EACH + K;
            if own_bits >> bit & 1 == 1 {
                let step = thread * EACH + K;
                let at = before + (own_bits & ((1 << bit) - 1)).count_ones();
                let word = step as u32 | masks(step) << 16;
                unsafe { memory.write(LIST_AT + 4 * at as usize, word) };
            }
        });
        own.count = all;
    });
    block.agreed(own, |own| own.count)
}
