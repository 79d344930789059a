//! A number in parts, and the sum of two.

use super::rounder::{Rounder, nan};
use super::{Float, INFINITY, SIGN, select};

/// `significand * 2^(exponent - 30)` with bit 30 set (or a lower one, see [`Parts::of`]), or a
/// zero; infinities and NaNs are separate.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// All ones where negative.
    pub(crate) minus: u32,
    pub(crate) exponent: i32,
    pub(crate) significand: u32,
    pub(crate) infinite: bool,
    pub(crate) nan: bool,
}

/// `significand` shifted to have its top bit at 31, and the exponent to match, where `exponent` is
/// that of bit 31. Not for 1, which is treated as 0.
#[inline(always)]
pub(crate) fn normalise(significand: u32, exponent: i32) -> (u32, i32) {
    // The leading bit of s/2, with a zero after it so that nothing is rounded up to the next power.
    let leading = (significand >> 1) & !(significand >> 2);
    let field = (leading as i32 as f32).to_bits() >> 23;
    // A zero's exponent must be below all others, also where a sum of large numbers cancelled.
    let zeros = select(field == 0, 1024, 157u32.wrapping_sub(field));
    let shifted = significand.wrapping_shl(zeros);
    (shifted, exponent - zeros as i32)
}

impl Parts {
    /// The parts of an f32 code. A subnormal is not normalised: its exponent is emin.
    #[inline(always)]
    pub(crate) const fn of(bits: u32) -> Self {
        let magnitude = bits & !SIGN;
        let field = magnitude >> 23;
        let normal = (field != 0) as u32;
        Self {
            minus: ((bits as i32) >> 31) as u32,
            exponent: (field + 1 - normal) as i32 - 127,
            significand: ((magnitude & 0x7F_FFFF) | (normal << 23)) << 7,
            infinite: magnitude == INFINITY,
            nan: magnitude > INFINITY,
        }
    }

    /// The same, normalised.
    #[inline(always)]
    pub(crate) fn normalised(self) -> Self {
        let (significand, exponent) = normalise(self.significand, self.exponent + 1);
        Self {
            significand: significand >> 1,
            exponent,
            ..self
        }
    }

    /// The code of the sum in `R`.
    ///
    /// If one of the two numbers is not normalised, its exponent must be the least exponent; then
    /// the order of (exponent, significand) is that of the magnitudes.
    ///
    /// The width is enough, as in the kernel: the smaller one is shifted, and bits are lost only
    /// where it is shifted by 7 or more. Then the difference loses at most one leading bit, and the
    /// sticky bit stays below the bits of every rounding boundary.
    #[inline(always)]
    pub(crate) fn sum<R: Float>(self, other: Self, rounder: &Rounder) -> u32 {
        let larger = (self.exponent > other.exponent)
            | ((self.exponent == other.exponent) & (self.significand >= other.significand));
        let (exponent, apart) = if larger {
            (self.exponent, self.exponent - other.exponent)
        } else {
            (other.exponent, other.exponent - self.exponent)
        };
        let upper = select(larger, self.significand, other.significand);
        let small = select(larger, other.significand, self.significand);
        let minus = select(larger, self.minus, other.minus);
        let apart = if apart > 31 { 31 } else { apart } as u32;
        let lower = small >> apart;
        let lower = lower | (lower << apart != small) as u32;
        let differ = self.minus ^ other.minus;
        // `upper - lower` where the signs differ: the two's complement of `lower` is added.
        let sum = upper.wrapping_add((lower ^ differ).wrapping_sub(differ));
        let zero_minus =
            (self.minus & other.minus) | (rounder.zero_is_minus & (self.minus | other.minus));
        let minus = select(sum == 0, zero_minus, minus);
        let (significand, exponent) = normalise(sum, exponent + 1);
        let code = rounder.round::<R>(minus, exponent, significand);

        let infinite_minus = select(self.infinite, self.minus, other.minus);
        let infinite = self.infinite | other.infinite;
        let opposite = self.infinite & other.infinite & (differ != 0);
        let code = select(infinite, rounder.infinity(infinite_minus), code);
        select(self.nan | other.nan | opposite, nan::<R>(), code)
    }
}
