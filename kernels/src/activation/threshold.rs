//! threshold: the operand where it is above a threshold, otherwise a fixed value.
//!
//! Method: the operand's exact value is compared with the threshold's, in any combination of
//! formats; only a value that replaces the operand is rounded. No table.

use super::bounds::decode;
use super::gradient::NanGradient;
use crate::format::{Arithmetic, Format};
use crate::round::{Mode, Status};

/// A threshold, and the value that replaces operands not above it, in the format `B`. Operands are
/// compared with the threshold at full precision.
///
/// ```
/// use bitexact::activation::{Threshold, ThresholdError};
/// assert!(Threshold::new(0.1f32, 20.0).is_ok());
/// assert_eq!(Threshold::new(f32::NAN, 0.0), Err(ThresholdError::ThresholdIsNan));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Threshold<B> {
    threshold: B,
    value: B,
}

/// Why two numbers are not a valid [`Threshold`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ThresholdError {
    /// The threshold is NaN.
    ThresholdIsNan,
}

impl core::fmt::Display for ThresholdError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the threshold is NaN")
    }
}

impl core::error::Error for ThresholdError {}

impl<B: Format> Threshold<B> {
    /// A threshold that is not NaN, and any value.
    ///
    /// # Errors
    ///
    /// The threshold is NaN.
    pub fn new(threshold: B, value: B) -> Result<Self, ThresholdError> {
        if decode::<B>(threshold.to_bits()).is_nan() {
            Err(ThresholdError::ThresholdIsNan)
        } else {
            Ok(Self { threshold, value })
        }
    }

    /// The threshold.
    #[must_use]
    pub fn threshold(self) -> B {
        self.threshold
    }

    /// The value that replaces operands not above it.
    #[must_use]
    pub fn value(self) -> B {
        self.value
    }
}

/// `x` where it is greater than the threshold, otherwise the value, rounded once to `F`.
///
/// The comparison is exact, at the precision of the threshold's own format `B`. A NaN `x` gives the
/// canonical NaN, and so does a NaN value where it replaces the operand; either raises invalid if
/// it signals. The operand is copied, not rounded, so an infinite one stays infinite under any
/// overflow rule; an infinite value is rounded by the rule.
///
/// ```
/// use bitexact::{Mode, activation::{Threshold, threshold}, bf16};
/// # fn main() -> Result<(), bitexact::activation::ThresholdError> {
/// let x = bf16::from_bits(0x3DCD); // 0.1 rounded up to a bf16
/// let at = Threshold::new(0.1f32, 20.0)?; // 0.1 as an f32 is less
/// assert_eq!(threshold(x, at, Mode::TIES_TO_EVEN), x);
/// # Ok(())
/// # }
/// ```
#[inline]
#[must_use]
pub fn threshold<F: Arithmetic, B: Format>(x: F, threshold: Threshold<B>, mode: Mode) -> F {
    threshold_status(x, threshold, mode).0
}

/// [`threshold()`] with its status.
#[inline]
pub fn threshold_status<F: Arithmetic, B: Format>(
    x: F,
    threshold: Threshold<B>,
    mode: Mode,
) -> (F, Status) {
    let (bits, status) = threshold_bits::<F, B>(
        x.to_bits(),
        threshold.threshold.to_bits(),
        threshold.value.to_bits(),
        mode,
    );
    (F::from_bits(bits), status)
}

/// [`threshold_status`] on raw bits, in constant code too: operands, a threshold that is no NaN,
/// its value and result in the low bits.
#[inline]
pub const fn threshold_bits<F: Arithmetic, B: Format>(
    x: u64,
    threshold: u64,
    value: u64,
    mode: Mode,
) -> (u64, Status) {
    let operand = decode::<F>(x);
    let replaced = if operand.is_nan() {
        operand
    } else if decode::<B>(threshold).is_less_than(operand) {
        return (x, Status::NONE);
    } else {
        decode::<B>(value)
    };
    replaced.to_format::<F>(mode.rule())
}

/// The gradient of [`threshold()`]: `grad`'s bits where `x` is greater than the threshold,
/// otherwise +0; `nan` selects the result for a NaN `x`.
#[inline]
#[must_use]
pub fn threshold_backward<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    threshold: Threshold<B>,
    nan: NanGradient,
) -> F {
    threshold_backward_status(x, grad, threshold, nan).0
}

/// [`threshold_backward`] with its status: invalid where `x` signals, and nothing else.
#[inline]
pub fn threshold_backward_status<F: Arithmetic, B: Format>(
    x: F,
    grad: F,
    threshold: Threshold<B>,
    nan: NanGradient,
) -> (F, Status) {
    let (bits, status) = threshold_backward_bits::<F, B>(
        x.to_bits(),
        grad.to_bits(),
        threshold.threshold.to_bits(),
        nan,
    );
    (F::from_bits(bits), status)
}

/// [`threshold_backward_status`] on raw bits, in constant code too: operands, a threshold that is
/// no NaN and result in the low bits.
#[inline]
pub const fn threshold_backward_bits<F: Arithmetic, B: Format>(
    x: u64,
    grad: u64,
    threshold: u64,
    nan: NanGradient,
) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        nan.deliver::<F>(value, grad)
    } else if decode::<B>(threshold).is_less_than(value) {
        (grad, Status::NONE)
    } else {
        (0, Status::NONE)
    }
}
