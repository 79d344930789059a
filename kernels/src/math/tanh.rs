//! tanh: the hyperbolic tangent.
//!
//! Method: below 2^-6 in magnitude, slightly less than x; from there to 8, `fixed/tanh.rs`; from 8
//! on, slightly less than 1.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-29, and it is rational
//! only at
//! 0. Below 2^-6 it is x minus at most `x^3 / 3`, which is less than the distance to the rounding
//!    boundary below x (at least 2^-12 of x). Every f16 and bf16 operand has been compared with
//!    MPFR.
//!
//! Tables: `fixed/tanh.rs`'s 408 bytes, shared by the family.

use crate::fixed::{mul_high, tanh_rest_over_cube, tanh_upper};
use crate::format::Arithmetic;
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::{Exact, Kind};

/// The square of a magnitude below 1, in units of 2^-32, of an operand of at most 16 bits.
#[inline]
pub(crate) const fn square(significand: u32, exponent: i32) -> u32 {
    let square = (significand >> 16) * (significand >> 16);
    let places = -2 - 2 * exponent;
    if places < 32 { square >> places } else { 0 }
}

/// `tanh(x) / 2^exponent` for `x = significand * 2^(exponent - 31)` below 1/2, in units of 2^-31.
#[inline]
pub(crate) const fn lower(significand: u32, exponent: i32) -> u32 {
    let square = square(significand, exponent);
    let rest = mul_high(tanh_rest_over_cube(square), square);
    significand - mul_high(significand, rest)
}

/// The function of a finite operand that is not zero. One copy of it where flash counts.
#[cfg_attr(target_os = "none", inline(never))]
#[cfg_attr(not(target_os = "none"), inline)]
const fn hyperbolic_tangent(x: Exact<u32>) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), x.significand());
    let (magnitude, unit) = if exponent > 2 {
        (u32::MAX, -32)
    } else if exponent > -2 {
        (tanh_upper(significand, exponent), -32)
    } else if exponent > -7 {
        (lower(significand, exponent), exponent - 31)
    } else {
        (significand - 1, exponent - 31)
    };
    Exact::<u32>::inexact_word(x.sign(), magnitude, unit)
}

/// The function of a zero, an infinity or a NaN.
#[inline]
const fn special(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Infinite => Exact::<u32>::ONE.negate_if(x.sign()),
        _ => x,
    }
}

straight_path!(any -149..=127 => hyperbolic_tangent, special; f32 to crate::single::tanh);

rounded_by_mode! {
    /// The hyperbolic tangent, correctly rounded (IEEE 754-2019 `tanh`).
    ///
    /// A zero gives itself and an infinity 1 of its sign, exactly. Everything else is inexact, and
    /// underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN also raises
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::tanh};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(tanh(one, Mode::TIES_TO_EVEN).to_bits(), 0x3F43); // 0.76171875
    /// assert_eq!(tanh(one, Mode::TOWARD_ZERO).to_bits(), 0x3F42); // 0.7578125
    /// ```
    tanh, tanh_status, tanh_bits: round;
    <F: Arithmetic>(x: F) -> F
}

rounded_by_mode! {
    /// The hyperbolic tangent of a number of at most 24 bits, rounded once to another format.
    ///
    /// Special operands as of [`tanh()`]; results that the format has not overflow or underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::tanh_to};
    /// let y: bf16 = tanh_to(1.5f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F68); // 0.90625
    /// ```
    tanh_to, tanh_to_status, tanh_to_bits: round_to;
    <F: Arithmetic, R: Arithmetic>(x: F) -> R
}
