//! Words of 64 and 128 bits as `Exact`.

use crate::fixed::mul_high_wide;
use crate::round::Exact;

impl Exact<u64> {
    /// `magnitude * 2^unit`, inexact, normalised to 64 bits; the magnitude is not zero.
    #[inline]
    pub(super) const fn inexact_wide(sign: bool, magnitude: u128, unit: i32) -> Self {
        let zeros = magnitude.leading_zeros();
        let significand = (magnitude << zeros >> 64) as u64;
        Self::normalised(sign, unit + 127 - zeros as i32, significand | 1)
    }

    /// The product of two significands with their top bits set, one of them of 32 bits, times
    /// `2^unit`; inexact.
    #[inline]
    pub(crate) const fn inexact_product(sign: bool, a: u32, b: u64, unit: i32) -> Self {
        Self::inexact_wide(sign, a as u128 * b as u128, unit)
    }

    /// The value, where it is finite and not zero, with its sticky bit set.
    #[inline]
    pub(crate) const fn jammed(sign: bool, exponent: i32, significand: u64) -> Self {
        Self::normalised(sign, exponent, significand | 1)
    }
}

/// `a * b` for `a` with its top bit set and `b` of at least 2^63: the upper word, normalised, and
/// whether the product of the numbers in [1, 2) that they stand for is 2 or more.
#[inline]
pub(super) const fn normalised_product(a: u64, b: u64) -> (u64, bool) {
    let product = mul_high_wide(a, b);
    if product >> 63 != 0 {
        (product, true)
    } else {
        (product << 1, false)
    }
}

/// A magnitude `significand * 2^(exponent - 63)`, its top bit set, in units of 2^-64, truncated,
/// where it is below 1.
#[inline]
pub(super) const fn fraction(significand: u64, exponent: i32) -> u64 {
    let places = -1 - exponent;
    if places < 64 {
        significand >> places
    } else {
        0
    }
}
