//! MX's INT8 element.

use super::code::byte_code;

byte_code! {
    /// An MXINT8 element of OCP Microscaling (MX) v1.0: `n * 2^-6` for `n` from -128 to 127, in two's
    /// complement. It has no negative zero, no infinity and no NaN.
    ///
    /// The specification lets `0x80`, -2, stay unused, for symmetry:
    /// [`mxint8_encode_symmetric`](crate::scale::mxint8_encode_symmetric) never makes it.
    ///
    /// ```
    /// use bitexact::{Mode, scale::{self, MxInt8}};
    /// let largest: f32 = scale::mxint8_decode(MxInt8::MAX, Mode::TIES_TO_EVEN);
    /// assert_eq!(largest, 1.984375);
    /// ```
    MxInt8, bits 8, bytes: Pod FromBytes
}

impl MxInt8 {
    /// -2, the element that symmetric conversions leave out.
    pub const MIN: Self = Self(0x80);
    /// 127/64.
    pub const MAX: Self = Self(0x7F);

    /// The integer `n`.
    #[must_use]
    pub const fn to_integer(self) -> i8 {
        self.0 as i8
    }
}
