//! hardtanh: the operand clamped between two bounds.
//!
//! Method: the operand's exact value is compared with the bounds' exact values, for any combination
//! of formats; only a bound that replaces the operand is rounded.

use super::bounds::{Bounds, decode};
use super::gradient::NanGradient;
use crate::format::{Arithmetic, Format};
use crate::round::{Exact, Mode, Status};

/// `x` between the bounds: `min` where `x < min`, `max` where `x > max`, otherwise `x`.
///
/// The comparison is exact, at the precision of the bounds' own format `B`; a bound that replaces
/// `x` is rounded once to `F`. An operand equal to a bound stays: -0 stays -0 at a bound of +0. NaN
/// gives the canonical NaN; a signalling NaN also raises invalid. The operand is copied, not
/// rounded, so an infinite one between infinite bounds stays infinite under any overflow rule.
///
/// ```
/// use bitexact::{Mode, activation::{Bounds, hardtanh}, bf16};
/// # fn main() -> Result<(), bitexact::activation::BoundsError> {
/// let bounds = Bounds::new(-0.7f32, 0.7)?;
/// let one = bf16::from_bits(0x3F80);
/// assert_eq!(hardtanh(one, bounds, Mode::TOWARD_NEGATIVE).to_bits(), 0x3F33);
/// assert_eq!(hardtanh(one, bounds, Mode::TOWARD_POSITIVE).to_bits(), 0x3F34);
/// # Ok(())
/// # }
/// ```
#[inline]
#[must_use]
pub fn hardtanh<F: Arithmetic, B: Format>(x: F, bounds: Bounds<B>, mode: Mode) -> F {
    hardtanh_status(x, bounds, mode).0
}

/// [`hardtanh`] with its status.
#[inline]
pub fn hardtanh_status<F: Arithmetic, B: Format>(
    x: F,
    bounds: Bounds<B>,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = hardtanh_bits::<F, B>(
        x.to_bits(),
        bounds.min().to_bits(),
        bounds.max().to_bits(),
        mode,
    );
    (F::from_bits(bits), status)
}

/// [`hardtanh_status`] on raw bits, in constant code too: operands, valid bounds and result in the
/// low bits.
#[inline]
pub const fn hardtanh_bits<F: Arithmetic, B: Format>(
    x: u64,
    min: u64,
    max: u64,
    mode: Mode,
) -> (u64, Status) {
    clamp::<F>(x, decode::<B>(min), decode::<B>(max), mode)
}

#[inline]
pub(super) const fn clamp<F: Arithmetic>(
    x: u64,
    min: Exact<u64>,
    max: Exact<u64>,
    mode: Mode,
) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        value.to_format::<F>(mode.rule())
    } else if value.is_less_than(min) {
        min.to_format::<F>(mode.rule())
    } else if max.is_less_than(value) {
        max.to_format::<F>(mode.rule())
    } else {
        (x, Status::NONE)
    }
}

/// The gradient of [`hardtanh`]: `grad` where `min < x < max`, otherwise +0.
///
/// Both comparisons are strict, exact and at the precision of the bounds' own format: at a bound
/// the gradient is 0, and a bound that `F` cannot represent is not rounded to it first. `grad` is
/// copied bit for bit, NaN payloads included. `nan` selects the result for a NaN `x`.
///
/// ```
/// use bitexact::{activation::{Bounds, NanGradient, hardtanh_backward}, bf16};
/// # fn main() -> Result<(), bitexact::activation::BoundsError> {
/// let (x, one) = (bf16::from_bits(0x3F33), bf16::from_bits(0x3F80)); // x is bf16(0.7)
/// let wide = Bounds::new(-0.7f32, 0.7)?;
/// assert_eq!(hardtanh_backward(x, one, wide, NanGradient::Pass), one);
/// let narrow = Bounds::new(bf16::from_bits(0xBF33), x)?; // the rounded bound meets x
/// assert_eq!(hardtanh_backward(x, one, narrow, NanGradient::Pass).to_bits(), 0);
/// # Ok(())
/// # }
/// ```
#[inline]
#[must_use]
pub fn hardtanh_backward<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    bounds: Bounds<B>,
    nan: NanGradient,
) -> F {
    hardtanh_backward_status(x, grad, bounds, nan).0
}

/// [`hardtanh_backward`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn hardtanh_backward_status<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    bounds: Bounds<B>,
    nan: NanGradient,
) -> (F, Status) {
    let (bits, status) = hardtanh_backward_bits::<F, B>(
        x.to_bits(),
        grad.to_bits(),
        bounds.min().to_bits(),
        bounds.max().to_bits(),
        nan,
    );
    (F::from_bits(bits), status)
}

/// [`hardtanh_backward_status`] on raw bits, in constant code too: operands, valid bounds and
/// result in the low bits.
#[inline]
pub const fn hardtanh_backward_bits<F: Arithmetic, B: Format>(
    x: u64,
    grad: u64,
    min: u64,
    max: u64,
    nan: NanGradient,
) -> (u64, Status) {
    pass_inside::<F>(x, grad, decode::<B>(min), decode::<B>(max), nan)
}

#[inline]
pub(super) const fn pass_inside<F: Arithmetic>(
    x: u64,
    grad: u64,
    min: Exact<u64>,
    max: Exact<u64>,
    nan: NanGradient,
) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        nan.deliver::<F>(value, grad)
    } else if min.is_less_than(value) && value.is_less_than(max) {
        (grad, Status::NONE)
    } else {
        (0, Status::NONE)
    }
}
