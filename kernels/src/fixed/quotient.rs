//! Quotients, by divisions of 32 bits.

macro_rules! quotient {
    ($name:ident, $w:ty) => {
        /// `floor(n / d * 2^BITS)` for `n < d < 2^16`, `d`'s 16th digit set: 16 digits a step.
        #[inline]
        pub(crate) const fn $name(n: u32, d: u32) -> $w {
            let d = d | 1 << 15;
            let (mut quotient, mut rest): ($w, u32) = (0, n);
            let mut left = <$w>::BITS;
            while left > 0 {
                quotient = (quotient << 16) | ((rest << 16) / d) as $w;
                rest = (rest << 16) % d;
                left -= 16;
            }
            quotient
        }
    };
}

quotient!(quotient, u32);
quotient!(quotient_long, u64);

/// The quotient of two normalised significands, normalised and truncated, and whether that of
/// the numbers in [1, 2) that they stand for is 1 or more. In that case the dividend's last
/// digit is not looked at.
#[inline]
pub(crate) const fn normalised_quotient(n: u32, d: u32) -> (u32, bool) {
    let carries = n >= d;
    let (upper, rest) = step(if carries { n >> 1 } else { n }, d);
    let (lower, _) = step(rest, d);
    ((upper << 16) | lower, carries)
}

/// `(floor(n * 2^16 / d), the rest)` for `n < d` and `d`'s top bit set.
///
/// The divisor of the machine's division is too large by at most one part in 2^15, so that it
/// falls short of the true digits by at most 3, which the rest shows.
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
