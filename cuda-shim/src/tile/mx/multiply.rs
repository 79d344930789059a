//! Products of blocks, on the tensor cores.

use super::sum::{Sums, WEIGHTS, Way};
use crate::tile::exact::corner;
use crate::tile::machine::fresh;
use crate::tile::{Memory, Operands, ThreadBlock, WARP, Words4, unroll};
use core::marker::PhantomData;
use gpu_plans::mx::{
    ACROSS, COLUMNS, DOWN, FACTORS, LINES, ROWS, THREADS, begin, depth, digits_of, packs, stage,
    stages,
};

/// The bits of 2^exponent in f32.
#[inline(always)]
pub(super) const fn power(exponent: i32) -> u32 {
    if exponent >= -126 {
        ((exponent + 127) as u32) << 23
    } else {
        // None is lower: a scale is at least 2^-127, and a shift at most MOST_SHIFT.
        1 << (exponent + 149)
    }
}

/// Digits of a panel of rows and of one of columns, and sums of their products by weight: what a
/// thread has of 16 by 16 outputs.
struct Fragments<W> {
    a: [[u32; 4]; 5],
    b: [[u32; 4]; 5],
    /// By half of the panel of columns; by weight.
    dots: [[[u32; 4]; WEIGHTS]; 2],
    /// The halves that are multiplied.
    halves: [bool; 2],
    way: PhantomData<W>,
}

impl<W: Way> Operands for Fragments<W> {
    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        unroll!(N in [0 1] {
            unroll!(I in [0 1 2 3 4] {
                if self.halves[N] && I < W::DIGITS[0] {
                    unroll!(J in [0 1 2 3 4] {
                        if J < W::DIGITS[1] {
                            let b = [self.b[J][2 * N], self.b[J][2 * N + 1]];
                            // The first product of a weight.
                            let from = if I == 0 || J + 1 == W::DIGITS[1] {
                                [W::FIRST; 4]
                            } else {
                                self.dots[N][I + J]
                            };
                            self.dots[N][I + J] = f(from, self.a[I], b);
                        }
                    });
                }
            });
        });
    }
}

/// What a thread keeps.
struct ThreadState<W: Way> {
    fragments: Fragments<W>,
    /// Digits by panel of rows.
    a: [[[u32; 4]; 5]; 2],
    rows: [W::Row; 4],
    columns: [u32; 4],
    /// By panel of columns, panel of rows, and half of the panel of columns.
    sums: [[W::Sum; 4]; 8],
}

/// A tile's operands: digits and factors of rows and columns.
#[derive(Clone, Copy)]
struct Sides<W> {
    digits: [*const Words4; 2],
    factors: [*const Words4; 2],
    steps: u32,
    way: PhantomData<W>,
}

impl<W: Way> Sides<W> {
    /// Has a thread's part of some steps copied into their stage.
    ///
    /// # Safety
    ///
    /// There are these steps; nothing reads that stage.
    #[inline(always)]
    unsafe fn copy<M: Memory>(&self, memory: M, thread: usize, number: u32) {
        let depth = depth(W::DIGITS);
        let to = number as usize % stages(W::DIGITS) * stage(W::DIGITS);
        let first = |panel: usize| panel as u32 * self.steps + number * depth as u32;
        let ([rows, columns], all) = (packs(W::DIGITS), begin(W::DIGITS, [DOWN, ACROSS]));
        unroll!(P in [0 1 2 3 4 5 6 7] {
            let pack = P * THREADS + thread;
            if P * THREADS < all && pack < all {
                // Packs of rows' panels are a multiple of the threads.
                let side = if P * THREADS < DOWN * rows { 0 } else { 1 };
                let (pack_of, each) = [(pack, rows), (pack - DOWN * rows * side, columns)][side];
                let at = first(pack_of / each) as usize * (W::DIGITS[side] * WARP) + pack_of % each;
                // SAFETY: a pack of the panel; the stage is within the memory.
                unsafe { memory.copy4(to + 16 * pack, self.digits[side].wrapping_add(at)) };
            }
        });
        let few = depth * FACTORS / 16;
        if thread < (DOWN + ACROSS) * few {
            let (panel, within) = (thread / few, thread % few);
            let (panel, from) = if panel < DOWN {
                (panel, self.factors[0])
            } else {
                (panel - DOWN, self.factors[1])
            };
            let at = first(panel) as usize * (FACTORS / 16) + within;
            // SAFETY: as above.
            unsafe {
                memory.copy4(
                    to + digits_of(W::DIGITS) + 16 * thread,
                    from.wrapping_add(at),
                );
            }
        }
    }
}

/// The sums of tiles, in row-major order, or in column-major order if `turned` is not 0: f32, or
/// integers that [`finish`](super::mx_results::finish) rounds.
///
/// # Safety
///
/// The block has [`THREADS`] threads and [`memory`] bytes. The digits are what [`cut`] made of the
/// lines of both operands, so many panels of them, of all tiles; the factors are what [`factors`]
/// made. `out` has `m * n` sums. Nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn multiply<B: ThreadBlock, S: Copy, const I: usize, const J: usize>(
    block: &mut B,
    m: u32,
    n: u32,
    steps: u32,
    a_digits: *const Words4,
    b_digits: *const Words4,
    a_factors: *const Words4,
    b_factors: *const Words4,
    turned: u32,
    out: *mut S,
) where
    Sums<S, I, J>: Way<Sum = S>,
{
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(COLUMNS as u32));
    let digits = [I, J];
    let stages = steps / depth(digits) as u32;
    let mut tile = block.number() as u32;
    while tile < down * across {
        let first = corner(tile, down, across);
        let panels = [
            first[0] as usize * DOWN * steps as usize,
            first[1] as usize * ACROSS * steps as usize,
        ];
        let sides = Sides::<Sums<S, I, J>> {
            digits: [
                a_digits.wrapping_add(panels[0] * I * WARP),
                b_digits.wrapping_add(panels[1] * J * WARP),
            ],
            factors: [
                a_factors.wrapping_add(panels[0] * (FACTORS / 16)),
                b_factors.wrapping_add(panels[1] * (FACTORS / 16)),
            ],
            steps,
            way: PhantomData,
        };
        let mut own = block.make(|_| ThreadState::<Sums<S, I, J>> {
            fragments: Fragments {
                a: [[0; 4]; 5],
                b: [[0; 4]; 5],
                dots: [[[0; 4]; WEIGHTS]; 2],
                halves: [true; 2],
                way: PhantomData,
            },
            a: [[[0; 4]; 5]; 2],
            rows: [Sums::<S, I, J>::row(0); 4],
            columns: [0; 4],
            sums: [[Sums::<S, I, J>::NOTHING; 4]; 8],
        });
        // SAFETY of all: the caller's; a stage is copied to after the barrier that follows its reads.
        block.phase(&mut own, |_, _, _| {});
        block.step(&mut own, |thread, _, memory| {
            unroll!(N in [0 1 2] {
                if N + 1 < self::stages(digits) {
                    if (N as u32) < stages {
                        unsafe { sides.copy(memory, thread, N as u32) };
                    }
                    memory.commit();
                }
            });
        });
        for number in 0..stages {
            if self::stages(digits) == 3 {
                // An empty group: so all but the last two are those of the stage.
                block.step(&mut own, |_, _, memory| memory.commit());
            }
            block.arrive();
            block.step(&mut own, |thread, _, memory| {
                let next = number + self::stages(digits) as u32 - 1;
                if next < stages {
                    // What is computed again needs no registers meanwhile.
                    let thread = if rounds(digits) == 2 {
                        fresh(thread)
                    } else {
                        thread
                    };
                    unsafe { sides.copy(memory, thread, next) };
                }
                memory.commit();
            });
            unroll!(D in [0 1] {
                if D < depth(digits) {
                    let from = number as usize % self::stages(digits) * stage(digits);
                    // SAFETY: the stage is there.
                    unsafe { walk::<B, Sums<S, I, J>, D>(block, &mut own, from) };
                }
            });
        }
        block.each(&mut own, |thread, own| {
            let thread = fresh(thread);
            let (warp, lane) = (thread / WARP, thread % WARP);
            let row = first[0] * ROWS as u32 + (warp / 2 * 32 + lane / 4) as u32;
            let column = first[1] * COLUMNS as u32 + (warp % 2 * 32 + 2 * (lane % 4)) as u32;
            unroll!(T in [0 1 2 3 4 5 6 7] {
                unroll!(C in [0 1 2 3] {
                    let row = row + (T / 2 % 2 * LINES + C / 2 * 8) as u32;
                    let column = column + (T / 4 * LINES + T % 2 * 8 + C % 2) as u32;
                    if row < m && column < n {
                        let (place, sum) = (place(row, column, [m, n], turned), own.sums[T][C]);
                        // SAFETY: one of the sums.
                        unsafe { Sums::<S, I, J>::put(out, place, sum) };
                    }
                });
            });
        });
        tile += block.blocks() as u32;
    }
}

/// Adds the dot products of a step, the one of this number in the stage.
///
/// # Safety
///
/// The stage begins there.
#[inline(always)]
unsafe fn walk<B: ThreadBlock, W: Way, const D: usize>(
    block: &mut B,
    own: &mut B::Each<ThreadState<W>>,
    from: usize,
) {
    let digits = move |side: usize, panels: [usize; 2], number: usize, lane: usize| {
        let number = D * W::DIGITS[side] + number;
        from + 16 * (begin(W::DIGITS, panels) + number * WARP + lane)
    };
    let factors =
        move |panel: usize| from + digits_of(W::DIGITS) + (panel * depth(W::DIGITS) + D) * FACTORS;
    // A panel of rows' digits.
    let read = move |memory: B::Memory, thread: usize, panel: usize| {
        let (panel, lane) = (thread / WARP / 2 * 2 + panel, thread % WARP);
        let mut a = [[0; 4]; 5];
        unroll!(I in [0 1 2 3 4] {
            if I < W::DIGITS[0] {
                // SAFETY: within the stage.
                a[I] = unsafe { memory.read4(digits(0, [panel, 0], I, lane)) };
            }
        });
        a
    };
    block.step(own, |thread, own, memory| {
        let (warp, lane) = (thread / WARP, thread % WARP);
        unroll!(P in [0 1] {
            if rounds(W::DIGITS) == 1 {
                own.a[P] = read(memory, thread, P);
            }
            unroll!(H in [0 1] {
                let at = factors(warp / 2 * 2 + P) + 4 * (lane / 4 + 8 * H);
                // SAFETY: as above.
                own.rows[2 * P + H] = W::row(unsafe { memory.read(at) });
            });
        });
    });
    unroll!(Q in [0 1] {
        block.step(own, |thread, own, memory| {
            let (warp, lane) = (thread / WARP, thread % WARP);
            let panel = warp % 2 * 2 + Q;
            unroll!(J in [0 1 2 3 4] {
                if J < W::DIGITS[1] {
                    // SAFETY: as above.
                    own.fragments.b[J] = unsafe { memory.read4(digits(1, [DOWN, panel], J, lane)) };
                }
            });
            unroll!(N in [0 1] {
                // SAFETY: as above.
                let two = unsafe { memory.read2(factors(DOWN + panel) + 4 * (8 * N + 2 * (lane % 4))) };
                own.columns[2 * N] = two as u32;
                own.columns[2 * N + 1] = (two >> 32) as u32;
            });
        });
        // A panel of rows after the other, so that few registers hold dot products; of five digits
        // half a panel of columns, and their digits are read each time.
        unroll!(P in [0 1] {
            if rounds(W::DIGITS) == 2 {
                block.step(own, |thread, own, memory| {
                    own.a[P] = read(memory, fresh(thread), P);
                });
            }
            unroll!(R in [0 1] {
                if R < rounds(W::DIGITS) {
                    let halves = [[true; 2], [R == 0, R == 1]][rounds(W::DIGITS) - 1];
                    block.multiply(own, |own| {
                        own.fragments.a = own.a[P];
                        own.fragments.halves = halves;
                        (true, &mut own.fragments)
                    });
                    block.each(own, |_, own| {
                        unroll!(N in [0 1] {
                            if halves[N] {
                                add::<W>(own, [P, Q, N]);
                            }
                        });
                    });
                }
            });
        });
    });
}

/// In how many parts a panel of columns is multiplied.
const fn rounds(digits: [usize; 2]) -> usize {
    if digits[0] == 5 { 2 } else { 1 }
}

/// Adds the dot products of a panel of rows with half a panel of columns.
#[inline(always)]
fn add<W: Way>(own: &mut ThreadState<W>, [rows, columns, half]: [usize; 3]) {
    unroll!(C in [0 1 2 3] {
        let mut dot = [0; WEIGHTS];
        unroll!(I in [0 1 2 3 4 5 6 7 8] {
            if I + 1 < W::DIGITS[0] + W::DIGITS[1] {
                dot[I] = own.fragments.dots[half][I][C];
            }
        });
        let sum = &mut own.sums[4 * columns + 2 * rows + half][C];
        let (row, column) = (own.rows[2 * rows + C / 2], own.columns[2 * half + C % 2]);
        *sum = W::add(*sum, dot, row, column);
    });
}

/// The number of an output of so many rows and columns.
#[inline(always)]
pub const fn place(row: u32, column: u32, [m, n]: [u32; 2], turned: u32) -> usize {
    if turned == 0 {
        row as usize * n as usize + column as usize
    } else {
        column as usize * m as usize + row as usize
    }
}
