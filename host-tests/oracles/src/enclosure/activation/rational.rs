//! softsign, which is rational and decided by integers, and functions related to tanh.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::Function;
use crate::enclosure::number::Real;
use crate::enclosure::special::{
    PLUS_ZERO, finite, is_infinite, is_zero, just_above, just_below, keep_zero,
    keep_zero_and_infinity, quotient, reaches, sign, tiny, value,
};
use crate::exact::Exact;
use dashu_int::UBig;

/// `1 + |x|` as an odd integer and an exponent.
fn one_and(x: &Float) -> (UBig, i64) {
    x.absolute().plus(&Float::integer(1)).odd()
}

fn absolute<R: Real>(x: &R) -> R {
    if x.exceeds(0) { x.clone() } else { -x.clone() }
}

/// `x / (1 + |x|)`.
#[derive(Clone, Copy)]
pub(super) struct Softsign;

impl Function for Softsign {
    fn special(self, x: Datum) -> Option<Exact> {
        if is_infinite(x) {
            return Some(value(if sign(x) { -1 } else { 1 }, 0));
        }
        keep_zero(x)
    }

    fn exact(self, x: &Float) -> Option<Exact> {
        let ((m, e), (divisor, f)) = (x.odd(), one_and(x));
        Some(quotient(x.is_negative(), m, divisor, e - f))
    }

    fn value<R: Real>(self, x: &R) -> R {
        x.clone() / (x.int(1) + absolute(x))
    }
}

/// `1 / (1 + |x|)^2`.
#[derive(Clone, Copy)]
pub(super) struct SoftsignSlope;

impl Function for SoftsignSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        if is_infinite(x) {
            return Some(PLUS_ZERO);
        }
        is_zero(x).then(|| value(1, 0))
    }

    fn exact(self, x: &Float) -> Option<Exact> {
        let (divisor, f) = one_and(x);
        Some(quotient(false, UBig::ONE, &divisor * &divisor, -2 * f))
    }

    fn value<R: Real>(self, x: &R) -> R {
        x.int(1) / (x.int(1) + absolute(x)).square()
    }
}

/// `x - tanh x`, odd: zeros keep their signs.
#[derive(Clone, Copy)]
pub(super) struct Tanhshrink;

impl Function for Tanhshrink {
    fn special(self, x: Datum) -> Option<Exact> {
        if !is_infinite(x) && reaches(x, 10) {
            // |x| - 1 plus less than 2 e^(-2^11).
            let one = Float::integer(if sign(x) { -1 } else { 1 });
            return Some(just_above(&finite(x)?.minus(&one)));
        }
        keep_zero_and_infinity(x)
    }

    fn value<R: Real>(self, x: &R) -> R {
        x.minus_tanh()
    }
}

/// `1 - tanh^2 x`.
#[derive(Clone, Copy)]
pub(super) struct TanhSlope;

impl Function for TanhSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        if is_infinite(x) {
            return Some(PLUS_ZERO);
        }
        if reaches(x, 10) {
            return Some(tiny(false));
        }
        is_zero(x).then(|| value(1, 0))
    }

    /// Near 0 that, otherwise `4 E / (1 + E)^2` with `E = e^(-2 |x|)`.
    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(-1) && (-x.clone()).exceeds(-1) {
            return x.int(1) - x.tanh().square();
        }
        let w = (-absolute(x).scaled(1)).exp();
        w.scaled(2) / (x.int(1) + w).square()
    }
}

/// `tanh^2 x`.
#[derive(Clone, Copy)]
pub(super) struct TanhshrinkSlope;

impl Function for TanhshrinkSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        if is_infinite(x) {
            return Some(value(1, 0));
        }
        if reaches(x, 10) {
            return Some(just_below(&Float::integer(1)));
        }
        is_zero(x).then_some(PLUS_ZERO)
    }

    fn value<R: Real>(self, x: &R) -> R {
        x.tanh().square()
    }
}
