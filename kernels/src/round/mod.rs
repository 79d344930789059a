//! The caller's mode, the status, and the code that rounds values to formats, integers and scales.
//!
//! A core computes an `Exact` value and never sees the mode; one of six targets rounds it,
//! once, and never knows which kernel it serves:
//!
//! | target | result |
//! |---|---|
//! | `to_format` | a code of a [`Format`](crate::format::Format) |
//! | `to_integral` | an integral value, still exact |
//! | `to_int` | an integer |
//! | `to_mxint8` | an MXINT8 element |
//! | `to_scale` | an E8M0 scale under a policy |
//! | P3109's projection | a code of a P3109 format |
//!
//! Text is rounded to digits in `convert/decimal.rs` and `convert/format_hex.rs`, by the same
//! `Direction`.
//!
//! With a literal mode little code remains. `to_format` is inline down to the choice of a path, and
//! the rare cases (specials, overflow, results below emin) are out of line behind one comparison. A
//! conversion that only discards bits, as from f32 to bf16, rounds the code itself without
//! unpacking it (`narrow_code`).
//!
//! # Stochastic rounding
//!
//! The `*_stochastic` functions take 16 random bits `r` instead of a direction. With `d` the exact
//! discarded fraction of the result's ulp (the subnormal ulp where the result is subnormal), the
//! magnitude goes up if and only if `floor(d * 2^16) + r >= 2^16`. Exact results do not change.
//! Above the largest finite value the next neighbour overflows (to infinity, under
//! [`Overflow::Ieee`]).
//!
//! # NaN
//!
//! - An operation that computes delivers the format's one canonical NaN
//!   ([`Format::NAN`](crate::format::Format::NAN)): quiet, positive, without a payload, written by
//!   an integer select in `to_format`. Payloads do not propagate, since processors disagree on
//!   which operand's payload to keep.
//! - A signalling operand makes such an operation raise invalid, and a quiet one does not.
//! - An operation that moves or selects bits (negate, abs, copySign, slice_scatter, a gradient
//!   passed through) keeps a NaN's bits and raises nothing.
//! - A format without NaN delivers its largest finite value, with invalid.

mod direction;
mod exact;
pub(crate) mod integer;
mod mode;
mod nan;
mod narrow_code;
mod perturbed;
pub(crate) mod policy;
mod projection;
mod status;
mod to_format;
mod to_integral;
mod to_scale;

pub use mode::{Mode, Overflow, Rounding};
pub use projection::{Projection, Revision, RoundingMode, SaturationMode};
pub use status::Status;

pub(crate) use direction::{Direction, Rule};
pub(crate) use exact::{Exact, Kind};
pub(crate) use narrow_code::{is_narrower, narrow_code};
pub(crate) use projection::{project_u128, saturate};
pub(crate) use to_format::shift_right_jam;
