//! mish: `x tanh(ln(1 + e^x))`.
//!
//! With `n = e^x (e^x + 2)` the tanh is `n / (n + 2)`. Exact: at zero, where the derivative is
//! 3/5.

use super::logistic::{ramp, step};
use crate::Datum;
use crate::enclosure::function::Function;
use crate::enclosure::number::Real;
use crate::enclosure::special::{is_zero, quotient};
use crate::exact::Exact;
use dashu_int::UBig;

#[derive(Clone, Copy)]
pub(super) struct Mish;

impl Function for Mish {
    fn special(self, x: Datum) -> Option<Exact> {
        ramp(x, 10)
    }

    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(0) {
            // u = e^-x: tanh = 1 - 2u^2 / (1 + 2u + 2u^2)
            let (twice_square, divisor) = parts(x);
            x.clone() * (x.int(1) - twice_square / divisor)
        } else {
            let w = x.exp();
            let n = w.clone() * (w + x.int(2));
            x.clone() * n.clone() / (n + x.int(2))
        }
    }
}

/// `2u^2` and `1 + 2u + 2u^2` for `u = e^-x`.
fn parts<R: Real>(x: &R) -> (R, R) {
    let u = (-x.clone()).exp();
    let twice_square = u.square().scaled(1);
    (twice_square.clone(), x.int(1) + u.scaled(1) + twice_square)
}

#[derive(Clone, Copy)]
pub(super) struct MishSlope;

impl Function for MishSlope {
    fn special(self, x: Datum) -> Option<Exact> {
        let three_fifths = || quotient(false, UBig::from(3_u8), UBig::from(5_u8), 0);
        step(x, 10, true).or_else(|| is_zero(x).then(three_fifths))
    }

    /// `t + x (1 - t^2) s(x)`, t the tanh.
    fn value<R: Real>(self, x: &R) -> R {
        if x.exceeds(0) {
            // With q = 1 - t: 1 + q (x (2 - q) / (1 + u) - 1)
            let u = (-x.clone()).exp();
            let (twice_square, divisor) = parts(x);
            let q = twice_square / divisor;
            let steep = x.clone() * (x.int(2) - q.clone()) / (x.int(1) + u);
            x.int(1) + q * (steep - x.int(1))
        } else {
            // w = e^x: w ((w + 2) (n + 2) + 4x (1 + w)) / (n + 2)^2
            let w = x.exp();
            let m = w.clone() * (w.clone() + x.int(2)) + x.int(2);
            let sum =
                (w.clone() + x.int(2)) * m.clone() + (x.clone() * (x.int(1) + w.clone())).scaled(2);
            w * sum / m.square()
        }
    }
}
