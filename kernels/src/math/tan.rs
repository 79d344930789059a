//! Tangent.
//!
//! Method: as the sine (`sin.rs`), then the quotient of sine and cosine, or of cosine and sine
//! (`fixed/quotient.rs`).
//!
//! Exactness: the tangent of a rational number but 0 is irrational. Below 2^-6 it is `x` and
//! `x^3/3` or little more, which is less than half the last of 11 digits. Elsewhere the error is
//! below 2^-28 of the result, and that no result is nearer to a cut is shown by the exhaustive
//! run: a constant changed means running it again.
//!
//! Tables: those of the sine. Generators: `constants/two_over_pi.py`, `constants/quarter.py`.

use super::sin::SMALL;
use super::turns::Turns;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

pub(crate) const fn tan_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if x.exponent() < SMALL => x.outward(),
        Kind::Finite => Turns::from_radians(x).tangent(),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    tan_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The tangent of `x` radians, rounded once (IEEE 754-2019 `tan`).
    ///
    /// Zeros give themselves. Infinities: NaN and invalid. NaN gives the canonical NaN, and
    /// invalid where it signals. Subnormal results underflow; no operand comes near enough to a
    /// pole to overflow, and the reduction is exact for every one.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::tan};
    /// let x = bf16::from_bits(0x3F80); // 1
    /// assert_eq!(tan(x, Mode::TIES_TO_EVEN).to_bits(), 0x3FC7); // 1.557
    /// ```
    tan, tan_status, tan_bits;
    <F: Narrow>(x: F) -> F
}
