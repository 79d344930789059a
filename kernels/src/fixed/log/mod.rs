//! Logarithms of a significand, one for each accuracy and range that the kernels need.
//!
//! | file | gives | serves |
//! |---|---|---|
//! | `log2.rs` | log2 of f16's and bf16's significands, and its value near 1 | log, log2, log10, acosh, asinh, atanh and their kin |
//! | `log_narrow.rs` | the same with fewer bits, for results of at most 8 bits | bf16's logarithms |
//! | `log2_wide.rs` | log2 to about 2^-60 | pow, compound, rootn |
//! | `log1p_exp.rs` | ln(1 + E) of an exponential E | softplus, logsigmoid, mish |
//! | `ln.rs` | ln in 2^-36 | lgamma, tgamma |

mod ln;
mod log1p_exp;
mod log2;
mod log2_wide;
mod log_narrow;

pub(crate) use ln::ln;
pub(crate) use log_narrow::NarrowLog;
pub(crate) use log1p_exp::{log1p, log1p_rest};
pub(crate) use log2::{Base, Log, NEAR_ONE, log_near_one};
pub(crate) use log2_wide::{Float, log2_near_one_wide, log2_wide};
