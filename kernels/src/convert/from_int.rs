//! Integer to format.

use super::Integer;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

/// The sign and the magnitude of raw bits.
#[inline(always)]
pub(super) const fn exact<I: Integer>(n: u64) -> (bool, u64) {
    let n = n & I::MASK;
    let negative = I::SIGNED && n > I::MAX;
    let magnitude = if negative {
        n.wrapping_neg() & I::MASK
    } else {
        n
    };
    (negative, magnitude)
}

#[inline(always)]
const fn round<I: Integer, F: Format>(n: u64, rule: Rule) -> (u64, Status) {
    let (negative, magnitude) = exact::<I>(n);
    if I::BITS > 32 {
        Exact::<u64>::from_integer(negative, magnitude, 0).to_format::<F>(rule)
    } else {
        Exact::<u32>::from_integer(negative, magnitude as u32, 0).to_format::<F>(rule)
    }
}

rounded! {
    /// The integer `n` as a float, rounded once (IEEE 754-2019 `convertFromInt`).
    ///
    /// Zero gives +0. Only `f16` (and narrower formats) can overflow.
    ///
    /// ```
    /// use bitexact::{bf16, convert::from_int, Mode};
    /// // Just above a tie: rounding to f32 first would make it one, and give 0x4B80.
    /// let x: bf16 = from_int(0x0101_0001, Mode::TIES_TO_EVEN);
    /// assert_eq!(x.to_bits(), 0x4B81);
    /// ```
    from_int, from_int_status, from_int_stochastic, from_int_stochastic_status,
    from_int_bits, from_int_stochastic_bits: round;
    <I: Integer, F: Format>(n: I) -> F
}
