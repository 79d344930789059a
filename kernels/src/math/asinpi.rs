//! Arc sine in half turns.
//!
//! Method: the arc sine (`inverse_trig.rs`), its polynomial's value times 1/pi.
//!
//! Exactness: by Niven's theorem only 0, +-1/2 and +-1 have rational results, and that of 1/2 is
//! 1/6. So the exact results are 0 and +-1/2. Elsewhere the error is below 2^-28 of the result. The
//! exhaustive run verifies that no result is closer than that to a rounding boundary; repeat it
//! after changing a constant.
//!
//! Table: that of the arc sine, 28 bytes. Generator: `constants/arcsine.py`.

use super::asin::is_beyond_one;
use super::inverse_trig::Arc;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

pub(crate) const fn asinpi_core(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite if is_beyond_one(x) => Exact::<u32>::nan(true),
        Kind::Finite => Arc::<u32>::sine(x).half_turns(x.sign()),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero | Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    asinpi_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `asin(x) / pi`, correctly rounded (IEEE 754-2019 `asinPi`).
    ///
    /// Zeros give themselves, +-1 give +-1/2 exactly. Magnitudes above 1, infinities included, give
    /// NaN and raise invalid. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    /// Small results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::asinpi};
    /// let x = f16::from_bits(0x3800); // 1/2
    /// assert_eq!(asinpi(x, Mode::TIES_TO_EVEN).to_bits(), 0x3155); // 1/6
    /// ```
    asinpi, asinpi_status, asinpi_bits: round;
    <F: Narrow>(x: F) -> F
}
