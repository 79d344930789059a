//! The reciprocal of a number from 1 up to 2.
//!
//! Method: Newton's iteration from a linear start: relative errors 2^-4, 2^-8.1, 2^-16.3, and in
//! the last step, whose rest is taken with 48 digits, 2^-32.6 and the truncation.

use super::series::mul_high;

/// `1 / (1 + f * 2^-32)` in units of 2^-32, 2^32 - 1 for 1: within 1.2 units for all else.
#[inline]
pub(crate) const fn reciprocal(f: u32) -> u32 {
    // 16/17 - 8/17 f has the least greatest relative error.
    let mut r = 0xF0F0_F0F0 - mul_high(f, 0x7878_7878);
    let mut step = 0;
    while step < 2 {
        // 1 - (1 + f) r, below 1/17 in magnitude; either sign.
        let rest = 0u32.wrapping_sub(r).wrapping_sub(mul_high(f, r)) as i32;
        let change = ((r >> 1) as i32 as i64 * rest as i64) >> 31;
        r = r.wrapping_add(change as u32);
        step += 1;
    }
    // Q46, below 2^-16.
    let rest = 0u64
        .wrapping_sub((r as u64) << 32)
        .wrapping_sub(f as u64 * r as u64) as i64
        >> 18;
    // Q33, to be rounded.
    let change = ((r >> 1) as i64 * rest) >> 44;
    let sum = (r as i64 + ((change + 1) >> 1)) as u64;
    if sum >> 32 == 0 { sum as u32 } else { u32::MAX }
}
