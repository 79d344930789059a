//! Reciprocal, reciprocal square root, cube root: integers decide what the filter does not, with
//! the value as a quotient or as the root of a quotient.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::function;
use crate::enclosure::special::{
    INVALID, PLUS_ZERO, is_below_zero, is_infinite, is_zero, keep_zero_and_infinity, pole,
    quotient, sign, zero,
};
use crate::exact::{Exact, Magnitude};
use dashu_int::UBig;

fn reciprocal_ends(x: Datum) -> Option<Exact> {
    if is_zero(x) {
        Some(pole(sign(x)))
    } else {
        is_infinite(x).then(|| zero(sign(x)))
    }
}

fn rsqrt_ends(x: Datum) -> Option<Exact> {
    if is_zero(x) {
        Some(pole(sign(x)))
    } else if is_below_zero(x) {
        Some(INVALID)
    } else {
        is_infinite(x).then_some(PLUS_ZERO)
    }
}

fn reciprocal(x: &Float) -> Option<Exact> {
    let (m, e) = x.odd();
    Some(quotient(x.is_negative(), UBig::ONE, m, -e))
}

fn rsqrt(x: &Float) -> Option<Exact> {
    let (denominator, e) = x.odd();
    Some(Exact::Value {
        negative: false,
        magnitude: Magnitude::RootOfQuotient {
            numerator: UBig::ONE,
            denominator,
            exponent: -e,
            degree: 2,
        },
    })
}

fn cbrt(x: &Float) -> Option<Exact> {
    let (numerator, exponent) = x.odd();
    Some(Exact::Value {
        negative: x.is_negative(),
        magnitude: Magnitude::RootOfQuotient {
            numerator,
            denominator: UBig::ONE,
            exponent,
            degree: 3,
        },
    })
}

function! { Reciprocal; reciprocal_ends; reciprocal; |x| x.int(1) / x.clone() }
function! { Rsqrt; rsqrt_ends; rsqrt; |x| x.int(1) / x.sqrt() }
function! { Cbrt; keep_zero_and_infinity; cbrt; |x| x.cbrt() }
