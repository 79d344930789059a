//! Arc cosine.
//!
//! Method: `inverse_trig.rs`: `pi/2` minus the arc sine up to 1/2; beyond that twice the arc sine
//! of `sqrt((1 - |x|) / 2)`, or `pi` minus that.
//!
//! Exactness: the cosine of a rational number other than 0 is irrational, so every result except
//! that of 1 is inexact. The error is below 2^-28 of the result. The exhaustive run verifies that
//! no result is closer than that to a rounding boundary; repeat it after changing a constant.
//!
//! Table: that of the arc sine. Generator: `constants/arcsine.py`.

use super::asin::is_beyond_one;
use super::inverse_trig::{Arc, From};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn acos_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if is_beyond_one(x) => Exact::<u32>::nan(true),
        Kind::Finite => match Arc::<u32>::cosine(x) {
            Some(arc) => arc.radians(false),
            None => Exact::<u32>::zero(false),
        },
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero => Arc::<u32>::exactly(From::Quarter).radians(false),
        Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    acos_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The arc cosine of `x` in radians, from 0 to pi, correctly rounded (IEEE 754-2019 `acos`).
    ///
    /// 1 gives +0, exactly. Magnitudes above 1, infinities included, give NaN and raise invalid.
    /// NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::acos};
    /// let x = bf16::from_bits(0xBF80); // -1
    /// assert_eq!(acos(x, Mode::TIES_TO_EVEN).to_bits(), 0x4049); // pi
    /// ```
    acos, acos_status, acos_bits: round;
    <F: Narrow>(x: F) -> F
}
