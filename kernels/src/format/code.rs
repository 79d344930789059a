//! A type of this crate that is a code in a byte.

/// Makes the type: its bits in and out, and the features' traits. `bytes:` says what `bytemuck` and
/// `zerocopy` may make of a byte: all of it is a code (`Pod FromBytes`), or its upper bits are clear
/// (`NoUninit FromZeros`).
macro_rules! byte_code {
    (
        $(#[$doc:meta])*
        $ty:ident, bits $bits:literal, bytes: $pod:ident $from_bytes:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(from = "u8", into = "u8"))]
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

        impl From<u8> for $ty {
            /// The value of a code; bits above the type's width are ignored.
            fn from(bits: u8) -> Self {
                Self::from_bits(bits)
            }
        }

        impl From<$ty> for u8 {
            fn from(x: $ty) -> Self {
                x.to_bits()
            }
        }
    };
}
pub(super) use byte_code;
