//! The catalog's kernels on NVIDIA GPUs. This crate is both the device side and the host side.
//!
//! Compiled for `nvptx64-nvidia-cuda` it is the device side, a PTX module with an entry for each
//! row that is often called (see `device/rows.rs` for their parameters), entries that the other rows
//! share (`composite/mixed.rs`), and those of composites, tables, sums, digests and copies.
//! Compiled for a host it loads that module and launches it: [`Gpu`], [`Module`].
//!
//! Neither side needs CUDA to be built. [`abi`] defines how arguments are passed as numbers.
#![cfg_attr(
    target_arch = "nvptx64",
    no_std,
    feature(abi_ptx, asm_experimental_arch, stdarch_nvptx, link_llvm_intrinsics)
)]
// Then nothing calls the bodies, which are only checked.
#![cfg_attr(not(any(target_arch = "nvptx64", feature = "bodies")), allow(unused))]

pub mod abi;
#[allow(
    clippy::too_many_arguments,
    reason = "a body's parameters are its entry's"
)]
mod composite;
#[cfg(target_arch = "nvptx64")]
mod device;
mod enclosure;
#[cfg(not(target_arch = "nvptx64"))]
mod host;
pub mod reference;
mod self_checked_rows;
mod strides;
mod thread_index;
#[allow(
    clippy::too_many_arguments,
    reason = "a body's parameters are its entry's"
)]
mod tile;

#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;
