//! `atan2(y, x)`, the first operand being y, and the same in half-turns.
//!
//! Exact: on the positive half of the axis (a zero); in half-turns on all axes and, by Niven's
//! theorem, on the diagonals and nowhere else.

use crate::Datum;
use crate::enclosure::big::{Float, Interval};
use crate::enclosure::number::Real;
use crate::enclosure::pair::{Pair, absolute, quiet, signalling};
use crate::enclosure::special::{is_infinite, is_zero, natural, sign, value, zero};
use crate::exact::Exact;

#[derive(Clone, Copy)]
pub(super) struct Atan2;
#[derive(Clone, Copy)]
pub(super) struct Atan2Pi;

/// The angle in quarters of a half-turn, for operands at zero or infinity.
fn quarters(y: Datum, x: Datum) -> Option<i64> {
    let left = sign(x);
    Some(match (is_infinite(y), is_infinite(x)) {
        (true, true) => 1 + 2 * i64::from(left),
        (true, false) => 2,
        (false, true) => 4 * i64::from(left),
        _ if is_zero(y) => 4 * i64::from(left),
        _ if is_zero(x) => 2,
        _ => return None,
    })
}

fn special(y: Datum, x: Datum, angle: fn(i64) -> Exact) -> Option<Exact> {
    if let Some(nan) = signalling(y, x).or_else(|| quiet(y, x)) {
        return Some(nan);
    }
    let quarters = quarters(y, x)?;
    Some(match (quarters, sign(y)) {
        (0, negative) => zero(negative),
        (quarters, true) => angle(-quarters),
        (quarters, false) => angle(quarters),
    })
}

/// That many quarters of pi: a number with the same first 300 bits, so that it has the same
/// position among rounding boundaries of at most 13 bits.
fn quarters_of_pi(n: i64) -> Exact {
    let pi = Interval::pi_at(320);
    let (low, _) = pi.ends().expect("a constant");
    let (m, e) = low.times(&Float::integer(n)).odd();
    natural(n < 0, m, e - 2)
}

fn angle<R: Real>(y: &R, x: &R) -> R {
    if x.exceeds(0) {
        return (y.clone() / x.clone()).atan();
    }
    let magnitude = x.pi() - (absolute(y) / absolute(x)).atan();
    if y.exceeds(0) { magnitude } else { -magnitude }
}

impl Pair for Atan2 {
    fn special(self, y: Datum, x: Datum) -> Option<Exact> {
        special(y, x, quarters_of_pi)
    }

    fn exact(self, _: &Float, _: &Float) -> Option<Exact> {
        None
    }

    fn value<R: Real>(self, y: &R, x: &R) -> R {
        angle(y, x)
    }
}

impl Pair for Atan2Pi {
    fn special(self, y: Datum, x: Datum) -> Option<Exact> {
        special(y, x, |quarters| value(quarters, -2))
    }

    fn exact(self, y: &Float, x: &Float) -> Option<Exact> {
        if y.absolute() != x.absolute() {
            return None;
        }
        let quarters = if x.is_negative() { 3 } else { 1 };
        Some(value(
            if y.is_negative() { -quarters } else { quarters },
            -2,
        ))
    }

    fn value<R: Real>(self, y: &R, x: &R) -> R {
        angle(y, x) / x.pi()
    }
}
