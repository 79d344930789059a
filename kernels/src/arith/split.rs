//! A value in two parts, both exact.

use crate::format::Arithmetic;
use crate::round::{Exact, Kind, Mode, Status};

/// `x` as `fraction * 2^exponent` with the fraction's magnitude in [0.5, 1) (C23 `frexp`).
///
/// Zeros and infinities give themselves and 0; NaN gives the canonical NaN and 0. The result is
/// exact, also for a subnormal (except in E2M1, which cannot hold 0.75: it is rounded toward zero,
/// and inexact).
///
/// ```
/// use bitexact::{arith::frexp, f16};
/// let (fraction, exponent) = frexp(f16::from_bits(0x0001)); // 2^-24
/// assert_eq!((fraction.to_bits(), exponent), (0x3800, -23)); // 0.5
/// ```
#[inline]
#[must_use]
pub fn frexp<F: Arithmetic>(x: F) -> (F, i32) {
    let ((fraction, exponent), _) = frexp_status(x);
    (fraction, exponent)
}

/// [`frexp`] with its status: invalid where `x` signals.
#[inline]
pub fn frexp_status<F: Arithmetic>(x: F) -> ((F, i32), Status) {
    let ((fraction, exponent), status) = frexp_bits::<F>(x.to_bits());
    ((F::from_bits(fraction), exponent), status)
}

/// [`frexp_status`] on raw bits, in constant code too.
#[inline]
pub const fn frexp_bits<F: Arithmetic>(x: u64) -> ((u64, i32), Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    let exponent = if value.is_finite_nonzero() {
        value.exponent() + 1
    } else {
        0
    };
    let (fraction, status) = value
        .scale(-exponent)
        .to_format::<F>(Mode::TOWARD_ZERO.rule());
    ((fraction, exponent), status)
}

/// `x` as the sum of a fraction and an integral value, both of `x`'s sign (C23 `modf`):
/// `(fraction, integral)`.
///
/// An infinity gives a zero and itself; NaN the canonical NaN twice.
///
/// ```
/// use bitexact::{arith::modf, bf16};
/// let (fraction, integral) = modf(bf16::from_bits(0xC010)); // -2.25
/// assert_eq!((fraction.to_bits(), integral.to_bits()), (0xBE80, 0xC000));
/// ```
#[inline]
#[must_use]
pub fn modf<F: Arithmetic>(x: F) -> (F, F) {
    let ((fraction, integral), _) = modf_status(x);
    (fraction, integral)
}

/// [`modf`] with its status: invalid where `x` signals.
#[inline]
pub fn modf_status<F: Arithmetic>(x: F) -> ((F, F), Status) {
    let ((fraction, integral), status) = modf_bits::<F>(x.to_bits());
    ((F::from_bits(fraction), F::from_bits(integral)), status)
}

/// [`modf_status`] on raw bits, in constant code too.
#[inline]
pub const fn modf_bits<F: Arithmetic>(x: u64) -> ((u64, u64), Status) {
    let rule = Mode::TOWARD_ZERO.rule();
    let value = Exact::<u32>::decode::<F>(x as u32);
    let (integral, _) = value.to_integral(rule.direction);
    let fraction = match value.kind() {
        Kind::Nan => value,
        Kind::Infinite => Exact::<u32>::zero(value.sign()),
        _ => match value.add(integral.negate_if(true)) {
            difference if difference.is_finite_nonzero() => difference,
            _ => Exact::<u32>::zero(value.sign()),
        },
    };
    let (fraction, status) = fraction.to_format::<F>(rule);
    ((fraction, integral.to_format::<F>(rule).0), status)
}
