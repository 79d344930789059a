//! leaky_relu and softshrink: an exact product or sum, rounded once.

use super::parameter::Parameter;
use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::Function;
use crate::enclosure::number::Real;
use crate::enclosure::special::{
    INVALID, PLUS_ZERO, finite, infinity, is_below_zero, is_infinite, natural, sign, zero,
};
use crate::exact::Exact;
use crate::shape::Shape;

fn dyadic(x: &Float) -> Exact {
    if x.is_zero() {
        return PLUS_ZERO;
    }
    let (m, e) = x.odd();
    natural(x.is_negative(), m, e)
}

/// x where x >= 0 (also -0), otherwise `negative_slope * x`.
#[derive(Clone, Copy)]
pub(super) struct LeakyRelu(pub Parameter);

impl Function for LeakyRelu {
    fn special(self, x: Datum) -> Option<Exact> {
        let slope = self.0;
        if !is_below_zero(x) {
            return Some(Exact::from_datum(x));
        }
        let negative = sign(x) != slope.is_negative();
        slope
            .nan()
            .or_else(|| match (is_infinite(x), slope.0 == 0.0) {
                (true, true) => Some(INVALID),
                (true, false) => Some(infinity(negative)),
                (false, true) => Some(zero(negative)),
                (false, false) => slope.is_infinite().then(|| infinity(negative)),
            })
    }

    fn exact(self, x: &Float) -> Option<Exact> {
        Some(dyadic(&x.times(&finite(self.0.datum())?)))
    }

    fn value<R: Real>(self, x: &R) -> R {
        x.clone() * self.0.real(x)
    }
}

/// `x - lambd` above lambd, `x + lambd` below -lambd, otherwise +0; lambd >= 0.
#[derive(Clone, Copy)]
pub(super) struct Softshrink {
    lambd: Parameter,
}

impl Softshrink {
    pub fn of(shape: &Shape) -> Option<Self> {
        let lambd = Parameter::number(shape, "lambd")?;
        (lambd.0 >= 0.0).then_some(Self { lambd })
    }
}

impl Function for Softshrink {
    fn special(self, x: Datum) -> Option<Exact> {
        let magnitude = x.absolute();
        let above =
            self.lambd.datum().absolute().order(magnitude) == Some(std::cmp::Ordering::Less);
        if !above {
            return Some(PLUS_ZERO);
        }
        is_infinite(x).then(|| infinity(sign(x)))
    }

    fn exact(self, x: &Float) -> Option<Exact> {
        let lambd = finite(self.lambd.datum())?;
        Some(dyadic(&if x.is_negative() {
            x.plus(&lambd)
        } else {
            x.minus(&lambd)
        }))
    }

    fn value<R: Real>(self, x: &R) -> R {
        let lambd = self.lambd.real(x);
        if x.exceeds(0) {
            x.clone() - lambd
        } else {
            x.clone() + lambd
        }
    }
}
