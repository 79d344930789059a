//! IEEE remainder, C's fmod and remquo; Python's `//` and `%`.
//!
//! Method: the integer remainder of the significands, with the dividend shifted by the difference
//! of the exponents in steps of eight bits. The result is exact, so there is no mode.
//!
//! A floored quotient is the truncated one, one less where it is negative and something remains;
//! then the floored remainder is the sum of the truncated one and the divisor, which is rounded.
//! From 2^24 on, the quotient itself serves. A number B of 12 bits from there on is a multiple of
//! 2^13, so for significands a and b of at most 11 bits, a quotient `a 2^s / b` that is not B is at
//! least `2^13 / b > 1` away from it, and its floor is on the same side of B.

use crate::fixed;
use crate::format::{Arithmetic, Narrow};
use crate::public_api::{rounded_by_mode, unrounded};
use crate::round::{Exact, Kind, Mode, Rule, Status};

/// Bits of the longest significand.
const DIGITS: u32 = 24;
/// From this difference of the exponents on, a quotient is above 2^24.
const LONG: i32 = 25;

/// The remainder and the low 32 bits of the quotient's magnitude. The quotient is the nearest
/// integer, at a tie the even one, or the truncated one.
const fn divide(x: Exact<u32>, y: Exact<u32>, nearest: bool) -> (Exact<u32>, u32) {
    if let Some(invalid) = x.nan_operand(y) {
        return (Exact::<u32>::nan(invalid), 0);
    }
    match (x.kind(), y.kind()) {
        (Kind::Infinite, _) | (_, Kind::Zero) => return (Exact::<u32>::nan(true), 0),
        (Kind::Zero, _) | (_, Kind::Infinite) => return (x, 0),
        _ => {}
    }
    let apart = x.exponent() - y.exponent();
    // Below half the divisor (fmod: below the divisor) nothing is subtracted.
    if apart < if nearest { -1 } else { 0 } {
        return (x, 0);
    }
    let numerator = x.significand() >> (32 - DIGITS);
    let divisor = y.significand() >> (32 - DIGITS);
    let (divisor, rest, quotient, unit) = if apart < 0 {
        (divisor << 1, numerator, 0, x.exponent())
    } else {
        let (rest, quotient) = fixed::remainder(numerator, divisor, apart as u32);
        (divisor, rest, quotient, y.exponent())
    };
    let twice = rest << 1;
    let up = nearest && (twice > divisor || (twice == divisor && quotient & 1 != 0));
    let magnitude = if up { divisor - rest } else { rest };
    let unit = unit - (DIGITS as i32 - 1);
    // A zero keeps the sign of x: it is not the result of rounding the quotient up, since there
    // rest < divisor.
    (
        Exact::<u32>::from_integer(x.sign() != up, magnitude, unit),
        quotient.wrapping_add(up as u32),
    )
}

const fn modulo<F: Arithmetic>(x: u64, y: u64, nearest: bool) -> (u64, Status, u32) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let y = Exact::<u32>::decode::<F>(y as u32);
    let (result, quotient) = divide(x, y, nearest);
    let (bits, status) = result.to_format::<F>(Mode::TOWARD_ZERO.rule());
    // C23 requires at least three low bits of the quotient's magnitude; these are 31.
    let low = (quotient & i32::MAX as u32) as i32;
    let negative = x.sign() != y.sign();
    (bits, status, if negative { -low } else { low } as u32)
}

const fn ieee<F: Arithmetic>(x: u64, y: u64) -> (u64, Status) {
    let (bits, status, _) = modulo::<F>(x, y, true);
    (bits, status)
}

const fn truncated<F: Arithmetic>(x: u64, y: u64) -> (u64, Status) {
    let (bits, status, _) = modulo::<F>(x, y, false);
    (bits, status)
}

/// `floor(x / y)`, on its side of every rounding boundary of a narrow format.
const fn floored_quotient(x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    let below = x.sign() != y.sign();
    match (x.kind(), y.kind()) {
        (Kind::Infinite, Kind::Finite) => Exact::<u32>::nan(true),
        (Kind::Finite, Kind::Infinite) if below => Exact::<u32>::ONE.negate_if(true),
        (Kind::Finite, Kind::Finite) if x.exponent() - y.exponent() < LONG => {
            let (rest, quotient) = divide(x, y, false);
            let more = below && rest.is_finite_nonzero();
            Exact::<u32>::from_integer(below, quotient + more as u32, 0)
        }
        _ => x.div_short(y),
    }
}

/// `x - floor(x / y) * y`.
const fn floored_remainder(x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    let (rest, _) = divide(x, y, false);
    match rest.kind() {
        Kind::Zero => Exact::<u32>::zero(y.sign()),
        Kind::Finite if rest.sign() != y.sign() => rest.add(y),
        _ => rest,
    }
}

#[inline(always)]
const fn round_quotient<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    floored_quotient(x, Exact::<u32>::decode::<F>(y as u32)).to_format::<F>(rule)
}

#[inline(always)]
const fn round_remainder<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    floored_remainder(x, Exact::<u32>::decode::<F>(y as u32)).to_format::<F>(rule)
}

unrounded! {
    /// `x - y * n`, where `n` is the integer nearest to `x / y`, at a tie the even one (IEEE
    /// 754-2019 `remainder`). Exact.
    ///
    /// A zero result has the sign of `x`. An infinite `x` or a zero `y` gives NaN and raises
    /// invalid; an infinite `y` gives `x`.
    ///
    /// ```
    /// use bitexact::{arith::{fmod, remainder}, f16};
    /// let (x, y) = (f16::from_f32_const(5.0), f16::from_f32_const(3.0));
    /// assert_eq!(remainder(x, y), f16::from_f32_const(-1.0));
    /// assert_eq!(fmod(x, y), f16::from_f32_const(2.0));
    /// ```
    remainder, remainder_status, remainder_bits: ieee;
    <F: Arithmetic>(x: F, y: F) -> F
}

unrounded! {
    /// `x - y * n`, where `n` is `x / y` truncated (C23 `fmod`). Exact.
    ///
    /// A zero result has the sign of `x`. An infinite `x` or a zero `y` gives NaN and raises
    /// invalid; an infinite `y` gives `x`.
    fmod, fmod_status, fmod_bits: truncated;
    <F: Arithmetic>(x: F, y: F) -> F
}

/// [`remainder`] and the low bits of `n` (C23 `remquo`): the sign of `x / y`, and the magnitude
/// of `n` modulo 2^31. The quotient is 0 where the remainder is NaN.
#[inline]
#[must_use]
pub fn remquo<F: Arithmetic>(x: F, y: F) -> (F, i32) {
    let ((remainder, quotient), _) = remquo_status(x, y);
    (remainder, quotient)
}

/// [`remquo`] with its status.
#[inline]
pub fn remquo_status<F: Arithmetic>(x: F, y: F) -> ((F, i32), Status) {
    let ((bits, quotient), status) = remquo_bits::<F>(x.to_bits(), y.to_bits());
    ((F::from_bits(bits), quotient), status)
}

/// [`remquo_status`] on raw bits, in constant code too: operands and remainder in the low bits.
#[inline]
pub const fn remquo_bits<F: Arithmetic>(x: u64, y: u64) -> ((u64, i32), Status) {
    let (bits, status, quotient) = modulo::<F>(x, y, true);
    ((bits, quotient as i32), status)
}

rounded_by_mode! {
    /// `floor(x / y)`: the floor of the exact quotient, rounded once (Python's, NumPy's and
    /// PyTorch's `//`, which round several times and may be off by one).
    ///
    /// A zero result has the sign of the quotient, `x`'s times `y`'s. A zero `y` gives the infinity
    /// of that sign, and raises divide by zero for a finite `x`; Python raises an error. Zero by
    /// zero gives NaN and raises invalid, as does an infinite `x` by a `y` that is not zero. A
    /// finite non-zero `x` by an infinite `y` gives -1 where the signs differ, otherwise +0. NaN
    /// gives the canonical NaN; a signalling NaN also raises invalid. Integers of more bits than
    /// the format has are inexact, and may overflow.
    ///
    /// ```
    /// use bitexact::{Mode, arith::floor_divide, f16};
    /// let [x, y] = [-7.0, 2.0].map(f16::from_f32_const);
    /// assert_eq!(floor_divide(x, y, Mode::TIES_TO_EVEN), f16::from_f32_const(-4.0));
    /// ```
    floor_divide, floor_divide_status, floor_divide_bits: round_quotient;
    <F: Narrow>(x: F, y: F) -> F
}

rounded_by_mode! {
    /// `x - floor(x / y) * y`, exactly, rounded once (Python's, NumPy's and PyTorch's `%`): it has
    /// the divisor's sign.
    ///
    /// Inexact only where the signs differ, `y` being much greater: then it may be rounded to `y`.
    /// A zero result has the sign of `y`, as in Python and NumPy (PyTorch's has `x`'s). An infinite
    /// `x` or a zero `y` gives NaN and raises invalid. A finite `x` by an infinite `y` gives `x`
    /// where the signs agree, `y` where they differ, and the zero of `y`'s sign where `x` is zero.
    /// NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, arith::floor_remainder, f16};
    /// let [x, y] = [-7.0, 2.0].map(f16::from_f32_const);
    /// assert_eq!(floor_remainder(x, y, Mode::TIES_TO_EVEN), f16::ONE);
    /// ```
    floor_remainder, floor_remainder_status, floor_remainder_bits: round_remainder;
    <F: Narrow>(x: F, y: F) -> F
}
