//! Cosine of half turns.
//!
//! Method: as `sinpi.rs`, a quarter turn on.
//!
//! Exactness: by Niven's theorem the exact results are 0 and +-1, at the multiples of 1/2 (+-1/2
//! belongs to thirds). Elsewhere the error is below 2^-29 of the result, and that no result is
//! nearer to a cut is shown by the exhaustive run: a constant changed means running it again.
//!
//! Tables: 36 bytes of polynomials, which the family shares. Generator: `constants/quarter.py`.

use super::turns::Turns;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

pub(crate) const fn cospi_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite => Turns::from_half_turns(x).cosine(),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero => Exact::<u32>::ONE,
        Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    cospi_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `cos(pi x)`, rounded once (IEEE 754-2019 `cosPi`).
    ///
    /// Zeros give 1, and every odd multiple of 1/2 gives +0. Infinities: NaN and invalid. NaN
    /// gives the canonical NaN, and invalid where it signals.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::cospi};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(cospi(x, Mode::TIES_TO_EVEN).to_bits(), 0xBC00); // -1
    /// assert_eq!(cospi(f16::from_bits(0xBE00), Mode::TIES_TO_EVEN).to_bits(), 0); // -1.5
    /// ```
    cospi, cospi_status, cospi_bits;
    <F: Narrow>(x: F) -> F
}
