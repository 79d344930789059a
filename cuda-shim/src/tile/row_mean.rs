//! Means of rows, exact and rounded once, at the memory's speed: a warp, four of them or sixteen a
//! row.
//!
//! The definition is [`mean`](bitexact::reduce::mean), without flags. A first entry adds up each
//! row, a second one divides the sums, a thread each. A sum in the row's window and the bins next
//! to it is divided as an integer, if it is to be rounded to nearest, ties to even, and the mean is
//! normal and below the last binade; all others by the definition's accumulator.
//!
//! Why no addition rounds. A row's window is the exponent of its largest magnitude and up to 24
//! exponents below it. A value in the window is less than 2^48 units of the lowest exponent, so a
//! double that starts from 2^52 + 2^51 of these units adds up 8 values of either sign exactly. Rows
//! of 2^14 values and more have a narrower window, so that the sum of all threads is below 2^62. A
//! thread that has a value below the window goes through its values one by one, and such values go
//! to bins, each for 16 exponents, to which a thread adds at most 2^13 terms: see
//! [sums](super::sums). All values are widened to f32, which is exact for f16 and bf16.
//!
//! A row that is longer than its threads have at once is read piece by piece, and only once if its
//! first piece has its largest magnitude, or one of at most two exponents less: the window is
//! chosen by the first piece, and begins two exponents above that. If there is a larger magnitude
//! later, or the first piece has zeros alone, the sums are dropped; the row is read again for its
//! largest magnitude, and once more for its sums.
//!
//! A row with an infinity or a NaN has no sum, and the sum of a row of zeros depends on their
//! signs: for such rows only the classes of the values are examined.

use super::row::{
    self, Binned, Extremes, Joined, Part, all, all_words, clear, each, each_pack, own_bins, packed,
    read_packs, values,
};
use super::sums::{Bins, double};
use super::wide::Wide;
use super::{Memory, ThreadBlock, unroll};
use crate::abi::decode_mode;
use bitexact::Mode;
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::Accumulator;
use core::num::NonZeroU32;

/// Bins: all exponents; words of a row's record; threads of a block of the second entry.
pub use gpu_plans::rows::{MEAN_BINS as BINS, MEAN_RECORD as RECORD, THREADS};

/// Kinds of terms.
const PLUS_ZERO: u32 = 1;
const MINUS_ZERO: u32 = 2;
const NUMBER: u32 = 4;
const PLUS_INFINITY: u32 = 8;
const MINUS_INFINITY: u32 = 16;
const NAN: u32 = 32;
/// There are terms in bins.
const BINNED: u32 = 64;
/// There are magnitudes above the window.
const ABOVE: u32 = 128;

/// Values that a double adds up.
const CHAIN: usize = 8;

/// Exponents of a window above the largest magnitude of a row's first piece, if there are more
/// pieces.
const HEAD: u32 = 2;

/// The field of infinities and NaNs.
const SPECIAL: u32 = 255;

/// The kind of a zero or of what is no number.
#[inline(always)]
const fn kind(bits: u32) -> u32 {
    let magnitude = bits & 0x7FFF_FFFF;
    let pair = if magnitude == 0 {
        [PLUS_ZERO, MINUS_ZERO]
    } else if magnitude == SPECIAL << 23 {
        [PLUS_INFINITY, MINUS_INFINITY]
    } else if magnitude > SPECIAL << 23 {
        [NAN, NAN]
    } else {
        [NUMBER, NUMBER]
    };
    pair[(bits >> 31) as usize]
}

/// What a thread keeps.
struct ThreadState<const PACKS: usize> {
    packs: [[u32; 4]; PACKS],
    /// The extremes of these.
    extremes: Extremes,
    /// The row's largest magnitude, as bits.
    largest: u32,
    sum: u64,
    bin: u64,
    kinds: u32,
    /// The kinds that all threads of the row have.
    found: u32,
    low: u32,
}

impl<const PACKS: usize> Joined for ThreadState<PACKS> {
    #[inline(always)]
    fn low(&mut self) -> &mut u32 {
        &mut self.low
    }
}

impl<const PACKS: usize> Binned for ThreadState<PACKS> {
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

/// A row's window.
#[derive(Clone, Copy)]
struct Window {
    /// The field of its least exponent, 1 at least.
    least: u32,
    /// The least bits of a magnitude above it: those of infinity at most.
    end: u32,
}

impl Window {
    /// That of a row, by a magnitude and the exponents above it.
    #[inline(always)]
    const fn new(largest: u32, length: usize, head: u32) -> Self {
        // 2^(38 - width) values of 24 + width bits are below 2^62.
        let bits = usize::BITS - length.leading_zeros();
        let width = if bits > 14 { 38 - bits } else { 24 };
        let field = (largest >> 23) + head;
        let top = if field < SPECIAL { field } else { SPECIAL - 1 };
        Self {
            least: if top > width { top - width } else { 1 },
            end: (top + 1) << 23,
        }
    }

    /// 2^52 and 2^51 of its units, 2^(least - 150).
    #[inline(always)]
    const fn full(self) -> u64 {
        ((1023 + 52 - 150 + self.least) as u64) << 52 | 1 << 51
    }

    /// Whether it has all magnitudes from one, given by its bits less one, or zeros alone.
    #[inline(always)]
    const fn reaches(self, less_one: u32) -> bool {
        let least = if self.least > 1 { self.least << 23 } else { 1 };
        less_one >= least - 1
    }
}

/// Adds a thread's values.
///
/// # Safety
///
/// As [`read_packs`]. There is memory for the bins, and the column is this thread's.
#[inline(always)]
unsafe fn add_packs<
    M: Memory,
    T: Wide,
    const WARPS: usize,
    const WHOLE: bool,
    const PACKS: usize,
>(
    own: &mut ThreadState<PACKS>,
    window: Window,
    bins: Bins<M>,
    row: *const T,
    part: Part,
) {
    let full = window.full();
    let chains = PACKS * T::LANES / CHAIN;
    if window.reaches(own.extremes.least::<T>()) && own.extremes.largest::<T>() < window.end {
        let mut sums = [f64::from_bits(full); 4];
        each_pack!(K of PACKS {
            let values = T::widen(own.packs[K]);
            values!(J of T { sums[(K * T::LANES + J) % chains] += f64::from(values[J]); });
        });
        unroll!(C in [0 1 2 3] {
            if C < chains {
                let sum = sums[C].to_bits().wrapping_sub(full);
                own.sum = own.sum.wrapping_add(sum);
            }
        });
        return;
    }
    let (mut sum, mut kinds) = (own.sum, own.kinds);
    // SAFETY: the caller's.
    unsafe {
        each::<T, WARPS, WHOLE>((1 << PACKS) - 1, row, part, |_, value| {
            let bits = value.to_bits();
            let magnitude = bits & 0x7FFF_FFFF;
            if magnitude >= window.end {
                kinds |= ABOVE;
            } else if window.reaches(magnitude.wrapping_sub(1)) {
                let one = f64::from_bits(full) + f64::from(value);
                sum = sum.wrapping_add(one.to_bits().wrapping_sub(full));
            } else {
                if kinds & BINNED == 0 {
                    clear(bins, BINS);
                    kinds |= BINNED;
                }
                bins.add(double(bits));
            }
        });
    }
    (own.sum, own.kinds) = (sum, kinds);
}

/// Writes the record of each row's sum.
///
/// # Safety
///
/// The block has [`WARP`](super::WARP) times `WARPS` threads and the [memory](gpu_plans::rows) for
/// them and the bins. `x` has `rows` rows of `length` elements, from 1 to 2^22; if they are read in
/// whole packs, each row is a multiple of 16 there and of whole packs. `records` has [`RECORD`]
/// words for each row; nothing else uses it meanwhile.
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
            extremes: Extremes::NONE,
            largest: 0,
            sum: 0,
            bin: 0,
            kinds: 0,
            found: 0,
            low: 0,
        });
        // The pieces whose largest magnitude is known.
        let mut known = 1u32;
        let window = loop {
            for piece in 0..known {
                block.each(&mut own, |thread, own| {
                    // SAFETY: the caller's row.
                    unsafe {
                        read_packs::<T, WARPS, WHOLE, PACKS>(
                            &mut own.packs,
                            from,
                            part(piece, thread),
                        );
                    }
                    own.extremes = Extremes::of::<T, PACKS>(&own.packs);
                    own.largest = own.largest.max(own.extremes.largest::<T>());
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
            let head = if known < pieces { HEAD } else { 0 };
            let window = Window::new(largest, length, head);
            if largest == 0 && known < pieces {
                known = pieces;
                continue;
            }
            let number = largest != 0 && largest >> 23 != SPECIAL;
            for piece in 0..pieces {
                block.step(&mut own, |thread, own, memory| {
                    let part = part(piece, thread);
                    if number {
                        if piece > 0 || known > 1 {
                            // SAFETY: the caller's row.
                            unsafe {
                                read_packs::<T, WARPS, WHOLE, PACKS>(&mut own.packs, from, part);
                            }
                            own.extremes = Extremes::of::<T, PACKS>(&own.packs);
                        }
                        own.kinds |= NUMBER;
                        let bins = own_bins::<_, WARPS>(memory, thread);
                        // SAFETY: the caller's row; there is memory for the bins.
                        unsafe {
                            add_packs::<_, T, WARPS, WHOLE, PACKS>(own, window, bins, from, part);
                        }
                    } else {
                        let mut kinds = own.kinds;
                        // SAFETY: the caller's row.
                        unsafe {
                            each::<T, WARPS, WHOLE>((1 << PACKS) - 1, from, part, |_, value| {
                                kinds |= kind(value.to_bits());
                            });
                        }
                        own.kinds = kinds;
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
            block.each(&mut own, |_, own| own.found = own.kinds);
            all_words::<B, _, WARPS>(
                block,
                &mut own,
                |own| own.found,
                |own, kinds| own.found = kinds,
                |a, b| a | b,
            );
            if block.agreed(&own, |own| own.found & ABOVE) == 0 {
                break window;
            }
            known = pieces;
            block.each(&mut own, |_, own| (own.sum, own.kinds) = (0, 0));
        };
        block.each(&mut own, |thread, own| {
            if thread == 0 {
                // SAFETY: the row's record.
                unsafe {
                    *record = own.found.into();
                    *record.add(1) = own.sum;
                    *record.add(2) = window.least.into();
                }
            }
        });
        if block.agreed(&own, |own| own.found & BINNED) != 0 {
            row::bins::<B, _, WARPS>(block, &mut own, BINS, |thread, own, bin| {
                if thread == 0 {
                    // SAFETY: the row's record.
                    unsafe { *record.add(3 + bin) = own.bin };
                }
            });
        }
        number += block.blocks();
    }
}

/// The means of rows with these records, rounded once to f16, bf16 or f32 (`to`: 0, 1, 2).
///
/// # Safety
///
/// The block has [`THREADS`] threads. There is a record for each row, as [`add`] writes it, and
/// `out` has an element for each; nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn divide<B: ThreadBlock>(
    block: &mut B,
    records: *const u64,
    length: u32,
    rows: usize,
    out: *mut u8,
    to: u32,
    mode: u32,
) {
    let Some(divisor) = NonZeroU32::new(length) else {
        return;
    };
    let mode = decode_mode(mode);
    let (number, blocks) = (block.number(), block.blocks());
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, _| {
        let mut i = number * THREADS + thread;
        while i < rows {
            // SAFETY: the row's record and its element.
            unsafe {
                let record = records.add(i * RECORD);
                let quick = if mode == Mode::TIES_TO_EVEN {
                    quotient(record, length, to)
                } else {
                    None
                };
                let bits = quick.unwrap_or_else(|| {
                    let sum = sum(record, length);
                    macro_rules! mean {
                        ($format:ident) => {
                            sum.round_quotient_status::<$format>(divisor, mode)
                                .0
                                .to_bits()
                        };
                    }
                    match to {
                        0 => mean!(f16).into(),
                        1 => mean!(bf16).into(),
                        _ => mean!(Binary32),
                    }
                });
                if to < 2 {
                    *out.cast::<u16>().add(i) = bits as u16;
                } else {
                    *out.cast::<u32>().add(i) = bits;
                }
            }
            i += blocks * THREADS;
        }
    });
}

/// The bins below that of a window's least exponent whose sums [`total`] takes.
const NEAR: i32 = 3;

/// The mean of a row, to nearest, ties to even: where it is not zero and is a normal number, and
/// all terms are in the window or in the bins next to it.
///
/// # Safety
///
/// As [`sum`].
#[inline(always)]
unsafe fn quotient(record: *const u64, length: u32, to: u32) -> Option<u32> {
    // SAFETY: the caller's.
    let (total, exponent) = unsafe { total(record)? };
    divided(total, exponent, length, to)
}

/// The sum of a row as an integer and the exponent of its unit: where it is not zero, and all terms
/// are in the window or in the bins next to it.
///
/// # Safety
///
/// As [`sum`].
#[inline(always)]
pub(super) unsafe fn total(record: *const u64) -> Option<(i128, i32)> {
    // SAFETY: the caller's.
    let (kinds, window, least) =
        unsafe { (*record as u32, *record.add(1) as i64, *record.add(2) as i32) };
    if kinds & !BINNED != NUMBER {
        return None;
    }
    let (mut total, mut unit) = (i128::from(window), least);
    if kinds & BINNED != 0 {
        // The window is below 2^62 and moved by 63 at most; a bin is below 2^63 and moved by 48.
        let last = least / 16;
        let first = (last - NEAR).max(0);
        unit = 16 * first;
        total <<= least - unit;
        for bin in 0..=last {
            // SAFETY: the caller's.
            let sum = unsafe { *record.add(3 + bin as usize) } as i64;
            if bin < first && sum != 0 {
                return None;
            }
            total += i128::from(sum) << (16 * (bin - first).max(0));
        }
    }
    (total != 0).then_some((total, unit - 150))
}

/// `total * 2^exponent / length`, where the total is not zero, to nearest, ties to even; none where
/// it is not a normal number below the last binade.
#[inline(always)]
pub(super) fn divided(total: i128, exponent: i32, length: u32, to: u32) -> Option<u32> {
    let magnitude = total.unsigned_abs();
    let zeros = magnitude.leading_zeros();
    let digits = magnitude << zeros;
    let (digits, rest, length) = ((digits >> 64) as u64, digits as u64, u64::from(length));
    let quotient = digits / length;
    let more = digits - quotient * length != 0 || rest != 0;
    let (precision, bias) = row::rounded_to(to);
    let exponent = exponent + 64 - zeros as i32;
    let sign = u32::from(total < 0) << if to < 2 { 15 } else { 31 };
    Some(row::nearest(quotient, more, exponent, precision, bias)? | sign)
}

/// The sum of a record.
///
/// # Safety
///
/// It is one.
#[inline(always)]
pub(super) unsafe fn sum(record: *const u64, length: u32) -> Accumulator<Binary32> {
    let mut sum = Accumulator::new();
    // SAFETY: the caller's.
    let (kinds, window, least) =
        unsafe { (*record as u32, *record.add(1) as i64, *record.add(2) as i32) };
    let special = [
        (PLUS_ZERO, 0),
        (MINUS_ZERO, 0x8000_0000),
        (PLUS_INFINITY, 0x7F80_0000),
        (MINUS_INFINITY, 0xFF80_0000),
        (NAN, 0x7FC0_0000),
    ];
    for (kind, bits) in special {
        if kinds & kind != 0 {
            sum.add(Binary32::from_bits(bits));
        }
    }
    if kinds & NUMBER != 0 {
        // Neither can fail: there are as many terms as values.
        let _ = sum.add_sum(length.into(), window, least - 150);
        if kinds & BINNED != 0 {
            for bin in 0..BINS {
                // SAFETY: the caller's.
                let more = unsafe { *record.add(3 + bin) } as i64;
                let _ = sum.add_sum(length.into(), more, 16 * bin as i32 - 150);
            }
        }
    }
    sum
}
