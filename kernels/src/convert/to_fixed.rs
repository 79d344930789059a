//! Format to fixed point.
//!
//! Method: the exact value with its exponent raised, rounded to an integer: one rounding. A finite value of a format of at
//! most 32 bits keeps a significand of 32 bits, which is enough for every integer type of at most 32.

use super::Integer;
use crate::Overflow;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

/// Beyond this, every non-zero value of every format is out of every range or below every fraction.
const FAR: i32 = 1 << 12;

/// A number of fraction bits within what exponents can take.
#[inline(always)]
pub(super) const fn near(fraction: u64) -> i32 {
    let fraction = fraction as u32 as i32;
    if fraction > FAR {
        FAR
    } else if fraction < -FAR {
        -FAR
    } else {
        fraction
    }
}

/// What a result beyond the range raises.
#[inline(always)]
const fn beyond(is_finite: bool, overflow: Overflow) -> Status {
    match (is_finite, overflow) {
        (_, Overflow::Ieee) | (false, Overflow::SaturateFinite) => Status::INVALID,
        _ => Status::OVERFLOW.union(Status::INEXACT),
    }
}

macro_rules! rounded_to_fixed {
    ($w:ty, $x:ident, $fraction:ident, $rule:ident, $to_int:ident) => {{
        let x = Exact::<$w>::decode::<F>($x as $w);
        let is_finite = x.is_finite_nonzero();
        let x = if is_finite {
            x.scale(near($fraction))
        } else {
            x
        };
        let (n, status) = x.$to_int::<I>($rule.direction);
        if status.contains(Status::INVALID) && !x.is_nan() {
            (n, beyond(is_finite, $rule.overflow))
        } else {
            (n, status)
        }
    }};
}

#[inline(always)]
const fn round<F: Format, I: Integer>(x: u64, fraction: u64, rule: Rule) -> (u64, Status) {
    if F::BITS > 32 || I::BITS > 32 {
        rounded_to_fixed!(u64, x, fraction, rule, to_int)
    } else {
        rounded_to_fixed!(u32, x, fraction, rule, to_int_here)
    }
}

rounded! {
    /// `x` in fixed point: the integer `n` of `I` for which `n * 2^-fraction` is `x` rounded once.
    ///
    /// `I` is any integer type, and `fraction` any number of fraction bits: Q7 is `i8` with 7, Q15 `i16` with 15, Q31
    /// `i32` with 31, `QN.M` M. A negative one makes the unit more than 1.
    ///
    /// | operand | result | raises |
    /// |---|---|---|
    /// | rounds to a value in range | that value | inexact where it differs from `x` |
    /// | rounds to one above or below it | the largest or the least `I` | invalid; overflow and inexact where the mode saturates |
    /// | infinity | the same | invalid; overflow and inexact with [`Overflow::SaturateAll`](crate::Overflow) |
    /// | NaN | `I::MAX` | invalid |
    ///
    /// So a result is never wrapped; [`to_fixed_status`] tells whether it was out of range. -0 gives 0. Subnormals are
    /// rounded as all others. With fraction 0 it is [`to_int`](crate::convert::to_int()).
    ///
    /// ```
    /// use bitexact::{Mode, Status, bf16, convert::{to_fixed, to_fixed_status}};
    /// let q15: i16 = to_fixed(bf16::from_f32_const(-0.75), 15, Mode::TIES_TO_EVEN);
    /// assert_eq!(q15, -24576);
    /// // Q7 has no 1.
    /// let (q7, status): (i8, _) = to_fixed_status(1.0f32, 7, Mode::TIES_TO_EVEN.saturating());
    /// assert_eq!((q7, status), (127, Status::OVERFLOW | Status::INEXACT));
    /// ```
    to_fixed, to_fixed_status, to_fixed_stochastic, to_fixed_stochastic_status,
    to_fixed_bits, to_fixed_stochastic_bits: round;
    <F: Format, I: Integer>(x: F, fraction: i32) -> I
}
