//! The scale type.

/// An E8M0 scale of OCP Microscaling (MX) v1.0: `2^(code - 127)`, from 2^-127 (code `0x00`) to
/// 2^127 (`0xFE`); code `0xFF` is NaN. It has no sign, no zero and no infinity.
///
/// ```
/// use bitexact::scale::E8M0;
/// assert_eq!(E8M0::from_bits(127), E8M0::ONE);
/// assert!(E8M0::NAN.is_nan());
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
pub struct E8M0(u8);

impl E8M0 {
    /// 2^-127, which as an f32 is subnormal.
    pub const MIN: Self = Self(0x00);
    /// 2^0.
    pub const ONE: Self = Self(0x7F);
    /// 2^127.
    pub const MAX: Self = Self(0xFE);
    /// The one NaN.
    pub const NAN: Self = Self(0xFF);

    /// The scale of a code; every code is one.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The code.
    #[must_use]
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// Whether this is code `0xFF`.
    #[must_use]
    pub const fn is_nan(self) -> bool {
        self.0 == Self::NAN.0
    }

    /// The exponent of the power of two; of NaN, one that stands for nothing.
    pub(crate) const fn exponent(self) -> i32 {
        self.0 as i32 - 127
    }

    /// The reciprocal, which is exact: `2^-e` for `2^e`; NaN for NaN.
    ///
    /// ```
    /// use bitexact::scale::E8M0;
    /// assert_eq!(E8M0::MAX.reciprocal(), E8M0::MIN);
    /// ```
    #[must_use]
    pub const fn reciprocal(self) -> Self {
        if self.is_nan() {
            self
        } else {
            Self(Self::MAX.0 - self.0)
        }
    }
}
