//! Exact sums of values and of products of two, in vector code.
//!
//! The terms are processed in blocks. A pass over a block finds the range of its exponents, which
//! selects one of four methods. Its terms are multiples of 2^u, less than 2^e in magnitude.
//!
//! - **A window**, vector code in f64, where e - u is at most [`SPLIT`]: the terms are summed.
//!   N(0,1) of 16-bit formats and of f32 has such sums, and most products of bf16.
//! - **Two windows**, where e - u is at most [`SPREAD`]. A term x (a value, or a product of two,
//!   which has at most 48 bits; both are exact in f64) is split at 2^q, q = u + 42:
//!   `high = (x + c) - c` with c = 1.5 * 2^(52 + q) is a multiple of 2^q, and `low = x - high` is
//!   the remainder. Both are summed separately.
//! - **Bins**, integer code without branches, where the spread is greater or there are subnormals
//!   of f32: an integer sum for each exponent that a product can have.
//! - The kernel's [`Accumulator`] itself, where there are infinities or NaNs.
//!
//! Windows and bins end in the accumulator.
//!
//! Why a window is exact, in blocks of n = 2^11 terms: all partial sums are multiples of 2^u and at
//! most 2^(e + 11) <= 2^(u + 53), so each is an f64.
//!
//! Why two windows are exact, in such blocks: `|low| <= 2^q` (half of it to nearest), a
//! multiple of 2^u; all partial sums are at most 2^(q + 11) = 2^(u + 53), so each is an f64.
//! `|high| <= 2^(e + 1)` or it is 0 or 2^q; partial sums are at most 2^(e + 12) <= 2^(q + 53) since
//! e <= u + 83 = q + 41. So `x + c` stays in the binade of c, whose last bit is 2^q. Exponents are
//! between -298 and 310, so nothing is subnormal and nothing overflows. Only the step `x + c`
//! rounds, and it may round in any direction, so the result depends neither on the order nor on the
//! state of the processor's arithmetic. For f16 every block of finite terms qualifies (e - u is 80
//! for products).
//!
//! Why bins are exact: a product of significands is below 2^48, and the bins are emptied after at
//! most 2^15 terms.

use super::How;
use super::each;
use crate::level::Task;
use crate::simd::{Float, INFINITY, SIGN, widen};
use bitexact::reduce::Accumulator;
use core::ops::Range;

/// Terms of a block.
const BLOCK: usize = 1 << 11;
/// Partial sums: enough that LLVM vectorises the loop over them; it would unroll a shorter one into
/// scalars.
pub(super) const LANES: usize = 64;
/// The largest distance from the exponent of a window's unit to that of its bound.
const SPREAD: i32 = 83;
/// The distance from the exponent of the unit to that of the split.
pub(super) const SPLIT: i32 = 42;
/// Terms of a piece for a thread.
const PIECE: usize = 1 << 16;

/// The exact sum of the values, or of their products with others; `b` has the length of `a` then.
pub(super) fn sum<T: Float>(how: How, a: &[T], b: Option<&[T]>) -> Accumulator<f32> {
    in_pieces(how, a.len(), |range, total| {
        let a = a.get(range.clone()).unwrap_or_default();
        let b = b.map(|b| b.get(range).unwrap_or_default());
        let scratch = &mut Scratch::new();
        how.level.run(Terms {
            a,
            b,
            total,
            scratch,
        });
    })
}

/// A sum of so many terms, of which each thread adds some.
pub(super) fn in_pieces(
    how: How,
    count: usize,
    add: impl Fn(Range<usize>, &mut Accumulator<f32>) + Send + Sync,
) -> Accumulator<f32> {
    let piece = if how.threads() > 1 { PIECE } else { count };
    let mut pieces: Vec<_> = (0..count.div_ceil(piece.max(1)))
        .map(|i| (i * piece, Accumulator::new()))
        .collect();
    each(how, pieces.iter_mut().collect(), |(begin, total)| {
        add(*begin..(*begin + piece).min(count), total);
    });
    let mut total = Accumulator::new();
    for (_, part) in pieces {
        let merged = total.merge(&part);
        debug_assert!(merged.is_ok(), "a slice has fewer terms");
    }
    total
}

/// The terms of a call, added to a sum.
pub(super) struct Terms<'a, T> {
    pub(super) a: &'a [T],
    pub(super) b: Option<&'a [T]>,
    pub(super) total: &'a mut Accumulator<f32>,
    pub(super) scratch: &'a mut Scratch,
}

/// Memory of a call, which the next one can use again.
pub(super) struct Scratch {
    left: Values,
    right: Values,
    /// Empty before and after.
    bins: Bins,
}

impl Scratch {
    pub(super) const fn new() -> Self {
        Self {
            left: Values::ONES,
            right: Values::ONES,
            bins: Bins::new(),
        }
    }
}

impl<T: Float> Task for Terms<'_, T> {
    #[inline(always)]
    fn run(self) {
        let Scratch { left, right, bins } = self.scratch;
        match self.b {
            None => {
                static ONES: Values = Values::ONES;
                for a in self.a.chunks(BLOCK) {
                    left.load(a);
                    block::<false>(left, &ONES, a.len(), self.total, bins);
                }
            }
            Some(b) => {
                for (a, b) in self.a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
                    left.load(a);
                    right.load(b);
                    block::<true>(left, right, a.len(), self.total, bins);
                }
            }
        }
        bins.empty(self.total);
    }
}

/// Operands of a block as f32, and the range of their magnitudes' codes without zeros.
struct Values {
    values: [f32; BLOCK],
    greatest: u32,
    /// Minus one.
    least: u32,
    /// The bits of a significand below the first, and the place of the format's lowest.
    fraction: i32,
    lowest: i32,
}

impl Values {
    const ONES: Self = Self {
        values: [1.0; BLOCK],
        greatest: 0x3F80_0000,
        least: 0x3F7F_FFFF,
        fraction: 0,
        lowest: 0,
    };

    #[inline(always)]
    fn load<T: Float>(&mut self, from: &[T]) {
        let (mut greatest, mut least) = (0, u32::MAX);
        for (to, from) in self.values.iter_mut().zip(from) {
            let code = widen(*from);
            *to = f32::from_bits(code);
            let magnitude = code & !SIGN;
            greatest = magnitude.max(greatest);
            least = magnitude.wrapping_sub(1).min(least);
        }
        let end = from.len().next_multiple_of(LANES);
        for rest in self.values.get_mut(from.len()..end).unwrap_or_default() {
            *rest = 0.0;
        }
        (self.greatest, self.least) = (greatest, least);
        self.fraction = T::PRECISION as i32 - 1;
        self.lowest = T::EMIN - self.fraction;
    }

    /// The exponents of a power of two above all magnitudes, and of the last bit of the smallest;
    /// `None` if there are subnormals.
    #[inline(always)]
    fn exponents(&self) -> Option<(i32, i32)> {
        let (top, bottom) = (
            (self.greatest >> 23) as i32,
            ((self.least + 1) >> 23) as i32,
        );
        let unit = (bottom - 127 - self.fraction).max(self.lowest);
        (bottom > 0).then_some((top - 126, unit))
    }
}

/// Adds the terms of a block.
#[inline(always)]
fn block<const PRODUCTS: bool>(
    a: &Values,
    b: &Values,
    count: usize,
    total: &mut Accumulator<f32>,
    bins: &mut Bins,
) {
    if a.greatest >= INFINITY || b.greatest >= INFINITY {
        return specials::<PRODUCTS>(a, b, count, total);
    }
    if a.greatest == 0 || b.greatest == 0 {
        return zeros(a, b, count, total);
    }
    let range = a.exponents().zip(b.exponents());
    let range = range.map(|(a, b)| if PRODUCTS { (a.0 + b.0, a.1 + b.1) } else { a });
    match range {
        Some((top, unit)) if top - unit <= SPREAD => {
            let (high, low) = if top - unit <= SPLIT {
                (window::<PRODUCTS>(a, b, count), 0.0)
            } else {
                two_windows::<PRODUCTS>(a, b, count, unit + SPLIT)
            };
            if high == 0.0 && low == 0.0 {
                return zeros(a, b, count, total);
            }
            for sum in [high, low] {
                let (integer, exponent) = parts(sum);
                add(total, count, integer, exponent);
            }
        }
        _ => {
            if !bins.add(a, b, count) {
                return zeros(a, b, count, total);
            }
            add(total, count, 0, 0);
            bins.count += count;
            if bins.count > MOST_IN_BINS - BLOCK {
                bins.empty(total);
            }
        }
    }
}

/// A block's operands, by lanes.
#[inline(always)]
fn lanes<'a>(
    a: &'a Values,
    b: &'a Values,
    count: usize,
) -> impl Iterator<Item = (&'a [f32; LANES], &'a [f32; LANES])> {
    let a = a.values.as_chunks::<LANES>().0.iter();
    let b = b.values.as_chunks::<LANES>().0.iter();
    a.zip(b).take(count.div_ceil(LANES))
}

/// A term.
#[inline(always)]
fn term<const PRODUCTS: bool>(a: f32, b: f32) -> f64 {
    if PRODUCTS {
        f64::from(a) * f64::from(b)
    } else {
        f64::from(a)
    }
}

/// The sum of the terms.
#[inline(always)]
fn window<const PRODUCTS: bool>(a: &Values, b: &Values, count: usize) -> f64 {
    let mut sums = [0f64; LANES];
    for (a, b) in lanes(a, b, count) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += term::<PRODUCTS>(*a, *b);
        }
    }
    all(sums)
}

/// The sums of the terms' parts above and below 2^`split`.
#[inline(always)]
fn two_windows<const PRODUCTS: bool>(
    a: &Values,
    b: &Values,
    count: usize,
    split: i32,
) -> (f64, f64) {
    let constant = f64::from_bits((((split + 52 + 1023) as u64) << 52) | (1 << 51));
    let (mut high, mut low) = ([0f64; LANES], [0f64; LANES]);
    for (a, b) in lanes(a, b, count) {
        for (((high, low), a), b) in high.iter_mut().zip(&mut low).zip(a).zip(b) {
            let x = term::<PRODUCTS>(*a, *b);
            let upper = (x + constant) - constant;
            *high += upper;
            *low += x - upper;
        }
    }
    (all(high), all(low))
}

/// The sum of partial sums, in some order.
#[inline(always)]
pub(super) fn all(mut sums: [f64; LANES]) -> f64 {
    let mut half = LANES / 2;
    while half > 4 {
        let (left, right) = sums.split_at_mut(half);
        for (left, right) in left.iter_mut().zip(right) {
            *left += *right;
        }
        half /= 2;
    }
    sums.iter().take(2 * half).sum()
}

/// A number as an integer times a power of two.
#[inline(always)]
pub(super) fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let field = (bits >> 52 & 0x7FF) as i32;
    if field == 0 {
        return (0, 0);
    }
    let magnitude = ((bits & ((1 << 52) - 1)) | (1 << 52)) as i64;
    let integer = if x.is_sign_negative() {
        -magnitude
    } else {
        magnitude
    };
    (integer, field - 1075)
}

/// Adds the sum of this many terms, not all of them zeros.
#[inline(always)]
pub(super) fn add(total: &mut Accumulator<f32>, count: usize, sum: i64, exponent: i32) {
    let added = total.add_sum(count as u64, sum, exponent);
    debug_assert!(added.is_ok(), "it is a sum of so many terms");
}

/// Terms whose sum is 0: whether they are zeros, and of which signs.
#[cold]
fn zeros(a: &Values, b: &Values, count: usize, total: &mut Accumulator<f32>) {
    let (mut numbers, mut plus, mut minus) = (false, false, false);
    for (a, b) in a.values.iter().zip(&b.values).take(count) {
        let (a, b) = (a.to_bits(), b.to_bits());
        let zero = (a & !SIGN == 0) | (b & !SIGN == 0);
        let negative = (a ^ b) & SIGN != 0;
        numbers |= !zero;
        plus |= zero & !negative;
        minus |= zero & negative;
    }
    if numbers {
        add(total, count, 0, 0);
        return;
    }
    if plus {
        total.add(0.0);
    }
    if minus {
        total.add(-0.0);
    }
}

/// Terms of which some are not finite.
#[cold]
fn specials<const PRODUCTS: bool>(
    a: &Values,
    b: &Values,
    count: usize,
    total: &mut Accumulator<f32>,
) {
    for (a, b) in a.values.iter().zip(&b.values).take(count) {
        if PRODUCTS {
            total.add_product(*a, *b);
        } else {
            total.add(*a);
        }
    }
}

/// An integer sum for each exponent: bin i counts in units of 2^(i - 300).
struct Bins {
    sums: [i64; 512],
    count: usize,
}

/// The most terms in bins.
const MOST_IN_BINS: usize = 1 << 15;

impl Bins {
    const fn new() -> Self {
        Self {
            sums: [0; 512],
            count: 0,
        }
    }

    /// Adds products; returns whether any is not 0.
    #[inline(always)]
    fn add(&mut self, a: &Values, b: &Values, count: usize) -> bool {
        let mut any = 0;
        for (a, b) in a.values.iter().zip(&b.values).take(count) {
            let (a, b) = (a.to_bits(), b.to_bits());
            let ((a_field, a_bits), (b_field, b_bits)) = (fields(a), fields(b));
            let product = (u64::from(a_bits) * u64::from(b_bits)) as i64;
            any |= product;
            let sign = i64::from((a ^ b) as i32 >> 31);
            if let Some(bin) = self.sums.get_mut((a_field + b_field) as usize % 512) {
                *bin += (product ^ sign) - sign;
            }
        }
        any != 0
    }

    /// Adds all bins to a sum.
    #[inline(always)]
    fn empty(&mut self, total: &mut Accumulator<f32>) {
        if self.count == 0 {
            return;
        }
        for (i, sum) in self.sums.iter_mut().enumerate() {
            if *sum != 0 {
                add(total, self.count, *sum, i as i32 - 300);
                *sum = 0;
            }
        }
        self.count = 0;
    }
}

/// The exponent's field (at least 1) and the significand of a finite f32.
#[inline(always)]
const fn fields(code: u32) -> (u32, u32) {
    let field = code >> 23 & 0xFF;
    let normal = (field != 0) as u32;
    (field + 1 - normal, (code & 0x7F_FFFF) | (normal << 23))
}
