//! The catalog on a microcontroller: each row as a function that goes through a span of its
//! inputs, and the little that a program needs besides: a start, semihosting files, a panic.
#![no_std]

#[path = "../../../host-tests/src/digest.rs"]
pub mod digest;
#[path = "../../../host-tests/src/domain/mod.rs"]
pub mod domain;
#[path = "../../../host-tests/src/backend/job.rs"]
pub mod job;

pub mod board;
pub mod checks;
pub mod rows;
pub mod stack;
pub mod walk;
