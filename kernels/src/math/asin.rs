//! Arc sine.
//!
//! Method: `inverse_trig.rs`: a minimax polynomial up to 1/2 (`fixed/arcsine.rs`); beyond that the
//! arc sine of `sqrt((1 - x) / 2)`.
//!
//! Exactness: the sine of a rational number other than 0 is irrational, so every result except 0 is
//! inexact. Below 2^-6 it is `x` plus `x^3/6` or slightly more, which is less than half a unit in
//! the last of 11 bits. Elsewhere the error is below 2^-28 of the result. The exhaustive run
//! verifies that no result is closer than that to a rounding boundary; repeat it after changing a
//! constant.
//!
//! Table: 28 bytes, shared with the arc cosine. Generator: `constants/arcsine.py`.

use super::inverse_trig::Arc;
use super::sin::SMALL;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// Whether a finite value's magnitude is above 1.
#[inline]
pub(super) const fn is_beyond_one(x: Exact<u32>) -> bool {
    x.exponent() > 0 || (x.exponent() == 0 && x.significand() != 1 << 31)
}

pub(crate) const fn asin_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if x.exponent() < SMALL => x.outward(),
        Kind::Finite if is_beyond_one(x) => Exact::<u32>::nan(true),
        Kind::Finite => Arc::<u32>::sine(x).radians(x.sign()),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    asin_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The arc sine of `x` in radians, correctly rounded (IEEE 754-2019 `asin`).
    ///
    /// Zeros give themselves. Magnitudes above 1, infinities included, give NaN and raise invalid.
    /// NaN gives the canonical NaN; a signalling NaN also raises invalid. Subnormal results
    /// underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::asin};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(asin(x, Mode::TIES_TO_EVEN).to_bits(), 0x3E48); // pi/2
    /// ```
    asin, asin_status, asin_bits: round;
    <F: Narrow>(x: F) -> F
}
