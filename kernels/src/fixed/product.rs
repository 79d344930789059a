//! Upper halves of products, and polynomials by them.

/// `floor(a * b / 2^32)`.
#[inline]
pub(crate) const fn high(a: u32, b: u32) -> u32 {
    ((a as u64 * b as u64) >> 32) as u32
}

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

/// `c0 - z (c1 - z (c2 - ...))` for `z` in 2^-32, by truncated products: below 1 unit too large
/// or too small for each coefficient behind the first, times the power of `z` before it.
///
/// No partial result may be negative.
#[inline]
#[allow(clippy::indexing_slicing, reason = "the loop bounds the index")]
pub(crate) const fn alternating<const N: usize>(coefficients: &[u32; N], z: u32) -> u32 {
    let mut i = N - 1;
    let mut value = coefficients[i];
    while i > 0 {
        i -= 1;
        value = coefficients[i].wrapping_sub(high(z, value));
    }
    value
}

/// `c0 + z (c1 + z (c2 + ...))` likewise; no partial result may exceed the word.
#[inline]
#[allow(clippy::indexing_slicing, reason = "the loop bounds the index")]
pub(crate) const fn ascending<const N: usize>(coefficients: &[u32; N], z: u32) -> u32 {
    let mut i = N - 1;
    let mut value = coefficients[i];
    while i > 0 {
        i -= 1;
        value = coefficients[i].wrapping_add(high(z, value));
    }
    value
}

/// The square of `significand * 2^(exponent - 31)`, which is at most 1/2, in 2^-32, rounded down.
#[inline]
pub(crate) const fn square(significand: u32, exponent: i32) -> u32 {
    // significand^2 * 2^(2 exponent - 62 + 32) = high * 2^(2 exponent + 2)
    let shift = -2 * exponent - 2;
    if shift < 32 {
        high(significand, significand) >> shift
    } else {
        0
    }
}
