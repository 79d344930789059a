//! Correctly rounded elementary functions, each for every narrow format from one core.

mod cbrt;
mod erf;
mod erfc;
mod hypot;
mod lgamma;
mod reciprocal;
mod rsqrt;
mod tgamma;

pub use cbrt::*;
pub use erf::*;
pub use erfc::*;
pub use hypot::*;
pub use lgamma::*;
pub use reciprocal::*;
pub use rsqrt::*;
pub use tgamma::*;

pub(crate) use erf::{in_31_digits, square_in_log2};
