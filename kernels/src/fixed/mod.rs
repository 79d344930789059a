//! Integer building blocks that know of no format.

mod divide;
mod log;
mod root;
mod sqrt;
mod table;

pub(crate) use divide::{divide, remainder};
pub(crate) use log::{Base, Log, POINT, inexact, log_one_plus, one_plus};
pub(crate) use root::square_root_64;
pub(crate) use sqrt::{square_root_long, square_root_short};
pub(crate) use table::lookup;
