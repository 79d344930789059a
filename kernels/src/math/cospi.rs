//! Cosine of half turns.
//!
//! Method: as in `sinpi.rs`, a quarter turn further.
//!
//! Exactness: by Niven's theorem the exact results are 0 and +-1, at the multiples of 1/2 (+-1/2
//! belongs to thirds). Elsewhere the error is below 2^-29 of the result. The exhaustive run
//! verifies that no result is closer than that to a rounding boundary; repeat it after changing a
//! constant.
//!
//! Tables: 36 bytes of polynomials, which the family shares. Generator: `constants/quarter.py`.

use super::angle_reduction::Turns;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

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
    /// `cos(pi x)`, correctly rounded (IEEE 754-2019 `cosPi`).
    ///
    /// Zeros give 1, and every odd multiple of 1/2 gives +0. Infinities give NaN and raise invalid.
    /// NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::cospi};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(cospi(x, Mode::TIES_TO_EVEN).to_bits(), 0xBC00); // -1
    /// assert_eq!(cospi(f16::from_bits(0xBE00), Mode::TIES_TO_EVEN).to_bits(), 0); // -1.5
    /// ```
    cospi, cospi_status, cospi_bits: round;
    <F: Narrow>(x: F) -> F
}
