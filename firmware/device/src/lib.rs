//! The catalog on a microcontroller: each row as a function over a span of its inputs, and what a
//! program also needs: startup, semihosting files, a panic handler.
#![no_std]

pub use sweep_inputs::{digest, domain, job};

pub mod board;
pub mod checks;
pub mod digest_span;
pub mod marks;
pub mod rows;
pub mod stack;
pub mod timer;
