//! The arithmetic of the networks: f32, in one of two forms that give the same bits.

use crate::arith::{add, div, mul, sub};
use crate::format::{Binary32, Format};
use crate::reduce::Accumulable;
use crate::{Mode, Status};

/// To nearest, ties to even: IEEE 754's default, which the processor's f32 uses.
const MODE: Mode = Mode::TIES_TO_EVEN;

const INFINITY: u32 = 0x7F80_0000;
const NAN: u32 = 0x7FC0_0000;
const SIGN: u32 = 1 << 31;

/// The type in which the networks compute: `f32`, or its bits with integer arithmetic. Each
/// operation rounds once, ties to even.
///
/// - `f32` uses the processor's operations. Where these are IEEE 754's in its default state (ties
///   to even, subnormals kept, and no contraction of operations, which Rust never does), the
///   results are exactly those of the other form.
/// - [`Binary32`] uses this crate's integer arithmetic: it needs no FPU, and no FPU state can
///   change a bit.
pub trait Single: Accumulable {
    /// `self + other`.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// `self - other`.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// `self * other`.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// `self / other`.
    #[must_use]
    fn over(self, other: Self) -> Self;
}

#[allow(
    clippy::float_arithmetic,
    reason = "IEEE 754 fixes these four in its default state, which the trait assumes"
)]
impl Single for f32 {
    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn over(self, other: Self) -> Self {
        self / other
    }
}

impl Single for Binary32 {
    #[inline]
    fn plus(self, other: Self) -> Self {
        add(self, other, MODE)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        sub(self, other, MODE)
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        mul(self, other, MODE)
    }

    #[inline]
    fn over(self, other: Self) -> Self {
        div(self, other, MODE)
    }
}

/// A number from its bits.
#[inline]
pub(super) fn number<F: Single>(bits: u32) -> F {
    F::from_bits(bits.into())
}

/// `x`, with any NaN replaced by the canonical one.
#[inline]
pub(super) fn canonical<F: Single>(x: F) -> F {
    if x.to_bits() as u32 & !SIGN > INFINITY {
        number(NAN)
    } else {
        x
    }
}

/// A small integer.
#[inline]
pub(super) fn integer<F: Single>(n: i32) -> F {
    crate::convert::from_int(n, MODE)
}

/// An element of any format here as a single: exact.
pub(super) fn widen<T: Format, F: Single>(x: T) -> F {
    let (x, _): (F, Status) = crate::convert::convert_status(x, MODE);
    x
}
