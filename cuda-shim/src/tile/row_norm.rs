//! Sums of the squares of rows, at the memory's speed, one warp, four or sixteen per row, and what
//! is made of them: norms, variances, standard deviations, and the statistics of layer norms and
//! RMS norms. The sums are exact, so each of these is rounded once.
//!
//! The definitions are [`norm`](bitexact::reduce::norm) and, with the exact sums of
//! [means](super::row_mean), [`Variance`] and [`Accumulator::quotient_in_two`], in any mode, without flags. A first
//! entry adds up each row's squares; a second one, with one thread per row, rounds the sums. A norm
//! of one window is rounded as an integer, if to nearest, ties to even, and to a normal number
//! below the last binade; all others by the definition's accumulator.
//!
//! Why nothing is lost. A row's first window is an exponent that no number of the row is above, its
//! top, and the `width` exponents below it; `width` is 22 for rows of fewer than 2^17 values. In
//! units of 2^top its numbers are below 2 and multiples of 2^-(23 + width), and their squares are
//! exact doubles below 4, multiples of 2^-(46 + 2 width).
//!
//! - A double that begins as 2^52 units of 2^-44 adds up the squares of 32 values, each rounded to
//!   that unit: 2^51 units at most.
//! - The remainder of each rounding is computed from three doubles, exactly, and is at most 2^-45.
//!   A second double, which begins as 2^52 + 2^51 units of 2^-(46 + 2 width), adds up the
//!   remainders of 32 values: 2^50 units at most, of either sign.
//!
//! A row's totals of both kinds are 64-bit integers of magnitude below 2^63. For a row of at least
//! 2^(16 + j) and fewer than 2^(17 + j) values the first unit is 2^(j - 44), and the window is
//! narrower by j: then the same bounds hold.
//!
//! Values of f16 and bf16 have 10 or 7 bits of fraction: squares of those at most 12 or 15
//! exponents below the top are multiples of the first unit, and leave no remainder. An exponent
//! counts twice in a square: where the first unit is 2^j times larger, it is j / 2 exponents fewer,
//! rounded up.
//!
//! Numbers below a window are left to the next one, which begins just below it. Each reading of a
//! row does two windows. Usual rows need one window, no row more than 15. A thread whose numbers
//! are all within the first of the two adds their squares without looking at them again; one that
//! has none there or below does nothing; any other goes through its values one by one.
//!
//! A row that is longer than its threads have at once is read piece by piece. The top is chosen by
//! the largest magnitude of the first piece, two exponents above it; if a magnitude above the top
//! is found later, the sums are dropped, and the row is read again with the top that its largest
//! magnitude asks for.
//!
//! A row with a NaN or an infinity, or of zeros alone, has no windows: its largest magnitude
//! decides.

use super::row::{
    self, Extremes, Joined, Part, all, each, each_pack, offset, packed, read_packs, values,
};
use super::wide::Wide;
use super::{ThreadBlock, row_mean, unroll};
use crate::abi::decode_mode;
use bitexact::Mode;
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::{Accumulator, Variance};
use core::num::NonZeroU32;

/// Words of a row's record, whose windows are 15 at most: those of the longest rows have 17
/// exponents of 254; threads of a block of the second entry; what that makes of a variance.
pub use gpu_plans::rows::{ROOT, ROOT_RECORD as RECORD, STATISTICS, THREADS};

/// The bits of infinity: larger ones are those of NaNs.
const INFINITY: u32 = 0x7F80_0000;

/// Exponents of the first window above the largest magnitude of a row's first piece, if there are
/// more pieces.
const HEAD: u32 = 2;

/// What a thread keeps.
struct ThreadState<const PACKS: usize> {
    packs: [[u32; 4]; PACKS],
    /// The largest magnitude of these values, and the least one but zero, less one: as bits.
    here: [u32; 2],
    /// Those of the row so far.
    found: [u32; 2],
    /// Of two windows, the squares, in units, and what their rounding took away.
    sums: [u64; 4],
    low: u32,
}

impl<const PACKS: usize> Joined for ThreadState<PACKS> {
    #[inline(always)]
    fn low(&mut self) -> &mut u32 {
        &mut self.low
    }
}

/// A window of exponents.
#[derive(Clone, Copy)]
struct Window {
    /// The field of its largest exponent, from 1 to 254.
    top: u32,
    width: u32,
    /// The exponent of the units' factor for long rows.
    more: u32,
}

impl Window {
    #[inline(always)]
    const fn new(top: u32, length: usize) -> Self {
        let more = (usize::BITS - length.leading_zeros()).saturating_sub(17);
        let top = match top {
            0 => 1,
            1..=254 => top,
            _ => 254,
        };
        Self {
            top,
            width: 22 - more,
            more,
        }
    }

    /// The one below, if it does not reach the least exponent.
    #[inline(always)]
    const fn next(self, length: usize) -> Self {
        Self::new(self.top.saturating_sub(self.width + 1), length)
    }

    /// The least bits of a magnitude above it.
    #[inline(always)]
    const fn end(self) -> u32 {
        (self.top + 1) << 23
    }

    /// The least bits of a magnitude at most so many exponents below the top; that of the least
    /// exponent has the subnormal numbers too.
    #[inline(always)]
    const fn least(self, below: u32) -> u32 {
        if self.top > below + 1 {
            (self.top - below) << 23
        } else {
            1
        }
    }

    /// How far below the top a square leaves no remainder, if values are a format's own.
    #[inline(always)]
    const fn even<T: Wide>(self) -> u32 {
        let fraction = if T::WIDE_RANGE { 7 } else { 10 };
        22 - fraction - self.more.div_ceil(2)
    }

    /// 2^52 units of squares.
    #[inline(always)]
    const fn full(self) -> u64 {
        ((1023 + 52 + self.units()[0]) as u64) << 52
    }

    /// 2^52 and 2^51 units of what their rounding takes away.
    #[inline(always)]
    const fn full_rest(self) -> u64 {
        ((1023 + 52 + self.units()[1]) as u64) << 52 | 1 << 51
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

/// For each of a thread's values; in place of some that the row does not have it is 0, others are
/// left out.
macro_rules! each_value {
    ($value:ident of $own:ident $part:ident $body:block) => {
        each_pack!(K of PACKS {
            if $part.has(offset::<WARPS, WHOLE>(K, 0, T::LANES)) {
                let values = T::widen($own.packs[K]);
                values!(J of T {
                    let there = WHOLE || $part.has(offset::<WARPS, WHOLE>(K, J, T::LANES));
                    let $value = if there { values[J] } else { 0.0 };
                    $body
                });
            }
        });
    };
}

/// Reads a thread's packs, and finds their extremes.
///
/// # Safety
///
/// As [`read_packs`].
#[inline(always)]
unsafe fn find<T: Wide, const WARPS: usize, const WHOLE: bool, const PACKS: usize>(
    own: &mut ThreadState<PACKS>,
    row: *const T,
    part: Part,
) {
    // SAFETY: the caller's.
    unsafe { read_packs::<T, WARPS, WHOLE, PACKS>(&mut own.packs, row, part) };
    let found = Extremes::of::<T, PACKS>(&own.packs);
    own.here = [found.largest::<T>(), found.least::<T>()];
    own.found = wider(own.found, own.here);
}

/// The extremes of both.
#[inline(always)]
fn wider(a: [u32; 2], b: [u32; 2]) -> [u32; 2] {
    [a[0].max(b[0]), a[1].min(b[1])]
}

/// Adds the squares of a thread's values that are in a window or in the next one.
///
/// # Safety
///
/// As [`read_packs`].
#[inline(always)]
unsafe fn square<T: Wide, const WARPS: usize, const WHOLE: bool, const PACKS: usize>(
    own: &mut ThreadState<PACKS>,
    row: *const T,
    part: Part,
    [window, next]: [Window; 2],
) {
    let [largest, least] = own.here;
    let end = window.end();
    // Less one, so that zeros alone are above all.
    if least >= end - 1 {
        return;
    }
    let begin = [window, next].map(|window| [window.full(), window.full_rest()]);
    let mut sums = begin.map(|pair| pair.map(f64::from_bits));
    macro_rules! add {
        ($number:expr, $half:literal) => {
            let number = f64::from($number);
            let square = number * number;
            let sum = sums[$half][0] + square;
            sums[$half][1] += square - (sum - sums[$half][0]);
            sums[$half][0] = sum;
        };
    }
    let all = largest < end;
    if T::LANES == 8 && all && least >= window.least(window.even::<T>()) - 1 {
        each_pack!(K of PACKS {
            let values = T::widen(own.packs[K]);
            values!(J of T {
                let number = f64::from(values[J]);
                sums[0][0] += number * number;
            });
        });
        own.sums[0] += sums[0][0].to_bits() - begin[0][0];
        return;
    }
    if all && least >= window.least(window.width) - 1 {
        each_value!(value of own part { add!(value, 0); });
    } else {
        let [first, second] = [window, next].map(|window| {
            let least = window.least(window.width);
            (least, window.end() - least)
        });
        // SAFETY: the caller's.
        unsafe {
            each::<T, WARPS, WHOLE>((1 << PACKS) - 1, row, part, |_, number| {
                let magnitude = number.to_bits() & 0x7FFF_FFFF;
                if magnitude.wrapping_sub(first.0) < first.1 {
                    add!(number, 0);
                } else if magnitude.wrapping_sub(second.0) < second.1 {
                    add!(number, 1);
                }
            });
        }
    }
    unroll!(I in [0 1 2 3] {
        let units = sums[I / 2][I % 2].to_bits().wrapping_sub(begin[I / 2][I % 2]);
        own.sums[I] = own.sums[I].wrapping_add(units);
    });
}

/// Gives every thread the extremes of all.
#[inline(always)]
fn join<B: ThreadBlock, const WARPS: usize, const PACKS: usize>(
    block: &mut B,
    own: &mut B::Each<ThreadState<PACKS>>,
) {
    let both = |[largest, least]: [u32; 2]| u64::from(largest) << 32 | u64::from(least);
    let apart = |both: u64| [(both >> 32) as u32, both as u32];
    all::<B, _, WARPS>(
        block,
        own,
        |own| both(own.found),
        |own, found| own.found = apart(found),
        |a, b| both(wider(apart(a), apart(b))),
    );
}

/// Writes the record of each row's sum of squares.
///
/// # Safety
///
/// The block has [`WARP`](super::WARP) times `WARPS` threads and the [memory](gpu_plans::rows) for
/// them. `x` has `rows` rows of `length` elements, from 1 to 2^22; if they are read in whole packs,
/// each row is a multiple of 16 there and of whole packs. `records` has [`RECORD`] words for each
/// row; nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn add<
    B: ThreadBlock,
    T: Wide,
    const WARPS: usize,
    const WHOLE: bool,
    const PACKS: usize,
>(
    block: &mut B,
    x: *const T,
    length: u32,
    rows: usize,
    records: *mut u64,
) {
    let length = length as usize;
    let size = packed::<T>(WARPS, PACKS);
    // Counted in 32 bits, which saves registers.
    let pieces = (length as u32).div_ceil(size as u32);
    let part = |piece: u32, thread| {
        Part::new::<WHOLE>(thread, (piece * size as u32) as usize, length, T::LANES)
    };
    let mut number = block.number();
    while number < rows {
        // SAFETY: one of the rows, and its record.
        let (from, record) = unsafe { (x.add(number * length), records.add(number * RECORD)) };
        let mut own = block.make(|_| ThreadState {
            packs: [[0; 4]; PACKS],
            here: [0; 2],
            found: [0, u32::MAX],
            sums: [0; 4],
            low: 0,
        });
        block.each(&mut own, |thread, own| {
            // SAFETY: the caller's row.
            unsafe { find::<T, WARPS, WHOLE, PACKS>(own, from, part(0, thread)) };
        });
        join::<B, WARPS, PACKS>(block, &mut own);
        let head = if pieces > 1 { HEAD } else { 0 };
        let mut largest = block.agreed(&own, |own| own.found[0]);
        let mut first = Window::new((largest >> 23) + head, length);
        let mut window = first;
        let mut windows = 0;
        // Whether the packs are those of the first piece.
        let mut begun = true;
        while pieces > 1 || largest != 0 && largest < INFINITY {
            let next = window.next(length);
            for piece in 0..pieces {
                block.each(&mut own, |thread, own| {
                    let part = part(piece, thread);
                    if !begun {
                        // SAFETY: the caller's row.
                        unsafe { find::<T, WARPS, WHOLE, PACKS>(own, from, part) };
                    }
                    // SAFETY: the caller's row.
                    unsafe {
                        square::<T, WARPS, WHOLE, PACKS>(own, from, part, [window, next]);
                    }
                });
                begun = pieces == 1;
            }
            if pieces > 1 {
                join::<B, WARPS, PACKS>(block, &mut own);
                largest = block.agreed(&own, |own| own.found[0]);
                if largest == 0 || largest >= INFINITY {
                    break;
                }
            }
            let least = block.agreed(&own, |own| own.found[1]);
            let above = largest >= first.end();
            let beyond = least < window.least(window.width) - 1;
            if !above {
                let rest = T::LANES == 4 || least < window.least(window.even::<T>()) - 1;
                let sums = if beyond { 4 } else { 1 + usize::from(rest) };
                unroll!(I in [0 1 2 3] {
                    if I < sums {
                        all::<B, _, WARPS>(
                            block,
                            &mut own,
                            |own| own.sums[I],
                            |own, sum| own.sums[I] = sum,
                            u64::wrapping_add,
                        );
                    }
                });
                block.each(&mut own, |thread, own| {
                    if thread == 0 {
                        unroll!(I in [0 1 2 3] {
                            if I < sums.max(2) {
                                // SAFETY: the row's record.
                                unsafe { *record.add(1 + 2 * windows + I) = own.sums[I] };
                            }
                        });
                    }
                });
                windows += 1 + usize::from(beyond);
                if !beyond || least >= next.least(next.width) - 1 {
                    break;
                }
                window = next.next(length);
            } else {
                first = Window::new(largest >> 23, length);
                window = first;
            }
            block.each(&mut own, |_, own| own.sums = [0; 4]);
        }
        let top = if windows > 0 {
            first.top << 23
        } else {
            largest
        };
        block.each(&mut own, |thread, _| {
            if thread == 0 {
                // SAFETY: the row's record.
                unsafe { *record = (windows as u64) << 32 | u64::from(top) };
            }
        });
        number += block.blocks();
    }
}

/// Calls `write` for each row with its number, a thread each.
#[inline(always)]
fn each_row<B: ThreadBlock>(block: &mut B, rows: usize, write: impl Fn(usize)) {
    let (number, blocks) = (block.number(), block.blocks());
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, _| {
        let mut i = number * THREADS + thread;
        while i < rows {
            write(i);
            i += blocks * THREADS;
        }
    });
}

/// A result by the number of its format, f16, bf16 or f32 (`to`: 0, 1, 2), as bits.
macro_rules! result {
    ($to:ident, |$format:ident| $made:expr) => {
        match $to {
            0 => {
                type $format = f16;
                $made.0.to_bits().into()
            }
            1 => {
                type $format = bf16;
                $made.0.to_bits().into()
            }
            _ => {
                type $format = Binary32;
                $made.0.to_bits()
            }
        }
    };
}

/// Writes a result.
///
/// # Safety
///
/// There is that element, and nothing else uses it.
#[inline(always)]
unsafe fn put(out: *mut u8, i: usize, to: u32, bits: u32) {
    // SAFETY: the caller's.
    unsafe {
        if to < 2 {
            *out.cast::<u16>().add(i) = bits as u16;
        } else {
            *out.cast::<u32>().add(i) = bits;
        }
    }
}

/// Writes the square roots of the sums of these records, rounded once to f16, bf16 or f32 (`to`:
/// 0, 1, 2).
///
/// # Safety
///
/// The block has [`THREADS`] threads. There is a record for each row, as [`add`] writes it, and
/// `out` has an element for each; nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn round<B: ThreadBlock>(
    block: &mut B,
    records: *const u64,
    length: u32,
    rows: usize,
    out: *mut u8,
    to: u32,
    mode: u32,
) {
    let mode = decode_mode(mode);
    each_row(block, rows, |i| {
        // SAFETY: the row's record and its element.
        unsafe {
            let record = records.add(i * RECORD);
            let quick = if mode == Mode::TIES_TO_EVEN {
                rounded(record, length, to)
            } else {
                None
            };
            let bits = quick.unwrap_or_else(|| {
                let sum = sum(record, length);
                result!(to, |R| sum.round_square_root_status::<R>(mode))
            });
            put(out, i, to, bits);
        }
    });
}

/// Writes what is made of each row's variance, or without `sums` of the mean of its squares. With
/// 0 for `what`: the variance times the length divided by `divisor`, rounded once to f16, bf16 or
/// f32 (`to`: 0, 1, 2); with [`ROOT`] the square root of that. With [`STATISTICS`] three f32, each
/// in a slice of its own: the reciprocal root of the variance plus `epsilon`, and both parts of the
/// mean, which are +0 without `sums`.
///
/// # Safety
///
/// The block has [`THREADS`] threads. There is a record for each row, as [`add`] writes it; `sums`
/// is null or has one, as the [means'](super::row_mean::add) writes it. `out` has an element for each
/// row, or three; nothing else uses `out` meanwhile. Neither length nor divisor is 0.
#[inline(always)]
pub unsafe fn spread<B: ThreadBlock>(
    block: &mut B,
    sums: *const u64,
    records: *const u64,
    length: u32,
    divisor: u32,
    rows: usize,
    out: *mut u8,
    what: u32,
    to: u32,
    mode: u32,
    epsilon: u32,
) {
    let (Some(count), Some(divisor)) = (NonZeroU32::new(length), NonZeroU32::new(divisor)) else {
        return;
    };
    let mode = decode_mode(mode);
    each_row(block, rows, |i| {
        // SAFETY: the row's records and its elements.
        unsafe {
            if what == STATISTICS {
                let record = records.add(i * RECORD);
                let sums = (!sums.is_null()).then(|| sums.add(i * row_mean::RECORD));
                if let Some(found) = statistics(sums, record, length, epsilon) {
                    let out = out.cast::<u32>().add(i);
                    [*out, *out.add(rows), *out.add(2 * rows)] = found;
                    return;
                }
            }
            let squares = sum(records.add(i * RECORD), length);
            let total = if sums.is_null() {
                None
            } else {
                Some(row_mean::sum(sums.add(i * row_mean::RECORD), length))
            };
            let variance = Variance::new(count, total.as_ref(), &squares);
            if what == STATISTICS {
                let root = variance.reciprocal_root(Binary32::from_bits(epsilon));
                let [first, second] = match &total {
                    Some(total) => total.quotient_in_two(count),
                    None => [Binary32::from_bits(0); 2],
                };
                let out = out.cast::<u32>().add(i);
                *out = root.to_bits();
                *out.add(rows) = first.to_bits();
                *out.add(2 * rows) = second.to_bits();
                return;
            }
            let bits = if what == ROOT {
                result!(to, |R| variance
                    .round_square_root_status::<R>(divisor, mode))
            } else {
                result!(to, |R| variance.round_status::<R>(divisor, mode))
            };
            put(out, i, to, bits);
        }
    });
}

/// The sum of a record with one window or two, as an integer and the exponent of its unit, and
/// whether it has something beyond, less than a unit.
///
/// # Safety
///
/// As [`sum`].
#[inline(always)]
unsafe fn total(record: *const u64, length: u32) -> Option<(u128, i32, bool)> {
    // SAFETY: the caller's.
    let (first, sum, rest) = unsafe { (*record, *record.add(1), *record.add(2)) };
    let windows = first >> 32;
    if windows != 1 && windows != 2 {
        return None;
    }
    let window = Window::new(first as u32 >> 23, length as usize);
    let [unit, least] = window.units();
    // Both in units of the lesser one: at most 2^109.
    let mut total = (u128::from(sum) << (unit - least)).wrapping_add_signed((rest as i64).into());
    let mut beyond = false;
    if windows == 2 {
        // SAFETY: the caller's.
        let (sum, rest) = unsafe { (*record.add(3), *record.add(4) as i64) };
        // The unit of these squares is 2^more of the same, that of their remainders 2^-down.
        let down = 2 * window.width + 2;
        total =
            (total + (u128::from(sum) << window.more)).wrapping_add_signed((rest >> down).into());
        beyond = rest << (64 - down) != 0;
    }
    Some((total, least, beyond))
}

/// What [`round`] makes of a record with one window or two, to nearest, ties to even: where it is a
/// normal number.
///
/// # Safety
///
/// As [`sum`].
#[inline(always)]
unsafe fn rounded(record: *const u64, length: u32, to: u32) -> Option<u32> {
    // SAFETY: the caller's.
    let (total, least, beyond) = unsafe { total(record, length)? };
    let (low, high) = (total as u64, (total >> 64) as u64);
    let (zeros, digits, more) = if high != 0 {
        let zeros = high.leading_zeros();
        let digits = high << zeros | low >> 1 >> (63 - zeros);
        (zeros, digits, beyond || low << zeros != 0)
    } else if low != 0 && !beyond {
        let zeros = low.leading_zeros();
        (64 + zeros, low << zeros, false)
    } else {
        return None;
    };
    let exponent = least + 64 - zeros as i32;
    let (precision, bias) = row::rounded_to(to);
    let odd = exponent & 1;
    let radicand = digits >> odd;
    let root = radicand.isqrt();
    let more = more || root * root != radicand || radicand << odd != digits;
    row::nearest(root, more, (exponent + odd) >> 1, precision, bias)
}

/// The reciprocal root and both parts of the mean that [`spread`] makes of usual rows: their sums
/// are integers of 128 bits, an epsilon is a number from +0 up, and the results are normal numbers.
///
/// With `n` values the root is `n / sqrt(x)`, with `x = n squares - sum^2 + epsilon n^2`. Of `x` the
/// upper 62 bits at least are taken, `y <= x < y + 2`, and of the root 27 bits or 28, `c`: the largest
/// number for which `c^2 y` is at most `n^2`, all in units. It is the root's floor, and not the root,
/// if also `c^2 (y + 2)` is below `n^2`.
///
/// # Safety
///
/// `record` is one as [`add`] writes it, and so is `sums`, if there is one, as the
/// [means'](super::row_mean::add).
#[inline(always)]
unsafe fn statistics(
    sums: Option<*const u64>,
    record: *const u64,
    length: u32,
    epsilon: u32,
) -> Option<[u32; 3]> {
    let count = u128::from(length);
    // SAFETY: the caller's.
    let (squares, exponent, beyond) = unsafe { total(record, length)? };
    if beyond || epsilon >= INFINITY {
        return None;
    }
    let (mut scaled, mut unit, mut means) = (squares.checked_mul(count)?, exponent, [0; 2]);
    if let Some(sums) = sums {
        // SAFETY: the caller's.
        let (sum, exponent) = unsafe { row_mean::total(sums)? };
        let magnitude = u64::try_from(sum.unsigned_abs()).ok()?;
        let square = u128::from(magnitude) * u128::from(magnitude);
        let least = unit.min(2 * exponent);
        scaled =
            raised(scaled, unit - least)?.checked_sub(raised(square, 2 * exponent - least)?)?;
        unit = least;
        let first = row_mean::divided(sum, exponent, length, 2)?;
        // What is left of the sum, in units of the lesser exponent: both terms are of about its size.
        let (digits, above) = (
            (first & 0x7F_FFFF | 1 << 23),
            (first >> 23 & 0xFF) as i32 - 150,
        );
        let least = exponent.min(above);
        let part = raised(u128::from(digits) * count, above - least)?;
        let whole = raised(magnitude.into(), exponent - least)?;
        let rest = (whole as i128).wrapping_sub(part as i128);
        let rest = if sum < 0 { -rest } else { rest };
        let second = if rest == 0 {
            0
        } else {
            row_mean::divided(rest, least, length, 2)?
        };
        means = [first, second];
    }
    let field = epsilon >> 23;
    let digits = epsilon & 0x7F_FFFF | u32::from(field != 0) << 23;
    let more = u128::from(digits) * count * count;
    let more_unit = field.max(1) as i32 - 150;
    let end = |x: u128, unit: i32| {
        if x == 0 {
            i32::MIN / 2
        } else {
            unit + 128 - x.leading_zeros() as i32
        }
    };
    let least = end(scaled, unit).max(end(more, more_unit)) - 63;
    if scaled == 0 && more == 0 {
        return None;
    }
    let upper = |x: u128, unit: i32| {
        let up = unit - least;
        if up >= 0 {
            x.checked_shl(up as u32).unwrap_or(0) as u64
        } else {
            x.checked_shr(up.unsigned_abs()).unwrap_or(0) as u64
        }
    };
    let y = upper(scaled, unit) + upper(more, more_unit);
    let square = count * count;
    // The quotient of both is from 2^52 to 2^55.
    let up = 53 + square.leading_zeros() as i32 - u128::from(y).leading_zeros() as i32;
    let up = up + ((up + least) & 1);
    let due = square << up;
    let product = |c: u64, y: u64| u128::from(c * c) * u128::from(y);
    let mut root = 0;
    for bit in (0..28).rev() {
        let next = root | 1 << bit;
        if product(next, y) <= due {
            root = next;
        }
    }
    if product(root, y.checked_add(2)?) >= due {
        return None;
    }
    let root = row::nearest(root, true, -((up + least) >> 1), 24, 127)?;
    let [first, second] = means;
    Some([root, first, second])
}

/// `x * 2^up`, if it has 127 bits at most.
#[inline(always)]
fn raised(x: u128, up: i32) -> Option<u128> {
    let fits = up.unsigned_abs() < x.leading_zeros();
    (fits && up >= 0).then(|| x << up)
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

#[cfg(test)]
mod tests {
    use super::{RECORD, Window, rounded, row_mean, statistics, sum};
    use bitexact::Mode;
    use bitexact::format::{Binary32, bf16, f16};
    use bitexact::reduce::Variance;
    use core::num::NonZeroU32;

    /// A length of every window's width.
    const LENGTHS: [usize; 6] = [1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 22];

    /// The exponent of the unit of numbers with this field.
    fn ulp(magnitude: u32) -> i32 {
        (magnitude >> 23).max(1) as i32 - 127 - 23
    }

    /// What a window has are multiples of its units, and the next one begins where it ends.
    #[test]
    fn windows_hold_their_squares() {
        for length in LENGTHS {
            for top in 1..=254 {
                let window = Window::new(top, length);
                let [unit, least] = window.units();
                let lowest = window.least(window.width);
                assert!(2 * ulp(lowest) >= least, "{top} {length}");
                // Values of f16 and of bf16 end 13 and 16 places above f32's.
                for (even, above) in [(window.even::<f16>(), 13), (window.even::<bf16>(), 16)] {
                    assert!(
                        2 * (ulp(window.least(even)) + above) >= unit,
                        "{top} {length}"
                    );
                }
                let next = window.next(length);
                if lowest > 1 {
                    assert_eq!(next.end(), lowest, "{top} {length}");
                    if next.top + window.width + 1 == top {
                        let down = 2 * window.width as i32 + 2;
                        assert_eq!(next.units(), [least + window.more as i32, least - down]);
                    }
                }
            }
        }
    }

    /// Roots of records, as the definition's accumulator rounds them: random ones,
    /// midpoints, and those next to a midpoint by one unit of any of the four sums.
    #[test]
    fn records_are_rounded_as_defined() {
        let mut random = 1u64;
        let mut draw = || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            random.rotate_left(31)
        };
        let mut quick = 0;
        for number in 0..40_000u64 {
            let length = LENGTHS[number as usize % LENGTHS.len()];
            let window = Window::new(60 + draw() as u32 % 150, length);
            let [unit, least] = window.units();
            let windows = 1 + number % 2;
            let mut record = [0; RECORD];
            record[0] = windows << 32 | u64::from(window.top << 23);
            let odd = draw() >> 39 | 1;
            match number / 2 % 3 {
                // 25 bits, and the square of such a number: midpoints of f32.
                0 => record[1] = (1 << 24 | odd) << (draw() % 30),
                1 => {
                    let square = u128::from(1 << 24 | odd).pow(2) << (4 * (draw() % 8));
                    let up = (unit - least) as u32;
                    record[1] = (square >> up) as u64;
                    record[2] = (square & ((1 << up) - 1)) as u64;
                }
                _ => (record[1], record[2]) = (draw() >> (draw() % 60 + 1), draw() >> 6),
            }
            if windows == 2 && number / 2 % 3 == 2 {
                (record[3], record[4]) = (draw() >> 10, draw() >> 6);
            }
            // A unit more or less, or none.
            let which = draw() as usize % (2 * windows as usize + 1);
            let one = if which.is_multiple_of(2) && draw().is_multiple_of(2) {
                u64::MAX
            } else {
                1
            };
            if which > 0 && !(which % 2 == 1 && one == u64::MAX) {
                record[which] = record[which].wrapping_add(one);
            }
            for to in 0..3 {
                // SAFETY: it is a record.
                let (made, sum) = unsafe {
                    let made = rounded(record.as_ptr(), length as u32, to);
                    (made, sum(record.as_ptr(), length as u32))
                };
                let due = result!(to, |R| sum
                    .round_square_root_status::<R>(Mode::TIES_TO_EVEN));
                if let Some(made) = made {
                    assert_eq!(made, due, "{number} {record:x?} {to}");
                    quick += 1;
                }
            }
        }
        assert!(quick > 40_000, "{quick}");
    }

    /// The statistics of records, as the definition has them: of rows about a mean that is large,
    /// small or none beside their spread, with epsilons that matter, do not, or are 0.
    #[test]
    fn statistics_are_the_defined_ones() {
        let mut random = 1u64;
        let mut draw = || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            random.rotate_left(31)
        };
        let mut quick = 0;
        for number in 0..20_000u64 {
            let count = 2 + draw() as u32 % 5000;
            let top = 60 + draw() as u32 % 150;
            let window = Window::new(top, count as usize);
            // Sums in units of 2^(least - 150), with which a row's mean window begins 24 exponents
            // below its top.
            let least = top - 24;
            let mut sums = [0; row_mean::RECORD];
            let wide = i64::from(count) << (20 + draw() % 26);
            let sum = (draw() as i64 % wide) | 1;
            (sums[0], sums[1], sums[2]) = (4, sum as u64, least.into());
            // At least the sum's square divided by the count, and a spread.
            let scale = 2.0f64.powi(2 * (least as i32 - 150));
            let square = (sum as f64).powi(2) / f64::from(count) * scale;
            let more = square * (draw() as f64 / 2.0f64.powi(64)).powi(1 << (number % 6));
            let [unit, rest] = window.units();
            let mut record = [0; RECORD];
            record[0] = 1 << 32 | u64::from(top << 23);
            record[1] = ((square + more) / 2.0f64.powi(unit)) as u64 + 1;
            record[2] = draw() >> (10 + draw() % 50);
            if record[1] >> 62 != 0 || rest < -400 {
                continue;
            }
            let epsilon =
                [0, 1, 0x3727_C5AC, 0x2B8C_BCCC, (top << 23) & 0x7F80_0000][number as usize % 5];
            let count_ = NonZeroU32::new(count).unwrap();
            for centred in [true, false] {
                // SAFETY: they are records.
                let (made, total, squares) = unsafe {
                    let of = centred.then_some(sums.as_ptr());
                    (
                        statistics(of, record.as_ptr(), count, epsilon),
                        centred.then(|| row_mean::sum(sums.as_ptr(), count)),
                        super::sum(record.as_ptr(), count),
                    )
                };
                let variance = Variance::new(count_, total.as_ref(), &squares);
                let root = variance.reciprocal_root(Binary32::from_bits(epsilon));
                let parts = total.map_or([Binary32::from_bits(0); 2], |sum| {
                    sum.quotient_in_two(count_)
                });
                if let Some(made) = made {
                    let due = [root, parts[0], parts[1]].map(Binary32::to_bits);
                    assert_eq!(made, due, "{number} {count} {sum} {record:x?} {epsilon:x}");
                    quick += 1;
                }
            }
        }
        assert!(quick > 25_000, "{quick}");
    }
}
