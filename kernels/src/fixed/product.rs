//! Products of words.
//!
//! A Cortex-M0 cannot multiply 32 by 32 bits to 64. There a product is made of four products of
//! halves; the compiler's runtime would multiply 64 by 64 bits, at twice the cost.

/// Whether the target is such a core: the Arm core without atomic operations.
const BY_HALVES: bool = cfg!(all(target_arch = "arm", not(target_has_atomic = "32")));
/// The lower half of a word.
const LOWER: u32 = 0xFFFF;

/// The product.
#[inline]
pub(crate) const fn mul_wide(a: u32, b: u32) -> u64 {
    if BY_HALVES {
        (mul_high(a, b) as u64) << 32 | a.wrapping_mul(b) as u64
    } else {
        a as u64 * b as u64
    }
}

/// The upper word of the product. For two fractions in units of 2^-32 this is their product,
/// truncated.
#[inline]
pub(crate) const fn mul_high(a: u32, b: u32) -> u32 {
    if BY_HALVES {
        let (a1, a0, b1, b0) = (a >> 16, a & LOWER, b >> 16, b & LOWER);
        // By additions without a carry, LLVM recognises the product and calls the runtime for it.
        let (middle, carry) = (a0 * b1 + ((a0 * b0) >> 16)).overflowing_add(a1 * b0);
        a1 * b1 + (middle >> 16) + ((carry as u32) << 16)
    } else {
        ((a as u64 * b as u64) >> 32) as u32
    }
}

/// The upper word of a product of operands up to 2^31, so that the sum of the products in the
/// middle fits a word.
#[inline]
pub(crate) const fn mul_high_31(a: u32, b: u32) -> u32 {
    debug_assert!(a <= 1 << 31 && b <= 1 << 31);
    if BY_HALVES {
        let (a1, a0, b1, b0) = (a >> 16, a & LOWER, b >> 16, b & LOWER);
        a1 * b1 + ((a1 * b0 + a0 * b1 + ((a0 * b0) >> 16)) >> 16)
    } else {
        mul_high(a, b)
    }
}

/// The same of a `b` with at most 16 bits, the lower half of which is 0.
#[inline]
pub(crate) const fn mul_high_short(a: u32, b: u32) -> u32 {
    debug_assert!(b & LOWER == 0);
    if BY_HALVES {
        let b = b >> 16;
        (a >> 16) * b + (((a & LOWER) * b) >> 16)
    } else {
        mul_high(a, b)
    }
}

/// `a * b / 2^32`, rounded down.
#[inline]
pub(crate) const fn mul_high_signed(a: i32, b: i32) -> i32 {
    if BY_HALVES {
        let (a1, a0, b1, b0) = (a >> 16, a as u32 & LOWER, b >> 16, b as u32 & LOWER);
        let upper = a1 * b0 as i32 + ((a0 * b0) >> 16) as i32;
        let lower = a0 as i32 * b1 + (upper as u32 & LOWER) as i32;
        a1 * b1 + (upper >> 16) + (lower >> 16)
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
