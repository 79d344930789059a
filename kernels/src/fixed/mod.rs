//! Integer building blocks that know of no format.

mod divide;
mod erfc;
mod gamma;
mod ln;
mod product;
mod sqrt;
mod table;

pub(crate) use divide::{divide, divide_long, remainder};
pub(crate) use erfc::{LOG2_E, erfc_of};
pub(crate) use gamma::{Scaled, gamma_from_one};
pub(crate) use ln::ln;
pub(crate) use product::{high_product, high_product_signed};
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use table::lookup;
