//! The plain definitions of the activations and their derivatives.

use super::enclosure::Enclosure;
use super::place;
use crate::oracle::shape::Shape;
use crate::oracle::{Dyadic, Format, Located};
use rug::{Float, Rational};
use std::str::FromStr;

/// The most digits that are tried.
pub(super) const MOST: u32 = 4096;

type Formula = fn(&Enclosure, &[Enclosure]) -> Enclosure;

pub(super) struct Definition {
    formula: Formula,
    parameters: Vec<f32>,
    /// From this power of two on only the asymptote is to be known.
    far: i32,
}

impl Definition {
    pub fn is_far(&self, magnitude: Dyadic) -> bool {
        magnitude >= Dyadic::power_of_two(self.far)
    }

    pub fn place(&self, format: &'static Format, x: &Float) -> Option<Located> {
        let mut digits = 128;
        while digits <= MOST {
            let point = |x: &Float| Enclosure::point(x, digits);
            let parameters: Vec<_> = self
                .parameters
                .iter()
                .map(|&value| point(&Float::with_val(24, value)))
                .collect();
            let Enclosure { low, high } = (self.formula)(&point(x), &parameters);
            if let Some(located) = between(format, low, high) {
                return Some(located);
            }
            digits *= 2;
        }
        None
    }
}

/// The place of what is between two ends, or at both.
fn between(format: &'static Format, low: Float, high: Float) -> Option<Located> {
    if !low.is_finite() && !high.is_finite() {
        return None;
    }
    if low == high {
        return Some(place(format, &low, true));
    }
    let negative = high <= 0;
    if !negative && low < 0 {
        return None;
    }
    // The end nearer to zero, and what is just inside the other one.
    let (near, mut last) = if negative { (-high, -low) } else { (low, high) };
    if last.is_infinite() {
        return None;
    }
    last.next_down();
    let (first, last) = (place(format, &near, false), place(format, &last, false));
    (first == last).then_some(Located { negative, ..first })
}

fn decimal(text: &str, like: &Enclosure) -> Enclosure {
    let value = Rational::from_str(text).expect("a rational");
    Enclosure::rational(&value, like.low.prec())
}

const ALPHA: &str = "16732632423543772848170429916717/10000000000000000000000000000000";
const SCALE: &str = "10507009873554804934193349852946/10000000000000000000000000000000";

fn sigmoid(x: &Enclosure) -> Enclosure {
    x.int(1) / (x.int(1) + (-x.clone()).exp())
}

fn softplus(x: &Enclosure) -> Enclosure {
    if x.is_negative() {
        x.clone().exp().ln_1p()
    } else {
        x.clone() + (-x.clone()).exp().ln_1p()
    }
}

fn over_root_2(x: &Enclosure) -> Enclosure {
    x.clone() / x.int(2).sqrt()
}

fn cube(x: &Enclosure) -> Enclosure {
    x.clone() * x.clone() * x.clone()
}

fn root_2_over_pi(x: &Enclosure) -> Enclosure {
    (x.int(2) / Enclosure::pi(x.low.prec())).sqrt()
}

fn inner(x: &Enclosure) -> Enclosure {
    root_2_over_pi(x) * (x.clone() + decimal("44715/1000000", x) * cube(x))
}

fn unit(x: &Enclosure, alpha: &Enclosure) -> Enclosure {
    if x.is_negative() {
        alpha.clone() * x.clone().exp_m1()
    } else {
        x.clone()
    }
}

fn magnitude(x: &Enclosure) -> Enclosure {
    if x.is_negative() {
        -x.clone()
    } else {
        x.clone()
    }
}

fn sech_squared(t: &Enclosure) -> Enclosure {
    (t.int(1) - t.clone()) * (t.int(1) + t.clone())
}

pub(super) fn definition(shape: &Shape) -> Option<Definition> {
    // The formula, the parameters' names, and how far it is computed.
    let (formula, names, far): (Formula, &[&str], i32) = match shape.op {
        "sigmoid" => (|x, _| sigmoid(x), &[], 7),
        "silu" => (|x, _| x.clone() * sigmoid(x), &[], 7),
        "logsigmoid" => (|x, _| -softplus(&-x.clone()), &[], 7),
        "gelu" => (
            |x, _| x.clone() / x.int(2) * (-over_root_2(x)).erfc(),
            &[],
            4,
        ),
        "gelu_tanh" => (
            |x, _| x.clone() / x.int(2) * (x.int(1) + inner(x).tanh()),
            &[],
            4,
        ),
        "mish" => (|x, _| x.clone() * softplus(x).tanh(), &[], 7),
        "selu" => (
            |x, _| decimal(SCALE, x) * unit(x, &decimal(ALPHA, x)),
            &[],
            1000,
        ),
        "softsign" => (|x, _| x.clone() / (x.int(1) + magnitude(x)), &[], 1000),
        "tanhshrink" => (|x, _| x.clone() - x.clone().tanh(), &[], 7),
        "elu" => (|x, p| unit(x, &p[0]), &["alpha"], 7),
        "sigmoid_backward" => (|x, _| sigmoid(x) * sigmoid(&-x.clone()), &[], 7),
        "silu_backward" => (
            |x, _| sigmoid(x) + x.clone() * sigmoid(x) * sigmoid(&-x.clone()),
            &[],
            7,
        ),
        "logsigmoid_backward" => (|x, _| sigmoid(&-x.clone()), &[], 7),
        "gelu_backward" => (
            |x, _| {
                let square = x.clone() * x.clone() / x.int(2);
                let root = (x.int(2) * Enclosure::pi(x.low.prec())).sqrt();
                let distribution = (x.int(1) + over_root_2(x).erf()) / x.int(2);
                distribution + x.clone() * (-square).exp() / root
            },
            &[],
            4,
        ),
        "gelu_tanh_backward" => (
            |x, _| {
                let t = inner(x).tanh();
                let cubic = decimal("134145/1000000", x) * x.clone() * x.clone();
                let slope = root_2_over_pi(x) * (x.int(1) + cubic);
                let steep = x.clone() * sech_squared(&t) * slope;
                (x.int(1) + t + steep) / x.int(2)
            },
            &[],
            4,
        ),
        "mish_backward" => (
            |x, _| {
                let t = softplus(x).tanh();
                t.clone() + x.clone() * sech_squared(&t) * sigmoid(x)
            },
            &[],
            7,
        ),
        "selu_backward" => (
            |x, _| {
                let scale = decimal(SCALE, x);
                if x.is_negative() {
                    scale * decimal(ALPHA, x) * x.clone().exp()
                } else {
                    scale
                }
            },
            &[],
            7,
        ),
        "tanh_backward" => (|x, _| sech_squared(&magnitude(x).tanh()), &[], 7),
        "softsign_backward" => (
            |x, _| {
                let sum = x.int(1) + magnitude(x);
                x.int(1) / (sum.clone() * sum)
            },
            &[],
            1000,
        ),
        "tanhshrink_backward" => (
            |x, _| {
                let t = magnitude(x).tanh();
                t.clone() * t
            },
            &[],
            7,
        ),
        "elu_backward" => (
            |x, p| {
                if x.is_negative() {
                    p[0].clone() * x.clone().exp()
                } else {
                    x.int(1)
                }
            },
            &["alpha"],
            7,
        ),
        "celu" => (
            |x, p| {
                if x.is_negative() {
                    p[0].clone() * (x.clone() / p[0].clone()).exp_m1()
                } else {
                    x.clone()
                }
            },
            &["alpha"],
            7,
        ),
        "celu_backward" => (
            |x, p| {
                if x.is_negative() {
                    (x.clone() / p[0].clone()).exp()
                } else {
                    x.int(1)
                }
            },
            &["alpha"],
            7,
        ),
        "softplus" => (
            |x, p| {
                let y = p[0].clone() * x.clone();
                // The product is exact.
                if y.low > p[1].low {
                    x.clone()
                } else {
                    softplus(&y) / p[0].clone()
                }
            },
            &["beta", "threshold"],
            7,
        ),
        "softplus_backward" => (
            |x, p| {
                let y = p[0].clone() * x.clone();
                if y.low > p[1].low {
                    x.int(1)
                } else {
                    sigmoid(&y)
                }
            },
            &["beta", "threshold"],
            7,
        ),
        _ => return None,
    };
    let parameters: Vec<f32> = names
        .iter()
        .map(|name| {
            let (_, bits) = shape.number(name)?;
            let value = f32::from_bits(u32::try_from(bits).ok()?);
            // What the others give is tabled in `real/`.
            (value.is_finite() && value != 0.0).then_some(value)
        })
        .collect::<Option<_>>()?;
    // What is far is so of `x / alpha` or `beta x`.
    let power = |value: f32| value.abs().log2().floor() as i32;
    let far = match (shape.op, &parameters[..]) {
        // Below 0 there is no function of an alpha that is not positive: tabled too.
        ("celu" | "celu_backward", [alpha]) if *alpha < 0.0 => return None,
        ("celu" | "celu_backward", [alpha]) => far + power(*alpha),
        ("softplus" | "softplus_backward", [beta, _]) => far - power(*beta),
        _ => far,
    };
    Some(Definition {
        formula,
        parameters,
        far,
    })
}
