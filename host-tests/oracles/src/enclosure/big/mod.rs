//! Interval arithmetic on integers of any length.
//!
//! The ends are dyadic rationals, rounded outwards to a precision `p` after each operation. So
//! rounding errors need no analysis: they are in the interval. Only the remainder of each truncated
//! series needs one, which is next to the series (`exp.rs`, `log.rs`, `trig.rs`, `erf.rs`,
//! `gamma.rs`).

mod erf;
mod exp;
mod float;
mod gamma;
mod interval;
mod log;
mod trig;

pub use float::Float;
pub use interval::Interval;
