//! The back ends that run the kernels instead of this process: a GPU, the slice forms, or
//! microcontrollers in QEMU (these run whole rows, so they have a separate loop).

mod children;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(feature = "cuda")]
pub mod devices;
pub mod qemu;
#[cfg(feature = "slices")]
pub mod simd;
