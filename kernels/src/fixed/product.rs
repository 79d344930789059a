//! Upper halves of products.

/// `a * b / 2^32`, truncated.
#[inline]
pub(crate) const fn high_product(a: u32, b: u32) -> u32 {
    ((a as u64 * b as u64) >> 32) as u32
}

/// `a * b / 2^32`, rounded down.
#[inline]
pub(crate) const fn high_product_signed(a: i32, b: i32) -> i32 {
    ((a as i64 * b as i64) >> 32) as i32
}
