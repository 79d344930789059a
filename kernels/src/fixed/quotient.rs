//! Quotients of two words, by two divisions of a word by half a word.

/// `floor(n * 2^32 / d)` for `n < d` and `d`'s top bit set.
///
/// Each step takes 16 digits by a divisor that is too large by at most one part in 2^15, and so
/// falls short of the true digits by at most 3, which the rest shows.
#[inline]
pub(crate) const fn quotient(n: u32, d: u32) -> u32 {
    let (upper, rest) = step(n, d);
    let (lower, _) = step(rest, d);
    (upper << 16) | lower
}

/// `(floor(n * 2^16 / d), the rest)`.
#[inline]
const fn step(n: u32, d: u32) -> (u32, u32) {
    // n 2^16 / d - n / half = n (2^16 half - d) / (d half) <= 2^16 / half < 2
    let half = (d >> 16) + 1;
    let mut digits = n / half;
    let mut rest = ((n as u64) << 16) - digits as u64 * d as u64;
    while rest >= d as u64 {
        rest -= d as u64;
        digits += 1;
    }
    (digits, rest as u32)
}

/// The quotient of two normalised significands, normalised and truncated, and whether that of
/// the numbers in [1, 2) that they stand for is 1 or more. In that case the dividend's last
/// digit is not looked at.
#[inline]
pub(crate) const fn normalised_quotient(n: u32, d: u32) -> (u32, bool) {
    if n >= d {
        (quotient(n >> 1, d), true)
    } else {
        (quotient(n, d), false)
    }
}

/// `floor(n * 2^64 / d)` for `n < d < 2^16`.
#[inline]
pub(crate) const fn quotient_long(n: u32, d: u32) -> u64 {
    let (mut quotient, mut rest) = (0u64, n);
    let mut step = 0;
    while step < 4 {
        quotient = (quotient << 16) | ((rest << 16) / d) as u64;
        rest = (rest << 16) % d;
        step += 1;
    }
    quotient
}
