//! Tangent.
//!
//! Method: as the sine (`sin.rs`), then the quotient of sine and cosine, or of cosine and sine
//! (`fixed/divide_normalised.rs`).
//!
//! Exactness: the tangent of a rational number other than 0 is irrational. Below 2^-6 it is `x`
//! plus `x^3/3` or slightly more, which is less than half a unit in the last of 11 bits. Elsewhere
//! the error is below 2^-28 of the result. The exhaustive run verifies that no result is closer
//! than that to a rounding boundary; repeat it after changing a constant.
//!
//! Tables: those of the sine. Generators: `constants/two_over_pi.py`, `constants/quarter.py`.

use super::angle_reduction::Turns;
use super::sin::SMALL;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

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
    /// The tangent of `x` radians, correctly rounded (IEEE 754-2019 `tan`).
    ///
    /// Zeros give themselves. Infinities give NaN and raise invalid. NaN gives the canonical NaN; a
    /// signalling NaN also raises invalid. Subnormal results underflow; no operand is close enough
    /// to a pole to overflow. The reduction is exact for every operand.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::tan};
    /// let x = bf16::from_bits(0x3F80); // 1
    /// assert_eq!(tan(x, Mode::TIES_TO_EVEN).to_bits(), 0x3FC7); // 1.557
    /// ```
    tan, tan_status, tan_bits: round;
    <F: Narrow>(x: F) -> F
}
