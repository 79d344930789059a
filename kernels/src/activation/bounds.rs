//! The bounds of `hardtanh`, in their own format.

use crate::format::Format;
use crate::round::Exact;

/// A lower and an upper bound in the format `B`. Operands are compared with them at full precision:
/// `Bounds<f32>` compares a `bf16` operand with the f32 value itself.
///
/// ```
/// use bitexact::activation::{Bounds, BoundsError};
/// assert!(Bounds::new(-0.7f32, 0.7).is_ok());
/// assert_eq!(Bounds::new(1.0f32, 0.5), Err(BoundsError::Crossed));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bounds<B> {
    min: B,
    max: B,
}

/// Why two numbers are not valid bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum BoundsError {
    /// The lower bound is NaN.
    MinIsNan,
    /// The upper bound is NaN.
    MaxIsNan,
    /// The lower bound is greater than the upper one.
    Crossed,
}

impl core::fmt::Display for BoundsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::MinIsNan => "the lower bound is NaN",
            Self::MaxIsNan => "the upper bound is NaN",
            Self::Crossed => "the lower bound is greater than the upper bound",
        })
    }
}

impl core::error::Error for BoundsError {}

impl<B: Format> Bounds<B> {
    /// Bounds with `min <= max`, neither NaN; infinite and equal ones are fine.
    ///
    /// # Errors
    ///
    /// One of the bounds is NaN, or the lower one is greater than the upper one.
    pub fn new(min: B, max: B) -> Result<Self, BoundsError> {
        let (low, high) = (decode::<B>(min.to_bits()), decode::<B>(max.to_bits()));
        if low.is_nan() {
            Err(BoundsError::MinIsNan)
        } else if high.is_nan() {
            Err(BoundsError::MaxIsNan)
        } else if high.is_less_than(low) {
            Err(BoundsError::Crossed)
        } else {
            Ok(Self { min, max })
        }
    }

    /// The lower bound.
    #[must_use]
    pub fn min(self) -> B {
        self.min
    }

    /// The upper bound.
    #[must_use]
    pub fn max(self) -> B {
        self.max
    }
}

/// A code of any format, `f64` included.
#[inline]
pub(super) const fn decode<F: Format>(bits: u64) -> Exact<u64> {
    if F::BITS > 32 {
        Exact::<u64>::decode::<F>(bits)
    } else {
        Exact::<u32>::decode::<F>(bits as u32).widen()
    }
}
