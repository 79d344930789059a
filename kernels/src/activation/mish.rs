//! mish: `x * tanh(ln(1 + e^x))`.
//!
//! Method: tanh of a logarithm is rational in the exponential. With `E = e^-|x|` (`fixed/exp2.rs`,
//! `fixed/reciprocal.rs`), a positive x is multiplied by `1 - 2 E^2 / (1 + 2 E + 2 E^2)`, a
//! negative one by `h / (1 + h)`, `h = E (1 + E / 2)`: nothing cancels. Below 2^-20 in magnitude it
//! is `3 x / 5`, slightly increased where that is a number.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-28.3 of its binade where
//! it is not deliberately perturbed from a representable value, except for bf16 operands below
//! 2^-17, whose bits below 2^-24 the exponential ignores: there it is 2^-24. Every f16 and bf16
//! operand has been compared with MPFR.
//!
//! The derivative is, with `E = e^-|x|` in 60 bits, `((1 + 2 E) D + 4 x E^2 (1 + E)) / D^2` where x
//! is positive, with `D = 1 + 2 E + 2 E^2` and only positive terms; and
//! `E ((2 + E) M - 4 |x| (1 + E)) / M^2` where it is negative, with `M = 2 + 2 E + E^2` and 52
//! fraction bits in the difference. Its zero is near -1.192. The minimum distance to a rounding
//! boundary is 2^-28.9 (at -0.39 in f16).
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes and `fixed/reciprocal.rs`'s 128; for the derivative, the 156
//! of the exponential in `fixed/exp_wide.rs`. Constants: `constants/exp.py`.

use super::gradient::backward;
use super::logistic::{saturated, times};
use super::silu::special;
use crate::fixed::{
    Decay, LOG2_OF_E, exp2, mul_high, mul_high_wide, multiple, reciprocal, reciprocal_wide, split,
};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// `1 / d`, `d >= 1` in units of 2^-32: a fraction in units of 2^-32, and the power of two that it
/// is to be divided by.
#[inline]
const fn scaled_reciprocal(d: u64) -> (u32, u32) {
    let places = 31 - d.leading_zeros();
    (reciprocal((d >> places) as u32), places)
}

/// `h / (1 + h)` with `h = e + e^2 / 2`, for `e = 2^-t`.
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

/// `1 - 2 e^2 / (1 + 2 e + 2 e^2)` for `e = 2^-t`.
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

/// `3 x / 5 + x^2 * 8 / 25` for a tiny operand of at most 16 bits.
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
    /// `x * tanh(ln(1 + e^x))`, correctly rounded.
    ///
    /// A zero gives itself, +infinity itself, and -infinity the limit, -0. Everything else is
    /// inexact, and underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN
    /// also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::mish, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(mish(one, Mode::TIES_TO_EVEN).to_bits(), 0x3F5D); // 0.86328125
    /// ```
    mish, mish_status, mish_bits: round;
    <F: Narrow>(x: F) -> F
}

/// `(r, p)`: `1 / m^2` is `r * 2^(-64 - p)`, of `1 <= m < 8` in units of 2^-61.
#[inline]
const fn reciprocal_square(m: u64) -> (u64, i32) {
    let zeros = m.leading_zeros();
    let reciprocal = reciprocal_wide(m << zeros << 1);
    (
        mul_high_wide(reciprocal, reciprocal),
        2 * (2 - zeros as i32),
    )
}

/// The derivative at a positive x, in units of 2^-58, below 16.
const fn derivative_above_zero(x: u64, e: u64) -> Exact<u32> {
    let d = (1 << 61) + (e >> 2) + (mul_high_wide(e, e) >> 2);
    let product = mul_high_wide((1 << 62) + (e >> 1), d);
    let rest = mul_high_wide(mul_high_wide(x, e), e);
    // Units of 2^-59; up to 15.
    let sum = product + ((rest + mul_high_wide(rest, e)) << 3);
    let (reciprocal, places) = reciprocal_square(d);
    Exact::<u32>::inexact(false, mul_high_wide(sum, reciprocal), -59 - places)
}

/// The derivative at minus x, in units of 2^-53, below 2^8.
const fn derivative_below_zero(x: u64, decay: Decay) -> Exact<u32> {
    let e = decay.fraction();
    let m = (2 << 61) + (e >> 2) + (mul_high_wide(e, e) >> 3);
    // Units of 2^-52.
    let product = mul_high_wide((2 << 62) + (e >> 2), m) >> 7;
    let rest = 2 * x + mul_high_wide(2 * x, e);
    // No operand gives 0.
    let difference = product.abs_diff(rest) | 1;
    let zeros = difference.leading_zeros();
    let (reciprocal, places) = reciprocal_square(m);
    let quotient = mul_high_wide(mul_high_wide(difference << zeros, decay.power), reciprocal);
    let unit = -52 - (zeros + decay.k) as i32 - places;
    Exact::<u32>::inexact(rest > product, quotient, unit)
}

/// 3/5 and values within 2^-15 of it; no rounding boundary is that close.
const THREE_FIFTHS: Exact<u32> = Exact::<u32>::normalised(false, -1, 0x9999_9999);

const fn derivative(x: Exact<u32>) -> Exact<u32> {
    let parts = match (x.kind(), x.sign()) {
        (Kind::Nan, _) => return x,
        (Kind::Infinite, true) => return Exact::<u32>::zero(true),
        (Kind::Infinite, false) => return Exact::<u32>::ONE,
        (Kind::Zero, _) => return THREE_FIFTHS,
        (Kind::Finite, _) if x.exponent() < -16 => return THREE_FIFTHS,
        (Kind::Finite, false) if x.exponent() >= 4 => return Exact::<u32>::ABOVE_ONE,
        (Kind::Finite, true) if x.exponent() >= 8 => return Exact::<u32>::TINY.negate_if(true),
        (Kind::Finite, _) => split(x.significand() as u64, x.exponent() - 31),
    };
    // Its exponent is below 8.
    let Some((whole, fraction)) = parts else {
        return x;
    };
    let decay = Decay::of((whole, fraction));
    if x.sign() {
        derivative_below_zero(((whole as u64) << 53) | (fraction >> 11), decay)
    } else {
        derivative_above_zero(((whole as u64) << 58) | (fraction >> 6), decay.fraction())
    }
}

backward! {
    /// The gradient of [`mish`](super::mish()): its derivative at `x`, `t + x (1 - t^2) sigmoid(x)`
    /// with `t = tanh(ln(1 + e^x))`, rounded; the product with `grad` is rounded again, in the same
    /// mode.
    ///
    /// The derivative is 3/5 at either zero, inexactly, 1 at +infinity and -0 at -infinity. A NaN
    /// in either operand gives the canonical NaN, and raises invalid if it signals. An infinite
    /// `grad` gives NaN and raises invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::mish_backward, bf16};
    /// let (zero, ten) = (bf16::from_bits(0x0000), bf16::from_bits(0x4120));
    /// let y = mish_backward(zero, ten, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x40C0); // 6, though 3/5 is rounded
    /// ```
    mish_backward, mish_backward_status, mish_backward_bits: derivative;
    ()
}
