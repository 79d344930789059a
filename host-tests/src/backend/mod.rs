//! Kernels that do not run in this process: the firmware's.

pub mod job;
pub mod qemu;
