//! Activation functions and their gradients, each rounded once.
//!
//! The piecewise-linear ones are [`relu`], [`relu6`], [`leaky_relu`], [`threshold()`], [`hardtanh`],
//! [`hardsigmoid`], [`hardswish`], [`hardshrink`] and [`softshrink`]; [`softsign`] is a quotient, and
//! [`gelu`] transcendental.

mod bounds;
mod gelu;
mod gradient;
mod hardshrink;
mod hardsigmoid;
mod hardswish;
mod hardtanh;
mod lambda;
mod leaky_relu;
mod relu;
mod relu6;
mod sixth;
mod softshrink;
mod softsign;
mod threshold;

pub use bounds::{Bounds, BoundsError};
pub use gelu::*;
pub use gradient::NanGradient;
pub use hardshrink::*;
pub use hardsigmoid::*;
pub use hardswish::*;
pub use hardtanh::*;
pub use lambda::{Lambda, LambdaError};
pub use leaky_relu::*;
pub use relu::*;
pub use relu6::*;
pub use softshrink::*;
pub use softsign::*;
pub use threshold::*;
