//! Arc sine.
//!
//! Method: `arc.rs`: a minimax polynomial up to 1/2 (`fixed/arcsine.rs`), beyond that of
//! `sqrt((1 - x) / 2)`.
//!
//! Exactness: the sine of a rational number but 0 is irrational, so every result but 0 is
//! inexact. Below 2^-6 it is `x` and `x^3/6` or little more, which is less than half the last of
//! 11 digits. Elsewhere the error is below 2^-28 of the result, and that no result is nearer to a
//! cut is shown by the exhaustive run: a constant changed means running it again.
//!
//! Table: 28 bytes, shared with the arc cosine. Generator: `constants/arcsine.py`.

use super::arc::Arc;
use super::sin::SMALL;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

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
    /// The arc sine of `x` in radians, rounded once (IEEE 754-2019 `asin`).
    ///
    /// Zeros give themselves. Magnitudes above 1, infinities too: NaN and invalid. NaN gives the
    /// canonical NaN, and invalid where it signals. Subnormal results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::asin};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(asin(x, Mode::TIES_TO_EVEN).to_bits(), 0x3E48); // pi/2
    /// ```
    asin, asin_status, asin_bits;
    <F: Narrow>(x: F) -> F
}
