//! Arc cosine in half turns.
//!
//! Method: the arc cosine (`inverse_trig.rs`), its polynomial's value times 1/pi.
//!
//! Exactness: by Niven's theorem only 0, +-1/2 and +-1 have rational results, and those of +-1/2
//! are thirds. So the exact results are 0, 1/2 and 1. Elsewhere the error is below 2^-28 of the
//! result. The exhaustive run verifies that no result is closer than that to a rounding boundary;
//! repeat it after changing a constant.
//!
//! Table: that of the arc sine, 28 bytes. Generator: `constants/arcsine.py`.

use super::asin::is_beyond_one;
use super::inverse_trig::{Arc, From};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn acospi_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if is_beyond_one(x) => Exact::<u32>::nan(true),
        Kind::Finite => match Arc::<u32>::cosine(x) {
            Some(arc) => arc.half_turns(false),
            None => Exact::<u32>::zero(false),
        },
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero => Arc::<u32>::exactly(From::Quarter).half_turns(false),
        Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    acospi_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `acos(x) / pi`, correctly rounded (IEEE 754-2019 `acosPi`).
    ///
    /// 1 gives +0, zeros 1/2 and -1 gives 1, exactly. Magnitudes above 1, infinities included, give
    /// NaN and raise invalid. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::acospi};
    /// let x = f16::from_bits(0xB800); // -1/2
    /// assert_eq!(acospi(x, Mode::TIES_TO_EVEN).to_bits(), 0x3955); // 2/3
    /// ```
    acospi, acospi_status, acospi_bits: round;
    <F: Narrow>(x: F) -> F
}
