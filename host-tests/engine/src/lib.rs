//! The sweep itself: what to run, against which oracle, and the outcome. No terminal, no arguments.
//!
//! A [`Plan`] is one row with its inputs, modes and parameter settings; [`execute`] runs a span of
//! it and gives a [`Tally`]. Tallies merge, so a span can be split anywhere: between threads,
//! between shards, and between an interrupted run and the one that resumes it.

mod backend;
mod check;
pub mod checkpoint;
pub mod files;
pub mod golden;
mod judge;
mod names;
pub mod params;
mod plan;
mod runner;
mod tally;

pub use backend::{Backend, Swept};
pub use check::{Work, execute};
pub use judge::{Choice, Judges, Share, judges};
pub use names::rounding_name;
pub use params::Setting;
pub use plan::{Filter, Mode, Plan, RANDOM_WORDS, Shard};
pub use runner::{Runner, run};
pub use sweep_row::domain::domain;
pub use tally::{Cell, Mismatch, Tally};
