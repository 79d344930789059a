//! The operations of IEEE 754-2019.
//!
//! add, sub, mul, div, sqrt and fma are *formatOf* operations: operands and result each have
//! their own format, and the exact result is rounded once to that of the result.
//!
//! | | kernels |
//! |---|---|
//! | arithmetic | [`add`] [`sub`] [`mul`] [`div`] [`sqrt`] [`fma`] |
//! | remainders | [`remainder`] [`fmod`] [`remquo`] [`floor_divide`] [`floor_remainder`] |
//! | extremes | [`minimum`] [`maximum`] [`minimum_number`] [`maximum_number`] [`minimum_magnitude`] [`maximum_magnitude`] [`minimum_magnitude_number`] [`maximum_magnitude_number`] |
//! | comparison | [`compare`] [`compare_quiet_equal`] and 21 more predicates, [`total_order`] [`total_order_magnitude`] |
//! | sign | [`negate`] [`abs`] [`copy_sign`] [`canonicalize`] |
//! | class | [`classify`] [`is_nan`] [`is_infinite`] [`is_finite`] [`is_normal`] and more |
//! | integral values | [`round_to_integral`] [`modf`] |
//! | neighbours | [`next_up`] [`next_down`] [`nextafter`] |
//! | exponent | [`scalbn`] [`logb`] [`ilogb`] [`frexp`] [`floor_log2`] [`ceil_log2`] |
//!
//! The functions whose names end in `_status`, `_stochastic` and `_bits` are
//! [forms](crate#where-to-look) of these.

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
