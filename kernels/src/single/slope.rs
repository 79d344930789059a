//! The derivatives of tanh, sigmoid, silu, gelu and `gelu_tanh`.
//!
//! Method: with `E = e^-|v|`, that of the logistic function is `E / (1 + E)^2`, and that of tanh at
//! x four times this at 2 x. A ramp `x s(v(x))` with the logistic function s has
//! `E (1 + E - x v') / (1 + E)^2` at `-|x|`, and 1 less that at `|x|`; gelu has
//! `e^(-a^2/2) (T - a / sqrt(2 pi))` at -a, with T of `erfc.rs`. Near 0, silu's is
//! `1 / 2 + (t + (1 - t^2) x / 2) / 2` with `t = tanh(x / 2)` in 127 fraction bits, since
//! `1 / 2 + x / 2` is a rounding boundary for many operands, and the value within 2^-78 of it.
//!
//! Error: 2^-58 relative. Of magnitudes from 2^-15 to 2^9, the results nearest to a rounding
//! boundary are within 2^-57.8 of one (tanh and sigmoid, at 0.0015 and 0.0029), and of the others
//! 2^-54.6. The differences have an absolute error of 2^-61, which counts near their zeros: the
//! smallest result of an operand is 2^-28.4 at silu's, -1.27846, and 2^-27.7 at those of gelu and
//! `gelu_tanh`, -0.75179 and -0.75246; all operands around them have been compared with the oracle.
//! That of `gelu_tanh` at -10 is 2^-54, less nearer to 0. Other than at 0 and at infinities, no
//! derivative of a number is rational.
//!
//! Tables: those of `fixed/exp_wide.rs`, 300 bytes, and of `erfc.rs`.

use super::erfc::left_of_gelu;
use super::exponential::{NEAR_ZERO, SMALL, TINY, decay, gelu_argument, tanh_of_middle};
use super::wide::{fraction, normalised_product};
use crate::fixed::{Decay, mul_high_wide, reciprocal_wide, split};
use crate::round::{Exact, Kind};

/// `E / (1 + E)^2` as its significand and exponent.
#[inline]
const fn bell(decay: Decay) -> (u64, i32) {
    let reciprocal = reciprocal_wide(decay.fraction()) | 1 << 63;
    let (square, carries) = normalised_product(reciprocal, reciprocal);
    let (product, more) = normalised_product(decay.power, square);
    let exponent = -3 - decay.k as i32 + carries as i32 + more as i32;
    (product, exponent)
}

/// The derivative of the logistic function.
#[inline]
pub(crate) const fn sigmoid_slope(x: Exact<u32>) -> Exact<u64> {
    let value = match x.kind() {
        Kind::Nan => x,
        Kind::Infinite => Exact::<u32>::zero(false),
        Kind::Zero => Exact::<u32>::ONE.scale(-2),
        // `1 / 4 - x^2 / 16`
        Kind::Finite if x.exponent() < SMALL => Exact::<u32>::BELOW_ONE.scale(-2),
        Kind::Finite => match decay(x.widen().significand(), x.exponent()) {
            Some(decay) => {
                let (significand, exponent) = bell(decay);
                return Exact::<u64>::jammed(false, exponent, significand);
            }
            None => Exact::<u32>::TINY,
        },
    };
    value.widen()
}

/// The derivative of the hyperbolic tangent.
#[inline]
pub(crate) const fn tanh_slope(x: Exact<u32>) -> Exact<u64> {
    let finite = x.is_finite_nonzero();
    let slope = sigmoid_slope(if finite { x.scale(1) } else { x });
    match slope.kind() {
        Kind::Finite => slope.scale(2),
        _ => slope,
    }
}

/// The derivative of a ramp, which falls below 0 and rises above 1, for operands that are not of
/// moderate size: near 0 it is next to 1/2, on the side of x's sign; from 2^`far` on it is next to
/// the asymptote.
#[inline]
const fn end_of_slope(x: Exact<u32>, far: i32) -> Option<Exact<u64>> {
    let value = match (x.kind(), x.sign()) {
        (Kind::Nan, _) => x,
        (Kind::Infinite, true) => Exact::<u32>::zero(true),
        (Kind::Infinite, false) => Exact::<u32>::ONE,
        (Kind::Zero, _) => Exact::<u32>::HALF,
        (Kind::Finite, true) if x.exponent() >= far => Exact::<u32>::TINY.negate_if(true),
        (Kind::Finite, false) if x.exponent() >= far => Exact::<u32>::ABOVE_ONE,
        (Kind::Finite, true) if x.exponent() < TINY - 2 => Exact::<u32>::HALF.inward(),
        (Kind::Finite, false) if x.exponent() < TINY - 2 => Exact::<u32>::HALF.outward(),
        (Kind::Finite, _) => return None,
    };
    Some(value.widen())
}

/// A ramp's derivative from its value at `-|x|`: that value, or 1 less it.
#[inline]
const fn mirrored(negative: bool, left: Exact<u64>) -> Exact<u64> {
    if negative {
        return left;
    }
    // In 2^-127, at least the least unit.
    let places = -left.exponent();
    let rest = if places < 126 {
        (left.significand() as u128) << 64 >> places
    } else {
        1
    };
    let one = 1 << 127;
    let sum = if left.sign() { one + rest } else { one - rest };
    Exact::<u64>::inexact_wide(false, sum, -127)
}

/// `E (1 + E - steep) / (1 + E)^2` for `steep = |x v'|` in 2^-64.
#[inline]
const fn left_of_ramp(decay: Decay, steep: u128) -> Exact<u64> {
    let sum = (1 << 64) + decay.fraction() as u128;
    let factor = Exact::<u64>::inexact_wide(steep > sum, sum.abs_diff(steep) | 1, -64);
    let (slope, exponent) = bell(decay);
    let (product, carries) = normalised_product(slope, factor.significand());
    let exponent = exponent + factor.exponent() + carries as i32;
    Exact::<u64>::jammed(factor.sign(), exponent, product)
}

/// The derivative of silu.
#[inline]
pub(crate) const fn silu_slope(x: Exact<u32>) -> Exact<u64> {
    if let Some(value) = end_of_slope(x, 7) {
        return value;
    }
    let (exponent, significand) = (x.exponent(), x.widen().significand());
    if exponent < NEAR_ZERO {
        let tangent = tanh_of_middle(x.scale(-1));
        let t = fraction(tangent.significand(), tangent.exponent());
        // In 2^-127: a quarter of x, and of x t^2.
        let quarter = (significand as u128) << 62 >> -exponent;
        let less = (significand as u128 * mul_high_wide(t, t) as u128) >> (2 - exponent);
        let half_tangent = (tangent.significand() as u128) << 63 >> -tangent.exponent();
        let part = half_tangent + quarter - less;
        let half = 1 << 126;
        let sum = if x.sign() { half - part } else { half + part };
        return Exact::<u64>::inexact_wide(false, sum, -127);
    }
    let Some((whole, part)) = split(significand, exponent - 63) else {
        return x.widen();
    };
    let steep = (whole as u128) << 64 | part as u128;
    mirrored(x.sign(), left_of_ramp(Decay::of((whole, part)), steep))
}

/// The derivative of `gelu_tanh`.
#[inline]
pub(crate) const fn gelu_tanh_slope(x: Exact<u32>) -> Exact<u64> {
    if let Some(value) = end_of_slope(x, 4) {
        return value;
    }
    let (linear, cubic) = gelu_argument(x);
    let exponent = x.exponent();
    // In 2^(exponent - 90).
    let v = x.significand() as u128 * (linear + cubic) as u128;
    let steep = x.significand() as u128 * (linear as u128 + 3 * cubic as u128);
    let zeros = v.leading_zeros();
    let unit = exponent - 90 + 64 - zeros as i32;
    let Some(parts) = split((v << zeros >> 64) as u64, unit) else {
        return x.widen();
    };
    // 2^-64 is more than the unit.
    let steep = steep >> (26 - exponent);
    mirrored(x.sign(), left_of_ramp(Decay::of(parts), steep))
}

/// The derivative of gelu.
#[inline]
pub(crate) const fn gelu_slope(x: Exact<u32>) -> Exact<u64> {
    match end_of_slope(x, 4) {
        Some(value) => value,
        None => mirrored(x.sign(), left_of_gelu(x)),
    }
}
