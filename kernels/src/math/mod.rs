//! Elementary functions, correctly rounded.

mod acos;
mod acospi;
mod arc;
mod asin;
mod asinpi;
mod atan;
mod atan2;
mod atan2pi;
mod atanpi;
mod beside;
mod cos;
mod cospi;
mod ratio;
mod sin;
mod sincos;
mod sinpi;
mod tan;
mod tanpi;
mod turns;

pub use acos::*;
pub use acospi::*;
pub use asin::*;
pub use asinpi::*;
pub use atan::*;
pub use atan2::*;
pub use atan2pi::*;
pub use atanpi::*;
pub use cos::*;
pub use cospi::*;
pub use sin::*;
pub use sincos::*;
pub use sinpi::*;
pub use tan::*;
pub use tanpi::*;
//! Correctly rounded elementary functions.
//!
//! Each computes the exact mathematical value and rounds it once, in the mode that the caller
//! names. Where a core approximates, it does so closely enough that its approximation and the
//! value are on one side of every number of the format and of every midpoint: that is shown by
//! running all inputs, not by an error bound alone.

mod beside;
mod cosh;
mod exp;
mod exp10;
mod exp10m1;
mod exp2;
mod exp2m1;
mod expm1;
mod sinh;
mod tanh;

pub(crate) use expm1::exponential_minus_one;
pub(crate) use tanh::{rest_over_cube, square, upper as tanh_upper};

pub use cosh::*;
pub use exp::*;
pub use exp2::*;
pub use exp2m1::*;
pub use exp10::*;
pub use exp10m1::*;
pub use expm1::*;
pub use sinh::*;
pub use tanh::*;
//! Elementary functions, each the exact value rounded once.

mod acosh;
mod asinh;
mod atanh;
mod compound;
mod hyperbolic;
mod log;
mod log10;
mod log10p1;
mod log1p;
mod log2;
mod log2p1;
mod logarithm;
mod pow;
mod powers;
mod pown;
mod rootn;

pub use acosh::*;
pub use asinh::*;
pub use atanh::*;
pub use compound::*;
pub use log::*;
pub use log1p::*;
pub use log2::*;
pub use log2p1::*;
pub use log10::*;
pub use log10p1::*;
pub use pow::*;
pub use pown::*;
pub use rootn::*;
