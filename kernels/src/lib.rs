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
//! | [`round`] | modes, status, and (privately) the code that rounds |
//! | [`convert`] | among formats, integers and text |
//! | [`arith`] | IEEE 754 operations |
//! | [`math`] | correctly rounded elementary functions |
//! | [`activation`] | activation functions, forward and backward |
//! | [`p3109`] | the formats and operations of IEEE P3109 Interim Report 4.0 |
//! | [`rounded`] | numbers with a mode in their type, for code with operators |
//! | [`counter`] | random bits by counters, the same on every device |
//! | `random` (feature `rand`) | random numbers of a format |
//! | [`scale`] | E8M0 scales, MX and NVFP4 blocks, packing |
//! | [`reduce`] | sums and dot products, exact or in a declared order |
//! | [`tensor`] | strided views, slice_scatter and its gradients, products, cast chains |
//! | [`nn`] | layers of networks in f32, in a declared order |
//! | [`catalog`] | the list of all kernels |
//!
//! A kernel `f` comes in several forms, next to each other in its module:
//!
//! | form | takes | gives |
//! |---|---|---|
//! | `f` | numbers and a [`Mode`] | the result |
//! | `f_status` | the same | also the exceptions, a [`Status`] |
//! | `f_stochastic`, `f_stochastic_status` | 16 random bits and an [`Overflow`] in place of the mode | the same |
//! | `f_bits`, `f_stochastic_bits` | codes | the code and the status; `const fn` |
//!
//! # Features
//!
//! None is on by default, and none changes a result. The traits are those of this crate's own
//! types.
//!
//! | feature | what it adds |
//! |---|---|
//! | `num-traits` | `Float`, `Num`, `Signed`, `FromPrimitive` and the like for [`rounded::Rounded`]: `nalgebra`, `ndarray` and generic code run on it |
//! | `rand` | the module `random`: uniform codes, values and real numbers, the bits of stochastic rounding |
//! | `approx` | `AbsDiffEq`, `RelativeEq`, `UlpsEq` |
//! | `arbitrary` | `Arbitrary`: any code, any mode (needs the standard library) |
//! | `defmt` | `Format`, and `Logged`, which writes `half`'s types |
//! | `bytemuck`, `zerocopy` | casts from and to bytes |
//! | `serde` | `Serialize`, `Deserialize`: a number is its code |
//!
//! # Slices, and the oldest compiler
//!
//! This crate works on one number at a time, without the standard library, and builds with Rust
//! 1.85. [`bitexact-slices`](https://docs.rs/bitexact-slices) has the same functions over slices,
//! vectors, iterators and arrays at the machine's speed; it needs the standard library and Rust
//! 1.89.
//!
//! # Differences from `half`
//!
//! [`struct@f16`] and [`bf16`] are `half`'s types, used only as bit containers. `half`'s own
//! arithmetic is not covered: its `from_f64` misrounds near ties, and its `mul_add` rounds twice.
//! Use [`convert::convert`] and [`arith::fma`].
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

/// The version of the bits.
///
/// Two installations with one version give the same output bits and the same status for every
/// kernel, input, mode and parameter that both have. A release that changes one of them has a
/// higher version; one that only adds kernels has the same.
pub const BITS: u32 = 1;

pub mod activation;
pub mod arith;
pub mod catalog;
pub mod convert;
pub mod counter;
mod fixed;
pub mod format;
#[cfg(feature = "defmt")]
mod logged;
pub mod math;
pub mod nn;
mod number;
pub mod p3109;
mod public_api;
#[cfg(feature = "rand")]
pub mod random;
pub mod reduce;
pub mod round;
pub mod rounded;
pub mod scale;
mod single;
pub mod tensor;

pub use format::{bf16, f16};
#[cfg(feature = "defmt")]
pub use logged::Logged;
pub use round::{Mode, Overflow, Rounding, Status};
