//! hardshrink: the operand, or zero in a band around zero.
//!
//! Method: the operand's exact value is compared with lambda's, in any combination of formats. No
//! table.

use super::bounds::decode;
use super::gradient::NanGradient;
use super::lambda::{Lambda, Side, pass_outside, side};
use crate::format::{Arithmetic, Format};
use crate::round::{Mode, Status};

/// `x` where `x < -lambda` or `x > lambda`, otherwise +0. Exact.
///
/// The comparison is exact, at the precision of lambda's own format `B`. NaN gives the canonical
/// NaN; a signalling NaN also raises invalid.
///
/// ```
/// use bitexact::{activation::{Lambda, hardshrink}, bf16};
/// # fn main() -> Result<(), bitexact::activation::LambdaError> {
/// let x = bf16::from_bits(0x3F33); // 0.69921875, the bf16 nearest to 0.7
/// assert_eq!(hardshrink(x, Lambda::new(0.7f32)?).to_bits(), 0);
/// assert_eq!(hardshrink(x, Lambda::new(0.699f32)?), x);
/// # Ok(())
/// # }
/// ```
#[inline]
#[must_use]
pub fn hardshrink<F: Arithmetic, B: Format>(x: F, lambda: Lambda<B>) -> F {
    hardshrink_status(x, lambda).0
}

/// [`hardshrink`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn hardshrink_status<F: Arithmetic, B: Format>(x: F, lambda: Lambda<B>) -> (F, Status) {
    let (bits, status) = hardshrink_bits::<F, B>(x.to_bits(), lambda.get().to_bits());
    (F::from_bits(bits), status)
}

/// [`hardshrink_status`] on raw bits, in constant code too: operands, a valid lambda and result in
/// the low bits.
#[inline]
pub const fn hardshrink_bits<F: Arithmetic, B: Format>(x: u64, lambda: u64) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        return value.to_format::<F>(Mode::TIES_TO_EVEN.rule());
    }
    let kept = match side(value, decode::<B>(lambda)) {
        Side::Inside => 0,
        Side::Below | Side::Above => x,
    };
    (kept, Status::NONE)
}

/// The gradient of [`hardshrink`]: `grad`'s bits where `x < -lambda` or `x > lambda`, otherwise +0;
/// `nan` selects the result for a NaN `x`.
#[inline]
#[must_use]
pub fn hardshrink_backward<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    lambda: Lambda<B>,
    nan: NanGradient,
) -> F {
    hardshrink_backward_status(x, grad, lambda, nan).0
}

/// [`hardshrink_backward`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn hardshrink_backward_status<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    lambda: Lambda<B>,
    nan: NanGradient,
) -> (F, Status) {
    let (bits, status) =
        hardshrink_backward_bits::<F, B>(x.to_bits(), grad.to_bits(), lambda.get().to_bits(), nan);
    (F::from_bits(bits), status)
}

/// [`hardshrink_backward_status`] on raw bits, in constant code too: operands, a valid lambda and
/// result in the low bits.
#[inline]
pub const fn hardshrink_backward_bits<F: Arithmetic, B: Format>(
    x: u64,
    grad: u64,
    lambda: u64,
    nan: NanGradient,
) -> (u64, Status) {
    let lambda = decode::<B>(lambda);
    pass_outside::<F>(x, grad, lambda, nan)
}
