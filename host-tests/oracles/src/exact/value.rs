//! The exact result of an operation, before any rounding.

use super::magnitude::Magnitude;
use super::search::locate;
use super::signed::Real;
use crate::{Answer, Datum, Format};

pub(crate) enum Exact {
    Nan {
        invalid: bool,
    },
    Infinite {
        negative: bool,
        by_zero: bool,
    },
    Zero {
        negative: bool,
    },
    /// A zero from a cancellation: the rounding gives its sign.
    Cancelled,
    Value {
        negative: bool,
        magnitude: Magnitude,
    },
}

impl Exact {
    /// A value that is not zero.
    pub fn value((negative, magnitude): (bool, Magnitude)) -> Self {
        Self::Value {
            negative,
            magnitude,
        }
    }

    /// A sum; `Cancelled` if it is zero.
    pub(crate) fn sum(real: Real) -> Self {
        if real.is_zero() {
            Self::Cancelled
        } else {
            Self::value(real.over(1))
        }
    }

    /// The NaN for NaN operands, if there are any.
    pub fn propagate(data: &[Datum]) -> Option<Self> {
        let any = data.iter().any(|datum| datum.nan().is_some());
        any.then(|| Self::Nan {
            invalid: data.iter().any(|datum| datum.is_signalling()),
        })
    }

    pub fn answer(&self, format: &'static Format, fractions: bool) -> Answer {
        match *self {
            Self::Nan { invalid } => Answer::Nan { format, invalid },
            Self::Infinite { negative, by_zero } => Answer::Infinite {
                format,
                negative,
                by_zero,
            },
            Self::Zero { negative } => Answer::Zero { format, negative },
            Self::Cancelled => Answer::Cancelled { format },
            Self::Value {
                negative,
                ref magnitude,
            } => Answer::Located(locate(format, negative, magnitude, fractions)),
        }
    }

    /// The datum, unchanged.
    pub fn from_datum(datum: Datum) -> Self {
        match datum {
            Datum::Nan { signalling } => Self::Nan {
                invalid: signalling,
            },
            Datum::Infinity { negative } => Self::Infinite {
                negative,
                by_zero: false,
            },
            Datum::Finite {
                negative,
                magnitude,
            } if magnitude.is_zero() => Self::Zero { negative },
            Datum::Finite {
                negative,
                magnitude,
            } => Self::value(Real::new(negative, magnitude).over(1)),
        }
    }
}

/// The bits of a value that the format can represent.
///
/// # Panics
///
/// If it cannot: then the theorem that says so is wrong.
pub(crate) fn encode(format: &'static Format, negative: bool, real: Real) -> u64 {
    if real.is_zero() {
        return format.signed(negative, 0);
    }
    let (_, magnitude) = real.over(1);
    let located = locate(format, negative, &magnitude, false);
    assert_eq!(
        located.place,
        Some(crate::Place::Exact),
        "not in the format"
    );
    format.signed(negative, located.code)
}
