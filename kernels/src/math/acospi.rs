//! Arc cosine in half turns.
//!
//! Method: the arc cosine (`arc.rs`), its polynomial's value times 1/pi.
//!
//! Exactness: by Niven's theorem the rational results are those of 0, +-1/2 and +-1, and those of
//! +-1/2 are thirds; so the exact ones are 0, 1/2 and 1. Elsewhere the error is below 2^-28 of the
//! result, and that no result is nearer to a cut is shown by the exhaustive run: a constant
//! changed means running it again.
//!
//! Table: that of the arc sine, 28 bytes. Generator: `constants/arcsine.py`.

use super::arc::{Arc, From};
use super::asin::is_beyond_one;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

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
    /// `acos(x) / pi`, rounded once (IEEE 754-2019 `acosPi`).
    ///
    /// 1 gives +0, zeros 1/2 and -1 gives 1, exactly. Magnitudes above 1, infinities too: NaN and
    /// invalid. NaN gives the canonical NaN, and invalid where it signals.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::acospi};
    /// let x = f16::from_bits(0xB800); // -1/2
    /// assert_eq!(acospi(x, Mode::TIES_TO_EVEN).to_bits(), 0x3955); // 2/3
    /// ```
    acospi, acospi_status, acospi_bits;
    <F: Narrow>(x: F) -> F
}
