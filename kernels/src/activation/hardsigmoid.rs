//! hardsigmoid: `(x + 3) / 6` between 0 and 1.
//!
//! Method: the exact sum, then an exact sixth, then one rounding.

use super::bounds::decode;
use super::gradient::NanGradient;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Mode, Rule, Status};

pub(super) const THREE: Exact<u32> = Exact::<u32>::normalised(false, 1, 3 << 30);
const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, 1 << 31);

/// Whether a value is at or below -3.
#[inline]
pub(super) const fn is_left(x: Exact<u32>) -> bool {
    !THREE.negate_if(true).is_less_than(x)
}

/// Whether a value is at or above 3.
#[inline]
pub(super) const fn is_right(x: Exact<u32>) -> bool {
    !x.is_less_than(THREE)
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let value = if x.is_nan() {
        x
    } else if is_left(x) {
        Exact::<u32>::zero(false)
    } else if is_right(x) {
        ONE
    } else {
        x.add(THREE).sixth()
    };
    value.to_format::<F>(rule)
}

rounded_by_mode! {
    /// 0 where `x <= -3`, 1 where `x >= 3`, otherwise `(x + 3) / 6` rounded once.
    ///
    /// Infinities give 0 and 1. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    /// (PyTorch's composed `relu6(x + 3) / 6` rounds twice.)
    ///
    /// ```
    /// use bitexact::{Mode, activation::hardsigmoid, f16};
    /// let x = f16::from_bits(0x3C00);
    /// assert_eq!(hardsigmoid(x, Mode::TIES_TO_EVEN).to_bits(), 0x3955); // 2/3
    /// ```
    hardsigmoid, hardsigmoid_status, hardsigmoid_bits: round;
    <F: Narrow>(x: F) -> F
}

/// The gradient of [`hardsigmoid`]: `grad / 6` rounded once where `-3 < x < 3`, otherwise +0, where
/// `grad` is ignored.
///
/// A NaN `grad` gives the canonical NaN; a signalling one also raises invalid; `nan` selects the
/// result for a NaN `x`.
#[inline]
#[must_use]
pub fn hardsigmoid_backward<F: Narrow>(x: F, grad: F, nan: NanGradient, mode: Mode) -> F {
    hardsigmoid_backward_status(x, grad, nan, mode).0
}

/// [`hardsigmoid_backward`] with its status.
#[inline]
pub fn hardsigmoid_backward_status<F: Narrow>(
    x: F,
    grad: F,
    nan: NanGradient,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = hardsigmoid_backward_bits::<F>(x.to_bits(), grad.to_bits(), nan, mode);
    (F::from_bits(bits), status)
}

/// [`hardsigmoid_backward_status`] on raw bits, in constant code too: operands and result in the
/// low bits.
#[inline]
pub const fn hardsigmoid_backward_bits<F: Narrow>(
    x: u64,
    grad: u64,
    nan: NanGradient,
    mode: Mode,
) -> (u64, Status) {
    let value = Exact::<u32>::decode::<F>(x as u32);
    if value.is_nan() {
        nan.deliver::<F>(decode::<F>(x), grad)
    } else if is_left(value) || is_right(value) {
        (0, Status::NONE)
    } else {
        Exact::<u32>::decode::<F>(grad as u32)
            .sixth()
            .to_format::<F>(mode.rule())
    }
}
