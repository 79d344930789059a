//! The error function, its complement and its inverse, the gamma function and its logarithm.
//!
//! Exact: `erf 0`, `erfc 0`, `erfinv 0`; `gamma` at positive integers; `lgamma` at 1 and 2. That no
//! other value of these is a dyadic rational is known for `gamma` at odd multiples of 1/2 (rational
//! multiples of `sqrt(pi)`). For all others it is a conjecture that each input of the sweep tests:
//! a counterexample would not be decided at any precision, and the oracle would fail instead of
//! answering.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::{function, none};
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, finite, huge, is, is_infinite, is_zero, just_below,
    keep_zero, natural, pole, reaches, sign, tiny, value,
};
use crate::exact::Exact;
use dashu_int::UBig;

/// From 2^4 on `erfc` is below `e^(-2^8)`, less than 2^-369.
fn erf_ends(x: Datum) -> Option<Exact> {
    let one = if sign(x) { -1 } else { 1 };
    if is_infinite(x) {
        Some(value(one, 0))
    } else if reaches(x, 4) {
        Some(just_below(&Float::integer(one)))
    } else {
        keep_zero(x)
    }
}

fn erfc_ends(x: Datum) -> Option<Exact> {
    match (is_infinite(x), sign(x)) {
        (true, true) => Some(value(2, 0)),
        (true, false) => Some(PLUS_ZERO),
        (false, true) if reaches(x, 4) => Some(just_below(&Float::integer(2))),
        (false, false) if reaches(x, 4) => Some(tiny(false)),
        _ => is_zero(x).then(|| value(1, 0)),
    }
}

fn erfinv_ends(x: Datum) -> Option<Exact> {
    if is(x, 1) || is(x, -1) {
        Some(pole(sign(x)))
    } else if reaches(x, 0) {
        Some(INVALID)
    } else {
        keep_zero(x)
    }
}

/// A negative integer.
fn is_pole(x: Datum) -> bool {
    finite(x).is_some_and(|x| x.is_negative() && x.is_integer())
}

fn tgamma_ends(x: Datum) -> Option<Exact> {
    if is_zero(x) {
        Some(pole(sign(x)))
    } else if is_pole(x) {
        Some(INVALID)
    } else if is_infinite(x) {
        Some(if sign(x) { INVALID } else { PLUS_INFINITY })
    } else if reaches(x, 10) && !sign(x) {
        Some(huge(false))
    } else if reaches(x, 6) && sign(x) {
        // pi / (|sin pi x| gamma(1 - x)) with a sine of at least 2^-8: below 2^11 / 64!. The sign
        // is that of the sine: minus if the integer below is odd.
        finite(x).map(|x| tiny(x.floor().modulo_4() % 2 == 1))
    } else {
        None
    }
}

/// `(n - 1)!`.
fn factorial(x: &Float) -> Option<Exact> {
    let n = x.small_integer()?;
    let product = (1..n).fold(UBig::ONE, |product, k| {
        product * UBig::from(k.unsigned_abs())
    });
    Some(natural(false, product, 0))
}

fn lgamma_ends(x: Datum) -> Option<Exact> {
    if is_zero(x) || is_pole(x) {
        Some(pole(false))
    } else if is_infinite(x) {
        Some(PLUS_INFINITY)
    } else {
        (is(x, 1) || is(x, 2)).then_some(PLUS_ZERO)
    }
}

function! { Erf; erf_ends; none; |x| x.erf() }
function! { Erfc; erfc_ends; none; |x| x.erfc() }
function! { Erfinv; erfinv_ends; none; |x| x.erf_inv() }
function! { Tgamma; tgamma_ends; factorial; |x| x.gamma() }
function! { Lgamma; lgamma_ends; none; |x| x.ln_gamma() }
