//! gelu by the error function, and gelu by its tanh approximation, which is a separate function:
//! `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`, where sqrt(2/pi) is the real number and
//! 0.044715 exactly this decimal. With `v` twice the argument of tanh it is `x s(v)`.
//!
//! Exact: at zero. `erf` at other algebraic arguments, and tanh at multiples of `sqrt(2/pi)`, are
//! not known to be irrational. An exact case would be detected: see `functions/error.rs`.

use super::constant::{cubic, twice_root_2_over_pi};
use super::logistic::{logistic, ramp, slope_of_ramp, step};
use crate::Datum;
use crate::enclosure::function::Function;
use crate::enclosure::number::Real;
use crate::enclosure::special::{is_zero, value};
use crate::exact::Exact;

#[derive(Clone, Copy)]
pub(super) struct Gelu;

/// `x / sqrt 2`.
fn over_root_2<R: Real>(x: &R) -> R {
    x.clone() / x.int(2).sqrt()
}

impl Function for Gelu {
    /// From 2^4 on the distribution's tail is below `e^(-2^7)`, less than 2^-184.
    fn special(self, x: Datum) -> Option<Exact> {
        ramp(x, 4)
    }

    fn value<R: Real>(self, x: &R) -> R {
        (x.clone() * (-over_root_2(x)).erfc()).scaled(-1)
    }
}

#[derive(Clone, Copy)]
pub(super) struct GeluSlope;

impl Function for GeluSlope {
    /// From 2^4 on x times the density is below `2^4 e^(-2^7)`, less than 2^-180.
    fn special(self, x: Datum) -> Option<Exact> {
        step(x, 4, true).or_else(|| is_zero(x).then(|| value(1, -1)))
    }

    /// `P(x) + x p(x)`, with the normal distribution function and its density.
    fn value<R: Real>(self, x: &R) -> R {
        let density = (-x.square().scaled(-1)).exp() / x.pi().scaled(1).sqrt();
        let rest = x.clone() * density;
        if x.exceeds(-1) && (-x.clone()).exceeds(-1) {
            x.int(1).scaled(-1) + (over_root_2(x).erf().scaled(-1) + rest)
        } else if x.exceeds(0) {
            x.int(1) + (rest - over_root_2(x).erfc().scaled(-1))
        } else {
            (-over_root_2(x)).erfc().scaled(-1) + rest
        }
    }
}

/// `2 sqrt(2/pi) (x + 0.044715 x^3)`.
fn twice_inner<R: Real>(x: &R) -> R {
    let factor = x.int(1) + cubic(x, 1) * x.square();
    x.clone() * twice_root_2_over_pi(x) * factor
}

#[derive(Clone, Copy)]
pub(super) struct GeluTanh;

impl Function for GeluTanh {
    fn special(self, x: Datum) -> Option<Exact> {
        ramp(x, 10)
    }

    fn value<R: Real>(self, x: &R) -> R {
        let v = twice_inner(x);
        if x.exceeds(-4) {
            x.clone() / (x.int(1) + (-v).exp())
        } else {
            x.clone() * logistic(&v)
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct GeluTanhSlope;

impl Function for GeluTanhSlope {
    /// At 2^5, v is above 2^11.
    fn special(self, x: Datum) -> Option<Exact> {
        step(x, 5, true).or_else(|| is_zero(x).then(|| value(1, -1)))
    }

    fn value<R: Real>(self, x: &R) -> R {
        let slope = twice_root_2_over_pi(x) * (x.int(1) + cubic(x, 3) * x.square());
        slope_of_ramp(x, &twice_inner(x), &slope)
    }
}
