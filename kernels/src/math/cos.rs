//! Cosine.
//!
//! Method: as the sine (`sin.rs`), a quarter turn further.
//!
//! Exactness: the cosine of a rational number other than 0 is irrational. Below 2^-6 it is 1 minus
//! at most `x^2/2`, which is less than half a unit in the last of 11 bits below 1. Elsewhere the
//! error is below 2^-29 of the result. The exhaustive run verifies that no result is closer than
//! that to a rounding boundary; repeat it after changing a constant.
//!
//! Tables: those of the sine. Generators: `constants/two_over_pi.py`, `constants/quarter.py`.

use super::angle_reduction::Turns;
use super::sin::SMALL;
use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};
use crate::single;

pub(crate) const fn cos_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if x.exponent() < SMALL => Exact::<u32>::BELOW_ONE,
        Kind::Finite => Turns::from_radians(x).cosine(),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero => Exact::<u32>::ONE,
        Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        return single::cosine(x).to_format::<F>(rule);
    }
    cos_core(x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The cosine of `x` radians, correctly rounded (IEEE 754-2019 `cos`).
    ///
    /// Zeros give 1. Infinities give NaN and raise invalid. NaN gives the canonical NaN; a
    /// signalling NaN also raises invalid. The reduction is exact for every operand.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::cos};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(cos(x, Mode::TIES_TO_EVEN).to_bits(), 0x3853); // 0.5403
    /// ```
    cos, cos_status, cos_bits: round;
    <F: Arithmetic>(x: F) -> F
}
