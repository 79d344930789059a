//! exp2: 2 to the x.
//!
//! Method: as [`exp`](super::exp()) without the factor: the operand itself, in fixed point, is
//! the exponent, exactly.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-30.2 of its binade; it is
//! exact where x is an integer, and irrational elsewhere, never closer than 2^-26.1 (f16) to a
//! rounding boundary. Every f16 and bf16 operand has been compared with MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, shared by the whole family. Constants: `constants/exp.py`.

use super::exp::{extreme, power};
use crate::format::Arithmetic;
use crate::public_api::{round_to, rounded_by_mode};
use crate::round::{Exact, Rule, Status};
use crate::single;

const ONE: u64 = 1 << 62;

/// The operand where it is an integer with `|x| < 2^8`.
#[inline]
pub(super) const fn small_integer(x: Exact<u32>) -> Option<i32> {
    let (exponent, significand) = (x.exponent(), x.significand());
    if exponent < 0 || exponent >= 8 || significand << (exponent + 1) != 0 {
        return None;
    }
    let magnitude = (significand >> (31 - exponent)) as i32;
    Some(if x.sign() { -magnitude } else { magnitude })
}

const fn power_of_two(x: Exact<u32>) -> Exact<u32> {
    match small_integer(x) {
        Some(n) => Exact::<u32>::ONE.scale(n),
        None => power(x, ONE),
    }
}

/// The power of an f32.
#[inline]
const fn of_f32(x: Exact<u32>) -> Exact<u64> {
    if single::is_moderate(x) {
        single::exp2(x)
    } else {
        extreme(x).widen()
    }
}

round_to! { of_f32 }

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        return of_f32(x).to_format::<F>(rule);
    }
    power_of_two(x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `2^x`, correctly rounded (IEEE 754-2019 `exp2`).
    ///
    /// An integer within the range of exponents, either zero too, gives its power exactly;
    /// +infinity itself and -infinity +0. NaN gives the canonical NaN; a signalling NaN also raises
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::exp2};
    /// let half = bf16::from_bits(0x3F00);
    /// assert_eq!(exp2(half, Mode::TIES_TO_EVEN).to_bits(), 0x3FB5); // sqrt(2)
    /// let three = bf16::from_bits(0x4040);
    /// assert_eq!(exp2(three, Mode::TIES_TO_EVEN).to_bits(), 0x4100); // 8
    /// ```
    exp2, exp2_status, exp2_bits: round;
    <F: Arithmetic>(x: F) -> F
}

rounded_by_mode! {
    /// `2^x` of a number of at most 24 bits, rounded once to another format.
    ///
    /// Special operands as of [`exp2()`]; results that the format has not overflow or underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::exp2_to};
    /// let y: bf16 = exp2_to(1.5f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x4035); // 2.82812
    /// ```
    exp2_to, exp2_to_status, exp2_to_bits: round_to;
    <F: Arithmetic, R: Arithmetic>(x: F) -> R
}
