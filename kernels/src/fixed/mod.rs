//! Integer building blocks that know of no format.

mod divide;
mod sqrt;

pub(crate) use divide::{divide, remainder};
pub(crate) use sqrt::{square_root_long, square_root_short};
