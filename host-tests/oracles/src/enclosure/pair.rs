//! The definition of a function of two operands.

use super::big::Float;
use super::number::Real;
use crate::datum::Datum;
use crate::exact::Exact;

/// A function of two operands.
pub(super) trait Pair: Copy + Send + Sync + 'static {
    /// NaNs, and the ends of the domain.
    fn special(self, x: Datum, y: Datum) -> Option<Exact>;

    /// The result where theory gives it; every dyadic value is here.
    fn exact(self, x: &Float, y: &Float) -> Option<Exact>;

    /// The value at finite operands.
    fn value<R: Real>(self, x: &R, y: &R) -> R;
}

/// A signalling NaN gives NaN with invalid, for any other operand.
pub(super) fn signalling(x: Datum, y: Datum) -> Option<Exact> {
    (x.is_signalling() || y.is_signalling()).then_some(Exact::Nan { invalid: true })
}

pub(super) fn quiet(x: Datum, y: Datum) -> Option<Exact> {
    let any = x.nan().is_some() || y.nan().is_some();
    any.then_some(Exact::Nan { invalid: false })
}

/// Whether an operand is an integer, and its parity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Parity {
    Even,
    Odd,
    Neither,
}

/// For a finite datum; an infinity counts as even.
pub(super) fn parity(x: Datum) -> Parity {
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

pub(super) fn absolute<R: Real>(x: &R) -> R {
    if x.exceeds(0) { x.clone() } else { -x.clone() }
}
