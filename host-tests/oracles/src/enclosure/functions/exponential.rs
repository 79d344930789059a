//! `e^x`, `2^x`, `10^x`, and each minus 1.
//!
//! Exact: at zero; `2^n` and `2^n - 1` for integers; `10^n` and `10^n - 1` for integers that are
//! not negative (for negative ones the denominator has a factor 5). At other arguments `2^x` and
//! `10^x` are irrational roots, and `e^x` is transcendental.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::{function, none};
use crate::enclosure::special::{
    PLUS_INFINITY, PLUS_ZERO, huge, is_infinite, just_below, keep_zero, natural, reaches, sign,
    tiny, value,
};
use crate::exact::Exact;
use dashu_int::UBig;

/// Infinities, and operands from 2^10 on: `2^1024` or more.
fn ends(x: Datum) -> Option<Exact> {
    match (is_infinite(x), sign(x)) {
        (true, false) => Some(PLUS_INFINITY),
        (true, true) => Some(PLUS_ZERO),
        (false, negative) => {
            reaches(x, 10).then(|| if negative { tiny(false) } else { huge(false) })
        }
    }
}

fn ends_less_1(x: Datum) -> Option<Exact> {
    match (is_infinite(x), sign(x)) {
        (true, false) => Some(PLUS_INFINITY),
        (true, true) => Some(value(-1, 0)),
        (false, false) if reaches(x, 10) => Some(huge(false)),
        (false, true) if reaches(x, 10) => Some(just_below(&Float::integer(-1))),
        _ => keep_zero(x),
    }
}

fn is_zero(x: &Float) -> Option<Exact> {
    x.is_zero().then(|| value(1, 0))
}

fn power_of_2(x: &Float) -> Option<Exact> {
    x.small_integer().map(|n| value(1, n))
}

/// For |x| < 2^10.
fn power_of_2_less_1(x: &Float) -> Option<Exact> {
    let n = x.small_integer()?;
    let distance = usize::try_from(n.unsigned_abs()).expect("below 2^10");
    let m = (UBig::ONE << distance) - UBig::ONE;
    Some(natural(n < 0, m, n.min(0)))
}

fn power_of_10(x: &Float) -> Option<Exact> {
    let n = usize::try_from(x.small_integer()?).ok()?;
    Some(natural(false, UBig::from(10_u8).pow(n), 0))
}

fn power_of_10_less_1(x: &Float) -> Option<Exact> {
    let n = usize::try_from(x.small_integer()?).ok()?;
    Some(natural(false, UBig::from(10_u8).pow(n) - UBig::ONE, 0))
}

function! { Exp; ends; is_zero; |x| x.exp() }
function! { Exp2; ends; power_of_2; |x| (x.clone() * x.ln_2()).exp() }
function! { Exp10; ends; power_of_10; |x| (x.clone() * x.ln_10()).exp() }
function! { ExpM1; ends_less_1; none; |x| x.exp_m1() }
function! { Exp2M1; ends_less_1; power_of_2_less_1; |x| (x.clone() * x.ln_2()).exp_m1() }
function! { Exp10M1; ends_less_1; power_of_10_less_1; |x| (x.clone() * x.ln_10()).exp_m1() }
