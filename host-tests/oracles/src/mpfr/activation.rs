//! The plain definitions of the activations and their derivatives.

use super::enclosure::Enclosure;
use super::place::place;
use super::special::{AtZero, End, Special};
use crate::answer::Answer;
use crate::datum::Datum;
use crate::dyadic::Dyadic;
use crate::format::Format;
use crate::located::Located;
use crate::shape::Shape;
use rug::{Float, Rational};
use std::str::FromStr;

/// The greatest precision that is tried, in bits.
pub(super) const MOST: u32 = 4096;

type Formula = fn(&Enclosure, &[Enclosure]) -> Enclosure;

pub(super) struct Definition {
    formula: Formula,
    parameters: Vec<f32>,
    special: Special,
    /// From this power of two on only the asymptote matters.
    far: i32,
    /// Where the operand itself is the value, or the derivative 1: `beta x > threshold`.
    linear: Option<Linear>,
}

/// A product above a threshold.
#[derive(Clone, Copy)]
struct Linear {
    beta: f32,
    threshold: f32,
    derivative: bool,
}

impl Linear {
    /// For an operand that is not a NaN.
    fn holds(self, x: &Float) -> bool {
        // Of 24 bits each: exact.
        let product = Float::with_val(64, x * self.beta);
        product > self.threshold
    }
}

impl Definition {
    /// The value at an operand that is not a NaN.
    ///
    /// # Panics
    ///
    /// If the greatest precision does not decide.
    pub fn answer(&self, format: &'static Format, x: Datum, number: &Float) -> Answer {
        if let Some(linear) = self.linear.filter(|linear| linear.holds(number)) {
            let one = Float::with_val(24, 1);
            let value = if linear.derivative { &one } else { number };
            return match (value.is_infinite(), value.is_zero()) {
                (true, _) => Answer::Infinite {
                    format,
                    negative: value.is_sign_negative(),
                    by_zero: false,
                },
                (_, true) => Answer::Zero {
                    format,
                    negative: value.is_sign_negative(),
                },
                _ => Answer::Located(place(format, value, true)),
            };
        }
        let negative = number.is_sign_negative();
        let end = if negative {
            self.special.left
        } else {
            self.special.right
        };
        let known = match x {
            Datum::Finite { magnitude, .. } if magnitude.is_zero() => {
                self.special.zero.answer(format, negative)
            }
            Datum::Finite { magnitude, .. } if magnitude >= Dyadic::power_of_two(self.far) => {
                end.far(format, number)
            }
            Datum::Finite { .. } => None,
            _ => end.at_infinity(format, negative),
        };
        known.unwrap_or_else(|| self.compute(format, number))
    }

    fn compute(&self, format: &'static Format, x: &Float) -> Answer {
        let mut bits = 128;
        while bits <= MOST {
            let point = |x: &Float| Enclosure::point(x, bits);
            let parameters: Vec<_> = self
                .parameters
                .iter()
                .map(|&value| point(&Float::with_val(24, value)))
                .collect();
            let Enclosure { low, high } = (self.formula)(&point(x), &parameters);
            if low == high && low.is_infinite() {
                return Answer::Infinite {
                    format,
                    negative: low.is_sign_negative(),
                    by_zero: false,
                };
            }
            if let Some(located) = between(format, low, high) {
                return Answer::Located(located);
            }
            bits *= 2;
        }
        panic!("still ambiguous at {MOST} bits");
    }
}

/// The position of a value between two ends, or equal to both.
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
    // The end closer to zero, and the number just inside the other one.
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
    // A derivative alone, or its product with a gradient.
    let op = &shape.op.replace("_derivative", "_backward")[..];
    let (formula, names, far): (Formula, &[&str], i32) = match op {
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
                if x.is_positive() {
                    scale
                } else {
                    scale * decimal(ALPHA, x) * x.clone().exp()
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
                if x.is_positive() {
                    x.int(1)
                } else {
                    p[0].clone() * x.clone().exp()
                }
            },
            &["alpha"],
            // alpha may be near 2^128.
            8,
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
            |x, p| softplus(&(p[0].clone() * x.clone())) / p[0].clone(),
            &["beta", "threshold"],
            // 1 / beta may be near 2^149.
            8,
        ),
        "softplus_backward" => (
            |x, p| sigmoid(&(p[0].clone() * x.clone())),
            &["beta", "threshold"],
            7,
        ),
        _ => return None,
    };
    let parameters: Vec<f32> = names
        .iter()
        .map(|name| {
            // Without parameters `ln(1 + e^x)` everywhere.
            let value = match (shape.params, *name) {
                ([], "beta") => 1.0,
                ([], "threshold") => f32::INFINITY,
                _ => f32::from_bits(u32::try_from(shape.number(name)?.1).ok()?),
            };
            // The enclosures alone give the results for the others.
            let unlimited = *name == "threshold" && value == f32::INFINITY;
            (unlimited || value.is_finite() && value != 0.0).then_some(value)
        })
        .collect::<Option<_>>()?;
    // "Far" refers to `x / alpha` or `beta x`, and x must be that far for every significand.
    let above = |value: f32| value.abs().log2().ceil() as i32;
    let below = |value: f32| value.abs().log2().floor() as i32;
    let far = match (op, &parameters[..]) {
        // Below 0 there is no function for an alpha that is not positive.
        ("celu" | "celu_backward", [alpha]) if *alpha < 0.0 => return None,
        ("celu" | "celu_backward", [alpha]) => far + above(*alpha),
        ("softplus" | "softplus_backward", [beta, _]) => far - below(*beta),
        _ => far,
    };
    let linear = match parameters[..] {
        [beta, threshold] => Some(Linear {
            beta,
            threshold,
            derivative: op == "softplus_backward",
        }),
        _ => None,
    };
    let special = special(op, parameters.first().copied().unwrap_or(1.0));
    Some(Definition {
        formula,
        parameters,
        special,
        far,
        linear,
    })
}

/// What is known of an activation whose first parameter is this number.
fn special(op: &str, parameter: f32) -> Special {
    use AtZero::{Kept, Plus, Signed};
    use End::{Below, Computed, LessOne, One, Operand, Zero};
    let falls = parameter < 0.0;
    let (plus, minus) = (Zero { negative: false }, Zero { negative: true });
    let (less, more) = (Operand { more: false }, Operand { more: true });
    let (below_1, above_1) = (One { more: false }, One { more: true });
    let (left, right, zero) = match op {
        "sigmoid" => (plus, below_1, AtZero::Computed),
        "logsigmoid_backward" => (below_1, plus, AtZero::Computed),
        "silu" | "gelu" | "gelu_tanh" | "mish" => (minus, less, Kept),
        "silu_backward" | "gelu_backward" | "gelu_tanh_backward" | "mish_backward" => {
            (minus, above_1, AtZero::Computed)
        }
        "logsigmoid" => (more, minus, AtZero::Computed),
        "sigmoid_backward" | "tanh_backward" => (plus, plus, AtZero::Computed),
        "tanhshrink" => (LessOne, LessOne, Kept),
        "tanhshrink_backward" => (below_1, below_1, Plus),
        "selu" => (Computed, Computed, Kept),
        "softsign" => (Below(-1.0), Below(1.0), Kept),
        "softsign_backward" => (plus, plus, AtZero::Computed),
        "selu_backward" => (plus, Computed, AtZero::Computed),
        "elu" => (Below(-parameter), Computed, Signed(falls)),
        "elu_backward" => (Zero { negative: falls }, Computed, AtZero::Computed),
        "celu" => (Below(-parameter), Computed, Kept),
        "celu_backward" => (plus, Computed, AtZero::Computed),
        // For a positive product, more than the operand; for a negative one, a zero with beta's
        // sign.
        "softplus" if falls => (more, minus, AtZero::Computed),
        "softplus" => (plus, more, AtZero::Computed),
        "softplus_backward" if falls => (below_1, plus, AtZero::Computed),
        "softplus_backward" => (plus, below_1, AtZero::Computed),
        _ => (Computed, Computed, AtZero::Computed),
    };
    Special { left, right, zero }
}
