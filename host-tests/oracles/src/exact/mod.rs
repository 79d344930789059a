//! Values that are known exactly, as integers of any length, and their position among a format's
//! numbers, by comparisons only.
//!
//! Both `rational/` and the exact cases of `enclosure/` use it.

mod magnitude;
mod search;
mod signed;
mod value;

pub(crate) use magnitude::Magnitude;
pub(crate) use search::{among_integers, last_not_above};
pub(crate) use signed::Real;
pub(crate) use value::{Exact, encode};
