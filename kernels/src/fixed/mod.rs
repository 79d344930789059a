//! Integer building blocks that know of no format.

mod arcsine;
mod arctangent;
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
pub(crate) use divide::{divide, remainder};
pub(crate) use product::{normalised_product, square};
pub(crate) use quarter::{quarter_cosine, quarter_sine};
pub(crate) use quotient::normalised_quotient;
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use two_over_pi::quarter_turns;
