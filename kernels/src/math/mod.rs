//! Correctly rounded elementary functions, each for every narrow format from one core.
//!
//! Each result is the exact mathematical value, rounded once in the mode that the caller names.
//! Where a core approximates, the approximation is so close that it lies on the same side of every
//! rounding boundary as the exact value. This is verified over all inputs, not only by an error
//! bound.
//!
//! [`exp`], [`exp2`], [`expm1`], [`log`], [`log2`], [`log1p`], [`sin`], [`cos`], [`tanh`], [`erf`],
//! [`rsqrt`] and [`reciprocal`] take f32 too, by cores of 64 bits, verified over all 2^32 operands.
//!
//! | | kernels |
//! |---|---|
//! | exponentials | [`exp`] [`exp2`] [`exp10`] [`expm1`] [`exp2m1`] [`exp10m1`] |
//! | logarithms | [`log`] [`log2`] [`log10`] [`log1p`] [`log2p1`] [`log10p1`] [`logit`] [`xlogy`] [`xlog1py`] [`logaddexp`] [`logaddexp2`] |
//! | circular | [`sin`] [`cos`] [`tan`] [`sincos`] [`sinpi`] [`cospi`] [`tanpi`] |
//! | their inverses | [`asin`] [`acos`] [`atan`] [`atan2`] [`asinpi`] [`acospi`] [`atanpi`] [`atan2pi`] |
//! | hyperbolic | [`sinh`] [`cosh`] [`tanh`] [`asinh`] [`acosh`] [`atanh`] |
//! | powers and roots | [`pow`] [`pown`] [`compound`] [`rootn`] [`cbrt`] [`rsqrt`] [`reciprocal`] [`hypot`] |
//! | error and gamma functions | [`erf`] [`erfc`] [`erfinv`] [`tgamma`] [`lgamma`] |
//!
//! The functions whose names end in `_status` and `_bits` are [forms](crate#where-to-look) of
//! these.

mod acos;
mod acosh;
mod acospi;
mod angle_reduction;
mod asin;
mod asinh;
mod asinpi;
mod atan;
mod atan2;
mod atan2pi;
mod atan_ratio;
mod atanh;
mod atanpi;
mod cbrt;
mod compound;
mod cos;
mod cosh;
mod cospi;
mod erf;
mod erfc;
mod erfinv;
mod exp;
mod exp10;
mod exp10m1;
mod exp2;
mod exp2m1;
mod expm1;
mod hyperbolic;
mod hypot;
mod inverse_trig;
mod lgamma;
mod log;
mod log10;
mod log10p1;
mod log1p;
mod log2;
mod log2p1;
mod logaddexp;
mod logarithm;
mod logit;
mod pow;
mod powers;
mod pown;
mod reciprocal;
mod rootn;
mod rsqrt;
mod sin;
mod sincos;
mod sinh;
mod sinpi;
mod tan;
mod tanh;
mod tanpi;
mod tgamma;
mod xlogy;

pub(crate) use erf::{in_27_digits, square_in_log2};
pub(crate) use expm1::exponential_minus_one;
pub(crate) use tanh::{lower as tanh_lower, square};

pub use acos::*;
pub use acosh::*;
pub use acospi::*;
pub use asin::*;
pub use asinh::*;
pub use asinpi::*;
pub use atan::*;
pub use atan2::*;
pub use atan2pi::*;
pub use atanh::*;
pub use atanpi::*;
pub use cbrt::*;
pub use compound::*;
pub use cos::*;
pub use cosh::*;
pub use cospi::*;
pub use erf::*;
pub use erfc::*;
pub use erfinv::*;
pub use exp::*;
pub use exp2::*;
pub use exp2m1::*;
pub use exp10::*;
pub use exp10m1::*;
pub use expm1::*;
pub use hypot::*;
pub use lgamma::*;
pub use log::*;
pub use log1p::*;
pub use log2::*;
pub use log2p1::*;
pub use log10::*;
pub use log10p1::*;
pub use logaddexp::*;
pub use logit::*;
pub use pow::*;
pub use pown::*;
pub use reciprocal::*;
pub use rootn::*;
pub use rsqrt::*;
pub use sin::*;
pub use sincos::*;
pub use sinh::*;
pub use sinpi::*;
pub use tan::*;
pub use tanh::*;
pub use tanpi::*;
pub use tgamma::*;
pub use xlogy::*;
