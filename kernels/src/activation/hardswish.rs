//! hardswish: `x * (x + 3) / 6` between -3 and 3.
//!
//! Method: exact sums, an exact product, an exact sixth, and one rounding.
//!
//! Why the sticky bits do no harm: an operand of at most 11 bits below 2^-20 is lost in the 31 bits
//! of `x + 3`; then the result is within 2^-18 of `x / 2`, relatively, and so is the value with the
//! sticky bit, on the same side of it. `x / 2` is the only rounding boundary that close, since the
//! next ones, of at most 13 bits, are 2^-13 away. The gradient's `2 x + 3` is analogous.

use super::bounds::decode;
use super::gradient::NanGradient;
use super::hardsigmoid::{THREE, is_left, is_right};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Mode, Rule, Status};

/// `a * b / 6`.
#[inline]
const fn sixth_of_product(a: Exact<u32>, b: Exact<u32>) -> Exact<u32> {
    a.mul_long(b).narrow().sixth()
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    let result = if value.is_nan() || is_right(value) {
        value
    } else if is_left(value) {
        Exact::<u32>::zero(true)
    } else {
        sixth_of_product(value, value.add(THREE))
    };
    result.to_format::<F>(rule)
}

rounded_by_mode! {
    /// -0 where `x <= -3`, `x` where `x >= 3`, otherwise `x * (x + 3) / 6` rounded once.
    ///
    /// -infinity gives -0 (the composed `x * relu6(x + 3) / 6` gives NaN there), +infinity itself;
    /// either zero gives itself. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::hardswish, bf16};
    /// let x = bf16::from_bits(0x3F80);
    /// assert_eq!(hardswish(x, Mode::TIES_TO_EVEN).to_bits(), 0x3F2B); // 2/3
    /// ```
    hardswish, hardswish_status, hardswish_bits: round;
    <F: Narrow>(x: F) -> F
}

/// The gradient of [`hardswish`]: +0 where `x <= -3`, `grad`'s bits where `x >= 3`, otherwise
/// `grad * (2 x + 3) / 6` rounded once.
///
/// At `x = -1.5` the factor is +0: the product has `grad`'s sign, and is NaN with invalid where
/// `grad` is infinite. A NaN `grad` gives the canonical NaN where `-3 < x < 3`; `nan` selects the
/// result for a NaN `x`.
#[inline]
#[must_use]
pub fn hardswish_backward<F: Narrow>(x: F, grad: F, nan: NanGradient, mode: Mode) -> F {
    hardswish_backward_status(x, grad, nan, mode).0
}

/// [`hardswish_backward`] with its status.
#[inline]
pub fn hardswish_backward_status<F: Narrow>(
    x: F,
    grad: F,
    nan: NanGradient,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = hardswish_backward_bits::<F>(x.to_bits(), grad.to_bits(), nan, mode);
    (F::from_bits(bits), status)
}

/// [`hardswish_backward_status`] on raw bits, in constant code too: operands and result in the low
/// bits.
#[inline]
pub const fn hardswish_backward_bits<F: Narrow>(
    x: u64,
    grad: u64,
    nan: NanGradient,
    mode: Mode,
) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    if value.is_nan() {
        nan.deliver::<F>(decode::<F>(x), grad)
    } else if is_left(value) {
        (0, Status::NONE)
    } else if is_right(value) {
        (grad, Status::NONE)
    } else {
        let slope = twice(value).add(THREE);
        let grad = Exact::<u32>::decode::<F>(grad as u32);
        sixth_of_product(grad, slope).to_format::<F>(mode.rule())
    }
}

const fn twice(x: Exact<u32>) -> Exact<u32> {
    if x.is_finite_nonzero() { x.scale(1) } else { x }
}
