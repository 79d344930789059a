//! The hyperbolic functions and their inverses. Exact: at zero; `acosh 1`.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::{function, none};
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, huge, infinity, is, is_below_zero, is_infinite, is_zero,
    just_below, keep_zero, keep_zero_and_infinity, pole, reaches, sign, value,
};
use crate::exact::Exact;

fn sinh_ends(x: Datum) -> Option<Exact> {
    if is_infinite(x) {
        Some(infinity(sign(x)))
    } else if reaches(x, 10) {
        Some(huge(sign(x)))
    } else {
        keep_zero(x)
    }
}

fn cosh_ends(x: Datum) -> Option<Exact> {
    if is_infinite(x) {
        Some(PLUS_INFINITY)
    } else if reaches(x, 10) {
        Some(huge(false))
    } else {
        is_zero(x).then(|| value(1, 0))
    }
}

/// From 2^10 on the distance to 1 is below `2 e^(-2^11)`.
fn tanh_ends(x: Datum) -> Option<Exact> {
    let one = if sign(x) { -1 } else { 1 };
    if is_infinite(x) {
        Some(value(one, 0))
    } else if reaches(x, 10) {
        Some(just_below(&Float::integer(one)))
    } else {
        keep_zero(x)
    }
}

fn acosh_ends(x: Datum) -> Option<Exact> {
    if is_below_zero(x) || !reaches(x, 0) {
        Some(INVALID)
    } else if is_infinite(x) {
        Some(PLUS_INFINITY)
    } else {
        is(x, 1).then_some(PLUS_ZERO)
    }
}

fn atanh_ends(x: Datum) -> Option<Exact> {
    if is(x, 1) || is(x, -1) {
        Some(pole(sign(x)))
    } else if reaches(x, 0) {
        Some(INVALID)
    } else {
        keep_zero(x)
    }
}

function! { Sinh; sinh_ends; none; |x| x.sinh() }
function! { Cosh; cosh_ends; none; |x| x.cosh() }
function! { Tanh; tanh_ends; none; |x| x.tanh() }
function! { Asinh; keep_zero_and_infinity; none; |x| x.asinh() }
function! { Acosh; acosh_ends; none; |x| x.acosh() }
function! { Atanh; atanh_ends; none; |x| x.atanh() }
