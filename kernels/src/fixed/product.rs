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
