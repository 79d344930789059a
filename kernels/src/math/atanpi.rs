//! Arc tangent in half turns.
//!
//! Method: the arc tangent (`atan_ratio.rs`), with its polynomial's value times 1/pi.
//!
//! Exactness: the only rational tangents of rational angles are 0 and +-1 (after Niven), so the
//! exact results are 0, +-1/4 and, for infinities, +-1/2. Elsewhere the error is below 2^-28 of the
//! result. The exhaustive run verifies that no result is closer than that to a rounding boundary;
//! repeat it after changing a constant.
//!
//! Table: that of the arc tangent, 28 bytes. Generator: `constants/arctangent.py`.

use super::atan_ratio::Ratio;
use super::inverse_trig::{Arc, From};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn atanpi_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite => Ratio::new(x, Exact::<u32>::ONE).arc().half_turns(x.sign()),
        Kind::Infinite => Arc::<u32>::exactly(From::Quarter).half_turns(x.sign()),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    atanpi_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `atan(x) / pi`, correctly rounded (IEEE 754-2019 `atanPi`).
    ///
    /// Zeros give themselves, +-1 give +-1/4 and infinities +-1/2, exactly. NaN gives the canonical
    /// NaN; a signalling NaN also raises invalid. Small results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, Status, f16, math::atanpi_status};
    /// let (eighth, status) = atanpi_status(f16::from_bits(0xBC00), Mode::TIES_TO_EVEN); // -1
    /// assert_eq!((eighth.to_bits(), status), (0xB400, Status::NONE)); // -1/4
    /// ```
    atanpi, atanpi_status, atanpi_bits: round;
    <F: Narrow>(x: F) -> F
}
