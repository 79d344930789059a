//! Products of words.
//!
//! A Cortex-M0 cannot multiply 32 by 32 bits to 64. There a product is made of four products of halves; the compiler's
//! runtime would multiply 64 by 64 bits, at twice the cost.

/// Whether the target is such a core: the Arm core without atomic operations.
const BY_HALVES: bool = cfg!(all(target_arch = "arm", not(target_has_atomic = "32")));

/// The product.
#[inline]
pub(crate) const fn mul_wide(a: u32, b: u32) -> u64 {
    if BY_HALVES {
        mul_by_halves(a, b)
    } else {
        a as u64 * b as u64
    }
}

/// The upper word of the product. For two fractions in units of 2^-32 this is their product,
/// truncated.
#[inline]
pub(crate) const fn mul_high(a: u32, b: u32) -> u32 {
    if BY_HALVES {
        (mul_by_halves(a, b) >> 32) as u32
    } else {
        ((a as u64 * b as u64) >> 32) as u32
    }
}

/// `a * b / 2^32`, rounded down.
#[inline]
pub(crate) const fn mul_high_signed(a: i32, b: i32) -> i32 {
    if BY_HALVES {
        // By how much a negative operand is too large when read as unsigned.
        let excess = (a & (b >> 31)).wrapping_add(b & (a >> 31));
        ((mul_by_halves(a as u32, b as u32) >> 32) as i32).wrapping_sub(excess)
    } else {
        ((a as i64 * b as i64) >> 32) as i32
    }
}

/// The product of signed words.
#[inline]
pub(crate) const fn mul_wide_signed(a: i32, b: i32) -> i64 {
    if BY_HALVES {
        (mul_high_signed(a, b) as i64) << 32 | a.wrapping_mul(b) as u32 as i64
    } else {
        a as i64 * b as i64
    }
}

/// The product, from 16-bit products.
const fn mul_by_halves(a: u32, b: u32) -> u64 {
    const LOWER: u32 = 0xFFFF;
    let (a1, a0, b1, b0) = (a >> 16, a & LOWER, b >> 16, b & LOWER);
    let outer = ((a1 * b1) as u64) << 32 | (a0 * b0) as u64;
    outer + (((a1 * b0) as u64) << 16) + (((a0 * b1) as u64) << 16)
}

/// The product of two normalised significands, normalised: its upper 32 bits, and whether the
/// product of the numbers in [1, 2) that they stand for is 2 or more.
#[inline]
pub(crate) const fn normalised_product(a: u32, b: u32) -> (u32, bool) {
    let product = mul_wide(a, b);
    let upper = (product >> 32) as u32;
    if upper >> 31 != 0 {
        (upper, true)
    } else {
        (upper << 1 | product as u32 >> 31, false)
    }
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

/// `a * b / 2^64`, at most 2 too small.
#[inline]
pub(crate) const fn mul_high_long(a: u64, b: u64) -> u64 {
    let (a1, a0, b1, b0) = (a >> 32, a & 0xFFFF_FFFF, b >> 32, b & 0xFFFF_FFFF);
    a1 * b1 + ((a1 * b0) >> 32) + ((a0 * b1) >> 32)
}

/// [`normalised_product`] with 64 bits, of which the last two may be wrong.
#[inline]
pub(crate) const fn normalised_product_long(a: u64, b: u64) -> (u64, bool) {
    let product = mul_high_long(a, b);
    if product >> 63 != 0 {
        (product, true)
    } else {
        (product << 1, false)
    }
}
