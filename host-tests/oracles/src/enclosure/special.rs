//! The ends of a function's domain, and exact values.

use super::big::Float;
use crate::exact::{Exact, Magnitude};
use crate::{Datum, Dyadic};
use dashu_int::UBig;

pub(super) const INVALID: Exact = Exact::Nan { invalid: true };
pub(super) const PLUS_ZERO: Exact = Exact::Zero { negative: false };
pub(super) const PLUS_INFINITY: Exact = infinity(false);

pub(super) const fn infinity(negative: bool) -> Exact {
    Exact::Infinite {
        negative,
        by_zero: false,
    }
}

/// An infinity with divide by zero.
pub(super) const fn pole(negative: bool) -> Exact {
    Exact::Infinite {
        negative,
        by_zero: true,
    }
}

pub(super) const fn zero(negative: bool) -> Exact {
    Exact::Zero { negative }
}

/// `n * 2^e`, for a non-zero `n`.
pub(super) fn value(n: i64, e: i64) -> Exact {
    natural(n < 0, UBig::from(n.unsigned_abs()), e)
}

/// `m * 2^e` or its negative, for a non-zero `m`.
pub(super) fn natural(negative: bool, m: UBig, e: i64) -> Exact {
    quotient(negative, m, UBig::ONE, e)
}

/// `numerator / denominator * 2^e` or its negative, not zero.
pub(super) fn quotient(negative: bool, numerator: UBig, denominator: UBig, e: i64) -> Exact {
    Exact::Value {
        negative,
        magnitude: Magnitude::Quotient {
            numerator,
            denominator,
            exponent: e,
        },
    }
}

/// A value of which only the neighbourhood is known.
const fn beside(negative: bool, base: Dyadic, above: bool) -> Exact {
    Exact::Value {
        negative,
        magnitude: Magnitude::Beside { base, above },
    }
}

/// A finite value beyond every format's range.
pub(super) const fn huge(negative: bool) -> Exact {
    beside(negative, Dyadic::power_of_two(1000), true)
}

/// A non-zero value closer to zero than half of every format's least number.
pub(super) const fn tiny(negative: bool) -> Exact {
    beside(negative, Dyadic::ZERO, true)
}

/// A value that is above a finite one by less than 2^-100 of it.
pub(super) fn just_above(x: &Float) -> Exact {
    near(x, true)
}

/// A value that is closer to zero than this one by less than 2^-100 of it.
pub(super) fn just_below(x: &Float) -> Exact {
    near(x, false)
}

fn near(x: &Float, above: bool) -> Exact {
    let (m, e) = x.odd();
    let m = u128::try_from(m).expect("at most 128 bits");
    let e = i32::try_from(e).expect("moderate");
    beside(x.is_negative(), Dyadic::new(m, e), above)
}

/// Whether a datum is minus infinity or less than zero.
pub(super) fn is_below_zero(x: Datum) -> bool {
    match x {
        Datum::Nan { .. } => false,
        Datum::Infinity { negative } => negative,
        Datum::Finite {
            negative,
            magnitude,
        } => negative && !magnitude.is_zero(),
    }
}

/// The sign bit of a datum that is not a NaN.
pub(super) const fn sign(x: Datum) -> bool {
    match x {
        Datum::Nan { .. } => false,
        Datum::Infinity { negative } | Datum::Finite { negative, .. } => negative,
    }
}

pub(super) fn is_zero(x: Datum) -> bool {
    matches!(x, Datum::Finite { magnitude, .. } if magnitude.is_zero())
}

pub(super) const fn is_infinite(x: Datum) -> bool {
    matches!(x, Datum::Infinity { .. })
}

/// The finite number; `None` for an infinity.
pub(super) fn finite(x: Datum) -> Option<Float> {
    match x {
        Datum::Finite {
            negative,
            magnitude,
        } => Some(Float::of(negative, magnitude)),
        _ => None,
    }
}

/// Whether the magnitude is at least `2^k`, or infinite.
pub(super) fn reaches(x: Datum, k: i32) -> bool {
    match x {
        Datum::Finite { magnitude, .. } => magnitude >= Dyadic::power_of_two(k),
        Datum::Infinity { .. } => true,
        Datum::Nan { .. } => false,
    }
}

/// Whether it is finite and this integer.
pub(super) fn is(x: Datum, n: i32) -> bool {
    let Datum::Finite {
        negative,
        magnitude,
    } = x
    else {
        return false;
    };
    magnitude == Dyadic::new(n.unsigned_abs().into(), 0) && negative == (n < 0)
}

/// The operand's zeros and infinities, for a function that keeps them.
pub(super) fn keep_zero(x: Datum) -> Option<Exact> {
    is_zero(x).then(|| zero(sign(x)))
}

pub(super) fn keep_zero_and_infinity(x: Datum) -> Option<Exact> {
    match x {
        Datum::Infinity { negative } => Some(infinity(negative)),
        _ => keep_zero(x),
    }
}
