//! The pairs whose results are nearest to a rounding boundary, for the functions that compute with
//! more bits where a first approximation does not decide.
//!
//! Few random pairs need that: about one in 2^14 for `atan2`. These all do, and are so near to a
//! boundary that errors of the tables behind it change results. They are the 512 nearest of 2^26
//! pairs for each function and format, found by the search in `cases/inputs/tests/nearest.rs`.

use super::shape::Float;

mod tables;

/// A function with such pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nearest {
    Atan2,
    Atan2pi,
    Pow,
    Pown,
    Rootn,
    Compound,
}

/// First operands, with second ones: an integer is its two's complement.
type Table = [(u16, u32); 512];

/// The pairs of a function whose first operand has this format; none for a format of other than 16
/// bits.
pub const fn pairs(function: Nearest, format: Float) -> &'static [(u16, u32)] {
    match (function, format) {
        (Nearest::Atan2, Float::F16) => &tables::ATAN2_F16,
        (Nearest::Atan2, Float::BF16) => &tables::ATAN2_BF16,
        (Nearest::Atan2pi, Float::F16) => &tables::ATAN2PI_F16,
        (Nearest::Atan2pi, Float::BF16) => &tables::ATAN2PI_BF16,
        (Nearest::Pow, Float::F16) => &tables::POW_F16,
        (Nearest::Pow, Float::BF16) => &tables::POW_BF16,
        (Nearest::Pown, Float::F16) => &tables::POWN_F16,
        (Nearest::Pown, Float::BF16) => &tables::POWN_BF16,
        (Nearest::Rootn, Float::F16) => &tables::ROOTN_F16,
        (Nearest::Rootn, Float::BF16) => &tables::ROOTN_BF16,
        (Nearest::Compound, Float::F16) => &tables::COMPOUND_F16,
        (Nearest::Compound, Float::BF16) => &tables::COMPOUND_BF16,
        _ => &[],
    }
}
