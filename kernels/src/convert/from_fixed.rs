//! Fixed point to format.

use super::Integer;
use super::from_int::exact;
use super::to_fixed::near;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

#[inline(always)]
const fn round<I: Integer, F: Format>(n: u64, fraction: u64, rule: Rule) -> (u64, Status) {
    let (negative, magnitude) = exact::<I>(n);
    let unit = -near(fraction);
    if I::BITS > 32 {
        Exact::<u64>::from_integer(negative, magnitude, unit).to_format::<F>(rule)
    } else {
        Exact::<u32>::from_integer(negative, magnitude as u32, unit).to_format::<F>(rule)
    }
}

rounded! {
    /// The number `n * 2^-fraction` that fixed point means, rounded once to `F`.
    ///
    /// `I` and `fraction` are as in [`to_fixed`](crate::convert::to_fixed()). Zero gives +0. A result that is too large or too small for `F`
    /// overflows or underflows, as the mode says.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, convert::from_fixed};
    /// let x: bf16 = from_fixed(-24576i16, 15, Mode::TIES_TO_EVEN); // Q15
    /// assert_eq!(x.to_f32(), -0.75);
    /// ```
    from_fixed, from_fixed_status, from_fixed_stochastic, from_fixed_stochastic_status,
    from_fixed_bits, from_fixed_stochastic_bits: round;
    <I: Integer, F: Format>(n: I, fraction: i32) -> F
}
