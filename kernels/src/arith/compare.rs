//! Comparisons and the total order.
//!
//! Method: read as a signed integer, with its magnitude negated where the sign bit is set, a code
//! is ordered as the values are. All 22 predicates are built from the four mutually exclusive
//! relations.

use crate::format::Arithmetic;
use crate::round::{Exact, Status};
use core::cmp::Ordering;

/// A code's position in the order of the values, with both zeros at 0.
pub(super) const fn place<F: Arithmetic>(x: u64) -> i64 {
    let magnitude = (x & (F::SIGN - 1)) as i64;
    if x & F::SIGN != 0 {
        -magnitude
    } else {
        magnitude
    }
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// The relation of `x` to `y`, and whether an operand signals.
const fn relate<F: Arithmetic>(x: u64, y: u64) -> (u8, bool) {
    let (a, b) = (
        Exact::<u32>::decode::<F>(x as u32),
        Exact::<u32>::decode::<F>(y as u32),
    );
    if let Some(signals) = a.nan_operand(b) {
        return (UNORDERED, signals);
    }
    let (x, y) = (place::<F>(x), place::<F>(y));
    let relation = if x < y {
        LESS
    } else if x > y {
        GREATER
    } else {
        EQUAL
    };
    (relation, false)
}

/// How `x` compares with `y`: `None` where an operand is NaN. The zeros are equal.
///
/// ```
/// use bitexact::{arith::compare, f16};
/// assert!(compare(f16::NEG_ZERO, f16::ZERO).is_some_and(|order| order.is_eq()));
/// assert_eq!(compare(f16::NAN, f16::ZERO), None);
/// ```
#[inline]
#[must_use]
pub fn compare<F: Arithmetic>(x: F, y: F) -> Option<Ordering> {
    match relate::<F>(x.to_bits(), y.to_bits()).0 {
        LESS => Some(Ordering::Less),
        EQUAL => Some(Ordering::Equal),
        GREATER => Some(Ordering::Greater),
        _ => None,
    }
}

macro_rules! predicates {
    ($($ieee:literal: $name:ident $status:ident $bits:ident, $signals:tt, $relations:expr;)*) => {
        $(
            #[doc = concat!("IEEE 754-2019 `", $ieee, "` (clause 5.11): ")]
            #[doc = concat!(
                "true where the relation of `x` to `y` is `", stringify!($relations), "`."
            )]
            #[inline]
            #[must_use]
            pub fn $name<F: Arithmetic>(x: F, y: F) -> bool {
                $bits::<F>(x.to_bits(), y.to_bits()).0
            }

            #[doc = concat!("[`", stringify!($name), "`] with its status: ")]
            #[doc = predicates!(@raises $signals)]
            #[inline]
            pub fn $status<F: Arithmetic>(x: F, y: F) -> (bool, Status) {
                $bits::<F>(x.to_bits(), y.to_bits())
            }

            #[doc = concat!("[`", stringify!($status), "`] on codes, in constant code too.")]
            #[inline]
            pub const fn $bits<F: Arithmetic>(x: u64, y: u64) -> (bool, Status) {
                let (relation, signals) = relate::<F>(x, y);
                let invalid = signals || ($signals && relation == UNORDERED);
                (relation & ($relations) != 0, Status::INVALID.when(invalid))
            }
        )*
    };
    (@raises true) => { "invalid where an operand is NaN." };
    (@raises false) => { "invalid where an operand is a signalling NaN." };
}

predicates! {
    "compareQuietEqual": compare_quiet_equal compare_quiet_equal_status compare_quiet_equal_bits, false, EQUAL;
    "compareQuietNotEqual": compare_quiet_not_equal compare_quiet_not_equal_status compare_quiet_not_equal_bits, false, LESS | GREATER | UNORDERED;
    "compareQuietGreater": compare_quiet_greater compare_quiet_greater_status compare_quiet_greater_bits, false, GREATER;
    "compareQuietGreaterEqual": compare_quiet_greater_equal compare_quiet_greater_equal_status compare_quiet_greater_equal_bits, false, GREATER | EQUAL;
    "compareQuietLess": compare_quiet_less compare_quiet_less_status compare_quiet_less_bits, false, LESS;
    "compareQuietLessEqual": compare_quiet_less_equal compare_quiet_less_equal_status compare_quiet_less_equal_bits, false, LESS | EQUAL;
    "compareQuietUnordered": compare_quiet_unordered compare_quiet_unordered_status compare_quiet_unordered_bits, false, UNORDERED;
    "compareQuietNotGreater": compare_quiet_not_greater compare_quiet_not_greater_status compare_quiet_not_greater_bits, false, LESS | EQUAL | UNORDERED;
    "compareQuietLessUnordered": compare_quiet_less_unordered compare_quiet_less_unordered_status compare_quiet_less_unordered_bits, false, LESS | UNORDERED;
    "compareQuietNotLess": compare_quiet_not_less compare_quiet_not_less_status compare_quiet_not_less_bits, false, GREATER | EQUAL | UNORDERED;
    "compareQuietGreaterUnordered": compare_quiet_greater_unordered compare_quiet_greater_unordered_status compare_quiet_greater_unordered_bits, false, GREATER | UNORDERED;
    "compareQuietOrdered": compare_quiet_ordered compare_quiet_ordered_status compare_quiet_ordered_bits, false, LESS | EQUAL | GREATER;
    "compareSignalingEqual": compare_signaling_equal compare_signaling_equal_status compare_signaling_equal_bits, true, EQUAL;
    "compareSignalingNotEqual": compare_signaling_not_equal compare_signaling_not_equal_status compare_signaling_not_equal_bits, true, LESS | GREATER | UNORDERED;
    "compareSignalingGreater": compare_signaling_greater compare_signaling_greater_status compare_signaling_greater_bits, true, GREATER;
    "compareSignalingGreaterEqual": compare_signaling_greater_equal compare_signaling_greater_equal_status compare_signaling_greater_equal_bits, true, GREATER | EQUAL;
    "compareSignalingLess": compare_signaling_less compare_signaling_less_status compare_signaling_less_bits, true, LESS;
    "compareSignalingLessEqual": compare_signaling_less_equal compare_signaling_less_equal_status compare_signaling_less_equal_bits, true, LESS | EQUAL;
    "compareSignalingNotGreater": compare_signaling_not_greater compare_signaling_not_greater_status compare_signaling_not_greater_bits, true, LESS | EQUAL | UNORDERED;
    "compareSignalingLessUnordered": compare_signaling_less_unordered compare_signaling_less_unordered_status compare_signaling_less_unordered_bits, true, LESS | UNORDERED;
    "compareSignalingNotLess": compare_signaling_not_less compare_signaling_not_less_status compare_signaling_not_less_bits, true, GREATER | EQUAL | UNORDERED;
    "compareSignalingGreaterUnordered": compare_signaling_greater_unordered compare_signaling_greater_unordered_status compare_signaling_greater_unordered_bits, true, GREATER | UNORDERED;
}

/// Whether `x` is at or before `y` in the total order (IEEE 754-2019 `totalOrder`, clause 5.10):
/// negative quiet NaNs, negative signalling ones, -infinity ... -0, +0 ... +infinity, signalling
/// NaNs, quiet ones; NaNs of one kind by payload. Raises nothing. (An fnuz format's one NaN comes
/// before its least value.)
///
/// ```
/// use bitexact::{arith::total_order, bf16};
/// assert!(total_order(bf16::NEG_ZERO, bf16::ZERO));
/// assert!(!total_order(bf16::ZERO, bf16::NEG_ZERO));
/// assert!(total_order(bf16::INFINITY, bf16::NAN));
/// ```
#[inline]
#[must_use]
pub fn total_order<F: Arithmetic>(x: F, y: F) -> bool {
    total_order_bits::<F>(x.to_bits(), y.to_bits())
}

/// [`total_order`] on codes, in constant code too.
#[inline]
#[must_use]
pub const fn total_order_bits<F: Arithmetic>(x: u64, y: u64) -> bool {
    total_place::<F>(x) <= total_place::<F>(y)
}

/// [`total_order`] of the magnitudes (IEEE 754-2019 `totalOrderMag`).
#[inline]
#[must_use]
pub fn total_order_magnitude<F: Arithmetic>(x: F, y: F) -> bool {
    total_order_magnitude_bits::<F>(x.to_bits(), y.to_bits())
}

/// [`total_order_magnitude`] on codes, in constant code too.
#[inline]
#[must_use]
pub const fn total_order_magnitude_bits<F: Arithmetic>(x: u64, y: u64) -> bool {
    x & (F::SIGN - 1) <= y & (F::SIGN - 1)
}

/// As `place`, but with a separate position for -0 (or for the one NaN of an fnuz format, at the
/// far end).
const fn total_place<F: Arithmetic>(x: u64) -> i64 {
    let magnitude = (x & (F::SIGN - 1)) as i64;
    if x & F::SIGN == 0 {
        magnitude
    } else if F::NEGATIVE_ZERO || magnitude != 0 {
        -1 - magnitude
    } else {
        i64::MIN
    }
}
