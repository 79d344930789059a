//! Integer building blocks that know of no format.

mod divide;
mod exp2;
mod exp_wide;
mod expm1;
mod log1p_exp;
mod reciprocal;
mod series;
mod sqrt;
mod table;

pub(crate) use divide::{divide, remainder};
pub(crate) use exp_wide::{
    divide_wide, log1p_over, mul_high_wide, one_minus_exp_over, reciprocal_wide, reduce, split,
};
pub(crate) use exp2::{LOG2_OF_10, LOG2_OF_E, Power, TWICE_LOG2_OF_E, exp2, multiple};
pub(crate) use expm1::{LN_2, LN_10, expm1_over_y};
pub(crate) use log1p_exp::{log1p, log1p_rest};
pub(crate) use reciprocal::reciprocal;
pub(crate) use series::{mul_high, series};
pub(crate) use sqrt::{square_root_long, square_root_short};
