//! softshrink: the operand moved towards zero by lambda, and no further than zero.
//!
//! Method: the operand's exact value is compared with lambda's, in any combination of formats; the
//! exact difference is rounded once. No table.
//!
//! Why it is correctly rounded: a 63-bit difference of operands of at most 53 bits loses bits only
//! where the exponents differ by at least 10; then the sticky bit stays far below the bits of any
//! rounding boundary (see `arith/add.rs`).

use super::bounds::decode;
use super::gradient::NanGradient;
use super::lambda::{Lambda, Side, pass_outside, side};
use crate::format::{Arithmetic, Format};
use crate::round::{Mode, Status};

/// `x - lambda` where `x > lambda`, `x + lambda` where `x < -lambda`, each rounded once; otherwise
/// +0.
///
/// The comparison is exact, at the precision of lambda's own format `B`, and lambda is not rounded
/// to `F` before it is subtracted. An infinite lambda gives +0 for every number. NaN gives the
/// canonical NaN; a signalling NaN also raises invalid.
///
/// ```
/// use bitexact::{Mode, activation::{Lambda, softshrink}, bf16};
/// # fn main() -> Result<(), bitexact::activation::LambdaError> {
/// let (one, lambda) = (bf16::from_bits(0x3F80), Lambda::new(0.7f32)?);
/// assert_eq!(softshrink(one, lambda, Mode::TOWARD_ZERO).to_bits(), 0x3E99); // 0.3
/// # Ok(())
/// # }
/// ```
#[inline]
#[must_use]
pub fn softshrink<F: Arithmetic, B: Format>(x: F, lambda: Lambda<B>, mode: Mode) -> F {
    softshrink_status(x, lambda, mode).0
}

/// [`softshrink`] with its status.
#[inline]
pub fn softshrink_status<F: Arithmetic, B: Format>(
    x: F,
    lambda: Lambda<B>,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = softshrink_bits::<F, B>(x.to_bits(), lambda.get().to_bits(), mode);
    (F::from_bits(bits), status)
}

/// [`softshrink_status`] on raw bits, in constant code too: operands, a valid lambda and result in
/// the low bits.
#[inline]
pub const fn softshrink_bits<F: Arithmetic, B: Format>(
    x: u64,
    lambda: u64,
    mode: Mode,
) -> (u64, Status) {
    let value = decode::<F>(x);
    let lambda = decode::<B>(lambda);
    let result = if value.is_nan() {
        value
    } else {
        match side(value, lambda) {
            Side::Below => value.add(lambda.negate_if(lambda.sign())),
            Side::Inside => return (0, Status::NONE),
            Side::Above => value.add(lambda.negate_if(!lambda.sign())),
        }
    };
    result.to_format::<F>(mode.rule())
}

/// The gradient of [`softshrink`]: `grad`'s bits where `x < -lambda` or `x > lambda`, otherwise +0;
/// `nan` selects the result for a NaN `x`.
#[inline]
#[must_use]
pub fn softshrink_backward<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    lambda: Lambda<B>,
    nan: NanGradient,
) -> F {
    softshrink_backward_status(x, grad, lambda, nan).0
}

/// [`softshrink_backward`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn softshrink_backward_status<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    lambda: Lambda<B>,
    nan: NanGradient,
) -> (F, Status) {
    let (bits, status) =
        softshrink_backward_bits::<F, B>(x.to_bits(), grad.to_bits(), lambda.get().to_bits(), nan);
    (F::from_bits(bits), status)
}

/// [`softshrink_backward_status`] on raw bits, in constant code too: operands, a valid lambda and
/// result in the low bits.
#[inline]
pub const fn softshrink_backward_bits<F: Arithmetic, B: Format>(
    x: u64,
    grad: u64,
    lambda: u64,
    nan: NanGradient,
) -> (u64, Status) {
    let lambda = decode::<B>(lambda);
    pass_outside::<F>(x, grad, lambda, nan)
}
