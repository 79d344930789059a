//! What is launched for work that takes several launches: entries of the GPU crate, their words and grids, and the memory
//! between them. Nothing here calls a driver, so that all who launch share a plan: the GPU crate's host side and the Python
//! package.
//!
//! The device's side uses the sizes that are stated here too.
#![cfg_attr(target_arch = "nvptx64", no_std)]

pub mod exact;
#[cfg(not(target_arch = "nvptx64"))]
mod launch;

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::Launch;
