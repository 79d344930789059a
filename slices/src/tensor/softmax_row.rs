//! Softmax of a row and its logarithm, in the order of [`nn::softmax`](bitexact::nn::softmax()).
//!
//! With the greatest element m: `d = x - m` and `e = exp(d)`, in f32; s, the exact sum of all e,
//! rounded once to f32; then `e / s` or `d - log(s)`, rounded once to the result's format. The
//! exponentials are by f64, as in [`enclosures::double`].
//!
//! **The sum.** Every e is at most 1, and that of m is 1. With n elements (a multiple of 64, since
//! a row is padded with minus infinities) and a unit of 2^u, u = ceil(log2(n)) - 52, each e is
//! split: `high = (e + c) - c` with c = 1.5 * 2^(52 + u) is a multiple of the unit, and
//! `low = e - high`, exact, at most half a unit. The sum H of all `high` is exact: it is below 2^53
//! units. The sum L of all `low` may be rounded: each of n additions by at most 2^-53 times A, the
//! sum of all |low|. So the exact sum is between H + L - E and H + L + E for E = n * 2^-52 * A,
//! whose own roundings are far below the factor of 2. If both bounds round to the same f32, so does
//! the sum; else it is computed by [`sums`](super::sums). Where all e are multiples of the unit, as
//! in short rows, A is 0 and H is the sum, ties included.
//!
//! **The last rounding.** f32's division or subtraction is the whole step for results in f32 and
//! ties to even. Otherwise:
//!
//! - A quotient is computed in f64. It is no closer than 2^-49 (relative) to a number of at most 25
//!   bits, unless it equals it: `e - b * s` is a multiple of both last bits' product. So f64's
//!   quotient is on the same side of every rounding boundary of f32 and of narrower formats, and
//!   rounding it gives the exact quotient's result, in every mode.
//! - A difference is rounded to odd in f64, whose 53 bits are at least two more than the result's.
//!   A difference is zero only for zeros, which is -0 when rounding down.

use super::fma::to_odd;
use super::sums::{LANES, Scratch, Terms, all};
use crate::level::Level;
use crate::simd::{FromF64, INFINITY, Lane, SIGN};
use crate::typed;
use bitexact::reduce::Accumulator;
use bitexact::{Mode, Rounding, math};
use enclosures::double::{Exp, Rounder};

use super::Output;

/// From here on down, e^d is 0: it is below half of the least number.
const LEAST: f32 = -104.0;
const NEAREST: Rounder = Rounder::new(Mode::TIES_TO_EVEN);

/// e^d of numbers that are not above 0, or minus infinity.
#[inline(always)]
fn exp(d: &[f32; LANES]) -> [f32; LANES] {
    let (mut results, mut any) = ([0.0; LANES], 0);
    for (result, d) in results.iter_mut().zip(d) {
        let (code, open) = NEAREST.decide::<Exp>(*d);
        let here = *d > LEAST;
        *result = if here { f32::from_bits(code) } else { 0.0 };
        any |= u32::from(here) & open;
    }
    if any != 0 { by_kernel(d) } else { results }
}

#[cold]
#[inline(never)]
fn by_kernel(d: &[f32; LANES]) -> [f32; LANES] {
    d.map(|d| math::exp(d, Mode::TIES_TO_EVEN))
}

/// The greatest element ([`maximum`](bitexact::arith::maximum())), if it and all others are no NaN
/// and it is finite.
#[inline(always)]
fn greatest(row: &[f32]) -> Option<f32> {
    let (mut most, mut magnitude) = (i32::MIN, 0);
    for x in row {
        let code = x.to_bits();
        // The order of the values, -0 below +0.
        let key = (code as i32) ^ (((code as i32 >> 31) as u32) >> 1) as i32;
        most = key.max(most);
        magnitude = (code & !SIGN).max(magnitude);
    }
    let greatest = f32::from_bits((most ^ (((most >> 31) as u32) >> 1) as i32) as u32);
    (magnitude <= INFINITY && greatest.is_finite()).then_some(greatest)
}

/// The sums of the elements' exponentials, in parts.
struct Sum {
    high: f64,
    low: f64,
    /// The sum of the magnitudes that `low` adds up.
    lost: f64,
}

/// Takes the greatest element off, and adds up the exponentials, which replace the elements where
/// `KEEP` is false.
#[inline(always)]
fn exponentials<const KEEP: bool>(row: &mut [[f32; LANES]], greatest: f32) -> Sum {
    let bits = usize::BITS - (row.len() * LANES - 1).leading_zeros();
    // 1.5 * 2^(52 + u).
    let constant = f64::from_bits((u64::from(1023 + bits) << 52) | (1 << 51));
    let (mut high, mut low, mut lost) = ([0f64; LANES], [0f64; LANES], [0f64; LANES]);
    for part in row {
        let differences = part.map(|x| x - greatest);
        let terms = exp(&differences);
        *part = if KEEP { differences } else { terms };
        let sums = high.iter_mut().zip(&mut low).zip(&mut lost);
        for (((high, low), lost), e) in sums.zip(&terms) {
            let e = f64::from(*e);
            let upper = (e + constant) - constant;
            let lower = e - upper;
            *high += upper;
            *low += lower;
            *lost += lower.abs();
        }
    }
    Sum {
        high: all(high),
        low: all(low),
        lost: all(lost),
    }
}

impl Sum {
    /// The exact sum of so many terms, rounded to f32, if the parts decide it.
    #[inline(always)]
    fn rounded(&self, terms: usize) -> Option<f32> {
        let error = terms as f64 * f64::EPSILON * self.lost;
        let round = |low: f64| to_odd(self.high, low) as f32;
        let (least, most) = (round(self.low - error), round(self.low + error));
        (least == most).then_some(least)
    }
}

/// The sum of exponentials that its parts do not decide.
#[cold]
#[inline(never)]
fn exact_sum(level: Level, exponentials: &[f32]) -> f32 {
    let (total, scratch) = (&mut Accumulator::new(), &mut Scratch::new());
    level.run(Terms {
        a: exponentials,
        b: None,
        total,
        scratch,
    });
    total.round(Mode::TIES_TO_EVEN)
}

/// The result of a row; its padding is minus infinities. The processor's arithmetic is in its
/// default state.
#[inline(always)]
pub(super) fn row<R: Output>(
    level: Level,
    logarithm: bool,
    row: &mut [[f32; LANES]],
    columns: usize,
    mode: Mode,
    out: &mut [R],
) {
    let Some(greatest) = greatest(row.as_flattened().get(..columns).unwrap_or_default()) else {
        out.fill(FromF64::<R>::of_mode(mode).call((f64::NAN,)));
        return;
    };
    let sum = if logarithm {
        exponentials::<true>(row, greatest)
    } else {
        exponentials::<false>(row, greatest)
    };
    let sum = sum
        .rounded(row.len() * LANES)
        .unwrap_or_else(|| match logarithm {
            true => {
                let all: Vec<_> = row.iter().map(exp).collect();
                exact_sum(level, all.as_flattened())
            }
            false => exact_sum(level, row.as_flattened()),
        });
    let sum = if logarithm {
        math::log(sum, Mode::TIES_TO_EVEN)
    } else {
        sum
    };
    let row = row.as_flattened();
    if mode == Mode::TIES_TO_EVEN
        && let Some(out) = typed::of_type_mut::<R, f32>(out)
    {
        for (out, x) in out.iter_mut().zip(row) {
            *out = if logarithm { x - sum } else { x / sum };
        }
        return;
    }
    let narrow = FromF64::<R>::of_mode(mode);
    let sum = f64::from(sum);
    if logarithm {
        let zero = if mode.rounding == Rounding::TowardNegative {
            -0.0
        } else {
            0.0
        };
        for (out, d) in out.iter_mut().zip(row) {
            let difference = to_odd(f64::from(*d), -sum);
            let both_zero = difference == 0.0;
            // -0 - (+0) is -0 in every mode.
            let signed = if d.is_sign_negative() { -0.0 } else { zero };
            *out = narrow.call((if both_zero { signed } else { difference },));
        }
    } else {
        for (out, e) in out.iter_mut().zip(row) {
            *out = narrow.call((f64::from(*e) / sum,));
        }
    }
}
