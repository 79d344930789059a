//! MX's INT8 element.

/// An MXINT8 element of OCP Microscaling (MX) v1.0: `n * 2^-6` for `n` from -128 to 127, in two's
/// complement. It has no negative zero, no infinity and no NaN.
///
/// The specification lets `0x80`, -2, stay unused, for symmetry:
/// [`mxint8_encode_symmetric`](super::mxint8_encode_symmetric) never makes it.
///
/// ```
/// use bitexact::{Mode, scale::{self, MxInt8}};
/// let largest: f32 = scale::mxint8_decode(MxInt8::MAX, Mode::TIES_TO_EVEN);
/// assert_eq!(largest, 1.984375);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Zeroable, bytemuck::Pod))]
#[cfg_attr(
    feature = "zerocopy",
    derive(
        zerocopy::FromBytes,
        zerocopy::IntoBytes,
        zerocopy::Immutable,
        zerocopy::KnownLayout
    )
)]
#[repr(transparent)]
pub struct MxInt8(u8);

impl MxInt8 {
    /// -2, the element that symmetric conversions leave out.
    pub const MIN: Self = Self(0x80);
    /// 127/64.
    pub const MAX: Self = Self(0x7F);

    /// The element of a code; every code is one.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The code.
    #[must_use]
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// The integer `n`.
    #[must_use]
    pub const fn to_integer(self) -> i8 {
        self.0 as i8
    }
}
