//! Long division by 32-bit steps.
//!
//! A microcontroller has a 32-bit divide or none, and the 64-bit one of the compiler's runtime is
//! large. The divisors here have at most 24 bits, so each 32-bit division gives eight or more
//! quotient bits.

/// Quotient bits of one step. Together with the remainder, which is below the divisor and so below
/// 2^24, they fill a word.
const STEP: u32 = 8;

/// A divisor's top bit, which is always set. Setting it again shows the compiler that the divisor
/// is not zero, so that it links no panic.
const TOP: u32 = 1 << 23;

/// `(n * 2^(8 * steps) / d, whether that is inexact)` for `n < 2^24`, `2^23 <= d < 2^24`: the
/// truncated quotient has to fit 64 bits.
#[inline]
pub(crate) const fn divide(n: u32, d: u32, steps: u32) -> (u64, bool) {
    let d = d | TOP;
    let (mut quotient, mut rest) = ((n / d) as u64, n % d);
    let mut step = 0;
    while step < steps {
        let digits = rest << STEP;
        quotient = (quotient << STEP) | (digits / d) as u64;
        rest = digits % d;
        step += 1;
    }
    (quotient, rest != 0)
}

/// `(n * 2^shift % d, the low 32 bits of n * 2^shift / d)` for `n < 2^24`, `2^23 <= d < 2^24`.
#[inline]
pub(crate) const fn remainder(n: u32, d: u32, shift: u32) -> (u32, u32) {
    let d = d | TOP;
    let (mut quotient, mut rest) = (n / d, n % d);
    let mut left = shift;
    while left > 0 {
        let step = if left < STEP { left } else { STEP };
        let digits = rest << step;
        quotient = (quotient << step) | (digits / d);
        rest = digits % d;
        left -= step;
    }
    (rest, quotient)
}

/// `(n / d, whether that is inexact)` for `2^23 <= d < 2^24`.
#[inline]
pub(crate) const fn divide_long(n: u64, d: u32) -> (u64, bool) {
    let d = d | TOP;
    let (mut quotient, mut rest) = (0, 0);
    let mut left = u64::BITS;
    while left > 0 {
        left -= STEP;
        let digits = (rest << STEP) | (n >> left) as u32 & ((1 << STEP) - 1);
        quotient = (quotient << STEP) | (digits / d) as u64;
        rest = digits % d;
    }
    (quotient, rest != 0)
}
