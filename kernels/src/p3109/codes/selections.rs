//! What selects an operand: CopySign, the extrema and Clamp.

use super::super::operation::Operation;
use super::{Specialisation, of_three, of_two};

/// x's magnitude with y's sign, which is plus for zero.
#[inline]
#[must_use]
pub const fn copy_sign(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::CopySign, x, y, specialisation)
}

/// The smaller of x and y.
#[inline]
#[must_use]
pub const fn minimum(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::Minimum, x, y, specialisation)
}

/// The greater of x and y.
#[inline]
#[must_use]
pub const fn maximum(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::Maximum, x, y, specialisation)
}

/// The smaller of x and y; a number wins over NaN.
#[inline]
#[must_use]
pub const fn minimum_number(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MinimumNumber, x, y, specialisation)
}

/// The greater of x and y; a number wins over NaN.
#[inline]
#[must_use]
pub const fn maximum_number(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MaximumNumber, x, y, specialisation)
}

/// The one with the smaller magnitude; of equal ones the smaller.
#[inline]
#[must_use]
pub const fn minimum_magnitude(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MinimumMagnitude, x, y, specialisation)
}

/// The one with the greater magnitude; of equal ones the greater.
#[inline]
#[must_use]
pub const fn maximum_magnitude(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MaximumMagnitude, x, y, specialisation)
}

/// As [`minimum_magnitude`]; a number wins over NaN.
#[inline]
#[must_use]
pub const fn minimum_magnitude_number(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MinimumMagnitudeNumber, x, y, specialisation)
}

/// As [`maximum_magnitude`]; a number wins over NaN.
#[inline]
#[must_use]
pub const fn maximum_magnitude_number(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MaximumMagnitudeNumber, x, y, specialisation)
}

/// The smaller of x and y; a finite one wins over an infinity, and this over NaN.
#[inline]
#[must_use]
pub const fn minimum_finite(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MinimumFinite, x, y, specialisation)
}

/// The greater of x and y; a finite one wins over an infinity, and this over NaN.
#[inline]
#[must_use]
pub const fn maximum_finite(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::MaximumFinite, x, y, specialisation)
}

/// The nearest to x of the values from `low` to `high`; NaN where `low` is greater than `high`.
#[inline]
#[must_use]
pub const fn clamp(x: u32, low: u32, high: u32, specialisation: Specialisation) -> u32 {
    of_three(Operation::Clamp, x, low, high, specialisation)
}
