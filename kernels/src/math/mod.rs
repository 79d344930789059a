//! Elementary functions, each the exact value rounded once.

mod acosh;
mod asinh;
mod atanh;
mod compound;
mod hyperbolic;
mod log;
mod log10;
mod log10p1;
mod log1p;
mod log2;
mod log2p1;
mod logarithm;
mod pow;
mod powers;
mod pown;
mod rootn;

pub use acosh::*;
pub use asinh::*;
pub use atanh::*;
pub use compound::*;
pub use log::*;
pub use log1p::*;
pub use log2::*;
pub use log2p1::*;
pub use log10::*;
pub use log10p1::*;
pub use pow::*;
pub use pown::*;
pub use rootn::*;
