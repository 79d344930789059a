//! Products of normalised significands.

use super::series::mul_high;

/// The product of two normalised significands, normalised: its upper 32 digits, and whether the
/// product of the numbers in [1, 2) that they stand for is 2 or more.
#[inline]
pub(crate) const fn normalised_product(a: u32, b: u32) -> (u32, bool) {
    let product = a as u64 * b as u64;
    let carries = product >> 63 != 0;
    let upper = if carries {
        product >> 32
    } else {
        product >> 31
    };
    (upper as u32, carries)
}

/// The square of `significand * 2^(exponent - 31)`, which is at most 1/2, in 2^-32, rounded down.
#[inline]
pub(crate) const fn square(significand: u32, exponent: i32) -> u32 {
    // significand^2 * 2^(2 exponent - 62 + 32) = high * 2^(2 exponent + 2)
    let shift = -2 * exponent - 2;
    if shift < 32 {
        mul_high(significand, significand) >> shift
    } else {
        0
    }
}

/// `a * b / 2^64`, less by at most 2.
#[inline]
pub(crate) const fn mul_high_long(a: u64, b: u64) -> u64 {
    let (a1, a0, b1, b0) = (a >> 32, a & 0xFFFF_FFFF, b >> 32, b & 0xFFFF_FFFF);
    a1 * b1 + ((a1 * b0) >> 32) + ((a0 * b1) >> 32)
}

/// [`normalised_product`] with 64 digits, of which the last two are not certain.
#[inline]
pub(crate) const fn normalised_product_long(a: u64, b: u64) -> (u64, bool) {
    let product = mul_high_long(a, b);
    if product >> 63 != 0 {
        (product, true)
    } else {
        (product << 1, false)
    }
}

/// `a * b / 2^32`, rounded down.
#[inline]
pub(crate) const fn mul_high_signed(a: i32, b: i32) -> i32 {
    ((a as i64 * b as i64) >> 32) as i32
}
