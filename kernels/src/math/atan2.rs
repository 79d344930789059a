//! Arc tangent of a ratio, in the right quadrant.
//!
//! Method: `ratio.rs`. The arc tangent is approximated with 32 digits; where these lie too near a
//! cut, which one pair in some 2^14 does, with 64.
//!
//! Exactness. Axes and infinities have eighths of a turn, which are irrational but for zeros; all
//! other results are inexact, since the tangent of a rational number but 0 is irrational. The rest
//! depends on the two significands, on the difference of the exponents and on the signs alone.
//! - For `y/x` below 2^-12 and `x > 0`, it is the quotient `q` less at most `q^3/3`, below `q *
//!   2^-25`. Where `q` is not itself a cut, of at most 12 digits, it is at least `2^-23 q` from
//!   every one, since its divisor has 11 digits: so the truncated quotient is on the right side.
//!   Where it is one, the result is just below it.
//! - Else the first approximation's error is below 2^-27 of the result, and it is taken only
//!   where it is farther than 2^-26 from all numbers of 12 digits, which include every cut.
//! - The second's error is below 2^-49, and no result is nearer to a cut than 2^-41: that was
//!   found by running all pairs of significands, differences of exponents and signs of `x`: 2^21
//!   times 79 of f16, 2^15 times 523 of bf16, which stand for all pairs of operands. A constant
//!   changed means running them again.
//!
//! Tables: 28 and 88 bytes, shared with `atan2pi`. Generators: `constants/arctangent.py`,
//! `constants/arctangent_long.py`.

use super::arc::{Arc, From};
use super::ratio::Ratio;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// The difference of exponents below which the arc tangent is beside the quotient.
const SMALL: i32 = -12;

/// Digits that every cut's significand fits.
const CUT_DIGITS: u32 = 12;
/// The error that a first approximation is credited with, in its last place: 2^-26.
const DOUBT: u32 = 1 << 5;

/// Whether an approximation is so far from all cuts that it decides the side of each.
#[inline]
pub(super) const fn is_clear(x: Exact<u32>) -> bool {
    const MASK: u32 = u32::MAX >> CUT_DIGITS;
    let rest = x.significand() & MASK;
    DOUBT < rest && rest < MASK - DOUBT
}

/// What [`atan2`] of operands is that are not both finite and not zero.
pub(super) enum Special {
    Nan(bool),
    Zero,
    Arc(Arc<u32>),
}

/// The result of operands of which at least one is zero, infinite or NaN, but for its sign: see
/// the function's documentation.
pub(super) const fn special(y: Exact<u32>, x: Exact<u32>) -> Special {
    if let Some(invalid) = y.nan_operand(x) {
        return Special::Nan(invalid);
    }
    let from = match (y.kind(), x.kind()) {
        (Kind::Infinite, Kind::Infinite) if x.sign() => From::ThreeEighths,
        (Kind::Infinite, Kind::Infinite) => From::Eighth,
        (Kind::Zero, _) | (_, Kind::Infinite) if x.sign() => From::Half,
        (Kind::Zero, _) | (_, Kind::Infinite) => return Special::Zero,
        _ => From::Quarter,
    };
    Special::Arc(Arc::<u32>::exactly(from))
}

/// `y/x` of magnitudes, less a little.
#[inline]
const fn below_quotient(sign: bool, y: Exact<u32>, x: Exact<u32>) -> Exact<u32> {
    let (n, d) = (y.significand(), (x.significand() | Exact::<u32>::TOP) >> 21);
    let (quotient, rest) = (n / d, n % d);
    let unit = y.exponent() - x.exponent() - 31 + 10;
    // At least 20 digits, then two more places for the sticky digit, or for the difference.
    let jammed = (quotient << 2) + 1;
    let less = jammed - if rest == 0 { 2 } else { 0 };
    Exact::<u32>::from_integer(sign, less, unit - 2)
}

pub(crate) const fn atan2_core(y: Exact<u32>, x: Exact<u32>) -> Exact<u32> {
    let sign = y.sign();
    if !(y.is_finite_nonzero() && x.is_finite_nonzero()) {
        return match special(y, x) {
            Special::Nan(invalid) => Exact::<u32>::nan(invalid),
            Special::Zero => Exact::<u32>::zero(sign),
            Special::Arc(arc) => arc.radians(sign),
        };
    }
    let ratio = Ratio::new(y, x);
    let ratio = if x.sign() {
        ratio.mirrored()
    } else if y.exponent() - x.exponent() < SMALL {
        return below_quotient(sign, y, x);
    } else {
        ratio
    };
    let short = ratio.arc().radians(sign);
    if is_clear(short) {
        short
    } else {
        ratio.arc_long().radians(sign).narrow()
    }
}

#[inline(always)]
const fn round<F: Narrow>(y: u64, x: u64, rule: Rule) -> (u64, Status) {
    let y = Exact::<u32>::decode::<F>(y as u32);
    let x = Exact::<u32>::decode::<F>(x as u32);
    atan2_core(y, x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The angle of the point (x, y) in radians, from -pi to pi, rounded once (IEEE 754-2019
    /// `atan2`; the ordinate comes first).
    ///
    /// The result has `y`'s sign. A zero `y` gives a zero where `x` is positive or +0, and `pi`
    /// where it is negative or -0; a zero `x` else gives `pi/2`. Infinities are taken as limits:
    /// two of them give `pi/4` or `3 pi/4`, `y`'s alone `pi/2`, `x`'s alone a zero or `pi`. NaN
    /// gives the canonical NaN, and invalid where it signals; nothing else is invalid. Subnormal
    /// results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::atan2};
    /// let [y, x] = [0x3C00, 0xBC00].map(f16::from_bits); // 1, -1
    /// assert_eq!(atan2(y, x, Mode::TIES_TO_EVEN).to_bits(), 0x40B6); // 3 pi/4
    /// ```
    atan2, atan2_status, atan2_bits;
    <F: Narrow>(y: F, x: F) -> F
}
