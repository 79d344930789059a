//! Norms and variances of rows, at the memory's speed, one warp, four or sixteen per row. A norm is the square root of the sum of
//! a row's squares. A variance is the sum of the squares of the deviations from the row's mean, divided by their
//! number, or by a smaller number. The sums of the squares are exact: a norm is rounded only by its root, and a
//! variance by its mean, its deviations and its quotient.
//!
//! The definitions are [`norm`](bitexact::reduce::norm) in any mode, and [`variance`](bitexact::reduce::variance) with f32
//! results, to nearest, ties to even, with the IEEE overflow rule; without flags. There a deviation is one
//! subtraction in f32. A first entry adds up each row's squares; a second one, with one thread per row, rounds the sums: those
//! of one window as integers, if to nearest, ties to even, and to a normal number below the last binade; all others by the definition's accumulator.
//!
//! Why nothing is lost. A row's first window is the exponent of its largest magnitude and the `width` exponents below it;
//! `width` is 22 for rows of fewer than 2^17 values. Its numbers are scaled by a power of two: they are then below 2 and
//! multiples of 2^-(23 + width), and their squares are exact doubles below 4, multiples of 2^-(46 + 2 width).
//!
//! - A double that begins as 2^52 units of 2^-44 adds up the squares of 32 values, each rounded to that unit: 2^51 units at
//!   most.
//! - The remainder of each rounding is computed from three doubles, exactly, and is at most 2^-45. A second double, which
//!   begins as 2^52 + 2^51 units of 2^-(46 + 2 width), adds up the remainders of 32 values: 2^50 units at most, of either sign.
//!
//! A row's totals of both kinds are 64-bit integers of magnitude below 2^63. For a row of at least 2^(16 + j) and fewer than
//! 2^(17 + j) values the first unit is 2^(j - 44), and the window is narrower by j: then the same bounds hold.
//!
//! Numbers below a window are left to the next one, which begins just below it, and the row's values are gone through
//! again. Usual rows need one window, and no row more than 15.
//!
//! A row with a NaN or an infinity, or of zeros alone, has no windows: its largest magnitude decides.

use super::blocks::Wide;
use super::row::{self, Joined, Part, VALUES, all, all_words, offset, packs, read, values};
use super::sums::double;
use super::{ThreadBlock, unroll};
use crate::abi::decode_mode;
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::Accumulator;
use bitexact::{Mode, arith};
use core::num::NonZeroU32;

/// The most windows of a row: those of the longest rows have 17 exponents of 254.
const WINDOWS: usize = 15;
/// Words of a row's record: the largest magnitude and the number of windows; two sums for each window.
pub const RECORD: usize = 1 + 2 * WINDOWS;
/// Threads of a block of the second entry.
pub const THREADS: usize = 256;
/// What the second entry makes in place of a quotient: the divisor of a layer norm or an RMS norm.
pub const DEVIATION: u32 = 3;

/// The bits of infinity: larger ones are those of NaNs.
const INFINITY: u32 = 0x7F80_0000;

/// What a thread keeps.
struct Own {
    values: [f32; VALUES],
    /// What is subtracted from the values.
    mean: f32,
    /// The largest magnitude, as bits.
    largest: u32,
    /// A window's squares, in its units, and what their rounding took away.
    sum: u64,
    rest: u64,
    /// Not 0 if there is something below the window.
    below: u32,
    low: u32,
}

impl Joined for Own {
    #[inline(always)]
    fn low(&mut self) -> &mut u32 {
        &mut self.low
    }
}

/// A window of exponents.
#[derive(Clone, Copy)]
struct Window {
    /// The fields of its largest and its least exponent, 1 at least.
    top: u32,
    least: u32,
    width: u32,
    /// The exponent of the units' factor for long rows.
    more: u32,
}

impl Window {
    #[inline(always)]
    const fn new(top: u32, length: usize) -> Self {
        let more = (usize::BITS - length.leading_zeros()).saturating_sub(17);
        let width = 22 - more;
        let top = if top > 1 { top } else { 1 };
        Self {
            top,
            least: if top > width { top - width } else { 1 },
            width,
            more,
        }
    }

    /// The one below.
    #[inline(always)]
    const fn next(self, length: usize) -> Self {
        Self::new(self.least - 1, length)
    }

    /// What brings numbers, as [`double`] scales them, below 2.
    #[inline(always)]
    const fn scale(self) -> f64 {
        f64::from_bits(((1023 + 896 + 127 - self.top) as u64) << 52)
    }

    /// 2^52 units of squares.
    #[inline(always)]
    const fn full(self) -> u64 {
        ((1023 + 52 - 44 + self.more) as u64) << 52
    }

    /// 2^52 and 2^51 units of what their rounding takes away.
    #[inline(always)]
    const fn full_rest(self) -> u64 {
        ((1023 + 52 - 46 - 2 * self.width) as u64) << 52 | 1 << 51
    }

    /// The exponents of both units.
    #[inline(always)]
    const fn units(self) -> [i32; 2] {
        let twice = 2 * (self.top as i32 - 127);
        [
            twice - 44 + self.more as i32,
            twice - 46 - 2 * self.width as i32,
        ]
    }
}

/// Reads a thread's values and subtracts the mean; zeros where there are none.
///
/// # Safety
///
/// As [`read`].
#[inline(always)]
unsafe fn deviations<T: Wide, const WARPS: usize, const WHOLE: bool>(
    own: &mut Own,
    row: *const T,
    part: Part,
) {
    // SAFETY: the caller's.
    unsafe { read::<T, WARPS, WHOLE>(&mut own.values, own.mean, row, part) };
    packs!(K of T {
        values!(J of T { own.values[K * T::LANES + J] -= own.mean; });
    });
}

/// Adds the squares of a thread's values that are in a window.
#[inline(always)]
fn square<T: Wide, const WARPS: usize, const WHOLE: bool>(
    own: &mut Own,
    part: Part,
    window: Window,
) {
    let mut sum = f64::from_bits(window.full());
    let mut rest = f64::from_bits(window.full_rest());
    // The first window has zeros too; of the others none is missed.
    let least = if window.least > 1 {
        window.least << 23
    } else {
        0
    };
    let inside = ((window.top + 1) << 23) - least;
    packs!(K of T {
        if part.has(offset::<WARPS, WHOLE>(K, 0, T::LANES)) {
            values!(J of T {
                let magnitude = own.values[K * T::LANES + J].to_bits() & 0x7FFF_FFFF;
                let above = magnitude.wrapping_sub(least);
                let here = if above < inside { magnitude } else { 0 };
                if magnitude < least {
                    own.below |= magnitude;
                }
                let number = double(here) * window.scale();
                let square = number * number;
                let more = sum + square;
                rest += square - (more - sum);
                sum = more;
            });
        }
    });
    own.sum += sum.to_bits() - window.full();
    own.rest = own
        .rest
        .wrapping_add(rest.to_bits().wrapping_sub(window.full_rest()));
}

/// Writes the record of each row's sum of squares: those of the deviations from `means`, or of the values if it is null.
///
/// # Safety
///
/// The block has [`WARP`](super::WARP) times `WARPS` threads and the [memory](row::memory) for them. `x` has `rows` rows
/// of `length` elements, from 1 to 2^22; if they are read in whole packs, each row is a multiple of 16 there and of
/// whole packs. `means` has an element for each row, `records` has [`RECORD`] words for each; nothing else uses them meanwhile.
#[inline(always)]
pub unsafe fn add<B: ThreadBlock, T: Wide, const WARPS: usize, const WHOLE: bool>(
    block: &mut B,
    x: *const T,
    length: u32,
    rows: usize,
    means: *const f32,
    records: *mut u64,
) {
    let length = length as usize;
    let pieces = length.div_ceil(row::piece(WARPS));
    let part =
        |piece, thread| Part::new::<WHOLE>(thread, piece * row::piece(WARPS), length, T::LANES);
    let mut number = block.number();
    while number < rows {
        // SAFETY: one of the rows, its mean and its record.
        let (from, mean, record) = unsafe {
            let mean = if means.is_null() {
                0.0
            } else {
                *means.add(number)
            };
            (x.add(number * length), mean, records.add(number * RECORD))
        };
        let mut own = block.make(|_| Own {
            values: [0.0; VALUES],
            mean,
            largest: 0,
            sum: 0,
            rest: 0,
            below: 0,
            low: 0,
        });
        for piece in 0..pieces {
            block.each(&mut own, |thread, own| {
                // SAFETY: the caller's row.
                unsafe { deviations::<T, WARPS, WHOLE>(own, from, part(piece, thread)) };
                packs!(K of T {
                    values!(J of T {
                        let magnitude = own.values[K * T::LANES + J].to_bits() & 0x7FFF_FFFF;
                        own.largest = own.largest.max(magnitude);
                    });
                });
            });
        }
        all_words::<B, _, WARPS>(
            block,
            &mut own,
            |own| own.largest,
            |own, largest| own.largest = largest,
            u32::max,
        );
        let largest = block.agreed(&own, |own| own.largest);
        let mut windows = 0;
        if largest != 0 && largest < INFINITY {
            let mut window = Window::new(largest >> 23, length);
            loop {
                block.each(&mut own, |_, own| {
                    (own.sum, own.rest, own.below) = (0, 0, 0);
                });
                for piece in 0..pieces {
                    block.each(&mut own, |thread, own| {
                        let part = part(piece, thread);
                        if pieces > 1 {
                            // SAFETY: the caller's row.
                            unsafe { deviations::<T, WARPS, WHOLE>(own, from, part) };
                        }
                        square::<T, WARPS, WHOLE>(own, part, window);
                    });
                }
                all::<B, _, WARPS>(
                    block,
                    &mut own,
                    |own| own.sum,
                    |own, sum| own.sum = sum,
                    u64::wrapping_add,
                );
                all::<B, _, WARPS>(
                    block,
                    &mut own,
                    |own| own.rest,
                    |own, rest| own.rest = rest,
                    u64::wrapping_add,
                );
                all_words::<B, _, WARPS>(
                    block,
                    &mut own,
                    |own| own.below,
                    |own, below| own.below = below,
                    |a, b| a | b,
                );
                block.each(&mut own, |thread, own| {
                    if thread == 0 {
                        // SAFETY: the row's record.
                        unsafe {
                            *record.add(1 + 2 * windows) = own.sum;
                            *record.add(2 + 2 * windows) = own.rest;
                        }
                    }
                });
                windows += 1;
                if block.agreed(&own, |own| own.below) == 0 {
                    break;
                }
                window = window.next(length);
            }
        }
        block.each(&mut own, |thread, own| {
            if thread == 0 {
                // SAFETY: the row's record.
                unsafe { *record = (windows as u64) << 32 | u64::from(own.largest) };
            }
        });
        number += block.blocks();
    }
}

/// Writes the sums of these records divided by `divisor`, or their square roots if it is 0, rounded once to f16, bf16 or f32
/// (`to`: 0, 1, 2). With [`DEVIATION`] for `to`: the square root of the f32 plus `epsilon`, both rounded to f32, ties to even.
///
/// # Safety
///
/// The block has [`THREADS`] threads. There is a record for each row, as [`add`] writes it, and `out` has an element for each;
/// nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn round<B: ThreadBlock>(
    block: &mut B,
    records: *const u64,
    length: u32,
    divisor: u32,
    rows: usize,
    out: *mut u8,
    to: u32,
    mode: u32,
    epsilon: u32,
) {
    let mode = decode_mode(mode);
    let (number, blocks) = (block.number(), block.blocks());
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, _| {
        let mut i = number * THREADS + thread;
        while i < rows {
            macro_rules! made {
                ($format:ident, $sum:ident) => {
                    match NonZeroU32::new(divisor) {
                        Some(divisor) => $sum.round_quotient_status::<$format>(divisor, mode),
                        None => $sum.round_square_root_status::<$format>(mode),
                    }
                    .0
                    .to_bits()
                };
            }
            // SAFETY: the row's record and its element.
            unsafe {
                let record = records.add(i * RECORD);
                let quick = if mode == Mode::TIES_TO_EVEN {
                    rounded(record, length, divisor, to)
                } else {
                    None
                };
                let bits = quick.unwrap_or_else(|| {
                    let sum = sum(record, length);
                    match to {
                        0 => made!(f16, sum).into(),
                        1 => made!(bf16, sum).into(),
                        _ => made!(Binary32, sum),
                    }
                });
                match to {
                    0 | 1 => *out.cast::<u16>().add(i) = bits as u16,
                    DEVIATION => *out.cast::<u32>().add(i) = deviation(bits, epsilon),
                    _ => *out.cast::<u32>().add(i) = bits,
                }
            }
            i += blocks * THREADS;
        }
    });
}

/// What numbers are divided by whose variance, or mean square, this is.
#[inline(always)]
fn deviation(variance: u32, epsilon: u32) -> u32 {
    let [variance, epsilon] = [variance, epsilon].map(Binary32::from_bits);
    let sum: Binary32 = arith::add(variance, epsilon, Mode::TIES_TO_EVEN);
    let root: Binary32 = arith::sqrt(sum, Mode::TIES_TO_EVEN);
    root.to_bits()
}

/// What [`round`] makes of a record with one window, to nearest, ties to even: where it is a normal number.
///
/// # Safety
///
/// As [`sum`].
#[inline(always)]
unsafe fn rounded(record: *const u64, length: u32, divisor: u32, to: u32) -> Option<u32> {
    // SAFETY: the caller's.
    let (first, sum, rest) = unsafe { (*record, *record.add(1), *record.add(2)) };
    if first >> 32 != 1 {
        return None;
    }
    let [unit, least] = Window::new(first as u32 >> 23, length as usize).units();
    // Both in units of the lesser one: at most 2^109.
    let up = (unit - least) as u32;
    let (low, carry) = (sum << up).overflowing_add(rest);
    let high = (sum >> (64 - up))
        .wrapping_add((rest as i64 >> 63) as u64)
        .wrapping_add(carry.into());
    let (zeros, digits, more) = if high != 0 {
        let zeros = high.leading_zeros();
        let digits = high << zeros | low >> 1 >> (63 - zeros);
        (zeros, digits, low << zeros != 0)
    } else if low != 0 {
        let zeros = low.leading_zeros();
        (64 + zeros, low << zeros, false)
    } else {
        return None;
    };
    let exponent = least + 64 - zeros as i32;
    let (precision, bias) = row::rounded_to(to);
    if divisor != 0 {
        let quotient = digits / u64::from(divisor);
        let more = more || digits - quotient * u64::from(divisor) != 0;
        return row::nearest(quotient, more, exponent, precision, bias);
    }
    let odd = exponent & 1;
    let radicand = digits >> odd;
    let root = radicand.isqrt();
    let more = more || root * root != radicand || radicand << odd != digits;
    row::nearest(root, more, (exponent + odd) >> 1, precision, bias)
}

/// The sum of a record.
///
/// # Safety
///
/// It is one.
#[inline(always)]
unsafe fn sum(record: *const u64, length: u32) -> Accumulator<Binary32> {
    let mut sum = Accumulator::new();
    // SAFETY: the caller's.
    let first = unsafe { *record };
    let (largest, windows) = (first as u32, (first >> 32) as usize);
    if windows == 0 {
        // The square of a zero, of an infinity or of a NaN.
        sum.add(Binary32::from_bits(if largest > INFINITY {
            0x7FC0_0000
        } else {
            largest
        }));
        return sum;
    }
    let mut window = Window::new(largest >> 23, length as usize);
    for k in 0..windows {
        if k > 0 {
            window = window.next(length as usize);
        }
        for (half, unit) in window.units().into_iter().enumerate() {
            // SAFETY: the caller's.
            let part = unsafe { *record.add(1 + 2 * k + half) } as i64;
            // It cannot fail: there are as many terms as values.
            let _ = sum.add_sum(length.into(), part, unit);
        }
    }
    sum
}
