//! What gives no rounded result: comparisons, predicates, classes and neighbours (4.12, 4.13,
//! 4.16).

use crate::format::FormatSpec;
use crate::round::{Exact, Kind};
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
    pub const fn holds(self, (fx, x): (FormatSpec, u64), (fy, y): (FormatSpec, u64)) -> bool {
        let x = Exact::<u64>::decode_spec(fx, x);
        let order = x.order(Exact::<u64>::decode_spec(fy, y));
        self.of_order(order, matches!(x.kind(), Kind::Nan))
    }

    /// Whether it holds for two values in this order, of which the first one may be NaN.
    #[inline(always)]
    pub(super) const fn of_order(self, order: Option<Ordering>, is_nan: bool) -> bool {
        use Ordering::{Equal, Greater, Less};
        match (self, order) {
            (Self::TotalOrder, None) => is_nan,
            (Self::CompareLess, Some(Less)) | (Self::CompareEqual, Some(Equal)) => true,
            (Self::CompareLessEqual | Self::TotalOrder, Some(Less | Equal)) => true,
            (Self::CompareGreater, Some(Greater)) => true,
            (Self::CompareGreaterEqual, Some(Greater | Equal)) => true,
            _ => false,
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
    pub const fn holds(self, format: FormatSpec, x: u64) -> bool {
        let is_one = Exact::<u64>::decode_spec(format, x).is_one();
        self.of_class(Class::of(format, x), is_one)
    }

    /// Whether a value of this class has it.
    #[inline(always)]
    pub(super) const fn of_class(self, class: Class, is_one: bool) -> bool {
        use Class as C;
        match self {
            Self::IsZero => matches!(class, C::ClsZero),
            Self::IsOne => is_one,
            Self::IsNaN => matches!(class, C::ClsNaN),
            Self::IsInfinite => matches!(class, C::ClsNegativeInfinity | C::ClsPositiveInfinity),
            Self::IsFinite => !matches!(
                class,
                C::ClsNaN | C::ClsNegativeInfinity | C::ClsPositiveInfinity
            ),
            Self::IsSignMinus => matches!(
                class,
                C::ClsNegativeInfinity | C::ClsNegativeNormal | C::ClsNegativeSubnormal
            ),
            Self::IsNormal => matches!(class, C::ClsNegativeNormal | C::ClsPositiveNormal),
            Self::IsSubnormal => matches!(class, C::ClsNegativeSubnormal | C::ClsPositiveSubnormal),
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
    /// All of them, in the order of the values.
    pub const ALL: [Self; 8] = [
        Self::ClsNaN,
        Self::ClsNegativeInfinity,
        Self::ClsNegativeNormal,
        Self::ClsNegativeSubnormal,
        Self::ClsZero,
        Self::ClsPositiveSubnormal,
        Self::ClsPositiveNormal,
        Self::ClsPositiveInfinity,
    ];

    /// The class of a code's value.
    #[must_use]
    pub const fn of(format: FormatSpec, x: u64) -> Self {
        let x = Exact::<u64>::decode_spec(format, x);
        Self::of_value(format, x.kind(), x.sign(), x.exponent())
    }

    #[inline(always)]
    pub(super) const fn of_value(
        format: FormatSpec,
        kind: Kind,
        negative: bool,
        exponent: i32,
    ) -> Self {
        match (kind, negative) {
            (Kind::Nan, _) => Self::ClsNaN,
            (Kind::Zero, _) => Self::ClsZero,
            (Kind::Infinite, true) => Self::ClsNegativeInfinity,
            (Kind::Infinite, false) => Self::ClsPositiveInfinity,
            (Kind::Finite, _) => match (exponent < format.least_exponent(), negative) {
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
pub const fn next_greater_than(format: FormatSpec, x: u64) -> Option<u64> {
    if format.is_external() {
        return None;
    }
    let x = x & format.mask();
    Some(if x == format.nan() {
        x
    } else if x == greatest(format) {
        format.nan()
    } else if x & format.sign() == 0 {
        x + 1
    } else if x == format.sign() | 1 {
        0
    } else {
        x - 1
    })
}

/// The code of the greatest value.
const fn greatest(format: FormatSpec) -> u64 {
    match format.infinity() {
        Some(infinity) => infinity,
        None => format.max_finite(),
    }
}

/// NextLessThan: the next code down. NaN gives NaN, and so does the least value of the format: in
/// an unsigned format zero.
///
/// `None` in an external format: see [`next_greater_than`].
#[must_use]
pub const fn next_less_than(format: FormatSpec, x: u64) -> Option<u64> {
    if format.is_external() {
        return None;
    }
    let x = x & format.mask();
    let least = greatest(format) | format.sign();
    Some(match (x, format.is_signed()) {
        _ if x == format.nan() => x,
        (0, false) => format.nan(),
        (0, true) => format.sign() | 1,
        _ if x & format.sign() == 0 => x - 1,
        _ if x == least => format.nan(),
        _ => x + 1,
    })
}
