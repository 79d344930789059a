//! Arithmetic formats for machine learning: implements IEEE P3109 Interim Report 4.0 (26 June
//! 2026).
//!
//! A result is the exact value of an operation on closed extended reals, which a [`Projection`]
//! (rounding mode and saturation mode) takes to the result's format. There is one zero and one NaN
//! in every format, and there are no flags.
//!
//! - A format is a value, [`FormatSpec`], or in the type of a code: [`Binary`], with aliases as
//!   [`Binary8p4se`], and `f16`, `bf16`, `f32` and `f64`.
//! - [`Operation`] lists what rounds, from Convert to Clamp; [`evaluate`] takes codes with formats
//!   chosen at run time, and functions as [`add()`] take typed ones. Operands and result each have
//!   a format of their own.
//! - [`codes`] has what the catalog has as rows: arithmetic and functions on codes, with the
//!   formats and the projection as one value.
//! - [`Comparison`], [`Predicate`], [`Class`], [`next_greater_than`] and [`next_less_than`] do not
//!   round.
//! - Blocks: [`Block`], [`elementwise`], [`scaled`] and what follows them.
//!
//! All formats with K from 3 to 16, all roundings with all saturations, and the external formats
//! are covered by every operation, with the exception of Sin, Cos and Tan of formats that reach
//! 2^1537.
//!
//! Method: values have 384-bit significands; what is not a dyadic rational is approximated to more
//! than 320 bits, and projected from there. Arithmetic, and functions in [`codes`], need no more
//! than 64. The draft is unapproved: nothing here claims conformance to a standard.
//!
//! ```
//! use bitexact::p3109::{self, Binary8p4se, Projection, RoundingMode, SaturationMode};
//! let x = Binary8p4se::from_bits(0x50); // 4
//! let y: Binary8p4se = p3109::exp(x, Projection::REQUIRED);
//! assert_eq!(y.to_bits(), 0x6E); // e^4 = 54.6, and 56 is the nearest value
//! let down = Projection::new(RoundingMode::TowardNegative, SaturationMode::SatFinite);
//! assert_eq!(p3109::exp::<_, Binary8p4se>(x, down).to_bits(), 0x6D); // 52
//! ```

mod block;
pub mod codes;
mod constants;
mod elementary;
mod functions;
mod number;
mod operation;
mod ordered;
mod queries;
mod real;
mod real384;
mod real64;
mod short;
mod sum;
mod typed;

pub use crate::format::{Domain, FormatSpec, Signedness};
pub use crate::round::{Projection, Revision, RoundingMode, SaturationMode};
pub use block::{
    Block, ExactResult, Target, Unsupported, block_dot_product, block_reduce_add,
    block_reduce_multiply, convert_from_block, convert_to_block, convert_to_block_max_abs_finite,
    elementwise, evaluate, scaled,
};
pub use operation::Operation;
pub use queries::{Class, Comparison, Predicate, next_greater_than, next_less_than};
pub use typed::*;
