//! relu: the operand where it is positive.
//!
//! Method: selection. No table.

use super::bounds::decode;
use super::gradient::NanGradient;
use super::hardtanh::clamp;
use crate::format::Arithmetic;
use crate::public_api::unrounded;
use crate::round::{Exact, Mode, Status};

const ZERO: Exact<u64> = Exact::<u64>::zero(false);
const INFINITY: Exact<u64> = Exact::<u64>::infinity(false);

const fn rectified<F: Arithmetic>(x: u64) -> (u64, Status) {
    clamp::<F>(x, ZERO, INFINITY, Mode::TIES_TO_EVEN)
}

unrounded! {
    /// +0 where `x < 0`, otherwise `x`. Exact.
    ///
    /// -0 stays -0. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{activation::relu, bf16};
    /// assert_eq!(relu(bf16::from_bits(0xC000)).to_bits(), 0x0000);
    /// ```
    relu, relu_status, relu_bits: rectified;
    <F: Arithmetic>(x: F) -> F
}

/// The gradient of [`relu`]: `grad` where `x > 0`, +infinity included, otherwise +0; `nan` selects
/// the result for a NaN `x`. `grad` is copied bit for bit.
#[inline]
#[must_use]
pub fn relu_backward<F: Arithmetic>(x: F, grad: F, nan: NanGradient) -> F {
    relu_backward_status(x, grad, nan).0
}

/// [`relu_backward`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn relu_backward_status<F: Arithmetic>(x: F, grad: F, nan: NanGradient) -> (F, Status) {
    let (bits, status) = relu_backward_bits::<F>(x.to_bits(), grad.to_bits(), nan);
    (F::from_bits(bits), status)
}

/// [`relu_backward_status`] on raw bits, in constant code too: operands and result in the low
/// bits.
#[inline]
pub const fn relu_backward_bits<F: Arithmetic>(
    x: u64,
    grad: u64,
    nan: NanGradient,
) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        nan.deliver::<F>(value, grad)
    } else if ZERO.is_less_than(value) {
        (grad, Status::NONE)
    } else {
        (0, Status::NONE)
    }
}
