//! Softmax and its logarithm, of rows, at the memory's speed: a warp, four of them or sixteen a
//! row.
//!
//! The definitions are [`softmax`](bitexact::nn::softmax) and
//! [`log_softmax`](bitexact::nn::log_softmax), in f32 and with f32 results, to nearest, ties to
//! even, with the IEEE overflow rule. A thread keeps 32 values of a row in registers; of a longer
//! row it reads them again. The result does not depend on which thread has which value: the largest
//! value is the same in any order, and the sum is exact.
//!
//! Why the sum is exact. Each exponential is an f32, and that of the largest value is 1. Those from
//! 2^-15 up are multiples of 2^-38; a double that begins with 2^52 of these units counts 32 of them
//! without rounding, and 64-bit integers hold the sum of 2^22 of them, the longest row. What is
//! smaller goes to a thread's [bins](super::sums), each for 16 exponents: 2^13 terms are below 2^52
//! of the bin's units, and no thread has more of a row. As the sum is at least 1, the part of it
//! below 2^-38 matters for its rounding only as a sticky bit.
//!
//! The signs of zeros are not followed. Where the largest values are +0 and -0, `d` may have the
//! other sign of zero; `e^d` is 1 for both, and the sum is 2 at least, so that the difference of
//! `d` and its logarithm is not zero.
//!
//! A quotient `e / s` is computed from `y = 1 / s`, rounded to nearest: `q = e y` is improved by
//! its residual, and again (Markstein): the first step gives a neighbour of the quotient, whose
//! residual is then exact, and the second the nearest number. That holds for an `e` of 0 and from
//! 2^-15 up: smaller ones are divided by the instruction.
//!
//! Packs of values that are all near the largest, or all minus infinities, stay in registers;
//! others are read again and done value by value.
//!
//! Rows of f32 may be scores of attention: each is multiplied by a scale, and a mask takes it away
//! or is added to it, each step rounded, whenever it is read. A row that is then all minus
//! infinity has weights of 0. Weights may be rounded again, to f16 or bf16.

use super::machine::fma;
use super::row::{
    self, Binned, Joined, Part, VALUES, all, all_words, clear, each, offset, own_bins, packs, read,
    values, write,
};
use super::sums::{Bins, double};
use super::wide::Wide;
use super::{Memory, ThreadBlock, unroll};
use bitexact::Mode;
use bitexact::format::{bf16, f16};
use enclosures::double::{self, Rounder};

/// Bins: all exponents below 2^-15.
use gpu_plans::rows::SOFTMAX_BINS as BINS;
use gpu_plans::rows::{ADDED, TAKEN};

const NAN: u32 = 0x7FC0_0000;
const NEGATIVE_INFINITY: f32 = f32::from_bits(0xFF80_0000);
/// From here on up, `e^d` is 2^-15 at least.
const NEAR: f32 = -10.39;
/// From here on down it is 0.
const LEAST: f32 = -104.0;
/// The least normal number of the window.
const WINDOW: u32 = 112 << 23;
/// 2^52 of the window's units, 2^-38, as [`double`] scales numbers.
const FULL: u64 = ((1023 + 52 - 38 - 896) as u64) << 52;

const NEAREST: Rounder = Rounder::new(Mode::TIES_TO_EVEN);

/// `e^d` for any `d` up to 0.
#[inline(always)]
fn exp(d: f32) -> f32 {
    if d <= LEAST {
        return 0.0;
    }
    NEAREST.one::<double::Exp>(Mode::TIES_TO_EVEN, d)
}

/// What a thread keeps: its values; of the row so far, the largest, the sum from 2^-15 up in units
/// of 2^-38, and what else there is.
struct ThreadState {
    values: [f32; VALUES],
    greatest: f32,
    sum: u64,
    kinds: u32,
    /// The kinds that all threads of the row have.
    found: u32,
    /// A bin's sum, and what is carried from those below to the units of `sum`; whether something
    /// is left there.
    bin: u64,
    carried: u64,
    rest: bool,
    low: u32,
    /// A set of the packs that are left for later.
    late: u32,
}

impl Joined for ThreadState {
    #[inline(always)]
    fn low(&mut self) -> &mut u32 {
        &mut self.low
    }
}

impl Binned for ThreadState {
    #[inline(always)]
    fn has_bins(&self) -> bool {
        self.kinds & BINNED != 0
    }

    #[inline(always)]
    fn bin_sum(&self) -> u64 {
        self.bin
    }

    #[inline(always)]
    fn set_bin_sum(&mut self, sum: u64) {
        self.bin = sum;
    }
}

/// There is a NaN, or an infinity taken from itself.
const NO_NUMBER: u32 = 1;
/// There are terms in bins.
const BINNED: u32 = 2;

/// Puts the differences from the largest value, or their exponentials, in place of the values, and
/// adds the latter up if that is wanted. Packs with a number that is not near, but for those of
/// minus infinities alone, are left for later.
#[inline(always)]
fn exponentials<T: Wide, const LOGARITHM: bool, const WARPS: usize, const WHOLE: bool>(
    own: &mut ThreadState,
    part: Part,
    sum: bool,
) {
    let mut window = f64::from_bits(FULL);
    own.late = 0;
    packs!(K of T {
        if part.has(offset::<WARPS, WHOLE>(K, 0, T::LANES)) {
            let (mut all_near, mut all_gone) = (true, true);
            values!(J of T {
                let d = own.values[K * T::LANES + J] - own.greatest;
                own.values[K * T::LANES + J] = d;
                all_near &= d >= NEAR;
                all_gone &= d == NEGATIVE_INFINITY;
            });
            if all_near {
                values!(J of T {
                    let e = exp(own.values[K * T::LANES + J]);
                    if !LOGARITHM {
                        own.values[K * T::LANES + J] = e;
                    }
                    if sum {
                        window += double(e.to_bits());
                    }
                });
            } else if all_gone {
                values!(J of T {
                    if !LOGARITHM {
                        own.values[K * T::LANES + J] = 0.0;
                    }
                });
            } else {
                own.late |= 1 << K;
            }
        }
    });
    if sum {
        own.sum += window.to_bits() - FULL;
    }
}

/// Adds `e^d` to the window or to a bin.
#[inline(always)]
fn add<M: Memory>(own: &mut ThreadState, d: f32, bins: Bins<M>) {
    if d.is_nan() {
        own.kinds |= NO_NUMBER;
        return;
    }
    let e = exp(d).to_bits();
    if e >= WINDOW {
        let sum = f64::from_bits(FULL) + double(e);
        own.sum += sum.to_bits() - FULL;
    } else if e != 0 {
        // SAFETY: there is memory for them, and the column is this thread's.
        unsafe {
            if own.kinds & BINNED == 0 {
                clear(bins, BINS);
            }
            bins.add(double(e));
        }
        own.kinds |= BINNED;
    }
}

/// The f32 nearest to a number of units of 2^-38, at least 1 in all; and whether there is something
/// beyond.
#[inline(always)]
fn nearest(sum: u64, rest: bool) -> f32 {
    let zeros = sum.leading_zeros();
    let digits = sum << (zeros & 63);
    let (kept, below) = ((digits >> 40) as u32, digits << 24 | u64::from(rest));
    const HALF: u64 = 1 << 63;
    let up = below > HALF || below == HALF && kept & 1 == 1;
    let field = 127 + 63 - 38 - zeros;
    f32::from_bits((field << 23) + (kept & 0x7F_FFFF) + u32::from(up))
}

/// `e / s`, rounded once, for `e` of 0 or at least 2^-15 and `y`, the number nearest to `1 / s`.
#[inline(always)]
fn quotient(e: f32, s: f32, y: f32) -> f32 {
    let q = e * y;
    let q = fma(fma(-q, s, e), y, q);
    fma(fma(-q, s, e), y, q)
}

/// What is done to the scores of a row.
#[derive(Clone, Copy)]
struct Scores {
    kind: u32,
    scale: f32,
    mask: *const u8,
}

impl Scores {
    /// A score at a place of the row.
    ///
    /// # Safety
    ///
    /// The mask, if there is one, has an element there.
    #[inline(always)]
    unsafe fn of(self, place: usize, value: f32) -> f32 {
        let value = value * self.scale;
        // SAFETY: the caller's.
        unsafe {
            match self.kind {
                TAKEN if *self.mask.add(place) == 0 => NEGATIVE_INFINITY,
                ADDED => value + *self.mask.cast::<f32>().add(place),
                _ => value,
            }
        }
    }
}

/// Four results as f16 or bf16 (`to`: 0, 1), in two words.
#[inline(always)]
fn narrow([a, b, c, d, ..]: [u32; 8], to: u32) -> [u32; 2] {
    let values = [a, b, c, d, 0, 0, 0, 0].map(f32::from_bits);
    let [low, high, ..] = if to == 0 {
        f16::narrow(values)
    } else {
        bf16::narrow(values)
    };
    [low, high]
}

/// Writes the results of a pack of four, of 16 bits each.
///
/// # Safety
///
/// As [`write()`]; a whole pack's place is a multiple of 8.
#[inline(always)]
unsafe fn write_narrow<T: Wide, const WARPS: usize, const WHOLE: bool>(
    [low, high]: [u32; 2],
    pack: usize,
    to: *mut u16,
    part: Part,
) {
    let to = to.wrapping_add(part.start);
    if WHOLE {
        let place = offset::<WARPS, WHOLE>(pack, 0, T::LANES);
        // SAFETY: the caller's.
        unsafe { *to.add(place).cast::<u64>() = u64::from(high) << 32 | u64::from(low) };
        return;
    }
    unroll!(J in [0 1 2 3] {
        let place = offset::<WARPS, WHOLE>(pack, J, T::LANES);
        if part.has(place) {
            let word = if J < 2 { low } else { high };
            // SAFETY: one of the row's elements.
            unsafe { *to.add(place) = (word >> (16 * (J % 2))) as u16 };
        }
    });
}

/// The softmax of each row, or its logarithm; with `scores` the weights of attention.
///
/// # Safety
///
/// The block has [`WARP`] times `WARPS` threads and the [memory](gpu_plans::rows) for them. `x` and
/// `out` have `rows` rows of `length` elements, from 1 to 2^22; if they are read in whole packs,
/// each row is a multiple of 16 there and of whole packs. Without `scores`, `to` is 2, and results
/// are f32; with them, f16 or bf16 if it is 0 or 1. A mask has a row of `length` bytes or f32 for
/// each query of each head of each stack, so many apart. Nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn softmax<
    B: ThreadBlock,
    T: Wide,
    const LOGARITHM: bool,
    const WARPS: usize,
    const WHOLE: bool,
>(
    block: &mut B,
    x: *const T,
    length: u32,
    rows: usize,
    out: *mut u32,
    to: u32,
    scores: u32,
    scale: u32,
    mask: *const u8,
    heads: u32,
    queries: u32,
    of_stack: usize,
    of_head: usize,
    of_query: usize,
) {
    let length = length as usize;
    let scored = !LOGARITHM && T::LANES == 4 && scores != 0;
    let half = scored && to < 2;
    let pieces = length.div_ceil(row::piece(WARPS));
    let part =
        |piece, thread| Part::new::<WHOLE>(thread, piece * row::piece(WARPS), length, T::LANES);
    let mut number = block.number();
    while number < rows {
        // SAFETY: one of the rows.
        let from = unsafe { x.add(number * length) };
        let (wide_row, half_row) = (
            out.wrapping_add(number * length),
            out.cast::<u16>().wrapping_add(number * length),
        );
        let mut given = Scores {
            kind: scores,
            scale: f32::from_bits(scale),
            mask,
        };
        if scored && scores >= TAKEN {
            let (stack, row) = (number / queries as usize, number % queries as usize);
            let (stack, head) = (stack / heads as usize, stack % heads as usize);
            let first = stack * of_stack + head * of_head + row * of_query;
            let bytes = if scores == ADDED { size_of::<f32>() } else { 1 };
            given.mask = mask.wrapping_add(first * bytes);
        }
        // SAFETY: a place of the row, of which a mask has one too.
        let score = |place, value| {
            if scored {
                unsafe { given.of(place, value) }
            } else {
                value
            }
        };
        let prepare = |own: &mut ThreadState, part: Part| {
            if scored {
                packs!(K of T {
                    values!(J of T {
                        let place = offset::<WARPS, WHOLE>(K, J, T::LANES);
                        if part.has(place) {
                            let value = &mut own.values[K * T::LANES + J];
                            *value = score(part.start + place, *value);
                        }
                    });
                });
            }
        };
        let mut own = block.make(|_| ThreadState {
            values: [0.0; VALUES],
            greatest: NEGATIVE_INFINITY,
            sum: 0,
            kinds: 0,
            found: 0,
            bin: 0,
            carried: 0,
            rest: false,
            low: 0,
            late: 0,
        });
        for piece in 0..pieces {
            block.each(&mut own, |thread, own| {
                let part = part(piece, thread);
                // SAFETY: the caller's row.
                unsafe { read::<T, WARPS, WHOLE>(&mut own.values, NEGATIVE_INFINITY, from, part) };
                prepare(own, part);
                packs!(K of T {
                    values!(J of T {
                        let value = own.values[K * T::LANES + J];
                        // A NaN is found later.
                        if value > own.greatest {
                            own.greatest = value;
                        }
                    });
                });
            });
        }
        all_words::<B, _, WARPS>(
            block,
            &mut own,
            |own| own.greatest.to_bits(),
            |own, bits| own.greatest = f32::from_bits(bits),
            |a, b| {
                if f32::from_bits(b) > f32::from_bits(a) {
                    b
                } else {
                    a
                }
            },
        );
        if scored {
            block.each(&mut own, |_, own| {
                if own.greatest == NEGATIVE_INFINITY {
                    // All exponentials are 0 then, unless there is a NaN.
                    own.greatest = 0.0;
                }
            });
        }
        for piece in 0..pieces {
            block.step(&mut own, |thread, own, memory| {
                let part = part(piece, thread);
                if pieces > 1 {
                    // SAFETY: the caller's row.
                    unsafe {
                        read::<T, WARPS, WHOLE>(&mut own.values, NEGATIVE_INFINITY, from, part)
                    };
                    prepare(own, part);
                }
                let bins = own_bins::<_, WARPS>(memory, thread);
                exponentials::<T, LOGARITHM, WARPS, WHOLE>(own, part, true);
                // SAFETY: the caller's row.
                unsafe {
                    each::<T, WARPS, WHOLE>(own.late, from, part, |place, value| {
                        add(own, score(place, value) - own.greatest, bins);
                    });
                }
            });
        }
        all::<B, _, WARPS>(
            block,
            &mut own,
            |own| own.sum,
            |own, sum| own.sum = sum,
            u64::wrapping_add,
        );
        all_words::<B, _, WARPS>(
            block,
            &mut own,
            |own| own.kinds | own.found,
            |own, kinds| own.found = kinds,
            |a, b| a | b,
        );
        if block.agreed(&own, |own| own.found & BINNED) != 0 {
            row::bins::<B, _, WARPS>(block, &mut own, BINS, |_, own, _| {
                own.carried += own.bin;
                own.rest |= own.carried & 0xFFFF != 0;
                own.carried >>= 16;
            });
        }
        for piece in 0..pieces {
            block.each(&mut own, |thread, own| {
                let part = part(piece, thread);
                if pieces > 1 {
                    // SAFETY: the caller's row.
                    unsafe {
                        read::<T, WARPS, WHOLE>(&mut own.values, NEGATIVE_INFINITY, from, part)
                    };
                    prepare(own, part);
                    exponentials::<T, LOGARITHM, WARPS, WHOLE>(own, part, false);
                }
                let none = own.found & NO_NUMBER != 0;
                let sum = nearest(own.sum + own.carried, own.rest);
                let by = if LOGARITHM {
                    NEAREST.one::<double::Log>(Mode::TIES_TO_EVEN, sum)
                } else {
                    1.0 / sum
                };
                packs!(K of T {
                    let here = part.has(offset::<WARPS, WHOLE>(K, 0, T::LANES));
                    if here && own.late >> K & 1 == 0 {
                        let mut results = [0; 8];
                        values!(J of T {
                            let value = own.values[K * T::LANES + J];
                            let result = if LOGARITHM {
                                value - by
                            } else {
                                quotient(value, sum, by)
                            };
                            results[J] = if none { NAN } else { result.to_bits() };
                        });
                        // SAFETY: the pack's results.
                        unsafe {
                            if half {
                                let words = narrow(results, to);
                                write_narrow::<T, WARPS, WHOLE>(words, K, half_row, part);
                            } else {
                                write::<T, WARPS, WHOLE>(results, K, wide_row, part);
                            }
                        }
                    }
                });
                // SAFETY: the caller's row; a place in it.
                unsafe {
                    each::<T, WARPS, WHOLE>(own.late, from, part, |place, value| {
                        let d = score(place, value) - own.greatest;
                        let result = if LOGARITHM { d - by } else { exp(d) / sum };
                        let bits = if none { NAN } else { result.to_bits() };
                        if half {
                            let [word, _] = narrow([bits, 0, 0, 0, 0, 0, 0, 0], to);
                            *half_row.add(place) = word as u16;
                        } else {
                            *wide_row.add(place) = bits;
                        }
                    });
                }
            });
        }
        number += block.blocks();
    }
}
