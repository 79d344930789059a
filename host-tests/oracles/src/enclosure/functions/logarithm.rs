//! The logarithms of `x` and of `1 + x`, to the bases e, 2 and 10.
//!
//! Exact: at 1 (for `1 + x`: at zero); to base 2 at powers of two; to base 10 at `10^n` with
//! `n >= 0` (no other power of ten is dyadic). Elsewhere irrational.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::{function, none};
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, finite, is, is_below_zero, is_infinite, is_zero, keep_zero,
    pole, reaches, sign, value,
};
use crate::exact::Exact;
use dashu_int::UBig;
use std::cmp::Ordering;

fn ends(x: Datum) -> Option<Exact> {
    if is_zero(x) {
        Some(pole(true))
    } else if is_below_zero(x) {
        Some(INVALID)
    } else if is_infinite(x) {
        Some(PLUS_INFINITY)
    } else {
        is(x, 1).then_some(PLUS_ZERO)
    }
}

fn ends_of_1_plus(x: Datum) -> Option<Exact> {
    let minus_1 = Datum::Finite {
        negative: true,
        magnitude: crate::Dyadic::new(1, 0),
    };
    match x.order(minus_1) {
        Some(Ordering::Less) => Some(INVALID),
        Some(Ordering::Equal) => Some(pole(true)),
        _ if is_infinite(x) => Some(PLUS_INFINITY),
        _ => keep_zero(x),
    }
}

/// `x / (1 - x)`, from 0 to infinity, is 1 at 1/2.
fn logit_ends(x: Datum) -> Option<Exact> {
    if is_zero(x) {
        Some(pole(true))
    } else if is(x, 1) {
        Some(pole(false))
    } else if sign(x) || reaches(x, 0) {
        Some(INVALID)
    } else {
        (finite(x) == Some(Float::power_of_two(-1))).then_some(PLUS_ZERO)
    }
}

/// An integer that is not zero.
fn integer(n: i64) -> Exact {
    value(n, 0)
}

fn base_2(x: &Float) -> Option<Exact> {
    let (m, e) = x.odd();
    (m == UBig::ONE && e != 0).then(|| integer(e))
}

fn base_10(x: &Float) -> Option<Exact> {
    let (m, e) = x.odd();
    let n = usize::try_from(e).ok()?;
    (n > 0 && m == UBig::from(5_u8).pow(n)).then(|| integer(e))
}

fn of_1_plus(x: &Float, exact: fn(&Float) -> Option<Exact>) -> Option<Exact> {
    exact(&x.plus(&Float::integer(1)))
}

function! { Log; ends; none; |x| x.ln() }
function! { Log2; ends; base_2; |x| x.ln() / x.ln_2() }
function! { Log10; ends; base_10; |x| x.ln() / x.ln_10() }
function! { Log1P; ends_of_1_plus; none; |x| x.ln_1p() }
function! { Log2P1; ends_of_1_plus; |x| of_1_plus(x, base_2); |x| x.ln_1p() / x.ln_2() }
function! { Logit; logit_ends; none; |x| x.ln() - (-x.clone()).ln_1p() }
function! { Log10P1; ends_of_1_plus; |x| of_1_plus(x, base_10); |x| x.ln_1p() / x.ln_10() }
