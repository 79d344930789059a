//! The catalog's rows as PTX entry points (`nvptx64-nvidia-cuda`); empty on any other target.
//!
//! Each row becomes one entry, named as the row with underscores for dots (`fma_bf16_bf16_f32_f32`
//! for `fma.bf16.bf16.f32.f32`): pointers to its operands and to its result, the number of
//! elements, and for the rows that round the rounding and overflow rule as numbers. Threads walk
//! the elements with the grid's stride, so that any launch covers any length.
//!
//! Rows with a policy, bounds or a NaN rule, and those with two results, have no entry yet.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, stdarch_nvptx))]

#[cfg(target_arch = "nvptx64")]
mod device;
