//! IEEE remainder, C's fmod and remquo.
//!
//! Method: the integer remainder of the significands, with the dividend shifted by the difference
//! of the exponents in steps of eight bits. The result is exact, so there is no mode.

use crate::fixed;
use crate::format::Arithmetic;
use crate::public_api::unrounded;
use crate::round::{Exact, Kind, Mode, Status};

/// Bits of the longest significand.
const DIGITS: u32 = 24;

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
