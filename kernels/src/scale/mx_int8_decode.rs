//! MXINT8 element to number.

use super::MxInt8;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

/// The exact value of an element.
pub(super) const fn exact(element: MxInt8) -> Exact<u32> {
    let n = element.to_integer();
    Exact::<u32>::from_integer(n < 0, n.unsigned_abs() as u32, -6)
}

const fn round<F: Format>(element: u64, rule: Rule) -> (u64, Status) {
    exact(MxInt8::from_bits(element as u8)).to_format::<F>(rule)
}

rounded! {
    /// The value of an MXINT8 element, rounded once to `F`.
    ///
    /// Exact in `f64`, `f32`, `bf16` and `f16`. Zero gives +0.
    ///
    /// ```
    /// use bitexact::{Mode, scale::{self, MxInt8}};
    /// let least: f32 = scale::mxint8_decode(MxInt8::MIN, Mode::TIES_TO_EVEN);
    /// assert_eq!(least, -2.0);
    /// ```
    mxint8_decode, mxint8_decode_status, mxint8_decode_stochastic,
    mxint8_decode_stochastic_status,
    mxint8_decode_bits, mxint8_decode_stochastic_bits: round;
    <F: Format>(element: MxInt8) -> F
}
