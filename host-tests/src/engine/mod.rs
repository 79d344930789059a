//! The sweep itself: what to run, against whom, and what came of it. No terminal, no arguments.
//!
//! A [`Plan`] is one row with its inputs, modes and parameter settings; [`execute`] runs a span of
//! it and gives a [`Tally`]. Everything in a tally merges, so a span can be cut anywhere: between
//! threads, shards, and a run that was killed and the one that goes on.

mod check;
pub mod checkpoint;
pub mod golden;
mod judge;
pub mod names;
pub mod params;
mod plan;
mod tally;

pub use check::{Work, execute};
pub use judge::{Choice, Judges, Share, judges};
pub use names::{overflow_name, rounding_name};
pub use params::Setting;
pub use plan::{Filter, Mode, Plan, RANDOM_WORDS, Shard, domain};
pub use tally::{Cell, Mismatch, Tally};
