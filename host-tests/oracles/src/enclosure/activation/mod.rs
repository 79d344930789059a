//! Activations and their gradients. Parameters are f32 numbers, each used exactly. The results for
//! infinities, NaNs and zeros among them are tabled next to each definition; a row with a parameter
//! that the kernel rejects has no oracle.
//!
//! The gradient of a smooth one is two steps in one mode, with the flags of both: the derivative at
//! x, rounded to the format, and its product with the upstream gradient, rounded. A piecewise one
//! copies the upstream gradient, or multiplies it by an exact slope and rounds once.

mod constant;
mod gaussian;
mod gradient;
mod linear;
mod logistic;
mod mish;
mod parameter;
mod piecewise;
mod rational;
mod unit;

use super::decide::{Maker, unary};
use crate::shape::Shape;
use gradient::gradient;
use parameter::Parameter;

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
        "sigmoid_derivative" => unary(logistic::SigmoidSlope),
        "silu_derivative" => unary(logistic::SiluSlope),
        "softplus_derivative" => logistic::Softplus::of(shape)?
            .maker(|softplus| unary(logistic::SoftplusSlope(softplus))),
        "gelu_derivative" => unary(gaussian::GeluSlope),
        "gelu_tanh_derivative" => unary(gaussian::GeluTanhSlope),
        "tanh_derivative" => unary(rational::TanhSlope),
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
