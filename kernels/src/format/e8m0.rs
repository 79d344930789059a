//! The scale type.

use super::code::byte_code;

byte_code! {
    /// An E8M0 scale of OCP Microscaling (MX) v1.0: `2^(code - 127)`, from 2^-127 (code `0x00`) to
    /// 2^127 (`0xFE`); code `0xFF` is NaN. It has no sign, no zero and no infinity.
    ///
    /// ```
    /// use bitexact::scale::E8M0;
    /// assert_eq!(E8M0::from_bits(127), E8M0::ONE);
    /// assert!(E8M0::NAN.is_nan());
    /// ```
    ///
    /// [A number](crate::format#numbers-in-a-byte): `==` and `<` compare values, and NaN is unequal
    /// to everything. The default is 1, which leaves values unchanged.
    E8M0, bits 8, bytes: Pod FromBytes
}

impl E8M0 {
    /// 2^-127, which as an f32 is subnormal.
    pub const MIN: Self = Self(0x00);
    /// 2^0.
    pub const ONE: Self = Self(0x7F);
    /// 2^127.
    pub const MAX: Self = Self(0xFE);
    /// The one NaN.
    pub const NAN: Self = Self(0xFF);

    /// Whether this is code `0xFF`.
    #[must_use]
    pub const fn is_nan(self) -> bool {
        self.0 == Self::NAN.0
    }

    /// The exponent of the power of two; for NaN it has no meaning.
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
