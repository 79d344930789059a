//! The exponential linear units: elu, selu, celu.
//!
//! For x > 0 elu and celu are x, selu is x times its scale, a decimal whose product with a number
//! of either format is never dyadic. For x < 0 all values are transcendental.

use super::Parameter;
use super::constant::{alpha, scale};
use crate::oracle::Datum;
use crate::oracle::rational::Exact;
use crate::oracle::real::functions::Function;
use crate::oracle::real::number::Real;
use crate::oracle::real::special::{
    PLUS_INFINITY, PLUS_ZERO, finite, huge, infinity, is_below_zero, is_infinite, is_zero,
    just_below, keep_zero, reaches, sign, tiny, value, zero,
};

/// `alpha (e^x - 1)` for x <= 0.
#[derive(Clone, Copy)]
pub(super) struct Elu(pub Parameter);

impl Function for Elu {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        if is_zero(x) || is_below_zero(x) && alpha.0 == 0.0 {
            return Some(zero(sign(x) != alpha.is_negative()));
        }
        if !is_below_zero(x) {
            return Some(Exact::from_datum(x));
        }
        let bottom = finite(alpha.datum()).expect("finite").negated();
        if is_infinite(x) {
            let (m, e) = bottom.odd();
            return Some(crate::oracle::real::special::natural(
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

/// 1 for x > 0, else `alpha e^x`.
#[derive(Clone, Copy)]
pub(super) struct EluSlope(pub Parameter);

impl Function for EluSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        if is_zero(x) {
            return Some(Exact::from_datum(alpha.datum()));
        }
        if !is_below_zero(x) {
            return Some(value(1, 0));
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

/// `alpha (e^(x/alpha) - 1)` for x <= 0.
#[derive(Clone, Copy)]
pub(super) struct Celu(pub Parameter);

/// Whether `|x / alpha|` is at least 2^10.
fn is_far(x: Datum, alpha: Parameter) -> bool {
    let (Some(x), Some(alpha)) = (finite(x), finite(alpha.datum())) else {
        return true;
    };
    x.absolute() >= alpha.absolute().scaled(10)
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
        if is_far(x, alpha) {
            let bottom = finite(alpha.datum()).expect("finite").negated();
            let (m, e) = bottom.odd();
            return Some(match (alpha.is_negative(), is_infinite(x)) {
                (true, true) => infinity(true),
                (true, false) => huge(true),
                (false, true) => crate::oracle::real::special::natural(true, m, e),
                (false, false) => just_below(&bottom),
            });
        }
        None
    }

    /// `x` times `(e^z - 1) / z`, `z = x / alpha`.
    fn value<R: Real>(self, x: &R) -> R {
        let z = x.clone() / self.0.real(x);
        x.clone() * z.exp_m1_over()
    }
}

/// 1 for x > 0, else `e^(x/alpha)`.
#[derive(Clone, Copy)]
pub(super) struct CeluSlope(pub Parameter);

impl Function for CeluSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        let alpha = self.0;
        if !is_below_zero(x) {
            return Some(value(1, 0));
        }
        if is_far(x, alpha) {
            return Some(match (alpha.is_negative(), is_infinite(x)) {
                (true, true) => PLUS_INFINITY,
                (true, false) => huge(false),
                (false, true) => PLUS_ZERO,
                (false, false) => tiny(false),
            });
        }
        None
    }

    fn value<R: Real>(self, x: &R) -> R {
        (x.clone() / self.0.real(x)).exp()
    }
}
