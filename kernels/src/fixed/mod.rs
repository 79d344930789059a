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
mod exp2;
mod expm1;
mod log1p_exp;
mod reciprocal;
mod series;
mod sqrt;
mod table;
mod wide;

pub(crate) use arcsine::arcsine;
pub(crate) use arctangent::arctangent;
pub(crate) use arctangent_long::arctangent_long;
pub(crate) use divide::{divide, remainder};
pub(crate) use product::{normalised_product, normalised_product_long, square};
pub(crate) use quarter::{quarter_cosine, quarter_sine};
pub(crate) use quotient::{normalised_quotient, quotient, quotient_long};
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use two_over_pi::quarter_turns;
pub(crate) use exp2::{LOG2_10, LOG2_E, LOG2_E_TWICE, Power, exp2, multiple};
pub(crate) use expm1::{LN_2, LN_10, expm1_over_y};
pub(crate) use log1p_exp::{log1p, log1p_rest};
pub(crate) use reciprocal::reciprocal;
pub(crate) use series::{mul_high, series};
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use wide::{divide_wide, log1p_over, mul_high_wide, one_minus_exp_over, reduce, split};
