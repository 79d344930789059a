//! Tangent of half turns.
//!
//! Method: as `sinpi.rs`, then the quotient of sine and cosine, or of cosine and sine
//! (`fixed/divide_normalised.rs`).
//!
//! Exactness: the only rational tangents of rational angles are 0 and +-1 (after Niven), at the
//! multiples of 1/4. Elsewhere the error is below 2^-28 of the result. The exhaustive run verifies
//! that no result is closer than that to a rounding boundary; repeat it after changing a constant.
//!
//! Tables: 36 bytes of polynomials, which the family shares. Generator: `constants/quarter.py`.

use super::angle_reduction::Turns;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn tanpi_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite => Turns::from_half_turns(x).tangent(),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    tanpi_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `tan(pi x)`, correctly rounded (IEEE 754-2019 `tanPi`).
    ///
    /// Zeros give themselves. An even integer gives a zero of `x`'s sign, an odd one a zero of the
    /// other sign. At `n + 1/2` there is a pole: infinity and divide by zero, positive for even `n`
    /// and negative for odd `n`. Infinities give NaN and raise invalid. NaN gives the canonical
    /// NaN; a signalling NaN also raises invalid. Small results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, Status, f16, math::tanpi_status};
    /// let (pole, status) = tanpi_status(f16::from_bits(0xB800), Mode::TIES_TO_EVEN); // -1/2
    /// assert_eq!(pole.to_bits(), 0xFC00);
    /// assert_eq!(status, Status::DIVIDE_BY_ZERO);
    /// ```
    tanpi, tanpi_status, tanpi_bits: round;
    <F: Narrow>(x: F) -> F
}
