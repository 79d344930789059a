//! Integer building blocks that know of no format.

mod divide;
mod exp2_wide;
mod log;
mod log2_wide;
mod root;
mod sqrt;
mod table;
mod wide;

pub(crate) use divide::{divide, remainder};
pub(crate) use exp2_wide::{Split, exp2_narrow, exp2_wide};
pub(crate) use log::{Base, Log, NEAR_ONE, log_beside_one};
pub(crate) use log2_wide::{Float, log2_beside_one_wide, log2_wide};
pub(crate) use root::square_root_64;
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use table::lookup;
