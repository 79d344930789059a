//! A type of this crate that is a code in a byte.

/// Defines the type, its conversion from and to bits, and the features' traits; its behaviour as a
/// number is in `number`. `bytes:` names the traits of `bytemuck` and `zerocopy`: every byte is a
/// code (`Pod FromBytes`), or the upper bits are clear (`NoUninit FromZeros`).
macro_rules! byte_code {
    (
        $(#[$doc:meta])*
        $ty:ident, bits $bits:literal, bytes: $pod:ident $from_bytes:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[cfg_attr(feature = "bytemuck", derive(bytemuck::Zeroable, bytemuck::$pod))]
        #[cfg_attr(
            feature = "zerocopy",
            derive(zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout, zerocopy::$from_bytes)
        )]
        #[repr(transparent)]
        pub struct $ty(u8);

        impl $ty {
            /// The value of a code; bits above the type's width are ignored.
            #[must_use]
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits & (u8::MAX >> (8 - $bits)))
            }

            /// The code.
            #[must_use]
            pub const fn to_bits(self) -> u8 {
                self.0
            }
        }

        /// As its code, an integer.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $ty {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.0)
            }
        }

        /// From a code; an integer that is not a code is an error.
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $ty {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bits = u8::deserialize(deserializer)?;
                let x = Self::from_bits(bits);
                if x.0 == bits {
                    Ok(x)
                } else {
                    Err(serde::de::Error::custom(crate::format::CodeError))
                }
            }
        }
    };
}
pub(super) use byte_code;
