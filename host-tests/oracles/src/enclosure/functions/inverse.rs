//! The inverse trigonometric functions, in radians and in half-turns.
//!
//! Exact, in radians: at zero, and `acos 1`. In half-turns: `asin` at 0 and 1, `acos` at 1, 0
//! and -1, `atan` at 0, 1 and infinity, and minus these (by Niven's theorem; 1/6 and 1/3 are not
//! dyadic).

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::{function, none};
use crate::enclosure::special::{
    INVALID, PLUS_ZERO, is, is_infinite, keep_zero, reaches, sign, value,
};
use crate::exact::Exact;

/// Outside [-1, 1].
fn outside(x: Datum) -> Option<Exact> {
    (reaches(x, 0) && !is(x, 1) && !is(x, -1)).then_some(INVALID)
}

fn asin_ends(x: Datum) -> Option<Exact> {
    outside(x).or_else(|| keep_zero(x))
}

fn acos_ends(x: Datum) -> Option<Exact> {
    outside(x).or_else(|| is(x, 1).then_some(PLUS_ZERO))
}

fn atanpi_ends(x: Datum) -> Option<Exact> {
    if is_infinite(x) {
        Some(value(if sign(x) { -1 } else { 1 }, -1))
    } else {
        keep_zero(x)
    }
}

/// At 1 and -1, `2^e` and its negative.
fn at_one(x: &Float, e: i64) -> Option<Exact> {
    (x.absolute() == Float::integer(1)).then(|| value(if x.is_negative() { -1 } else { 1 }, e))
}

fn acospi(x: &Float) -> Option<Exact> {
    if x.is_zero() {
        Some(value(1, -1))
    } else {
        (*x == Float::integer(-1)).then(|| value(1, 0))
    }
}

function! { Asin; asin_ends; none; |x| x.asin() }
function! { Acos; acos_ends; none; |x| x.acos() }
function! { Atan; keep_zero; none; |x| x.atan() }
function! { AsinPi; asin_ends; |x| at_one(x, -1); |x| x.asin() / x.pi() }
function! { AcosPi; acos_ends; acospi; |x| {
    if x.exceeds(-1) && (-x.clone()).exceeds(-1) {
        // So that rounding does not lose 1/2.
        x.int(1).scaled(-1) - x.asin() / x.pi()
    } else {
        x.acos() / x.pi()
    }
} }
function! { AtanPi; atanpi_ends; |x| at_one(x, -2); |x| {
    let half = || x.int(1).scaled(-1);
    let rest = || (x.int(1) / x.clone()).atan() / x.pi();
    if x.exceeds(1) {
        half() - rest()
    } else if (-x.clone()).exceeds(1) {
        -half() - rest()
    } else {
        x.atan() / x.pi()
    }
} }
