//! Activation functions and their gradients, each rounded once.
//!
//! Piecewise linear or quadratic: [`relu`], [`relu6`], [`leaky_relu`], [`threshold()`],
//! [`hardtanh`], [`hardsigmoid`], [`hardswish`], [`hardshrink`], [`softshrink`]. A quotient:
//! [`softsign`]. Built on the exponential: [`sigmoid`], [`silu`], [`logsigmoid`], [`softplus`],
//! [`mish`], [`elu`], [`selu`], [`celu`], [`tanhshrink`], [`gelu_tanh`]. Built on the error
//! function: [`gelu`]. Of [`math`](crate::math): [`tanh`]. Each has a gradient, `.._backward`. Of
//! [`tanh`], [`sigmoid`], [`silu`], [`gelu`] and [`gelu_tanh`], `.._derivative` is the derivative
//! alone, in f32 too; softplus's is [`sigmoid`]. The functions whose names end in `_status` and
//! `_bits` are [forms](crate#where-to-look) of these.
//!
//! # Infinite operands and `SaturateAll`
//!
//! A function that passes its operand on copies it, as [`abs`](crate::arith::abs()) does: [`relu`],
//! [`relu6`], [`hardtanh`], [`threshold()`] and [`hardshrink`] keep an infinity under every
//! overflow rule and raise nothing. A function that computes its result rounds it, also where that
//! is the operand: under [`SaturateAll`](crate::Overflow::SaturateAll), [`leaky_relu`],
//! [`softshrink`], [`hardswish`] and the functions with an exponential give the largest finite
//! value for an infinite operand. A parameter that replaces the operand is rounded too.
//!
//! ```
//! use bitexact::{Mode, activation::{Bounds, hardtanh, leaky_relu, relu}, f16};
//! let (mode, wide) = (Mode::TIES_TO_EVEN.saturating_all(), Bounds::new(0f32, f32::INFINITY)?);
//! assert_eq!(hardtanh(f16::INFINITY, wide, mode), f16::INFINITY);
//! assert_eq!(relu(f16::INFINITY), f16::INFINITY);
//! assert_eq!(leaky_relu(f16::INFINITY, 0.01f32, mode), f16::MAX);
//! # Ok::<(), bitexact::activation::BoundsError>(())
//! ```

mod bounds;
mod celu;
mod derivative;
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

pub use crate::math::{tanh, tanh_bits, tanh_status};
pub use bounds::{Bounds, BoundsError};
pub use celu::*;
pub use derivative::*;
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
