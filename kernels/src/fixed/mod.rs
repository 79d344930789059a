//! Integer building blocks that do not depend on any format.

mod arcsine;
mod arctangent;
mod arctangent_long;
mod divide_24_bits;
mod divide_normalised;
mod erfc;
mod exp2;
mod exp2_wide;
mod exp_wide;
mod expm1;
mod gamma;
mod log;
mod normal_cdf;
mod product;
mod product_wide;
mod reciprocal;
mod series;
mod sincos_quarter_turn;
mod sqrt;
mod table;
mod tanh;
mod two_over_pi;

pub(crate) use arcsine::arcsine;
pub(crate) use arctangent::arctangent;
pub(crate) use arctangent_long::arctangent_long;
pub(crate) use divide_24_bits::{divide, divide_long, remainder};
pub(crate) use divide_normalised::{normalised_quotient, quotient, quotient_long};
pub(crate) use erfc::{LOG2_E_Q31, erfc_of};
pub(crate) use exp_wide::{
    Decay, LOG2_E_WIDE, divide_wide, expm1_series_wide, log1p_over, one_minus_exp_over,
    reciprocal_wide, reduce, series_wide, split,
};
pub(crate) use exp2::{LOG2_OF_10, LOG2_OF_E, Power, exp2, multiple};
pub(crate) use exp2_wide::{Split, exp2_narrow, exp2_wide};
pub(crate) use expm1::{LN_2, LN_10, expm1_over_y};
pub(crate) use gamma::{Scaled, gamma_from_one};
pub(crate) use log::NarrowLog;
pub(crate) use log::ln;
pub(crate) use log::{Base, Log, NEAR_ONE, log_near_one};
pub(crate) use log::{Float, log2_near_one_wide, log2_wide};
pub(crate) use log::{log1p, log1p_rest};
pub(crate) use normal_cdf::{DENSITY, area_over_density, mills_deficit};
pub(crate) use product::{
    mul_high, mul_high_short, mul_high_signed, mul_wide, mul_wide_signed, normalised_product,
    normalised_product_long, square,
};
pub(crate) use product_wide::{mul_high_wide, mul_high_wide_signed};
pub(crate) use reciprocal::reciprocal;
pub(crate) use series::series;
pub(crate) use sincos_quarter_turn::{quarter_cosine, quarter_sine};
pub(crate) use sqrt::{square_root_64, square_root_long, square_root_normal, square_root_short};
pub(crate) use table::{lookup, lookup_or_last};
pub(crate) use tanh::{tanh_rest_over_cube, tanh_upper};
pub(crate) use two_over_pi::quarter_turns;
