//! A square root of 32 digits.

use super::square_root_normal;

/// The square root of `n * 2^-62` for `n` in `[2^62, 2^64)`, 2^-31: below the exact one by less
/// than 3 units, or above it by less than 1; exact where it has 16 digits.
///
/// 16 digits at once, the others by Newton's step from there: the rest over twice the root.
#[inline]
pub(crate) const fn square_root_64(n: u64) -> u32 {
    let (upper, lower) = ((n >> 32) as u32, n as u32);
    // Its top digit is set; said again so that no division by zero survives compilation.
    let root = square_root_normal(upper).0 | 0x8000;
    let rest = upper - root * root;
    let step = ((rest << 15) | (lower >> 17)) / root;
    (root << 16) | if step > 0xFFFF { 0xFFFF } else { step }
}
