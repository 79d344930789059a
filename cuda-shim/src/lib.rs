//! The catalog's kernels on NVIDIA GPUs: this crate is both sides.
//!
//! Compiled for `nvptx64-nvidia-cuda` it is the device side, a PTX module with one entry for each
//! row (see `device/rows.rs` for their parameters) and a few for tables, sums, digests and copies.
//! Compiled for a host it is what loads that module and launches it: [`Gpu`], [`Module`].
//!
//! Nothing of CUDA is needed to build either side. [`abi`] says how arguments become numbers.
#![cfg_attr(
    target_arch = "nvptx64",
    no_std,
    feature(abi_ptx, asm_experimental_arch, stdarch_nvptx)
)]

pub mod abi;
mod checks;
#[allow(
    clippy::too_many_arguments,
    reason = "a body's parameters are its entry's"
)]
mod composite;
#[cfg(target_arch = "nvptx64")]
mod device;
#[cfg(not(target_arch = "nvptx64"))]
mod host;
mod place;
pub mod reference;
mod walk;

#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;
