//! leaky_relu: the operand where it is not negative, otherwise a multiple of it.
//!
//! Method: the exact product, of at most 24 bits by 24, correctly rounded. No table.

use super::bounds::decode;
use super::gradient::NanGradient;
use crate::format::Arithmetic;
use crate::round::{Exact, Mode, Status};

/// `x` where `x >= 0`, -0 included, otherwise `negative_slope * x`, correctly rounded.
///
/// The slope has its own format, `S`, and is not rounded to `F` first. A NaN `x`, and for a
/// negative `x` a NaN slope, gives the canonical NaN, and raises invalid if it signals. A slope of
/// zero times -infinity gives NaN and raises invalid.
///
/// ```
/// use bitexact::{Mode, activation::leaky_relu, bf16};
/// let x = bf16::from_bits(0xC040); // -3
/// let y = leaky_relu(x, 0.01f32, Mode::TIES_TO_EVEN);
/// assert_eq!(y.to_bits(), 0xBCF6); // of -0.0300000; by the slope in bf16, -0.0300293
/// ```
#[inline]
#[must_use]
pub fn leaky_relu<F: Arithmetic, S: Arithmetic>(x: F, negative_slope: S, mode: Mode) -> F {
    leaky_relu_status(x, negative_slope, mode).0
}

/// [`leaky_relu`] with its status.
#[inline]
pub fn leaky_relu_status<F: Arithmetic, S: Arithmetic>(
    x: F,
    negative_slope: S,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = leaky_relu_bits::<F, S>(x.to_bits(), negative_slope.to_bits(), mode);
    (F::from_bits(bits), status)
}

/// [`leaky_relu_status`] on raw bits, in constant code too: operands, the slope and result in the
/// low bits.
#[inline]
pub const fn leaky_relu_bits<F: Arithmetic, S: Arithmetic>(
    x: u64,
    negative_slope: u64,
    mode: Mode,
) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    if !value.is_nan() && value.is_less_than(Exact::<u32>::zero(false)) {
        multiply::<F, S>(value, negative_slope, mode)
    } else {
        value.to_format::<F>(mode.rule())
    }
}

/// The gradient of [`leaky_relu`]: `grad`'s bits where `x > 0`, otherwise (also at either zero)
/// `negative_slope * grad` rounded once.
///
/// `nan` selects the result for a NaN `x`. In the product a NaN `grad` or slope gives the canonical
/// NaN, and zero times infinity gives NaN and raises invalid.
///
/// ```
/// use bitexact::{Mode, activation::{NanGradient, leaky_relu_backward}, f16};
/// let (x, grad) = (f16::from_bits(0x8000), f16::from_bits(0x4200));
/// let y = leaky_relu_backward(x, grad, 0.01f32, NanGradient::Pass, Mode::TOWARD_ZERO);
/// assert_eq!(y.to_bits(), 0x27AE); // 0.03
/// ```
#[inline]
#[must_use]
pub fn leaky_relu_backward<F: Arithmetic, S: Arithmetic>(
    x: F,
    grad: F,
    negative_slope: S,
    nan: NanGradient,
    mode: Mode,
) -> F {
    leaky_relu_backward_status(x, grad, negative_slope, nan, mode).0
}

/// [`leaky_relu_backward`] with its status.
#[inline]
pub fn leaky_relu_backward_status<F: Arithmetic, S: Arithmetic>(
    x: F,
    grad: F,
    negative_slope: S,
    nan: NanGradient,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = leaky_relu_backward_bits::<F, S>(
        x.to_bits(),
        grad.to_bits(),
        negative_slope.to_bits(),
        nan,
        mode,
    );
    (F::from_bits(bits), status)
}

/// [`leaky_relu_backward_status`] on raw bits, in constant code too: operands, the slope and result
/// in the low bits.
#[inline]
pub const fn leaky_relu_backward_bits<F: Arithmetic, S: Arithmetic>(
    x: u64,
    grad: u64,
    negative_slope: u64,
    nan: NanGradient,
    mode: Mode,
) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        nan.deliver::<F>(value, grad)
    } else if Exact::<u64>::zero(false).is_less_than(value) {
        (grad, Status::NONE)
    } else {
        let grad = Exact::<u32>::decode::<F>(grad as u32);
        multiply::<F, S>(grad, negative_slope, mode)
    }
}

const fn multiply<F: Arithmetic, S: Arithmetic>(
    factor: Exact<u32>,
    slope: u64,
    mode: Mode,
) -> (u64, Status) {
    let slope = Exact::<u32>::decode::<S>(slope as u32);
    factor.mul_long(slope).to_format::<F>(mode.rule())
}
