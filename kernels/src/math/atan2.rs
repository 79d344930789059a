//! Arc tangent of a ratio, in the correct quadrant.
//!
//! Method: `atan_ratio.rs`. The arc tangent is approximated with 32 bits; where these are too close
//! to a rounding boundary (about one pair in 2^14), with 64.
//!
//! Exactness: axes and infinities give eighths of a turn, which are irrational except zero. All
//! other results are inexact, since the tangent of a rational number other than 0 is irrational;
//! they depend only on the two significands, the difference of the exponents, and the signs.
//! - For `y/x` below 2^-12 and `x > 0`, the result is the quotient `q` minus at most `q^3/3`, which
//!   is below `q * 2^-25`. If `q` is not itself a rounding boundary (of at most 12 bits), it is at
//!   least `2^-23 q` away from every one, since its divisor has 11 bits; so the truncated quotient
//!   lies on the correct side. If it is one, the result is just below it.
//! - Otherwise the first approximation's error is below 2^-27 of the result. It is accepted only
//!   where it is more than 2^-26 away from all numbers of 12 bits, which include every rounding
//!   boundary.
//! - The second's error is below 2^-49, and no result is closer to a rounding boundary than 2^-41.
//!   That was verified over all pairs of significands, differences of exponents and signs of `x`
//!   (2^21 times 79 for f16, 2^15 times 523 for bf16), which represent all pairs of operands;
//!   repeat it after changing a constant.
//!
//! Tables: 28 and 88 bytes, shared with `atan2pi`. Generators: `constants/arctangent.py`,
//! `constants/arctangent_long.py`.

use super::atan_ratio::Ratio;
use super::inverse_trig::{Arc, From};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// The difference of exponents below which the arc tangent is next to the quotient.
const SMALL: i32 = -12;

/// The significand of every rounding boundary fits in this many bits.
const CUT_DIGITS: u32 = 12;
/// The error bound assumed for a first approximation, in its last place: 2^-26.
const DOUBT: u32 = 1 << 5;

/// Whether an approximation is far enough from all rounding boundaries to decide.
#[inline]
pub(super) const fn is_clear(x: Exact<u32>) -> bool {
    const MASK: u32 = u32::MAX >> CUT_DIGITS;
    let rest = x.significand() & MASK;
    DOUBT < rest && rest < MASK - DOUBT
}

/// [`atan2`] for operands that are not both finite and non-zero.
pub(super) enum Special {
    Nan(bool),
    Zero,
    Arc(Arc<u32>),
}

/// The result, without its sign, if at least one operand is zero, infinite or NaN: see the
/// function's documentation.
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

/// Slightly less than `y/x`, for magnitudes.
#[inline]
const fn below_quotient(sign: bool, y: Exact<u32>, x: Exact<u32>) -> Exact<u32> {
    let (n, d) = (y.significand(), (x.significand() | Exact::<u32>::TOP) >> 21);
    let (quotient, rest) = (n / d, n % d);
    let unit = y.exponent() - x.exponent() - 31 + 10;
    // At least 20 bits, then two more places for the sticky bit, or for the difference.
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
    /// The angle of the point (x, y) in radians, from -pi to pi, correctly rounded (IEEE 754-2019
    /// `atan2`; the ordinate comes first).
    ///
    /// The result has `y`'s sign. A zero `y` gives a zero where `x` is positive or +0, and `pi`
    /// where it is negative or -0; otherwise a zero `x` gives `pi/2`. Infinities are limits: two
    /// give `pi/4` or `3 pi/4`, an infinite `y` alone `pi/2`, an infinite `x` alone a zero or `pi`.
    /// NaN gives the canonical NaN, and invalid where it signals; nothing else is invalid.
    /// Subnormal results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::atan2};
    /// let [y, x] = [0x3C00, 0xBC00].map(f16::from_bits); // 1, -1
    /// assert_eq!(atan2(y, x, Mode::TIES_TO_EVEN).to_bits(), 0x40B6); // 3 pi/4
    /// ```
    atan2, atan2_status, atan2_bits: round;
    <F: Narrow>(y: F, x: F) -> F
}
