//! relu6: hardtanh between 0 and 6, both exact in every format.

use super::gradient::NanGradient;
use super::hardtanh::{clamp, pass_inside};
use crate::format::Arithmetic;
use crate::public_api::unrounded;
use crate::round::{Exact, Mode, Status};

const ZERO: Exact<u64> = Exact::<u64>::zero(false);
const SIX: Exact<u64> = Exact::<u64>::normalised(false, 2, 3 << 62);

const fn clamped<F: Arithmetic>(x: u64) -> (u64, Status) {
    clamp::<F>(x, ZERO, SIX, Mode::TIES_TO_EVEN)
}

unrounded! {
    /// `x` between 0 and 6: +0 where `x < 0`, 6 where `x > 6`, otherwise `x`. Exact.
    ///
    /// -0 stays -0. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    relu6, relu6_status, relu6_bits: clamped;
    <F: Arithmetic>(x: F) -> F
}

/// The gradient of [`relu6`]: `grad` where `0 < x < 6`, otherwise +0; `nan` selects the result for
/// a NaN `x`. `grad` is copied bit for bit.
#[inline]
#[must_use]
pub fn relu6_backward<F: Arithmetic>(x: F, grad: F, nan: NanGradient) -> F {
    relu6_backward_status(x, grad, nan).0
}

/// [`relu6_backward`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn relu6_backward_status<F: Arithmetic>(x: F, grad: F, nan: NanGradient) -> (F, Status) {
    let (bits, status) = relu6_backward_bits::<F>(x.to_bits(), grad.to_bits(), nan);
    (F::from_bits(bits), status)
}

/// [`relu6_backward_status`] on raw bits, in constant code too: operands and result in the low
/// bits.
#[inline]
pub const fn relu6_backward_bits<F: Arithmetic>(
    x: u64,
    grad: u64,
    nan: NanGradient,
) -> (u64, Status) {
    pass_inside::<F>(x, grad, ZERO, SIX, nan)
}
