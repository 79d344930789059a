//! `sqrt(x^2 + y^2)`: integers decide what the filter does not.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::number::Real;
use crate::enclosure::pair::{Pair, quiet, signalling};
use crate::enclosure::special::{PLUS_INFINITY, PLUS_ZERO, is_infinite, is_zero};
use crate::exact::{Exact, Magnitude};
use dashu_int::UBig;

#[derive(Clone, Copy)]
pub(super) struct Hypot;

impl Pair for Hypot {
    fn special(self, x: Datum, y: Datum) -> Option<Exact> {
        if let Some(nan) = signalling(x, y) {
            return Some(nan);
        }
        // Also with a quiet NaN as the other operand.
        if is_infinite(x) || is_infinite(y) {
            return Some(PLUS_INFINITY);
        }
        quiet(x, y).or_else(|| (is_zero(x) && is_zero(y)).then_some(PLUS_ZERO))
    }

    fn exact(self, x: &Float, y: &Float) -> Option<Exact> {
        let (numerator, exponent) = x.times(x).plus(&y.times(y)).odd();
        Some(Exact::Value {
            negative: false,
            magnitude: Magnitude::RootOfQuotient {
                numerator,
                denominator: UBig::ONE,
                exponent,
                degree: 2,
            },
        })
    }

    fn value<R: Real>(self, x: &R, y: &R) -> R {
        (x.square() + y.square()).sqrt()
    }
}
