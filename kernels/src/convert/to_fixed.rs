//! Format to fixed point.
//!
//! Method: the exact value with its exponent raised, rounded to an integer: one rounding. A finite
//! value of a format of at most 32 bits keeps a significand of 32 bits, which is enough for every
//! integer type of at most 32.
//!
//! In ties to even a normal number in range goes the short way ([`nearest`]): its significand is
//! shifted right with half a unit added, without unpacking.

use super::Integer;
use crate::Overflow;
use crate::format::{Format, Specials};
use crate::public_api::rounded;
use crate::round::integer::limit;
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

/// Whether [`nearest`] applies: a significand below 2^31 leaves room for the half, and its lowest
/// bit is 0.
const fn is_short<F: Format, I: Integer>() -> bool {
    matches!(F::SPECIALS, Specials::Ieee) && F::BITS <= 32 && I::BITS <= 32
}

/// Ties to even, where [`is_short`].
#[inline(always)]
const fn nearest<F: Format, I: Integer>(x: u64, fraction: u64, rule: Rule) -> (u64, Status) {
    let code = x as u32;
    let negative = (code >> (F::BITS - 1)) & 1 != 0;
    let magnitude = code & (F::SIGN - 1) as u32;
    let field = (magnitude >> (F::PRECISION - 1)) as i32;
    // The field of the least value that is a unit or more, and that of the largest power of two
    // within `I`.
    let one = F::BIAS - near(fraction);
    let bits = (I::BITS - I::SIGNED as u32) as i32;
    let most = one + if bits < 31 { bits - 1 } else { 30 };

    // Normal numbers from half a unit to below twice that power.
    let first = if one > 1 { one - 1 } else { 1 };
    let finite = F::EMAX + F::BIAS;
    let last = if most < finite { most } else { finite };
    let fields = if last < first { 0 } else { last - first + 1 };
    if field.wrapping_sub(first) as u32 >= fields as u32 || (negative && !I::SIGNED) {
        return if (field < one - 1 && field <= finite) || magnitude == 0 {
            (0, Status::INEXACT.when(magnitude != 0))
        } else if I::SIGNED && field > most && field > 0 {
            let is_nan = magnitude as u64 > F::MAX_FINITE + 1;
            let end = limit::<I>(negative && !is_nan);
            (end, rare::<F, I>(code, fraction, rule).1)
        } else {
            let (n, status) = rare::<F, I>(code, fraction, rule);
            (n as u64, status)
        };
    }

    const LEADING: u32 = 1 << 30;
    let significand = (magnitude << (31 - F::PRECISION)) & (LEADING - 1) | LEADING;
    let shift = (one + 30 - field) as u32;
    // Half a unit less one. Where nothing is shifted out, that is 0, and so is the lowest bit.
    let half = !(u32::MAX << shift) >> 1;
    let kept = significand >> shift;
    let rounded = (significand + half + (kept & 1)) >> shift;
    // A result of 32 bits is below 2^31: its last bit is not rounded.
    if I::BITS < 32 && !negative && rounded > I::MAX as u32 {
        return (I::MAX, beyond(true, rule.overflow));
    }
    let n = if negative {
        rounded.wrapping_neg()
    } else {
        rounded
    };
    let status = Status::INEXACT.when(kept << shift != significand);
    (n as u64 & I::MASK, status)
}

#[inline(always)]
const fn round<F: Format, I: Integer>(x: u64, fraction: u64, rule: Rule) -> (u64, Status) {
    if is_short::<F, I>() && rule.direction.is_ties_to_even() {
        nearest::<F, I>(x, fraction, rule)
    } else {
        unpacked::<F, I>(x, fraction, rule)
    }
}

/// The same through [`Exact`], out of line.
#[cold]
#[inline(never)]
const fn rare<F: Format, I: Integer>(x: u32, fraction: u64, rule: Rule) -> (u32, Status) {
    let (n, status) = unpacked::<F, I>(x as u64, fraction, rule);
    (n as u32, status)
}

/// Through [`Exact`].
#[inline]
const fn unpacked<F: Format, I: Integer>(x: u64, fraction: u64, rule: Rule) -> (u64, Status) {
    if F::BITS > 32 || I::BITS > 32 {
        rounded_to_fixed!(u64, x, fraction, rule, to_int)
    } else {
        rounded_to_fixed!(u32, x, fraction, rule, to_int_here)
    }
}

rounded! {
    /// `x` in fixed point: the integer `n` of `I` for which `n * 2^-fraction` is `x` rounded once.
    ///
    /// `I` is any integer type, and `fraction` any number of fraction bits: Q7 is `i8` with 7, Q15
    /// `i16` with 15, Q31 `i32` with 31, `QN.M` M. A negative one makes the unit more than 1.
    ///
    /// | operand | result | raises |
    /// |---|---|---|
    /// | rounds to a value in range | that value | inexact where it differs from `x` |
    /// | rounds to one above or below it | the largest or the least `I` | invalid; overflow and inexact where the mode saturates |
    /// | infinity | the same | invalid; overflow and inexact with [`Overflow::SaturateAll`](crate::Overflow) |
    /// | NaN | `I::MAX` | invalid |
    ///
    /// So a result is never wrapped; [`to_fixed_status`] tells whether it was out of range. -0
    /// gives 0. Subnormals are rounded as all others. With fraction 0 it is
    /// [`to_int`](crate::convert::to_int()).
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
