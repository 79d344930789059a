//! E8M0 scale to number.

use super::E8M0;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

/// The value of a scale: exact in `f64`, `f32` and `bf16` (code `0x00` is the subnormal 2^-127
/// in the last two), rounded to a narrower format.
#[inline(always)]
const fn round<F: Format>(scale: u64, rule: Rule) -> (u64, Status) {
    let scale = E8M0::from_bits(scale as u8);
    let value = if scale.is_nan() {
        Exact::<u32>::nan(false)
    } else {
        Exact::<u32>::normalised(false, scale.to_bits() as i32 - 127, 1 << 31)
    };
    value.to_format::<F>(rule)
}

rounded! {
    /// The value of a scale, rounded once to `F`.
    ///
    /// Exact in `f64`, `f32` and `bf16`; code `0x00` is a subnormal there, 2^-127, built from its
    /// bits, since a flush-to-zero target would lose it in a multiplication. In `f16` scales above
    /// 2^15 overflow and those below 2^-24 underflow, as the mode says. NaN gives the canonical
    /// NaN, and raises nothing.
    ///
    /// ```
    /// use bitexact::{Mode, scale::{self, E8M0}};
    /// let least: f32 = scale::decode(E8M0::MIN, Mode::TIES_TO_EVEN);
    /// assert_eq!(least.to_bits(), 0x0040_0000);
    /// ```
    decode, decode_status, decode_stochastic, decode_stochastic_status,
    decode_bits, decode_stochastic_bits: round;
    <F: Format>(scale: E8M0) -> F
}
