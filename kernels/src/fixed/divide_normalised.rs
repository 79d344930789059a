//! Quotients, by divisions of 32 bits.

macro_rules! quotient {
    ($name:ident, $w:ty) => {
        /// `floor(n / d * 2^BITS)` for `n < d < 2^16` with bit 15 of `d` set, in steps of 16 bits.
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

/// The quotient of two normalised significands, normalised and truncated, and whether the quotient
/// of the numbers in [1, 2) that they stand for is at least 1. In that case the dividend's last bit
/// is ignored.
#[inline]
pub(crate) const fn normalised_quotient(n: u32, d: u32) -> (u32, bool) {
    let carries = n >= d;
    let (upper, rest) = step(if carries { n >> 1 } else { n }, d);
    let (lower, _) = step(rest, d);
    ((upper << 16) | lower, carries)
}

/// `(floor(n * 2^16 / d), the remainder)` for `n < d` with the top bit of `d` set.
///
/// The divisor that the machine divides by is too large by at most one part in 2^15, so the
/// estimate is at most 3 below the true quotient; the remainder shows by how much.
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
