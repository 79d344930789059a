//! The derivatives of sigmoid and silu, and what the backward kernels make of them.
//!
//! Method: with `E = e^-|x|` (`fixed/exp2.rs`, `fixed/reciprocal.rs`) sigmoid's derivative is
//! `E / (1 + E)^2`; silu's is `(1 + E (1 + x)) / (1 + E)^2`
//! for a positive x and `E (1 + E + x) / (1 + E)^2` for a negative one, which has a zero near
//! -1.278 that no operand comes within 2^-12 of. Near 0 silu's is `1/2 + x/2` less `x^3 / 12`.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes and `fixed/reciprocal.rs`'s 128; for silu's `fixed/exp_wide.rs`'s 144 of an exponential too. Constants: `constants/exp.py`.

use super::logistic::times;
use super::sigmoid::near_half;
use crate::fixed::{
    LOG2_OF_E, exp2, mul_high_wide, multiple, one_minus_exp_over, reciprocal, reciprocal_wide,
    reduce, split,
};
use crate::round::{Exact, Kind};

const QUARTER: Exact<u32> = Exact::<u32>::ONE.scale(-2);

/// `E / (1 + E)^2` of `E = 2^-(|x| factor)`, the factor in units of 2^-62.
#[inline]
const fn bell(x: Exact<u32>, factor: u64) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => return x,
        Kind::Infinite => return Exact::<u32>::zero(false),
        Kind::Zero => return QUARTER,
        Kind::Finite => {}
    }
    if x.exponent() < -7 {
        // Less than 1/4 by 2^-14 of it at most.
        return QUARTER.inward();
    }
    if x.exponent() >= 8 {
        return Exact::<u32>::TINY;
    }
    let power = exp2(-(multiple(x.significand(), x.exponent(), factor) as i64));
    let reciprocal = Exact::<u32>::inexact_word(false, reciprocal(power.below_one()), -32);
    let power = Exact::<u32>::normalised(false, power.exponent, power.significand());
    times(times(power, reciprocal), reciprocal)
}

/// The derivative of sigmoid.
pub(super) const fn slope_of_sigmoid(x: Exact<u32>) -> Exact<u32> {
    bell(x, LOG2_OF_E)
}

/// The derivative of silu.
pub(super) const fn slope_of_silu(x: Exact<u32>) -> Exact<u32> {
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    match x.kind() {
        Kind::Nan => return x,
        Kind::Infinite if sign => return Exact::<u32>::zero(true),
        Kind::Infinite => return Exact::<u32>::ONE,
        Kind::Zero => return Exact::<u32>::ONE.scale(-1),
        Kind::Finite => {}
    }
    if exponent < -7 {
        return near_half(sign, exponent + 1, significand);
    }
    if exponent >= 8 {
        return if sign {
            Exact::<u32>::TINY.negate_if(true)
        } else {
            Exact::<u32>::ABOVE_ONE
        };
    }
    if sign {
        slope_of_silu_below_zero(significand, exponent)
    } else {
        slope_of_silu_above_zero(significand, exponent)
    }
}

/// `(1 + E (1 + x)) / (1 + E)^2`.
const fn slope_of_silu_above_zero(significand: u32, exponent: i32) -> Exact<u32> {
    let power = exp2(-(multiple(significand, exponent, LOG2_OF_E) as i64));
    let reciprocal = Exact::<u32>::inexact_word(false, reciprocal(power.below_one()), -32);
    let power = Exact::<u32>::normalised(false, power.exponent, power.significand());
    // Units of 2^-32 and exact: there are 11 digits at most.
    let x = ((significand as u64) << 9) >> (8 - exponent);
    let product = times(Exact::<u32>::inexact(false, (1 << 32) + x, -32), power);
    // One more than the product, which is below 2.
    let places = -product.exponent();
    let product = if places < 64 {
        ((product.significand() as u64) << 30) >> places
    } else {
        0
    };
    let numerator = Exact::<u32>::inexact(false, (1 << 61) + product, -61);
    times(times(numerator, reciprocal), reciprocal)
}

/// `E (1 + E - |x|) / (1 + E)^2` with 60 digits, as the difference cancels, and an f16 operand
/// comes within 2^-31.2 of a cut.
const fn slope_of_silu_below_zero(significand: u32, exponent: i32) -> Exact<u32> {
    let Some((whole, fraction)) = split(significand as u64, exponent - 31) else {
        return Exact::<u32>::TINY.negate_if(true);
    };
    let (k, r) = reduce(whole, fraction);
    let power = u64::MAX - mul_high_wide(r, one_minus_exp_over(r));
    let e = if k < 64 { power >> k } else { 0 };
    let reciprocal = reciprocal_wide(e);
    // Units of 2^-55.
    let magnitude = ((whole as u64) << 55) | (fraction >> 9);
    let sum = (1 << 55) + (e >> 9);
    let difference = sum.abs_diff(magnitude);
    let zeros = difference.leading_zeros();
    let product = mul_high_wide(difference << zeros, power);
    let product = mul_high_wide(product, mul_high_wide(reciprocal, reciprocal));
    Exact::<u32>::inexact(magnitude > sum, product, -55 - (zeros + k) as i32)
}
