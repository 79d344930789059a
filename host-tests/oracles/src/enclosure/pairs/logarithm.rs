//! `x ln(y)` and `x ln(1 + y)`, 0 at x = 0; `ln(e^x + e^y)` and `log2(2^x + 2^y)`.
//!
//! Exact, besides zeros and infinities: `log2(2^x + 2^x) = x + 1`. No other value is rational: the
//! logarithm of a rational number that is not 1 is transcendental; e^x, e^y and e^z of three
//! distinct rational numbers are linearly independent (Lindemann and Weierstrass), and `2 e^x =
//! e^z` would make ln 2 rational; powers of 2 whose rational exponents differ by no integer are
//! linearly independent over the rationals too, and for an integer d > 0 the odd `2^d + 1` is no
//! power of 2, with a rational exponent either.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::number::Real;
use crate::enclosure::pair::{Pair, quiet, signalling};
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, finite, infinity, is, is_below_zero, is_infinite, is_zero,
    just_above, just_below, natural, pole, reaches, sign, tiny, zero,
};
use crate::exact::Exact;
use std::cmp::Ordering;

#[derive(Clone, Copy)]
pub(super) struct Xlogy;
#[derive(Clone, Copy)]
pub(super) struct Xlog1py;
#[derive(Clone, Copy)]
pub(super) struct Logaddexp;
#[derive(Clone, Copy)]
pub(super) struct Logaddexp2;

/// `x` times a logarithm at the ends of its domain, `None` being a number that is not zero; `below`
/// is whether the logarithm is negative.
fn product(x: Datum, y: Datum, logarithm: Option<Exact>, below: bool) -> Option<Exact> {
    if let Some(nan) = signalling(x, y).or_else(|| quiet(x, y)) {
        return Some(nan);
    }
    if is_zero(x) {
        return Some(PLUS_ZERO);
    }
    match logarithm {
        Some(Exact::Zero { .. }) if is_infinite(x) => Some(INVALID),
        Some(Exact::Zero { negative }) => Some(zero(sign(x) != negative)),
        Some(Exact::Infinite { negative, .. }) if is_infinite(x) => {
            Some(infinity(sign(x) != negative))
        }
        Some(Exact::Infinite {
            negative,
            by_zero: true,
        }) => Some(pole(sign(x) != negative)),
        Some(Exact::Infinite { negative, .. }) => Some(infinity(sign(x) != negative)),
        Some(nan) => Some(nan),
        None => is_infinite(x).then(|| infinity(sign(x) != below)),
    }
}

impl Pair for Xlogy {
    fn special(self, x: Datum, y: Datum) -> Option<Exact> {
        let logarithm = if is_zero(y) {
            Some(pole(true))
        } else if is_below_zero(y) {
            Some(INVALID)
        } else if is_infinite(y) {
            Some(PLUS_INFINITY)
        } else {
            is(y, 1).then_some(PLUS_ZERO)
        };
        product(x, y, logarithm, !reaches(y, 0))
    }

    fn exact(self, _: &Float, _: &Float) -> Option<Exact> {
        None
    }

    fn value<R: Real>(self, x: &R, y: &R) -> R {
        x.clone() * y.ln()
    }
}

impl Pair for Xlog1py {
    fn special(self, x: Datum, y: Datum) -> Option<Exact> {
        let logarithm = if is_zero(y) {
            Some(zero(sign(y)))
        } else if is(y, -1) {
            Some(pole(true))
        } else if is_below_zero(y) && reaches(y, 0) {
            Some(INVALID)
        } else {
            is_infinite(y).then_some(PLUS_INFINITY)
        };
        product(x, y, logarithm, sign(y))
    }

    fn exact(self, _: &Float, _: &Float) -> Option<Exact> {
        None
    }

    fn value<R: Real>(self, x: &R, y: &R) -> R {
        x.clone() * y.ln_1p()
    }
}

/// NaNs and infinities; and where one power is below 2^-1000 of the other, the operand next to
/// which the value is.
fn special(x: Datum, y: Datum) -> Option<Exact> {
    if let Some(nan) = signalling(x, y).or_else(|| quiet(x, y)) {
        return Some(nan);
    }
    let (most, least) = match x.order(y) {
        Some(Ordering::Less) => (y, x),
        _ => (x, y),
    };
    let (Some(above), Some(below)) = (finite(most), finite(least)) else {
        return Some(match finite(most) {
            Some(x) if x.is_zero() => PLUS_ZERO,
            _ => Exact::from_datum(most),
        });
    };
    (above.minus(&below) >= Float::integer(1024)).then(|| {
        if above.is_zero() {
            tiny(false)
        } else if above.is_negative() {
            just_below(&above)
        } else {
            just_above(&above)
        }
    })
}

/// The greater one, and the other less it.
fn order<R: Real>(x: &R, y: &R) -> (R, R) {
    let apart = y.clone() - x.clone();
    if apart.exceeds(0) {
        (y.clone(), -apart)
    } else {
        (x.clone(), apart)
    }
}

impl Pair for Logaddexp {
    fn special(self, x: Datum, y: Datum) -> Option<Exact> {
        special(x, y)
    }

    fn exact(self, _: &Float, _: &Float) -> Option<Exact> {
        None
    }

    fn value<R: Real>(self, x: &R, y: &R) -> R {
        let (most, apart) = order(x, y);
        most + apart.exp().ln_1p()
    }
}

impl Pair for Logaddexp2 {
    fn special(self, x: Datum, y: Datum) -> Option<Exact> {
        if is(x, -1) && is(y, -1) {
            return Some(PLUS_ZERO);
        }
        special(x, y)
    }

    fn exact(self, x: &Float, y: &Float) -> Option<Exact> {
        (x == y).then(|| {
            let sum = x.plus(&Float::integer(1));
            let (m, e) = sum.odd();
            natural(sum.is_negative(), m, e)
        })
    }

    fn value<R: Real>(self, x: &R, y: &R) -> R {
        let (most, apart) = order(x, y);
        most + (apart * x.ln_2()).exp().ln_1p() / x.ln_2()
    }
}
