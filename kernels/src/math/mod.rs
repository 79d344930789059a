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
