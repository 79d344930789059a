//! The enumeration of inputs: the operands of a run, and their exact number.
//!
//! A domain is a function from an index to operands, with a length that is known before the first
//! one is made. Access is random (no iterator state, no allocation), so threads, shards and resumed
//! runs, a microcontroller and a GPU can process the same inputs in any order and still agree on
//! the digest.
//!
//! - [`Domain::All`]: every operand, the bits concatenated, the first operand in the high bits.
//! - [`Domain::Short`]: the same for a 16-bit operand and a 32-bit integer that fits in 16 bits.
//! - [`Domain::Hard`]: the hard set of `hard.rs` and its neighbours: the pairs nearest to a
//!   rounding boundary where a function has a list of them, every pair (or triple) of a list of
//!   special values, then a stated number of structured random ones, seeded by the index.

mod hard;
mod near_boundary;
mod nearest;
mod random;
mod shape;
mod values;

pub use hard::{Hard, HardCases};
pub use nearest::Nearest;
pub use random::SplitMix64;
pub use shape::{Float, Shape, Target};

/// A counted, indexable set of operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// All operands of these widths in bits (0 for an absent operand).
    All([u32; 3]),
    /// All 16-bit first operands with every second one, a 32-bit integer, from -2^15 to 2^15 - 1:
    /// the part of `x^n` that an exhaustive run can cover.
    Short,
    /// The hard set.
    Hard(Hard),
}

impl Domain {
    /// The number of inputs.
    ///
    /// `None` if there are more than a `u64` holds.
    #[must_use]
    pub const fn len(&self) -> Option<u64> {
        match self {
            Self::All(widths) => 1u64.checked_shl(widths[0] + widths[1] + widths[2]),
            Self::Short => Some(1 << 32),
            Self::Hard(hard) => Some(hard.len()),
        }
    }

    /// Never true: every domain has inputs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        matches!(self.len(), Some(0))
    }

    /// Its name in tables and golden files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::All(_) => "all",
            Self::Short => "short",
            Self::Hard(hard) => hard.name(),
        }
    }

    /// The operands at an index below [`len`](Self::len).
    #[must_use]
    #[inline]
    pub fn get(&self, index: u64) -> [u64; 3] {
        match self {
            // As `split`, of 64 bits.
            Self::All([_, b, c]) => {
                let low = |bits: u64, width: u32| bits & !(u64::MAX << width);
                [index >> (b + c), low(index >> c, *b), low(index, *c)]
            }
            Self::Short => {
                let n = index as u16 as i16;
                [index >> 16, i32::from(n).cast_unsigned().into(), 0]
            }
            Self::Hard(hard) => hard.get(index),
        }
    }
}

/// The operands whose concatenated bits, the first operand in the high bits, are `index`.
#[must_use]
#[inline]
pub const fn split(widths: [u32; 3], index: u128) -> [u64; 3] {
    [
        field(index, widths[1] + widths[2], widths[0]),
        field(index, widths[2], widths[1]),
        field(index, 0, widths[2]),
    ]
}

const fn field(index: u128, shift: u32, width: u32) -> u64 {
    if shift >= 128 {
        return 0;
    }
    ((index >> shift) & ((1u128 << width) - 1)) as u64
}
