//! Activation functions and their gradients, each rounded once.
//!
//! Here are the piecewise-linear ones: [`hardtanh`], [`relu6`], [`hardsigmoid`], [`hardswish`].

mod bounds;
mod gradient;
mod hardsigmoid;
mod hardswish;
mod hardtanh;
mod relu6;
mod sixth;

pub use bounds::{Bounds, BoundsError};
pub use gradient::NanGradient;
pub use hardsigmoid::*;
pub use hardswish::*;
pub use hardtanh::*;
pub use relu6::*;
