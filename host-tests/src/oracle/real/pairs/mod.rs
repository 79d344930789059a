//! The functions of two operands. The second may be an integer, which then comes as its value.

mod angle;
mod hypot;
mod power;

use super::big::Float;
use super::number::Real;
use super::{Maker, binary, binary_with_integer};
use crate::oracle::Datum;
use crate::oracle::rational::Exact;

/// A function of two operands.
pub(super) trait Pair: Copy + Send + Sync + 'static {
    /// NaNs, and the ends of the domain.
    fn special(self, x: Datum, y: Datum) -> Option<Exact>;

    /// The result where theory knows it; every dyadic value is here.
    fn exact(self, x: &Float, y: &Float) -> Option<Exact>;

    /// The value, of finite operands.
    fn value<R: Real>(self, x: &R, y: &R) -> R;
}

pub(super) fn maker(op: &str) -> Option<Maker> {
    Some(match op {
        "pow" => binary(power::Pow),
        "atan2" => binary(angle::Atan2),
        "atan2pi" => binary(angle::Atan2Pi),
        "hypot" => binary(hypot::Hypot),
        _ => return None,
    })
}

pub(super) fn with_integer(op: &str) -> Option<Maker> {
    Some(match op {
        "compound" => binary_with_integer(power::Compound),
        "pown" => binary_with_integer(power::Pow),
        "rootn" => binary_with_integer(power::Rootn),
        _ => return None,
    })
}

/// Any signalling NaN gives NaN with invalid, whatever the other operand is.
fn signalling(x: Datum, y: Datum) -> Option<Exact> {
    (x.is_signalling() || y.is_signalling()).then_some(Exact::Nan { invalid: true })
}

fn quiet(x: Datum, y: Datum) -> Option<Exact> {
    let any = x.nan().is_some() || y.nan().is_some();
    any.then_some(Exact::Nan { invalid: false })
}

/// What an operand is among the integers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parity {
    Even,
    Odd,
    Neither,
}

/// Of a finite datum; of an infinity, even.
fn parity(x: Datum) -> Parity {
    let Datum::Finite { magnitude, .. } = x else {
        return Parity::Even;
    };
    if magnitude.is_zero() {
        return Parity::Even;
    }
    let lowest = magnitude.e + magnitude.m.trailing_zeros().cast_signed();
    match lowest {
        1.. => Parity::Even,
        0 => Parity::Odd,
        _ => Parity::Neither,
    }
}

fn absolute<R: Real>(x: &R) -> R {
    if x.exceeds(0) { x.clone() } else { -x.clone() }
}
