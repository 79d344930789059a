//! The values of the codes of formats, and how two of them compare.

use crate::dyadic::Dyadic;

/// The value of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Datum {
    Nan { signalling: bool },
    Infinity { negative: bool },
    Finite { negative: bool, magnitude: Dyadic },
}

impl Datum {
    /// Whether it is a NaN, and if so whether it signals.
    pub(crate) const fn nan(self) -> Option<bool> {
        match self {
            Self::Nan { signalling } => Some(signalling),
            _ => None,
        }
    }

    pub(crate) const fn is_signalling(self) -> bool {
        matches!(self, Self::Nan { signalling: true })
    }

    /// The order of two values that are not NaN, where the two zeros are equal.
    pub(crate) fn order(self, other: Self) -> Option<std::cmp::Ordering> {
        Some(self.key()?.cmp(&other.key()?))
    }

    /// A value that orders as the number does.
    fn key(self) -> Option<Key> {
        match self {
            Self::Nan { .. } => None,
            Self::Infinity { negative: true } => Some(Key::MinusInfinity),
            Self::Infinity { negative: false } => Some(Key::PlusInfinity),
            Self::Finite { magnitude, .. } if magnitude.is_zero() => Some(Key::Zero),
            Self::Finite {
                negative: true,
                magnitude,
            } => Some(Key::Negative(std::cmp::Reverse(magnitude))),
            Self::Finite {
                negative: false,
                magnitude,
            } => Some(Key::Positive(magnitude)),
        }
    }

    /// The magnitude of a value that is not a NaN.
    pub(crate) fn absolute(self) -> Self {
        match self {
            Self::Nan { .. } => self,
            Self::Infinity { .. } => Self::Infinity { negative: false },
            Self::Finite { magnitude, .. } => Self::Finite {
                negative: false,
                magnitude,
            },
        }
    }
}

/// The real line, in order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    MinusInfinity,
    Negative(std::cmp::Reverse<Dyadic>),
    Zero,
    Positive(Dyadic),
    PlusInfinity,
}
