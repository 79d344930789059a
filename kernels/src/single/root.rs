//! rsqrt: `1 / sqrt(x)`.
//!
//! Method: with `x = m * 2^2k`, `m` an integer of 25 or 26 bits, the largest y with `y^2 m <= 2^84`,
//! which has 30 bits: from a square root and a quotient of words, then put right by exact products.
//! It is exact for a power of four only; everywhere else the sticky bit is set, so that no bound is
//! needed: the worst case found is 2^-29.2 of a gap (0x3855B7BD). Table: that of `fixed/sqrt.rs`.

use crate::fixed::square_root_64;
use crate::round::{Exact, Kind};

/// Whether `y^2 m` is at most 2^84.
#[inline]
const fn fits(y: u64, m: u64) -> bool {
    (y * y) as u128 * m as u128 <= 1 << 84
}

/// The reciprocal of the square root.
#[inline]
pub(crate) const fn rsqrt(x: Exact<u32>) -> Exact<u64> {
    match x.kind() {
        Kind::Nan => return x.widen(),
        Kind::Zero => return Exact::<u64>::pole(x.sign()),
        _ if x.sign() => return Exact::<u64>::nan(true),
        Kind::Infinite => return Exact::<u64>::zero(false),
        Kind::Finite => {}
    }
    let odd = x.exponent() & 1;
    let half = (x.exponent() - odd) >> 1;
    if odd == 0 && x.significand() == Exact::<u32>::TOP {
        return Exact::<u64>::normalised(false, -half, Exact::<u64>::TOP);
    }
    // x = m * 2^(2 half - 24).
    let m = (x.significand() >> 7 << odd) as u64;
    // The top bit is set; setting it again shows the compiler that the root is not zero.
    let root = square_root_64(m << 38) | 1 << 31;
    let mut y = (1 << 61) / root as u64;
    while !fits(y, m) {
        y -= 1;
    }
    while fits(y + 1, m) {
        y += 1;
    }
    // y / 2^42 * 2^(12 - half)
    Exact::<u64>::from_integer(false, y << 1 | 1, -half - 31)
}
