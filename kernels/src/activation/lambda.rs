//! The half-width of the band that `hardshrink` and `softshrink` map to zero.

use super::bounds::decode;
use super::gradient::NanGradient;
use crate::format::{Arithmetic, Format};
use crate::round::{Exact, Status};

/// A non-negative number in the format `B`. Operands are compared with it at full precision:
/// `Lambda<f32>` compares a `bf16` operand with the f32 value itself.
///
/// ```
/// use bitexact::activation::{Lambda, LambdaError};
/// assert!(Lambda::new(0.5f32).is_ok());
/// assert_eq!(Lambda::new(-0.5f32), Err(LambdaError::Negative));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lambda<B>(B);

/// Why a number is not a valid [`Lambda`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LambdaError {
    /// It is NaN.
    Nan,
    /// It is less than zero.
    Negative,
}

impl core::fmt::Display for LambdaError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Nan => "lambda is NaN",
            Self::Negative => "lambda is negative",
        })
    }
}

impl core::error::Error for LambdaError {}

impl<B: Format> Lambda<B> {
    /// A number that is not negative; infinity is allowed, and -0 counts as 0.
    ///
    /// # Errors
    ///
    /// The number is NaN or negative.
    pub fn new(lambda: B) -> Result<Self, LambdaError> {
        let value = decode::<B>(lambda.to_bits());
        if value.is_nan() {
            Err(LambdaError::Nan)
        } else if value.is_less_than(Exact::<u64>::zero(false)) {
            Err(LambdaError::Negative)
        } else {
            Ok(Self(lambda))
        }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> B {
        self.0
    }
}

/// Where an operand lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Inside,
    Above,
}

/// The side of the closed band from `-lambda` to `lambda` on which a number is.
#[inline]
pub(super) const fn side(x: Exact<u64>, lambda: Exact<u64>) -> Side {
    if lambda.is_less_than(x) {
        Side::Above
    } else if x.is_less_than(lambda.negate_if(true)) {
        Side::Below
    } else {
        Side::Inside
    }
}

/// `grad` outside the band, otherwise +0.
#[inline]
pub(super) const fn pass_outside<F: Arithmetic>(
    x: u64,
    grad: u64,
    lambda: Exact<u64>,
    nan: NanGradient,
) -> (u64, Status) {
    let value = decode::<F>(x);
    if value.is_nan() {
        nan.deliver::<F>(value, grad)
    } else if matches!(side(value, lambda), Side::Inside) {
        (0, Status::NONE)
    } else {
        (grad, Status::NONE)
    }
}
