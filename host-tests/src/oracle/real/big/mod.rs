//! Interval arithmetic on integers of any length.
//!
//! The ends are dyadic rationals, cut outwards to a precision `p` after each operation. So
//! rounding errors need no analysis: they are in the interval. What an analysis must give is the
//! remainder of each series that is cut off, and that stands where the series is (`exp.rs`,
//! `log.rs`, `trig.rs`, `erf.rs`, `gamma.rs`).

mod erf;
mod exp;
mod float;
mod gamma;
mod interval;
mod log;
mod trig;

pub use float::Float;
pub use interval::Interval;
