//! Numeric kernels for narrow floats in which every result is specified to the bit, in a
//! rounding mode that the caller names.
//!
//! The formats are `f16`, `bf16`, `f32` (and `f64` to convert), FP8, FP6 and FP4, E8M0 scales, and
//! MX and NVFP4 blocks. Everything is integer arithmetic: no bit depends on a float instruction, a
//! global state or a table of the machine, so a Cortex-M, a host and a GPU give the same bits
//! ([`nn`] can also use the processor's f32 operations, if asked to). Kernels of one 16-bit operand
//! are checked on every input, the others on stated hard sets, against independent oracles.
//!
//! ```
//! use bitexact::{arith, bf16, Mode, Rounding};
//!
//! // What every accelerator's multiply-accumulate does: narrow factors, wide sum, one rounding.
//! let (a, b) = (bf16::from_bits(0x3F9E), bf16::from_bits(0x4049));
//! let sum: f32 = arith::fma(a, b, 0.1f32, Mode::TIES_TO_EVEN);
//!
//! // The same bits on every target, in any direction, with the exceptions as a value.
//! let (narrow, status): (bf16, _) =
//!     bitexact::convert::convert_status(sum, Mode::ieee(Rounding::TowardZero));
//! assert_eq!(narrow.to_bits(), 0x407E);
//! assert!(status.contains(bitexact::Status::INEXACT));
//! ```
//!
//! # Where to look
//!
//! | module | what |
//! |---|---|
//! | [`format`] | what a format is |
//! | [`round`] | modes, status, and (privately) the only code that rounds |
//! | [`convert`] | among formats, integers and text |
//! | [`arith`] | IEEE 754 operations |
//! | [`math`] | correctly rounded elementary functions |
//! | [`activation`] | activation functions, forward and backward |
//! | [`p3109`] | the formats and operations of IEEE P3109 Interim Report 4.0 |
//! | [`rounded`] | numbers with a mode in their type, for code with operators |
//! | [`scale`] | E8M0 scales, MX and NVFP4 blocks |
//! | [`reduce`] | sums and dot products, exact or in a declared order |
//! | [`tensor`] | strided views, slice_scatter and its gradients, products, cast chains |
//! | [`nn`] | layers of networks in f32, in a declared order |
//! | [`catalog`] | the list of all kernels |
//!
//! # Differences from `half`
//!
//! [`struct@f16`] and [`bf16`] are `half`'s types, used only as bit containers. `half`'s own arithmetic is not covered:
//! its `from_f64` misrounds near ties, and its `mul_add` rounds twice. Use [`convert::convert`] and [`arith::fma`].
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(
    clippy::float_arithmetic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic
)]

pub mod activation;
pub mod arith;
pub mod catalog;
pub mod convert;
mod fixed;
pub mod format;
#[cfg(feature = "defmt")]
mod logged;
pub mod math;
pub mod nn;
mod number;
pub mod p3109;
mod public_api;
pub mod reduce;
pub mod round;
pub mod rounded;
pub mod scale;
pub mod tensor;

pub use format::{bf16, f16};
#[cfg(feature = "defmt")]
pub use logged::Logged;
pub use round::{Mode, Overflow, Rounding, Status};
