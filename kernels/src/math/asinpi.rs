//! Arc sine in half turns.
//!
//! Method: the arc sine (`arc.rs`), its polynomial's value times 1/pi.
//!
//! Exactness: by Niven's theorem the rational results are those of 0, +-1/2 and +-1, and that of
//! 1/2 is 1/6; so the exact ones are 0 and +-1/2. Elsewhere the error is below 2^-28 of the
//! result, and that no result is nearer to a cut is shown by the exhaustive run: a constant
//! changed means running it again.
//!
//! Table: that of the arc sine, 28 bytes. Generator: `constants/arcsine.py`.

use super::arc::Arc;
use super::asin::is_beyond_one;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

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
    /// `asin(x) / pi`, rounded once (IEEE 754-2019 `asinPi`).
    ///
    /// Zeros give themselves, +-1 give +-1/2 exactly. Magnitudes above 1, infinities too: NaN and
    /// invalid. NaN gives the canonical NaN, and invalid where it signals. Small results
    /// underflow.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::asinpi};
    /// let x = f16::from_bits(0x3800); // 1/2
    /// assert_eq!(asinpi(x, Mode::TIES_TO_EVEN).to_bits(), 0x3155); // 1/6
    /// ```
    asinpi, asinpi_status, asinpi_bits;
    <F: Narrow>(x: F) -> F
}
