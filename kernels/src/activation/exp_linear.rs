//! `alpha * (e^-y - 1)` for a positive y to 60 bits, which elu and celu share.

use crate::fixed::{Decay, mul_high_wide, one_minus_exp_over, reduce, split};
use crate::round::Exact;

/// `a * (1 - e^-y)`, inexact; `a` is a sign and a 64-bit significand.
///
/// `y = magnitude * 2^unit`. Where `1 - e^-y` is near y, `first` is `a * y` in the same form, so
/// that the product does not lose bits of y.
#[inline]
pub(super) const fn saturating(
    a: Exact<u64>,
    magnitude: u64,
    unit: i32,
    first: Exact<u64>,
) -> Exact<u64> {
    let (whole, fraction) = match split(magnitude, unit) {
        // 1 - e^-y is within 2^-92 of 1.
        Some((64.., _)) | None => return times_fraction(a, u64::MAX),
        Some(parts) => parts,
    };
    if let (0, r) = reduce(whole, fraction) {
        return times_fraction(first, one_minus_exp_over(r));
    }
    let power = Decay::of((whole, fraction)).fraction();
    times_fraction(a, u64::MAX - power)
}

/// A value times a fraction in units of 2^-64, slightly decreased: inexact.
#[inline]
const fn times_fraction(a: Exact<u64>, fraction: u64) -> Exact<u64> {
    let product = mul_high_wide(a.significand(), fraction);
    Exact::<u64>::from_integer(a.sign(), product | 1, a.exponent() - 63)
}
