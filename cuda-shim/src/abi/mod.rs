//! The interface between host and device: the kernels' arguments as plain numbers.
//!
//! The host encodes, the device decodes; both use this folder and
//! [`catalog::Arguments`](bitexact::catalog::Arguments). An invalid number is decoded as the last
//! of its list; the host never passes one.

mod codes;
mod report;
mod walks;

pub use bitexact::catalog::{
    decode_mode, decode_nan, decode_overflow, decode_policy, encode_mode, encode_nan,
    encode_overflow, encode_policy,
};
pub use codes::{decode_accumulation, decode_dialect, decode_order, decode_recipe};
#[cfg(not(target_arch = "nvptx64"))]
pub use gpu_plans::codes::{encode_accumulation, encode_dialect, encode_order, encode_recipe};
pub use report::Report;
pub use walks::{Lanes, Product, RANK, Scatter};

/// Elements that a thread takes at once, of operands and results of these sizes in bytes.
#[must_use]
pub const fn lanes(operand: usize, result: usize) -> usize {
    let (loaded, stored) = (32 / operand, 16 / result);
    let lanes = if loaded < stored { loaded } else { stored };
    if lanes < 8 { lanes } else { 8 }
}

/// Packs that a thread of a shared table's entry processes at once.
pub const SHARED_PACKS: usize = 3;
/// Threads of its block.
pub const SHARED_THREADS: usize = 1024;
/// Bytes of shared memory in addition to the table: two block numbers.
pub const SHARED_MORE: usize = 8;

/// Entries of a table by the prefixes of f32: the upper 16 bits, and whether any other is set.
pub const PREFIXES: usize = 1 << 17;

/// Entries of an encoder's table of steps: by sign, exponent and the significand's first bit.
pub const STEPS: usize = 1 << 10;
/// Packs that a thread of its entry processes at once.
pub const STEPS_PACKS: usize = 2;

pub use gpu_plans::sums::{SLOT_WORDS, SLOTS};
