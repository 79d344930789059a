//! Integer building blocks that know of no format.

mod arcsine;
mod arctangent;
mod arctangent_long;
mod divide;
mod product;
mod quarter;
mod quotient;
mod series;
mod sqrt;
mod table;
mod two_over_pi;

pub(crate) use arcsine::arcsine;
pub(crate) use arctangent::arctangent;
pub(crate) use arctangent_long::arctangent_long;
pub(crate) use divide::{divide, remainder};
pub(crate) use product::{normalised_product, normalised_product_long, square};
pub(crate) use quarter::{quarter_cosine, quarter_sine};
pub(crate) use quotient::{normalised_quotient, quotient, quotient_long};
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use two_over_pi::quarter_turns;
