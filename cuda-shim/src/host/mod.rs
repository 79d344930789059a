//! The host side: a safe interface to the device side.
//!
//! ```no_run
//! use bitexact::{Mode, f16};
//! use cuda_shim::{Gpu, Image};
//!
//! let gpu = Gpu::open(0)?;
//! let module = gpu.load(&Image::read("bitexact_sm_90.ptx".as_ref())?)?;
//! let x = gpu.upload(&[f16::from_bits(0x3C00); 1000])?;
//! let mut sum = gpu.zeros::<f16>(1000)?;
//! let mode = Mode::TIES_TO_EVEN;
//! module.launch("add.f16", &[x.view(), x.view()], &mut [sum.view_mut()], None, mode)?;
//! assert_eq!(gpu.download::<f16>(&sum.view())?[999].to_bits(), 0x4000);
//!
//! // A function of one operand has a fast path, prepared once: any function, mode and parameter.
//! let exp = module.fast("exp.f16", mode)?;
//! module.run_fast(&exp, &x.view(), &mut sum.view_mut())?;
//! assert_eq!(gpu.download::<f16>(&sum.view())?[0].to_bits(), 0x4170);
//! # Ok::<(), cuda_shim::Error>(())
//! ```
//!
//! The driver is loaded at run time; without one, [`Gpu::open`] returns an error. Everything is
//! launched on one stream, so requests are executed in order. Errors are values.

mod arguments;
mod blocks;
#[cfg(feature = "bodies")]
mod bodies;
mod buffer;
mod check;
mod composites;
mod epilogue;
mod error;
mod exact;
mod fast;
mod gpu;
mod graph;
mod image;
mod layers;
mod module;
mod mx;
mod rows;
mod scatter_packs;
mod tensor;
mod thread_block;
mod types;
mod unit;

pub use crate::thread_index::Place;
pub use arguments::Arguments;
pub use blocks::BlockMatrix;
#[cfg(feature = "bodies")]
pub use bodies::{Body, Run, bodies};
pub use buffer::{Buffer, View, ViewMut};
pub use check::{
    Against, Checked, Difference, check_entries, checkable, input_count, reference_answer,
};
pub use composites::Composites;
pub use epilogue::Epilogue;
pub use error::Error;
pub use fast::{Fast, Path, Source, enclosed_entries, is_enclosed};
pub use gpu::{Gpu, Timer};
pub use graph::Graph;
pub use image::Image;
pub use layers::Normalisation;
pub use module::{Module, Sums};
pub use rows::{Row, has_entry, row, rows};
pub use tensor::{Tensor, TensorMut};
pub use thread_block::HostBlock;
pub use types::{Element, Type};
pub use unit::StepCounts;
