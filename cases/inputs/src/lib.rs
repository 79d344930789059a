//! The part of a sweep that the host, microcontrollers and GPUs share, so that all use the same
//! inputs and digests.
//!
//! | module | what |
//! |---|---|
//! | [`digest`] | one number for all the outputs of a run |
//! | [`domain`] | the operands of a run, and their number |
//! | [`job`] | the host's requests to a target, and the answers |
//! | [`mode`] | roundings and overflow rules |
#![no_std]
#![forbid(unsafe_code)]

pub mod digest;
pub mod domain;
pub mod job;
pub mod mode;

pub use mode::{Overflow, Rounding};
