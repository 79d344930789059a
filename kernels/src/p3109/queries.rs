//! What gives no rounded result: comparisons, predicates, classes and neighbours (4.12, 4.13, 4.16).

use super::number::Number;
use crate::format::FormatSpec;
use core::cmp::Ordering;

/// A comparison of two codes, each in a format of its own.
///
/// Every one is false where an operand is NaN, except TotalOrder. Infinities are ordered and equal
/// themselves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Comparison {
    /// x < y.
    CompareLess,
    /// x <= y.
    CompareLessEqual,
    /// x = y.
    CompareEqual,
    /// x > y.
    CompareGreater,
    /// x >= y.
    CompareGreaterEqual,
    /// x <= y, with NaN below everything and equal to itself.
    TotalOrder,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::CompareLess,
        Self::CompareLessEqual,
        Self::CompareEqual,
        Self::CompareGreater,
        Self::CompareGreaterEqual,
        Self::TotalOrder,
    ];

    /// The report's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CompareLess => "CompareLess",
            Self::CompareLessEqual => "CompareLessEqual",
            Self::CompareEqual => "CompareEqual",
            Self::CompareGreater => "CompareGreater",
            Self::CompareGreaterEqual => "CompareGreaterEqual",
            Self::TotalOrder => "TotalOrder",
        }
    }

    /// Whether the comparison holds.
    #[must_use]
    pub fn holds(self, (fx, x): (FormatSpec, u64), (fy, y): (FormatSpec, u64)) -> bool {
        let (x, y) = (fx.decode(x), fy.decode(y));
        let Some(order) = x.compare(y) else {
            return self == Self::TotalOrder && x.is_nan();
        };
        match self {
            Self::CompareLess => order == Ordering::Less,
            Self::CompareLessEqual | Self::TotalOrder => order != Ordering::Greater,
            Self::CompareEqual => order == Ordering::Equal,
            Self::CompareGreater => order == Ordering::Greater,
            Self::CompareGreaterEqual => order != Ordering::Less,
        }
    }
}

/// A property of a code's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Predicate {
    /// It is zero.
    IsZero,
    /// It is 1.
    IsOne,
    /// It is NaN.
    IsNaN,
    /// It is an infinity.
    IsInfinite,
    /// It is neither an infinity nor NaN.
    IsFinite,
    /// It is below zero, which NaN is not, nor an external format's -0.
    IsSignMinus,
    /// It is finite and its magnitude is at least the least normal number's.
    IsNormal,
    /// It is finite, not zero and not normal: never where the precision is 1.
    IsSubnormal,
}

impl Predicate {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::IsZero,
        Self::IsOne,
        Self::IsNaN,
        Self::IsInfinite,
        Self::IsFinite,
        Self::IsSignMinus,
        Self::IsNormal,
        Self::IsSubnormal,
    ];

    /// The report's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IsZero => "IsZero",
            Self::IsOne => "IsOne",
            Self::IsNaN => "IsNaN",
            Self::IsInfinite => "IsInfinite",
            Self::IsFinite => "IsFinite",
            Self::IsSignMinus => "IsSignMinus",
            Self::IsNormal => "IsNormal",
            Self::IsSubnormal => "IsSubnormal",
        }
    }

    /// Whether the code has it.
    #[must_use]
    pub fn holds(self, format: FormatSpec, x: u64) -> bool {
        let class = Class::of(format, x);
        match self {
            Self::IsZero => class == Class::ClsZero,
            Self::IsOne => {
                matches!(format.decode(x), Number::Finite(x) if x.is_one())
            }
            Self::IsNaN => class == Class::ClsNaN,
            Self::IsInfinite => {
                matches!(
                    class,
                    Class::ClsNegativeInfinity | Class::ClsPositiveInfinity
                )
            }
            Self::IsFinite => !matches!(
                class,
                Class::ClsNaN | Class::ClsNegativeInfinity | Class::ClsPositiveInfinity
            ),
            Self::IsSignMinus => format.decode(x).is_negative(),
            Self::IsNormal => {
                matches!(class, Class::ClsNegativeNormal | Class::ClsPositiveNormal)
            }
            Self::IsSubnormal => {
                matches!(
                    class,
                    Class::ClsNegativeSubnormal | Class::ClsPositiveSubnormal
                )
            }
        }
    }
}

/// What Class gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[allow(missing_docs, reason = "the report's names say it")]
pub enum Class {
    ClsNaN,
    ClsNegativeInfinity,
    ClsNegativeNormal,
    ClsNegativeSubnormal,
    ClsZero,
    ClsPositiveSubnormal,
    ClsPositiveNormal,
    ClsPositiveInfinity,
}

impl Class {
    /// The class of a code's value.
    #[must_use]
    pub fn of(format: FormatSpec, x: u64) -> Self {
        let value = format.decode(x);
        let negative = value.is_negative();
        match value {
            Number::Nan => Self::ClsNaN,
            Number::Infinite(true) => Self::ClsNegativeInfinity,
            Number::Infinite(false) => Self::ClsPositiveInfinity,
            Number::Finite(x) if x.is_zero() => Self::ClsZero,
            Number::Finite(x) => match (x.exponent < format.least_exponent().into(), negative) {
                (true, true) => Self::ClsNegativeSubnormal,
                (true, false) => Self::ClsPositiveSubnormal,
                (false, true) => Self::ClsNegativeNormal,
                (false, false) => Self::ClsPositiveNormal,
            },
        }
    }

    /// The report's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClsNaN => "ClsNaN",
            Self::ClsNegativeInfinity => "ClsNegativeInfinity",
            Self::ClsNegativeNormal => "ClsNegativeNormal",
            Self::ClsNegativeSubnormal => "ClsNegativeSubnormal",
            Self::ClsZero => "ClsZero",
            Self::ClsPositiveSubnormal => "ClsPositiveSubnormal",
            Self::ClsPositiveNormal => "ClsPositiveNormal",
            Self::ClsPositiveInfinity => "ClsPositiveInfinity",
        }
    }
}

/// NextGreaterThan: the next code up in the order of the values. NaN gives NaN, and so does the
/// greatest value of the format; the largest finite value gives infinity, where there is one.
///
/// `None` in an external format, for which the report does not define it usefully: by its letter
/// the code of -0 would step the wrong way.
#[must_use]
pub fn next_greater_than(format: FormatSpec, x: u64) -> Option<u64> {
    (!format.is_external()).then(|| {
        let x = x & format.mask();
        if x == format.nan() {
            return x;
        }
        let top = format.infinity().unwrap_or(format.max_finite());
        if x == top {
            format.nan()
        } else if x & format.sign() == 0 {
            x + 1
        } else if x == format.sign() | 1 {
            0
        } else {
            x - 1
        }
    })
}

/// NextLessThan: the next code down. NaN gives NaN, and so does the least value of the format: in
/// an unsigned format zero.
///
/// `None` in an external format: see [`next_greater_than`].
#[must_use]
pub fn next_less_than(format: FormatSpec, x: u64) -> Option<u64> {
    (!format.is_external()).then(|| {
        let x = x & format.mask();
        if x == format.nan() {
            return x;
        }
        let least = format.infinity().unwrap_or(format.max_finite()) | format.sign();
        match (x, format.is_signed()) {
            (0, false) => format.nan(),
            (0, true) => format.sign() | 1,
            _ if x & format.sign() == 0 => x - 1,
            _ if x == least => format.nan(),
            _ => x + 1,
        }
    })
}
