//! Format to integer.

use super::Integer;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

#[inline(always)]
const fn round<F: Format, I: Integer>(x: u64, rule: Rule) -> (u64, Status) {
    if F::BITS > 32 {
        Exact::<u64>::decode::<F>(x).to_int::<I>(rule.direction)
    } else {
        Exact::<u32>::decode::<F>(x as u32).to_int::<I>(rule.direction)
    }
}

rounded! {
    /// `x` rounded to an integral value, as an integer (IEEE 754-2019 `convertToIntegerExact`:
    /// inexact is raised where rounding changed the value).
    ///
    /// | operand | result | raises |
    /// |---|---|---|
    /// | rounds to a value of `I` | that value | inexact where it differs from `x` |
    /// | rounds to one above `I`'s range, or +infinity | `I::MAX` | invalid |
    /// | rounds to one below `I`'s range, or -infinity | the least `I` | invalid |
    /// | NaN | `I::MAX` | invalid |
    ///
    /// The invalid results are those of RISC-V's FCVT. The overflow rule of the mode is not used.
    /// Rounding to odd and stochastic rounding work on the integers.
    ///
    /// ```
    /// use bitexact::{convert::to_int, f16, Mode};
    /// let n: i8 = to_int(f16::from_f32_const(-2.5), Mode::TIES_TO_EVEN);
    /// assert_eq!(n, -2);
    /// let n: u8 = to_int(f16::NAN, Mode::TIES_TO_EVEN);
    /// assert_eq!(n, 255);
    /// ```
    to_int, to_int_status, to_int_stochastic, to_int_stochastic_status,
    to_int_bits, to_int_stochastic_bits: round;
    <F: Format, I: Integer>(x: F) -> I
}
