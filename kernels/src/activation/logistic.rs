//! The logistic function of an exponent to base 2, and gated linear units built on it.
//!
//! Method: with `E = 2^-t`, `1 / (1 + E)` or `E / (1 + E)`: nothing cancels in either, and each
//! keeps its relative accuracy however small it is.

use crate::fixed::{exp2, normalised_product, reciprocal};
use crate::round::Exact;

/// `1 / (1 + 2^-t)`, or with `-t` instead of t where `negative`; `t > 0` in units of 2^-32.
/// Inexact.
#[inline]
pub(super) const fn logistic(negative: bool, t: u64) -> Exact<u32> {
    let power = exp2(!t as i64);
    let reciprocal = reciprocal(power.below_one()) | Exact::<u32>::TOP;
    if negative {
        let (product, carries) = normalised_product(power.significand(), reciprocal);
        Exact::<u32>::jammed(false, (product, power.exponent - 1 + carries as i32))
    } else {
        Exact::<u32>::jammed(false, (reciprocal, -1))
    }
}

/// `x * factor` of a finite non-zero operand and an inexact factor, in `Exact<u32>`'s bits.
#[inline]
pub(super) const fn times(x: Exact<u32>, factor: Exact<u32>) -> Exact<u32> {
    let (product, carries) = normalised_product(x.significand(), factor.significand());
    let exponent = x.exponent() + factor.exponent() + carries as i32;
    Exact::<u32>::jammed(x.sign() != factor.sign(), (product, exponent))
}

/// `x` times a factor that is slightly more than 1/2 where x is positive, otherwise slightly less.
#[inline]
pub(super) const fn about_half(x: Exact<u32>) -> Exact<u32> {
    let half = x.scale(-1);
    if x.sign() {
        half.inward()
    } else {
        half.outward()
    }
}

/// `x` times a factor between 0 and 1 that is next to 1 where x is positive, and next to 0 where it
/// is negative.
#[inline]
pub(super) const fn saturated(x: Exact<u32>) -> Exact<u32> {
    if x.sign() {
        Exact::<u32>::TINY.negate_if(true)
    } else {
        x.inward()
    }
}
