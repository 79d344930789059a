//! What the derivatives of smooth activations share.
//!
//! Each is an exponential times a factor. Where that factor has a zero, the sum that forms it has
//! 52 fraction bits. No operand has a derivative below 2^-17 there, so at least 34 bits are left;
//! elsewhere 50 are. The minimum distance of any of them to a rounding boundary is 2^-31.3 (silu at
//! -4.71875 in f16), and near the zeros 2^-27. For a positive operand, a derivative that rises from
//! 0 to 1 is 1 minus that at the negated operand.

use super::logistic::times;
use crate::fixed::{
    Decay, LOG2_OF_E, exp2, mul_high_wide, multiple, reciprocal, reciprocal_wide, split,
};
use crate::round::{Exact, Kind};

/// `4 E / (1 + E)^2` for `E = 2^-(|x| factor)`, with the factor in units of 2^-62: a bell of height
/// 1.
#[inline]
pub(crate) const fn bell(x: Exact<u32>, factor: u64) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => return x,
        Kind::Infinite => return Exact::<u32>::zero(false),
        Kind::Zero => return Exact::<u32>::ONE,
        Kind::Finite => {}
    }
    if x.exponent() < -7 {
        // Less than 1 by 2^-14 at most.
        return Exact::<u32>::BELOW_ONE;
    }
    if x.exponent() >= 8 {
        return Exact::<u32>::TINY;
    }
    let power = exp2(-(multiple(x.significand(), x.exponent(), factor) as i64));
    let reciprocal = Exact::<u32>::inexact_word(false, reciprocal(power.below_one()), -32);
    let power = Exact::<u32>::normalised(false, power.exponent + 2, power.significand());
    times(times(power, reciprocal), reciprocal)
}

/// The derivative of sigmoid, a quarter of a bell.
pub(super) const fn slope_of_sigmoid(x: Exact<u32>) -> Exact<u32> {
    let bell = bell(x, LOG2_OF_E);
    if bell.is_finite_nonzero() {
        bell.scale(-2)
    } else {
        bell
    }
}

/// The derivative of a ramp, `x s(v(x))` with a step s, whose derivative falls below 0 and rises
/// above 1, for operands that are not of moderate size: near 0 it is next to 1/2, on the side of
/// x's sign; from 2^`far` on it is next to the asymptote.
#[inline]
pub(super) const fn end_of_ramp(x: Exact<u32>, far: i32) -> Option<Exact<u32>> {
    Some(match (x.kind(), x.sign()) {
        (Kind::Nan, _) => x,
        (Kind::Infinite, true) => Exact::<u32>::zero(true),
        (Kind::Infinite, false) => Exact::<u32>::ONE,
        (Kind::Zero, _) => Exact::<u32>::HALF,
        (Kind::Finite, true) if x.exponent() >= far => Exact::<u32>::TINY.negate_if(true),
        (Kind::Finite, false) if x.exponent() >= far => Exact::<u32>::ABOVE_ONE,
        // There is no other rounding boundary within 2^-15 of 1/2.
        (Kind::Finite, true) if x.exponent() < -16 => Exact::<u32>::HALF.inward(),
        (Kind::Finite, false) if x.exponent() < -16 => Exact::<u32>::HALF.outward(),
        (Kind::Finite, _) => return None,
    })
}

/// A derivative from its value at `-|x|`, which is less than 1 in magnitude: that value, or 1 minus
/// it.
#[inline]
pub(super) const fn mirrored(negative: bool, left: Exact<u64>) -> Exact<u32> {
    if negative {
        return left.narrow();
    }
    let places = -left.exponent();
    let rest = if places < 64 {
        left.significand() >> places
    } else {
        0
    };
    // The remaining bits are truncated.
    let sum = if left.sign() {
        (1 << 63) + rest
    } else {
        (1 << 63) - rest - 1
    };
    Exact::<u32>::inexact(false, sum, -63)
}

/// `E (1 + E - steep) / (1 + E)^2`, the derivative of `x s(v(x))` at `-|x|` with the logistic
/// function s, for `E = e^-|v|` and `steep = |x| v'`, in units of 2^-53.
#[inline]
pub(super) const fn left_of_ramp(decay: Decay, steep: u64) -> Exact<u64> {
    let e = decay.fraction();
    let reciprocal = reciprocal_wide(e);
    let sum = (1 << 53) + (e >> 11);
    // No operand gives 0.
    let difference = sum.abs_diff(steep) | 1;
    let zeros = difference.leading_zeros();
    let product = mul_high_wide(difference << zeros, decay.power);
    let product = mul_high_wide(product, mul_high_wide(reciprocal, reciprocal));
    let unit = -53 - (zeros + decay.k) as i32;
    Exact::<u64>::from_integer(steep > sum, product | 1, unit)
}

/// `1 / (1 + e^-y)` for a non-zero `y = magnitude * 2^unit` with the given sign.
#[inline]
pub(super) const fn logistic_wide(negative: bool, magnitude: u64, unit: i32) -> Exact<u32> {
    let exponent = unit + 63 - magnitude.leading_zeros() as i32;
    if exponent < -40 {
        return if negative {
            Exact::<u32>::HALF.inward()
        } else {
            Exact::<u32>::HALF.outward()
        };
    }
    let left = match split(magnitude, unit) {
        Some(parts) => {
            let decay = Decay::of(parts);
            let product = mul_high_wide(decay.power, reciprocal_wide(decay.fraction()));
            Exact::<u64>::from_integer(false, product | 1, -64 - decay.k as i32)
        }
        None => Exact::<u32>::TINY.widen(),
    };
    mirrored(negative, left)
}

/// `a * e^-y` for a non-zero `y = magnitude * 2^unit`.
#[inline]
pub(super) const fn decaying(a: Exact<u64>, magnitude: u64, unit: i32) -> Exact<u32> {
    match split(magnitude, unit) {
        Some(parts) => {
            let decay = Decay::of(parts);
            let product = mul_high_wide(a.significand(), decay.power);
            let unit = a.exponent() - 63 - decay.k as i32;
            Exact::<u64>::from_integer(a.sign(), product | 1, unit).narrow()
        }
        None => Exact::<u32>::TINY.negate_if(a.sign()),
    }
}
