//! Activations and their gradients. Parameters are f32 numbers, each taken as exactly the number
//! that it is; what infinities, NaNs and zeros among them give is tabled beside each definition, and a
//! row with a parameter that the kernel refuses has no oracle.
//!
//! The gradient of a smooth one is two steps in one mode, with the flags of both: the derivative
//! at x, rounded to the format, and its product with the upstream gradient, rounded. A piecewise
//! one moves the upstream gradient, or multiplies it by an exact slope and rounds once.

mod constant;
mod gaussian;
mod linear;
mod logistic;
mod mish;
mod piecewise;
mod rational;
mod unit;

use super::functions::Function;
use super::number::Real;
use super::{Maker, answer, unary};
use crate::oracle::answer::{Answer, Factor, Scaled};
use crate::oracle::rational::Exact;
use crate::oracle::shape::Shape;
use crate::oracle::{Datum, Format};
use crate::row::Operands;
use std::sync::OnceLock;

/// An f32 parameter.
#[derive(Clone, Copy)]
struct Parameter(f32);

impl Parameter {
    fn of(shape: &Shape, name: &str) -> Option<Self> {
        let (format, bits) = shape.number(name)?;
        if format.ty != crate::row::Ty::F32 {
            return None;
        }
        Some(Self(f32::from_bits(u32::try_from(bits).ok()?)))
    }

    /// One that is a number.
    fn number(shape: &Shape, name: &str) -> Option<Self> {
        Self::of(shape, name).filter(|parameter| !parameter.0.is_nan())
    }

    /// Where it is a NaN: that, which is invalid if it signals.
    fn nan(self) -> Option<Exact> {
        self.0.is_nan().then(|| Exact::from_datum(self.datum()))
    }

    const fn is_infinite(self) -> bool {
        self.0.is_infinite()
    }

    fn is_negative(self) -> bool {
        self.0.is_sign_negative()
    }

    fn datum(self) -> Datum {
        let format = Format::of(crate::row::Ty::F32).expect("a float format");
        format.decode(self.0.to_bits().into())
    }

    /// As an enclosure.
    fn real<R: Real>(self, like: &R) -> R {
        // Its 24 digits and their exponent.
        let bits = self.0.to_bits();
        let field = i32::try_from(bits >> 23 & 0xFF).expect("8 bits");
        let hidden = if field == 0 { 0 } else { 1 << 23 };
        let digits = i32::try_from(bits & 0x7F_FFFF).expect("23 bits") + hidden;
        let digits = if self.is_negative() { -digits } else { digits };
        like.int(digits).scaled(field.max(1) - 150)
    }
}

pub(super) fn forward(shape: &Shape) -> Option<Maker> {
    let parameter = |name| Parameter::of(shape, name);
    Some(match shape.op {
        "sigmoid" => unary(logistic::Sigmoid),
        "silu" => unary(logistic::Silu),
        "logsigmoid" => unary(logistic::LogSigmoid),
        "softplus" => logistic::Softplus::of(shape)?.maker(unary),
        "gelu" => unary(gaussian::Gelu),
        "gelu_tanh" => unary(gaussian::GeluTanh),
        "mish" => unary(mish::Mish),
        "elu" => unary(unit::Elu(parameter("alpha")?)),
        "selu" => unary(unit::Selu),
        "celu" => unary(unit::Celu(parameter("alpha")?)),
        "softsign" => unary(rational::Softsign),
        "tanhshrink" => unary(rational::Tanhshrink),
        "leaky_relu" => unary(linear::LeakyRelu(parameter("negative_slope")?)),
        "softshrink" => unary(linear::Softshrink::of(shape)?),
        _ => return piecewise::forward(shape),
    })
}

pub(super) fn backward(shape: &Shape) -> Option<Maker> {
    let parameter = |name| Parameter::of(shape, name);
    Some(match shape.op {
        "sigmoid_backward" => gradient(logistic::SigmoidSlope),
        "silu_backward" => gradient(logistic::SiluSlope),
        "logsigmoid_backward" => gradient(logistic::LogSigmoidSlope),
        "softplus_backward" => {
            let softplus = logistic::Softplus::of(shape)?;
            softplus.maker(|softplus| gradient(logistic::SoftplusSlope(softplus)))
        }
        "gelu_backward" => gradient(gaussian::GeluSlope),
        "gelu_tanh_backward" => gradient(gaussian::GeluTanhSlope),
        "mish_backward" => gradient(mish::MishSlope),
        "elu_backward" => gradient(unit::EluSlope(parameter("alpha")?)),
        "selu_backward" => gradient(unit::SeluSlope),
        "celu_backward" => gradient(unit::CeluSlope(parameter("alpha")?)),
        "tanh_backward" => gradient(rational::TanhSlope),
        "softsign_backward" => gradient(rational::SoftsignSlope),
        "tanhshrink_backward" => gradient(rational::TanhshrinkSlope),
        _ => return piecewise::backward(shape),
    })
}

/// The gradient of a smooth activation, from its derivative.
fn gradient<F: Function>(slope: F) -> Maker {
    Box::new(move |format, filter| {
        // The derivative at every x that was asked for: pairs repeat it.
        let slopes: Vec<OnceLock<Factor>> =
            (0..1 << format.bits).map(|_| OnceLock::new()).collect();
        Box::new(super::ByRule(move |operands: &Operands| {
            let (x, grad) = (format.decode(operands[0]), format.decode(operands[1]));
            if x.nan().is_some() || grad.nan().is_some() && x.is_signalling() {
                let invalid = x.is_signalling() || grad.is_signalling();
                return Answer::Nan { format, invalid };
            }
            let at = usize::try_from(operands[0]).expect("16 bits");
            let factor = slopes[at].get_or_init(|| match answer(format, filter, slope, x) {
                Answer::Located(located) => Factor::Located(located),
                Answer::Zero { negative, .. } => Factor::Zero { negative },
                Answer::Infinite { negative, .. } => Factor::Infinite { negative },
                Answer::Nan { invalid, .. } => Factor::Nan { invalid },
                other => unreachable!("a derivative is a number: {other:?}"),
            });
            Answer::Scaled(Scaled {
                format,
                factor: *factor,
                grad: operands[1],
            })
        }))
    })
}
