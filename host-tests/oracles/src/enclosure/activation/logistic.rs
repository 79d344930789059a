//! The logistic function and related ones: sigmoid, silu, logsigmoid, softplus.
//!
//! `s(x) = 1 / (1 + e^-x)`. All values at x other than zero are transcendental.
//! Beyond 2^10 the distance to the asymptote is below `2^10 e^(-2^10)` of it: below 2^-1000.

use super::parameter::Parameter;
use crate::Datum;
use crate::answer::Answer;
use crate::enclosure::big::Float;
use crate::enclosure::decide::Maker;
use crate::enclosure::function::Function;
use crate::enclosure::number::Real;
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, finite, infinity, is_infinite, is_zero, just_above,
    just_below, keep_zero, pole, reaches, sign, tiny, value, zero,
};
use crate::exact::Exact;
use crate::oracle::ByRule;
use crate::shape::Shape;
use sweep_row::Operands;

/// `s(x)`, by the exponential that does not overflow.
pub(super) fn logistic<R: Real>(x: &R) -> R {
    if x.exceeds(-8) {
        x.int(1) / (x.int(1) + (-x.clone()).exp())
    } else {
        let w = x.exp();
        w.clone() / (x.int(1) + w)
    }
}

/// A function that tends to 0 on the left (from below, with `falls`) and to 1 on the right (from
/// above, with `falls`), so fast that from 2^`k` on only the limit matters.
pub(super) fn step(x: Datum, k: i32, falls: bool) -> Option<Exact> {
    match (sign(x), is_infinite(x)) {
        (true, true) => Some(zero(falls)),
        (false, true) => Some(value(1, 0)),
        (true, false) if reaches(x, k) => Some(tiny(falls)),
        (false, false) if reaches(x, k) => {
            let one = Float::integer(1);
            Some(if falls {
                just_above(&one)
            } else {
                just_below(&one)
            })
        }
        _ => None,
    }
}

/// A function `x s(x)` with such a step: the signs of the zeros, and -0 at minus infinity.
pub(super) fn ramp(x: Datum, k: i32) -> Option<Exact> {
    match (sign(x), is_infinite(x)) {
        (true, true) => Some(zero(true)),
        (false, true) => Some(PLUS_INFINITY),
        (true, false) if reaches(x, k) => Some(tiny(true)),
        (false, false) if reaches(x, k) => Some(just_below(&finite(x)?)),
        _ => keep_zero(x),
    }
}

#[derive(Clone, Copy)]
pub(super) struct Sigmoid;

impl Function for Sigmoid {
    fn special(self, x: Datum) -> Option<Exact> {
        step(x, 10, false).or_else(|| is_zero(x).then(|| value(1, -1)))
    }

    fn value<R: Real>(self, x: &R) -> R {
        logistic(x)
    }
}

#[derive(Clone, Copy)]
pub(super) struct SigmoidSlope;

impl Function for SigmoidSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        if is_infinite(x) {
            Some(PLUS_ZERO)
        } else if reaches(x, 10) {
            Some(tiny(false))
        } else {
            is_zero(x).then(|| value(1, -2))
        }
    }

    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(-1) && (-x.clone()).exceeds(-1) {
            // (1 - tanh(x/2)^2) / 4
            let h = x.scaled(-1).tanh();
            return (x.int(1) - h.square()).scaled(-2);
        }
        let magnitude = if x.exceeds(0) { x.clone() } else { -x.clone() };
        let w = (-magnitude).exp();
        w.clone() / (x.int(1) + w).square()
    }
}

#[derive(Clone, Copy)]
pub(super) struct Silu;

impl Function for Silu {
    fn special(self, x: Datum) -> Option<Exact> {
        ramp(x, 10)
    }

    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(-8) {
            x.clone() / (x.int(1) + (-x.clone()).exp())
        } else {
            x.clone() * logistic(x)
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct SiluSlope;

impl Function for SiluSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        step(x, 10, true).or_else(|| is_zero(x).then(|| value(1, -1)))
    }

    /// `s + x s (1 - s)`.
    fn value<R: Real>(self, x: &R) -> R {
        slope_of_ramp(x, x, &x.int(1))
    }
}

/// The derivative of `x s(v(x))`, `s(v) + x v' s(v) (1 - s(v))`, for a `v` with the sign of x and
/// `|v| >= |x|`, written so that rounding loses neither 1/2 nor 1.
pub(super) fn slope_of_ramp<R: Real>(x: &R, v: &R, v_slope: &R) -> R {
    let one = || x.int(1);
    let steep = x.clone() * v_slope.clone();
    if x.exceeds(-1) && (-x.clone()).exceeds(-1) {
        // s = (1 + h) / 2, s (1 - s) = (1 - h^2) / 4
        let h = v.scaled(-1).tanh();
        let rest = h.scaled(-1) + (steep * (one() - h.square())).scaled(-2);
        return one().scaled(-1) + rest;
    }
    if x.exceeds(0) {
        // s = 1 / (1 + u): 1 + u (x v' - 1 - u) / (1 + u)^2
        let u = (-v.clone()).exp();
        let rest = u.clone() * (steep - one() - u.clone()) / (one() + u).square();
        one() + rest
    } else {
        // s = w / (1 + w): w (1 + w + x v') / (1 + w)^2
        let w = v.exp();
        w.clone() * (one() + w.clone() + steep) / (one() + w).square()
    }
}

#[derive(Clone, Copy)]
pub(super) struct LogSigmoid;

impl Function for LogSigmoid {
    fn special(self, x: Datum) -> Option<Exact> {
        match (sign(x), is_infinite(x)) {
            (true, true) => Some(infinity(true)),
            (false, true) => Some(zero(true)),
            (true, false) if reaches(x, 10) => Some(just_above(&finite(x)?)),
            (false, false) if reaches(x, 10) => Some(tiny(true)),
            _ => None,
        }
    }

    /// `-ln(1 + e^-x)`, or `x - ln(1 + e^x)`.
    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(0) {
            -(-x.clone()).exp().ln_1p()
        } else {
            x.clone() - x.exp().ln_1p()
        }
    }
}

/// `s(-x)`.
#[derive(Clone, Copy)]
pub(super) struct LogSigmoidSlope;

impl Function for LogSigmoidSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        Sigmoid.special(match x {
            Datum::Infinity { negative } => Datum::Infinity {
                negative: !negative,
            },
            Datum::Finite {
                negative,
                magnitude,
            } => Datum::Finite {
                negative: !negative,
                magnitude,
            },
            Datum::Nan { .. } => x,
        })
    }

    fn value<R: Real>(self, x: &R) -> R {
        logistic(&-x.clone())
    }
}

/// `ln(1 + e^(beta x)) / beta`; x itself where `beta x > threshold`.
#[derive(Clone, Copy)]
pub(super) struct Softplus {
    beta: Parameter,
    threshold: Parameter,
}

impl Softplus {
    /// Without parameters `ln(1 + e^x)` everywhere.
    pub fn of(shape: &Shape) -> Option<Self> {
        if shape.params.is_empty() {
            return Some(Self {
                beta: Parameter(1.0),
                threshold: Parameter(f32::INFINITY),
            });
        }
        Some(Self {
            beta: Parameter::of(shape, "beta")?,
            threshold: Parameter::of(shape, "threshold")?,
        })
    }

    /// The oracle that `make` returns, or that of a NaN if a parameter is NaN.
    pub fn maker(self, make: impl FnOnce(Self) -> Maker) -> Maker {
        let parameters = [self.beta, self.threshold].map(Parameter::datum);
        if parameters.iter().all(|parameter| parameter.nan().is_none()) {
            return make(self);
        }
        Box::new(move |[from, format], _| {
            Box::new(ByRule(move |operands: &Operands, _| {
                // The second operand of a forward row is 0.
                let operands = [operands[0], operands[1]].map(|bits| from.decode(bits));
                let invalid = operands
                    .iter()
                    .chain(&parameters)
                    .any(|x| x.is_signalling());
                Answer::Nan { format, invalid }
            }))
        })
    }

    /// The sign of an infinite `beta x`; `None` if it is finite or undefined.
    fn infinite(self, x: Datum) -> Option<bool> {
        (is_infinite(x) || self.beta.is_infinite()).then(|| sign(x) != self.beta.is_negative())
    }

    /// Whether a finite `beta x` is positive and at least 2^`k` in magnitude.
    fn reaches(self, x: Datum, k: i64) -> Option<(bool, bool)> {
        let product = finite(x)?.times(&finite(self.beta.datum())?);
        let reaches = product.absolute() >= Float::integer(1).scaled(k);
        Some((sign(x) == self.beta.is_negative(), reaches))
    }

    /// Whether `beta x` is zero times infinity.
    fn is_no_product(self, x: Datum) -> bool {
        is_infinite(x) && self.beta.0 == 0.0 || is_zero(x) && self.beta.is_infinite()
    }

    /// Whether `beta x` is exactly above the threshold.
    fn is_linear(self, x: Datum) -> bool {
        let threshold = self.threshold.datum();
        if let Some(negative) = self.infinite(x) {
            return !negative && threshold != Datum::Infinity { negative: false };
        }
        match (finite(x), finite(self.beta.datum()), finite(threshold)) {
            (Some(x), Some(beta), Some(threshold)) => x.times(&beta) > threshold,
            _ => sign(threshold),
        }
    }
}

impl Function for Softplus {
    fn special(self, x: Datum) -> Option<Exact> {
        if self.is_no_product(x) {
            return Some(INVALID);
        }
        if self.is_linear(x) {
            return Some(Exact::from_datum(x));
        }
        if self.beta.0 == 0.0 {
            return Some(pole(self.beta.is_negative()));
        }
        if let Some(negative) = self.infinite(x) {
            return Some(if negative {
                zero(self.beta.is_negative())
            } else {
                // Only with an infinite threshold.
                Exact::from_datum(x)
            });
        }
        match self.reaches(x, 10)? {
            (true, true) => finite(x).map(|x| just_above(&x)),
            (false, true) => Some(tiny(self.beta.is_negative())),
            _ => None,
        }
    }

    fn value<R: Real>(self, x: &R) -> R {
        let beta = self.beta.real(x);
        let t = x.clone() * beta.clone();
        if t.exceeds(0) {
            x.clone() + (-t).exp().ln_1p() / beta
        } else {
            t.exp().ln_1p() / beta
        }
    }
}

/// `s(beta x)`; 1 where `beta x > threshold`.
#[derive(Clone, Copy)]
pub(super) struct SoftplusSlope(pub Softplus);

impl Function for SoftplusSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        if self.0.is_no_product(x) {
            return Some(INVALID);
        }
        if self.0.is_linear(x) {
            return Some(value(1, 0));
        }
        if let Some(negative) = self.0.infinite(x) {
            return Some(if negative { PLUS_ZERO } else { value(1, 0) });
        }
        if is_zero(x) || self.0.beta.0 == 0.0 {
            return Some(value(1, -1));
        }
        let half = Float::integer(1).scaled(-1);
        match (self.0.reaches(x, 10)?, self.0.reaches(x, -100)?) {
            ((true, true), _) => Some(just_below(&Float::integer(1))),
            ((false, true), _) => Some(tiny(false)),
            (_, (true, false)) => Some(just_above(&half)),
            (_, (false, false)) => Some(just_below(&half)),
            _ => None,
        }
    }

    fn value<R: Real>(self, x: &R) -> R {
        logistic(&(x.clone() * self.0.beta.real(x)))
    }
}
