//! The operations of IEEE 754-2019.
//!
//! add, sub, mul, div, sqrt and fma are *formatOf* operations: operands and result each have
//! their own format, and the exact result is rounded once to that of the result.

mod add;
mod classify;
mod compare;
mod div;
mod fma;
mod integral;
mod logb;
mod min_max;
mod mul;
mod next;
mod remainder;
mod scalbn;
mod sign;
mod split;
mod sqrt;

pub use add::*;
pub use classify::*;
pub use compare::*;
pub use div::*;
pub use fma::*;
pub use integral::*;
pub use logb::*;
pub use min_max::*;
pub use mul::*;
pub use next::*;
pub use remainder::*;
pub use scalbn::*;
pub use sign::*;
pub use split::*;
pub use sqrt::*;
