//! mish: `x * tanh(ln(1 + e^x))`.
//!
//! Method: tanh of a logarithm is rational in the exponential. With `E = e^-|x|`
//! (`fixed/exp2.rs`, `fixed/reciprocal.rs`), a positive x is multiplied by
//! `1 - 2 E^2 / (1 + 2 E + 2 E^2)`, a negative one by `h / (1 + h)`, `h = E (1 + E / 2)`: nothing
//! cancels. Below 2^-20 in magnitude it is `3 x / 5`, and a little more where that is a number.
//!
//! Why it is exact enough: the result's relative error is at most 2^-28.3 of its binade where it is
//! not beside a number on purpose, but for bf16 operands below 2^-17, of which the exponential sees no
//! digit below 2^-24: there it is 2^-24. Every f16 and bf16 operand has been run against MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes and `fixed/reciprocal.rs`'s 128. Constants: `constants/exp.py`.

use super::logistic::{saturated, times};
use super::silu::special;
use crate::fixed::{LOG2_OF_E, exp2, mul_high, multiple, reciprocal};
use crate::format::Narrow;
use crate::round::{Exact, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// `1 / d`, `d >= 1` in units of 2^-32: a fraction in units of 2^-32, and the power of two that it
/// is to be divided by.
#[inline]
const fn scaled_reciprocal(d: u64) -> (u32, u32) {
    let places = 31 - d.leading_zeros();
    (reciprocal((d >> places) as u32), places)
}

/// `h / (1 + h)`, `h = e + e^2 / 2`, of `e = 2^-t`.
#[inline]
const fn negative_side(t: u64) -> Exact<u32> {
    let power = exp2(-(t as i64));
    let e = power.below_one();
    let h = e as u64 + (mul_high(e, e) >> 1) as u64;
    let (reciprocal, places) = scaled_reciprocal((1 << 32) + h);
    // The numerator with its own exponent.
    let factor = (1 << 31) + (e >> 2);
    let numerator = power.significand() as u64 * factor as u64;
    let numerator = Exact::<u32>::inexact(false, numerator, power.exponent - 62);
    let quotient = numerator.significand() as u64 * reciprocal as u64;
    let unit = numerator.exponent() - 63 - places as i32;
    Exact::<u32>::inexact(false, quotient, unit)
}

/// `1 - 2 e^2 / (1 + 2 e + 2 e^2)` of `e = 2^-t`.
#[inline]
const fn positive_side(t: u64) -> Exact<u32> {
    let e = exp2(-(t as i64)).below_one() as u64;
    let numerator = (e * e) >> 31;
    let (reciprocal, places) = scaled_reciprocal((1 << 32) + 2 * e + numerator);
    // The numerator is up to 2, the quotient up to 2/5.
    let quotient = ((numerator >> 1) * reciprocal as u64) >> (31 + places);
    let quotient = if quotient == 0 { 1 } else { quotient };
    Exact::<u32>::inexact(false, (1 << 32) - quotient, -32)
}

/// `3 x / 5 + x^2 * 8 / 25` of a tiny operand of at most 16 digits.
#[inline]
const fn near_zero(x: Exact<u32>) -> Exact<u32> {
    let triple = (x.significand() >> 16) * 3;
    let (fifth, rest) = ((triple << 13) / 5, (triple << 13) % 5);
    let magnitude = if rest == 0 && x.sign() {
        2 * fifth - 1
    } else {
        2 * fifth + 1
    };
    Exact::<u32>::from_integer(x.sign(), magnitude, x.exponent() - 29)
}

const fn mish_core(x: Exact<u32>) -> Exact<u32> {
    if !x.is_finite_nonzero() {
        return special(x);
    }
    if x.exponent() < -20 {
        return near_zero(x);
    }
    if x.exponent() >= 8 {
        return saturated(x);
    }
    let t = multiple(x.significand(), x.exponent(), LOG2_OF_E);
    times(
        x,
        if x.sign() {
            negative_side(t)
        } else {
            positive_side(t)
        },
    )
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    mish_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x * tanh(ln(1 + e^x))`, rounded once.
    ///
    /// A zero gives itself, +infinity itself, and -infinity the limit, -0. Everything else is
    /// inexact, and underflows where it is subnormal. NaN gives the canonical NaN, and invalid
    /// where it signals.
    ///
    /// ```
    /// use bitexact::{Mode, activation::mish, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(mish(one, Mode::TIES_TO_EVEN).to_bits(), 0x3F5D); // 0.86328125
    /// ```
    mish, mish_status, mish_bits;
    <F: Narrow>(x: F) -> F
}
