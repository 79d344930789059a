//! Integer building blocks that know of no format.

mod divide;
mod sqrt;
mod table;

pub(crate) use divide::{divide, divide_long, remainder};
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use table::lookup;
