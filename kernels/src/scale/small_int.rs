//! Integers of 2 and 4 bits, to be packed.

use crate::convert::to_int_status;
use crate::format::{Format, Sealed};
use crate::round::{Mode, Status};
use core::fmt::{self, Display, Formatter};

/// The integer does not fit the type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OutOfRange;

impl Display for OutOfRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the integer does not fit the type")
    }
}

impl core::error::Error for OutOfRange {}

macro_rules! small_int {
    ($(#[$doc:meta])* $ty:ident $byte:ident $bits:literal $min:literal $max:literal, $($wider:ident)*) => {
        $(#[$doc])*
        ///
        /// [`pack`](crate::scale::pack()) packs it. There is no arithmetic: [`get`](Self::get)
        /// gives an integer of Rust.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(transparent)]
        pub struct $ty($byte);

        impl $ty {
            /// The least value.
            pub const MIN: Self = Self($min);
            /// The largest value.
            pub const MAX: Self = Self($max);

            /// The value of a code, in two's complement; bits above the type's width are ignored.
            #[inline]
            #[must_use]
            pub const fn from_bits(bits: u8) -> Self {
                Self((bits << (8 - $bits)) as $byte >> (8 - $bits))
            }

            /// The code, in the low bits.
            #[inline]
            #[must_use]
            pub const fn to_bits(self) -> u8 {
                self.0 as u8 & (u8::MAX >> (8 - $bits))
            }

            /// The value.
            #[inline]
            #[must_use]
            pub const fn get(self) -> $byte {
                self.0
            }

            /// The nearest value: beyond the range, its end.
            #[inline]
            #[must_use]
            pub const fn saturating(n: i32) -> Self {
                if n < $min {
                    Self::MIN
                } else if n > $max {
                    Self::MAX
                } else {
                    Self(n as $byte)
                }
            }

            /// `x` rounded to an integer in the mode's direction: beyond the range its end, of NaN
            /// the largest value. The overflow rule of the mode is not used.
            #[inline]
            #[must_use]
            pub fn quantise<F: Format>(x: F, mode: Mode) -> Self {
                Self::quantise_status(x, mode).0
            }

            /// [`quantise`](Self::quantise) with its status: inexact where the result differs from
            /// `x`, invalid instead where the rounded `x` is out of range, as for
            /// [`to_int`](crate::convert::to_int()).
            #[inline]
            pub fn quantise_status<F: Format>(x: F, mode: Mode) -> (Self, Status) {
                let (n, status): (i32, _) = to_int_status(x, mode);
                let y = Self::saturating(n);
                if y.0 as i32 == n {
                    (y, status)
                } else {
                    (y, Status::INVALID)
                }
            }
        }

        impl Sealed for $ty {}

        impl Display for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(&self.0, f)
            }
        }

        impl TryFrom<i32> for $ty {
            type Error = OutOfRange;

            #[inline]
            fn try_from(n: i32) -> Result<Self, OutOfRange> {
                let x = Self::saturating(n);
                if x.0 as i32 == n { Ok(x) } else { Err(OutOfRange) }
            }
        }

        $(impl From<$ty> for $wider {
            #[inline]
            fn from(x: $ty) -> Self {
                x.0.into()
            }
        })*

        /// As its code, an integer.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $ty {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.to_bits())
            }
        }

        /// From a code; an integer that is not a code is an error.
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $ty {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bits = u8::deserialize(deserializer)?;
                let x = Self::from_bits(bits);
                if x.to_bits() == bits { Ok(x) } else { Err(serde::de::Error::custom(crate::format::CodeError)) }
            }
        }
    };
}

small_int! {
    /// A signed integer of 4 bits, from -8 to 7 (`int4` of `ml_dtypes`).
    ///
    /// ```
    /// use bitexact::{Mode, scale::{Int4, pack}};
    /// let x = [-8.0f32, 2.5, 100.0].map(|x| Int4::quantise(x, Mode::TIES_TO_EVEN));
    /// assert_eq!(x.map(Int4::get), [-8, 2, 7]);
    /// let mut bytes = [0; 2];
    /// pack(&x, &mut bytes)?;
    /// assert_eq!(bytes, [0x28, 0x07]);
    /// # Ok::<(), bitexact::scale::BlockError>(())
    /// ```
    Int4 i8 4 -8 7, i8 i16 i32 i64 f32 f64
}
small_int! {
    /// A signed integer of 2 bits, from -2 to 1 (`int2` of `ml_dtypes`).
    Int2 i8 2 -2 1, i8 i16 i32 i64 f32 f64
}
small_int! {
    /// An unsigned integer of 4 bits, from 0 to 15 (`uint4` of `ml_dtypes`).
    UInt4 u8 4 0 15, u8 u16 u32 u64 i16 i32 i64 f32 f64
}
