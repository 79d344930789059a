//! Activation functions and their gradients, each rounded once.
//!
//! Piecewise linear or quadratic: [`relu`], [`relu6`], [`leaky_relu`], [`threshold()`], [`hardtanh`], [`hardsigmoid`],
//! [`hardswish`], [`hardshrink`], [`softshrink`]. A quotient: [`softsign`]. Built on the exponential: [`sigmoid`],
//! [`silu`], [`logsigmoid`], [`softplus`], [`mish`], [`elu`], [`selu`], [`celu`], [`tanhshrink`], [`gelu_tanh`]. Built
//! on the error function: [`gelu`]. Each has a gradient, `.._backward`; so does [`tanh`](crate::math::tanh()).

mod bounds;
mod celu;
mod elu;
mod exp_linear;
mod gelu;
mod gelu_tanh;
mod gradient;
mod hardshrink;
mod hardsigmoid;
mod hardswish;
mod hardtanh;
mod lambda;
mod leaky_relu;
mod log_one_plus_exp;
mod logistic;
mod logsigmoid;
mod mish;
mod relu;
mod relu6;
mod selu;
mod sigmoid;
mod silu;
mod sixth;
mod slope;
mod softplus;
mod softshrink;
mod softsign;
mod tanh;
mod tanhshrink;
mod threshold;

pub use bounds::{Bounds, BoundsError};
pub use celu::*;
pub use elu::*;
pub use gelu::*;
pub use gelu_tanh::*;
pub use gradient::NanGradient;
pub use hardshrink::*;
pub use hardsigmoid::*;
pub use hardswish::*;
pub use hardtanh::*;
pub use lambda::{Lambda, LambdaError};
pub use leaky_relu::*;
pub use logsigmoid::*;
pub use mish::*;
pub use relu::*;
pub use relu6::*;
pub use selu::*;
pub use sigmoid::*;
pub use silu::*;
pub use softplus::*;
pub use softshrink::*;
pub use softsign::*;
pub use tanh::*;
pub use tanhshrink::*;
pub use threshold::*;
