//! Sine of half turns.
//!
//! Method: the fraction of a quarter turn is exact, then the polynomial of the sine or the cosine
//! (`fixed/sincos_quarter_turn.rs`).
//!
//! Exactness: by Niven's theorem the only rational sines of rational angles are 0, +-1/2 and +-1,
//! and +-1/2 are the sines of sixths, which no operand is. So only multiples of 1/2 have exact
//! results; their fraction is 0. Elsewhere the error is below 2^-29 of the result. The exhaustive
//! run verifies that no result is closer than that to a rounding boundary; repeat it after changing
//! a constant.
//!
//! Tables: 36 bytes of polynomials, which the family shares. Generator: `constants/quarter.py`.

use super::angle_reduction::Turns;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn sinpi_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite => Turns::from_half_turns(x).sine(),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    sinpi_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `sin(pi x)`, correctly rounded (IEEE 754-2019 `sinPi`).
    ///
    /// Integers, zeros too, give a zero of `x`'s sign. Infinities give NaN and raise invalid. NaN
    /// gives the canonical NaN; a signalling NaN also raises invalid. Small results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::sinpi};
    /// let x = f16::from_bits(0x3400); // 1/4
    /// assert_eq!(sinpi(x, Mode::TIES_TO_EVEN).to_bits(), 0x39A8); // 0.7071
    /// assert_eq!(sinpi(f16::from_bits(0xC000), Mode::TIES_TO_EVEN).to_bits(), 0x8000); // -2
    /// ```
    sinpi, sinpi_status, sinpi_bits: round;
    <F: Narrow>(x: F) -> F
}
