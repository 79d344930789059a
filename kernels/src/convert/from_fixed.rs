//! Fixed point to format.
//!
//! Method: the integer with its exponent lowered, rounded. In ties to even a result that is a
//! normal number goes the short way ([`nearest`]), whose significand has no more bits than needed.

use super::Integer;
use super::from_int::exact;
use super::to_fixed::near;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

/// Whether [`nearest`] applies.
const fn is_short<I: Integer, F: Format>() -> bool {
    F::INFINITY.is_some() && F::BITS <= 32 && I::BITS <= 32
}

/// A larger number.
const fn larger(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

/// A magnitude rounded to nearest, ties to even, if it is not 0 and the result is surely a normal
/// number.
#[inline(always)]
const fn nearest<I: Integer, F: Format>(
    negative: bool,
    magnitude: u32,
    unit: i32,
) -> Option<(u64, Status)> {
    let zeros = magnitude.leading_zeros();
    let field = 31 - zeros as i32 + unit + F::BIAS;
    // A carry out of the last binade would be an overflow.
    if magnitude == 0 || field < 1 || field >= F::EMAX + F::BIAS {
        return None;
    }
    // The leading bit on top of this many, all of `I` or all of the significand.
    let width = larger(I::BITS, F::PRECISION);
    let spare = width - F::PRECISION;
    let significand = magnitude << (zeros - (32 - width));
    let fraction = significand & (u32::MAX >> (33 - width));
    let (sum, lost) = if spare == 0 {
        (fraction, 0)
    } else {
        let odd = (significand >> spare) & 1;
        (
            fraction + ((1 << (spare - 1)) - 1 + odd),
            significand & ((1 << spare) - 1),
        )
    };
    let code = ((field as u32) << (F::PRECISION - 1)) + (sum >> spare);
    let sign = (negative as u32) << (F::BITS - 1);
    Some(((code | sign) as u64, Status::INEXACT.when(lost != 0)))
}

#[inline(always)]
const fn round<I: Integer, F: Format>(n: u64, fraction: u64, rule: Rule) -> (u64, Status) {
    let (negative, magnitude) = exact::<I>(n);
    let unit = -near(fraction);
    let answer = if is_short::<I, F>() && rule.direction.is_ties_to_even() {
        nearest::<I, F>(negative, magnitude as u32, unit)
    } else {
        None
    };
    match answer {
        Some(answer) => answer,
        None => unpacked::<I, F>(negative, magnitude, unit, rule),
    }
}

/// Through [`Exact`].
#[inline]
const fn unpacked<I: Integer, F: Format>(
    negative: bool,
    magnitude: u64,
    unit: i32,
    rule: Rule,
) -> (u64, Status) {
    if I::BITS > 32 {
        Exact::<u64>::from_integer(negative, magnitude, unit).to_format::<F>(rule)
    } else {
        Exact::<u32>::from_integer(negative, magnitude as u32, unit).to_format::<F>(rule)
    }
}

rounded! {
    /// The number `n * 2^-fraction` that fixed point means, rounded once to `F`.
    ///
    /// `I` and `fraction` are as in [`to_fixed`](crate::convert::to_fixed()). Zero gives +0. A
    /// result that is too large or too small for `F` overflows or underflows, as the mode says.
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
