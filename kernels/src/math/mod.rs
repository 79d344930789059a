//! Correctly rounded elementary functions, each for every narrow format from one core.

mod cbrt;
mod hypot;
mod reciprocal;
mod rsqrt;

pub use cbrt::*;
pub use hypot::*;
pub use reciprocal::*;
pub use rsqrt::*;
