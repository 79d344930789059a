//! What rounds nothing: comparisons, predicates, Class and the neighbours.

use super::super::queries::{self, Class, Comparison, Predicate};
use super::super::short;
use super::{OperandFormats, SHARED};
use crate::format::FormatSpec;
use crate::round::Kind;

#[inline(always)]
const fn compares(comparison: Comparison, x: u32, y: u32, formats: OperandFormats) -> bool {
    let [fx, fy, _] = formats.formats();
    let (x, y) = (
        short::decode::<SHARED>(fx, x),
        short::decode::<SHARED>(fy, y),
    );
    comparison.of_order(x.order(y), matches!(x.kind(), Kind::Nan))
}

#[inline(always)]
const fn classified(x: u32, formats: OperandFormats) -> (Class, bool) {
    let [format, ..] = formats.formats();
    let x = short::decode::<SHARED>(format, x);
    let class = Class::of_value(format, x.kind(), x.sign(), x.exponent());
    (class, x.is_one())
}

#[inline(always)]
const fn has(predicate: Predicate, x: u32, formats: OperandFormats) -> bool {
    let (class, is_one) = classified(x, formats);
    predicate.of_class(class, is_one)
}

/// x < y.
#[inline]
#[must_use]
pub const fn compare_less(x: u32, y: u32, formats: OperandFormats) -> bool {
    compares(Comparison::CompareLess, x, y, formats)
}

/// x <= y.
#[inline]
#[must_use]
pub const fn compare_less_equal(x: u32, y: u32, formats: OperandFormats) -> bool {
    compares(Comparison::CompareLessEqual, x, y, formats)
}

/// x = y.
#[inline]
#[must_use]
pub const fn compare_equal(x: u32, y: u32, formats: OperandFormats) -> bool {
    compares(Comparison::CompareEqual, x, y, formats)
}

/// x > y.
#[inline]
#[must_use]
pub const fn compare_greater(x: u32, y: u32, formats: OperandFormats) -> bool {
    compares(Comparison::CompareGreater, x, y, formats)
}

/// x >= y.
#[inline]
#[must_use]
pub const fn compare_greater_equal(x: u32, y: u32, formats: OperandFormats) -> bool {
    compares(Comparison::CompareGreaterEqual, x, y, formats)
}

/// x <= y, with NaN below everything and equal to itself.
#[inline]
#[must_use]
pub const fn total_order(x: u32, y: u32, formats: OperandFormats) -> bool {
    compares(Comparison::TotalOrder, x, y, formats)
}

/// x = 0.
#[inline]
#[must_use]
pub const fn is_zero(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsZero, x, formats)
}

/// x = 1.
#[inline]
#[must_use]
pub const fn is_one(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsOne, x, formats)
}

/// x is NaN.
#[inline]
#[must_use]
pub const fn is_nan(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsNaN, x, formats)
}

/// x is an infinity.
#[inline]
#[must_use]
pub const fn is_infinite(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsInfinite, x, formats)
}

/// x is neither an infinity nor NaN.
#[inline]
#[must_use]
pub const fn is_finite(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsFinite, x, formats)
}

/// x < 0.
#[inline]
#[must_use]
pub const fn is_sign_minus(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsSignMinus, x, formats)
}

/// x is finite and its magnitude is at least the least normal number's.
#[inline]
#[must_use]
pub const fn is_normal(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsNormal, x, formats)
}

/// x is finite, not zero and not normal.
#[inline]
#[must_use]
pub const fn is_subnormal(x: u32, formats: OperandFormats) -> bool {
    has(Predicate::IsSubnormal, x, formats)
}

/// The place of x's class in [`Class::ALL`].
#[inline]
#[must_use]
pub const fn class(x: u32, formats: OperandFormats) -> u32 {
    let (class, _) = classified(x, formats);
    class as u32
}

/// The code of a neighbour; NaN where there is none.
#[inline(always)]
const fn code_or_nan(neighbour: Option<u64>, format: FormatSpec) -> u32 {
    match neighbour {
        Some(code) => code as u32,
        None => format.nan() as u32,
    }
}

/// NextGreaterThan: the next value up; NaN where there is none, and in the external formats.
#[inline]
#[must_use]
pub const fn next_greater_than(x: u32, formats: OperandFormats) -> u32 {
    let [format, ..] = formats.formats();
    code_or_nan(queries::next_greater_than(format, x as u64), format)
}

/// NextLessThan: the next value down; NaN where there is none, and in the external formats.
#[inline]
#[must_use]
pub const fn next_less_than(x: u32, formats: OperandFormats) -> u32 {
    let [format, ..] = formats.formats();
    code_or_nan(queries::next_less_than(format, x as u64), format)
}
