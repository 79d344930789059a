//! Functions of 16-bit floats for GPU kernels that fuse several steps, to nearest with ties to even
//! and in directed modes; and the approximations by which `bitexact-slices` fills its tables.
//!
//! [`enclosure`] has the approximations in f32. A [`Fused`] function adds the row's integer kernel,
//! a [`Switch`], which is off until the function is verified on that very device, and [`Results`],
//! a table of 128 KiB that the verification fills by the integer kernel: what the approximation
//! does not decide is read there. While the switch is off, every result is the integer kernel's, so
//! a function without a verification is slow but never wrong.
//!
//! [`arithmetic`] has sums, differences, products, quotients and the conversion of f32, by f32's
//! own operations: nothing is approximated there, and a switch guards against devices that are not
//! as IEEE 754 has them.
//!
//! A Rust program for GPUs calls `one` and `two`, and has an entry that calls `verify` (see
//! `cuda-shim/example`); `arithmetic::one`, `arithmetic::two` and `verify_pairs` for operations.
//! CUDA C++ has the same as device functions (`cuda-shim/functions`).
#![cfg_attr(
    target_arch = "nvptx64",
    no_std,
    feature(asm_experimental_arch, core_float_math, stdarch_nvptx)
)]

pub mod arithmetic;
pub mod double;
pub mod enclosure;
pub mod function;
pub mod machine;
mod switch;
#[cfg(target_arch = "nvptx64")]
mod verify;

pub use bitexact;
pub use function::Fused;
pub use switch::{CODES, Results, Switch};
#[cfg(target_arch = "nvptx64")]
pub use {
    function::one,
    function::two,
    verify::{verify, verify_pairs},
};
