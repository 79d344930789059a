//! The cores of the elementary functions of f32, to 64 bits.
//!
//! Each gives an `Exact<u64>` whose relative error is below 2^-55 (the file says how much), with
//! its sticky bit set unless the result is exact. A rounding boundary of f32 (or of a narrower
//! result) is a number of at most 25 bits; the least distance of any of the 2^32 results to one is
//! larger than the error, as the run over all of them verifies: repeat it after a change of a
//! constant.
//!
//! | file | gives |
//! |---|---|
//! | `wide` | products and powers of two of 64 bits |
//! | `exponential` | exp, exp2, expm1, tanh, sigmoid, silu, `gelu_tanh` |
//! | `logarithm` | log, log2, log1p |
//! | `circular` | sin, cos |
//! | `erfc` | erf, gelu |
//! | `slope` | the derivatives of tanh, sigmoid, silu, gelu, `gelu_tanh` |
//! | `root` | rsqrt |

mod circular;
mod erfc;
mod exponential;
mod logarithm;
mod root;
mod slope;
mod wide;

pub(crate) use circular::{cosine, sine};
pub(crate) use erfc::{erf, gelu};
pub(crate) use exponential::{exp, exp2, expm1, gelu_tanh, is_moderate, sigmoid, silu, tanh};
pub(crate) use logarithm::{log, log1p, log2};
pub(crate) use root::rsqrt;
pub(crate) use slope::{gelu_slope, gelu_tanh_slope, sigmoid_slope, silu_slope, tanh_slope};

/// The significand's bits of f32: what tells it from the narrow formats.
pub(crate) const PRECISION: u32 = 24;
