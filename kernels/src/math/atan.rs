//! Arc tangent.
//!
//! Method: `atan_ratio.rs`: a minimax polynomial of `x`, of `(x - 1) / (x + 1)` or of `1 / x`
//! (`fixed/arctangent.rs`).
//!
//! Exactness: the tangent of a rational number other than 0 is irrational, so every result except 0
//! is inexact. Below 2^-6 it is `x` minus `x^3/3` or slightly less, which is less than half a unit
//! in the last of 11 bits. Elsewhere the error is below 2^-28 of the result. The exhaustive run
//! verifies that no result is closer than that to a rounding boundary; repeat it after changing a
//! constant.
//!
//! Table: 28 bytes, shared with `atanpi`. Generator: `constants/arctangent.py`.

use super::atan_ratio::Ratio;
use super::inverse_trig::{Arc, From};
use super::sin::SMALL;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn atan_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if x.exponent() < SMALL => x.inward(),
        Kind::Finite => Ratio::new(x, Exact::<u32>::ONE).arc().radians(x.sign()),
        Kind::Infinite => Arc::<u32>::exactly(From::Quarter).radians(x.sign()),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    atan_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The arc tangent of `x` in radians, correctly rounded (IEEE 754-2019 `atan`).
    ///
    /// Zeros give themselves, infinities `pi/2` with their sign (rounded, so inexact). NaN gives
    /// the canonical NaN; a signalling NaN also raises invalid. Subnormal results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::atan};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(atan(x, Mode::TIES_TO_EVEN).to_bits(), 0x3A48); // pi/4
    /// ```
    atan, atan_status, atan_bits: round;
    <F: Narrow>(x: F) -> F
}
