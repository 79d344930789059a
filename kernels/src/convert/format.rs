//! Format to format.

use super::buffer::decode;
use crate::Mode;
use crate::format::Format;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status, is_narrower, narrow_code};

#[inline(always)]
const fn round<A: Format, B: Format>(x: u64, rule: Rule) -> (u64, Status) {
    if is_narrower::<A, B>() {
        let (code, status) = narrow_code::<A, B>(x as u32, rule);
        (code as u64, status)
    } else if A::BITS > 32 {
        Exact::<u64>::decode::<A>(x).to_format::<B>(rule)
    } else {
        Exact::<u32>::decode::<A>(x as u32).to_format::<B>(rule)
    }
}

rounded! {
    /// `x` in another format, rounded once (IEEE 754-2019 `convertFormat`).
    ///
    /// Also from `f64`, without rounding to a format in between. Zeros keep their sign and
    /// infinities stay infinite (see [`Overflow`](crate::Overflow)). NaN gives the canonical NaN; a
    /// signalling NaN also raises invalid. Subnormals are kept on both sides.
    ///
    /// ```
    /// use bitexact::{bf16, convert::convert, f16, Mode};
    /// // One f64 ulp above the tie between 1 and the next f16.
    /// let x = 1.0 + 0.00048828125 + f64::EPSILON;
    /// let y: f16 = convert(x, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3C01);
    /// let z: bf16 = convert(1.0f32 / 3.0, Mode::TOWARD_ZERO);
    /// assert_eq!(z.to_bits(), 0x3EAA);
    /// ```
    convert, convert_status, convert_stochastic, convert_stochastic_status,
    convert_bits, convert_stochastic_bits: round;
    <A: Format, B: Format>(x: A) -> B
}

/// `x` in another format, if that holds it: nothing is rounded or saturated, an infinity stays one,
/// and every NaN becomes the canonical one.
pub(crate) fn exactly<A: Format, B: Format>(x: A) -> Option<B> {
    if decode(x).is_nan() {
        return B::NAN.map(B::from_bits);
    }
    let (y, status) = convert_status::<A, B>(x, Mode::TIES_TO_EVEN);
    (status == Status::NONE).then_some(y)
}
