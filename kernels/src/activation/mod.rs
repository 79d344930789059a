//! Activation functions and their gradients, each rounded once.
//!
//! Piecewise linear or quadratic: [`hardtanh`], [`relu6`], [`hardsigmoid`], [`hardswish`].
//!
//! On the exponential: [`sigmoid`], [`silu`], [`logsigmoid`], [`mish`], [`selu`],
//! [`tanhshrink`], [`gelu_tanh`], [`softplus`], [`elu`], [`celu`].

mod bounds;
mod celu;
mod elu;
mod exp_linear;
mod gelu_tanh;
mod gradient;
mod hardsigmoid;
mod hardswish;
mod hardtanh;
mod log_one_plus_exp;
mod logistic;
mod logsigmoid;
mod mish;
mod relu6;
mod selu;
mod sigmoid;
mod silu;
mod sixth;
mod slope;
mod softplus;
mod tanh_backward;
mod tanhshrink;

pub use bounds::{Bounds, BoundsError};
pub use celu::*;
pub use elu::*;
pub use gelu_tanh::*;
pub use gradient::NanGradient;
pub use hardsigmoid::*;
pub use hardswish::*;
pub use hardtanh::*;
pub use logsigmoid::*;
pub use mish::*;
pub use relu6::*;
pub use selu::*;
pub use sigmoid::*;
pub use silu::*;
pub use softplus::*;
pub use tanh_backward::*;
pub use tanhshrink::*;
