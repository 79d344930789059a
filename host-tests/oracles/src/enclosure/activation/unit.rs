//! The exponential linear units: elu, selu, celu.
//!
//! For x > 0 elu and celu are x; selu is x times its scale, a decimal whose product with a number
//! of either format is never dyadic. For x < 0 all values are transcendental.

use super::constant::{alpha, scale};
use super::parameter::Parameter;
use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::Function;
use crate::enclosure::number::Real;
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, finite, infinity, is_below_zero, is_infinite, is_zero,
    just_below, keep_zero, reaches, sign, tiny, value, zero,
};
use crate::exact::Exact;

/// `alpha (e^x - 1)` for x <= 0.
#[derive(Clone, Copy)]
pub(super) struct Elu(pub Parameter);

impl Function for Elu {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        let negative = sign(x) != alpha.is_negative();
        if !is_zero(x) && !is_below_zero(x) {
            return Some(Exact::from_datum(x));
        }
        if alpha.0.is_nan() {
            return alpha.nan();
        }
        if alpha.is_infinite() {
            return Some(if is_zero(x) {
                INVALID
            } else {
                infinity(negative)
            });
        }
        if is_zero(x) || alpha.0 == 0.0 {
            return Some(zero(negative));
        }
        let bottom = finite(alpha.datum()).expect("finite").negated();
        if is_infinite(x) {
            let (m, e) = bottom.odd();
            return Some(crate::enclosure::special::natural(
                bottom.is_negative(),
                m,
                e,
            ));
        }
        reaches(x, 10).then(|| just_below(&bottom))
    }

    fn value<R: Real>(self, x: &R) -> R {
        self.0.real(x) * x.exp_m1()
    }
}

/// 1 for x > 0, otherwise `alpha e^x`.
#[derive(Clone, Copy)]
pub(super) struct EluSlope(pub Parameter);

impl Function for EluSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        if !is_zero(x) && !is_below_zero(x) {
            return Some(value(1, 0));
        }
        if is_zero(x) || alpha.0.is_nan() {
            return Some(Exact::from_datum(alpha.datum()));
        }
        if alpha.is_infinite() {
            return Some(if is_infinite(x) {
                INVALID
            } else {
                infinity(alpha.is_negative())
            });
        }
        if is_infinite(x) || alpha.0 == 0.0 {
            return Some(zero(alpha.is_negative()));
        }
        reaches(x, 10).then(|| tiny(alpha.is_negative()))
    }

    fn value<R: Real>(self, x: &R) -> R {
        self.0.real(x) * x.exp()
    }
}

#[derive(Clone, Copy)]
pub(super) struct Selu;

impl Function for Selu {
    fn special(self, x: Datum) -> Option<Exact> {
        if is_infinite(x) && !sign(x) {
            return Some(PLUS_INFINITY);
        }
        keep_zero(x)
    }

    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(0) {
            x.clone() * scale(x)
        } else {
            scale(x) * alpha(x) * x.exp_m1()
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct SeluSlope;

impl Function for SeluSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        if !is_below_zero(x) {
            return None;
        }
        if is_infinite(x) {
            return Some(PLUS_ZERO);
        }
        reaches(x, 10).then(|| tiny(false))
    }

    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(0) {
            scale(x)
        } else {
            scale(x) * alpha(x) * x.exp()
        }
    }
}

/// `alpha (e^(x/alpha) - 1)` for x < 0.
#[derive(Clone, Copy)]
pub(super) struct Celu(pub Parameter);

/// The result at a negative operand for an alpha that is not a positive number: NaN for a quiet
/// NaN, everything else is invalid.
fn no_celu(alpha: Parameter) -> Option<Exact> {
    alpha
        .nan()
        .or_else(|| (alpha.0 <= 0.0 || alpha.is_infinite()).then_some(INVALID))
}

/// Whether `|x / alpha|` is at least 2^`k`.
fn ratio_reaches(x: Datum, alpha: Parameter, k: i64) -> bool {
    let (Some(x), Some(alpha)) = (finite(x), finite(alpha.datum())) else {
        return true;
    };
    x.absolute() >= alpha.absolute().scaled(k)
}

/// Whether it is so large that only the asymptote matters.
fn is_far(x: Datum, alpha: Parameter) -> bool {
    ratio_reaches(x, alpha, 10)
}

/// Whether it is so small that only the tangent at 0 matters.
fn is_near(x: Datum, alpha: Parameter) -> bool {
    !ratio_reaches(x, alpha, -102)
}

impl Function for Celu {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        if is_zero(x) {
            return keep_zero(x);
        }
        if !is_below_zero(x) {
            return Some(Exact::from_datum(x));
        }
        no_celu(alpha).or_else(|| {
            if is_near(x, alpha) {
                return finite(x).map(|x| just_below(&x));
            }
            is_far(x, alpha).then(|| {
                let bottom = finite(alpha.datum()).expect("finite").negated();
                let (m, e) = bottom.odd();
                if is_infinite(x) {
                    crate::enclosure::special::natural(true, m, e)
                } else {
                    just_below(&bottom)
                }
            })
        })
    }

    /// `x` times `(e^z - 1) / z`, `z = x / alpha`.
    fn value<R: Real>(self, x: &R) -> R {
        let z = x.clone() / self.0.real(x);
        x.clone() * z.exp_m1_over()
    }
}

/// 1 for x >= 0, otherwise `e^(x/alpha)`.
#[derive(Clone, Copy)]
pub(super) struct CeluSlope(pub Parameter);

impl Function for CeluSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        if !is_below_zero(x) {
            return Some(value(1, 0));
        }
        no_celu(alpha).or_else(|| {
            if is_near(x, alpha) {
                return Some(just_below(&Float::integer(1)));
            }
            is_far(x, alpha).then(|| {
                if is_infinite(x) {
                    PLUS_ZERO
                } else {
                    tiny(false)
                }
            })
        })
    }

    fn value<R: Real>(self, x: &R) -> R {
        (x.clone() / self.0.real(x)).exp()
    }
}
