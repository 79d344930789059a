//! Operations on codes in words of 32 bits, with formats and projection as values: the catalog's
//! rows.
//!
//! Bits above a format's are ignored in an operand and 0 in a result. Each of them is the
//! [`Operation`], the [`Comparison`](super::Comparison), the [`Predicate`](super::Predicate) or the
//! query of its name.

mod formats;
mod functions;
mod queries;
mod selections;
mod specialisation;

use super::operation::Operation;
use super::short;
use crate::format::FormatSpec;
pub use formats::OperandFormats;
pub use functions::*;
pub use queries::*;
pub use selections::*;
pub use specialisation::{FunctionSpecialisation, Specialisation};

/// Whether all functions share the code that decodes and projects: on microcontrollers, in
/// WebAssembly, and on GPUs, whose module has an entry for each of them.
const SHARED: bool = cfg!(any(target_pointer_width = "32", target_arch = "nvptx64"));

#[inline(always)]
const fn of<const N: usize>(
    operation: Operation,
    operands: &[(FormatSpec, u64); N],
    specialisation: Specialisation,
) -> u32 {
    let (format, projection) = (specialisation.result(), specialisation.projection());
    match short::evaluate::<SHARED>(operation, operands, format, projection) {
        Some(code) => code as u32,
        // Cannot be: every specialisation is among those that `short` has.
        None => format.nan() as u32,
    }
}

#[inline(always)]
const fn of_one(operation: Operation, x: u32, specialisation: Specialisation) -> u32 {
    let [fx, ..] = specialisation.operands();
    of(operation, &[(fx, x as u64)], specialisation)
}

#[inline(always)]
const fn of_two(operation: Operation, x: u32, y: u32, specialisation: Specialisation) -> u32 {
    let [fx, fy, _] = specialisation.operands();
    of(operation, &[(fx, x as u64), (fy, y as u64)], specialisation)
}

#[inline(always)]
const fn of_three(
    operation: Operation,
    x: u32,
    y: u32,
    z: u32,
    specialisation: Specialisation,
) -> u32 {
    let [fx, fy, fz] = specialisation.operands();
    let operands = [(fx, x as u64), (fy, y as u64), (fz, z as u64)];
    of(operation, &operands, specialisation)
}

/// x in another format.
#[inline]
#[must_use]
pub const fn convert(x: u32, specialisation: Specialisation) -> u32 {
    of_one(Operation::Convert, x, specialisation)
}

/// |x|.
#[inline]
#[must_use]
pub const fn abs(x: u32, specialisation: Specialisation) -> u32 {
    of_one(Operation::Abs, x, specialisation)
}

/// -x.
#[inline]
#[must_use]
pub const fn negate(x: u32, specialisation: Specialisation) -> u32 {
    of_one(Operation::Negate, x, specialisation)
}

/// x + y.
#[inline]
#[must_use]
pub const fn add(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::Add, x, y, specialisation)
}

/// x - y.
#[inline]
#[must_use]
pub const fn subtract(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::Subtract, x, y, specialisation)
}

/// x * y.
#[inline]
#[must_use]
pub const fn multiply(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::Multiply, x, y, specialisation)
}

/// x / y; NaN where y is zero.
#[inline]
#[must_use]
pub const fn divide(x: u32, y: u32, specialisation: Specialisation) -> u32 {
    of_two(Operation::Divide, x, y, specialisation)
}

/// x * y + z, rounded once.
#[inline]
#[must_use]
pub const fn fma(x: u32, y: u32, z: u32, specialisation: Specialisation) -> u32 {
    of_three(Operation::FMA, x, y, z, specialisation)
}

/// x + y + z, rounded once.
#[inline]
#[must_use]
pub const fn faa(x: u32, y: u32, z: u32, specialisation: Specialisation) -> u32 {
    of_three(Operation::FAA, x, y, z, specialisation)
}

/// The square root of x.
#[inline]
#[must_use]
pub const fn sqrt(x: u32, specialisation: Specialisation) -> u32 {
    of_one(Operation::Sqrt, x, specialisation)
}

/// 1 / x; NaN where x is zero.
#[inline]
#[must_use]
pub const fn recip(x: u32, specialisation: Specialisation) -> u32 {
    of_one(Operation::Recip, x, specialisation)
}
