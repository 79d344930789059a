//! The four IEEE-like formats whose types already exist, and two of them as integer types that hold
//! the bits.

use super::{Arithmetic, Format, Narrow, Sealed, Specials, bf16, f16};

macro_rules! bits_alone {
    ($name:ident, $float:literal, $bits:ident) => {
        #[doc = concat!(
            "`", $float, "` as its bits alone: the same format, in a type that no compiler knows \
             for a float.\n\nA compiler may turn integer operations on the bits of an `", $float,
            "` into float ones (a masked sign into `abs`), which on a GPU lose a NaN's payload. \
             There, this type stands in for it."
        )]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(transparent)]
        pub struct $name($bits);

        impl $name {
            /// The value of a code.
            #[inline]
            #[must_use]
            pub const fn from_bits(bits: $bits) -> Self {
                Self(bits)
            }

            /// The code.
            #[inline]
            #[must_use]
            pub const fn to_bits(self) -> $bits {
                self.0
            }
        }
    };
}

bits_alone!(Binary32, "f32", u32);
bits_alone!(Binary64, "f64", u64);

macro_rules! ieee_format {
    ($ty:ty, $name:literal, $bits:ty, precision $precision:literal, emax $emax:literal) => {
        impl Sealed for $ty {}
        impl Format for $ty {
            const NAME: &'static str = $name;
            const BITS: u32 = <$bits>::BITS;
            const PRECISION: u32 = $precision;
            const EMAX: i32 = $emax;
            const EMIN: i32 = 1 - $emax;
            const SPECIALS: Specials = Specials::Ieee;

            #[inline]
            fn to_bits(self) -> u64 {
                <$ty>::to_bits(self) as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                <$ty>::from_bits(bits as $bits)
            }
        }
    };
}

ieee_format!(f16, "f16", u16, precision 11, emax 15);
ieee_format!(bf16, "bf16", u16, precision 8, emax 127);
ieee_format!(f32, "f32", u32, precision 24, emax 127);
ieee_format!(f64, "f64", u64, precision 53, emax 1023);
ieee_format!(Binary32, "f32", u32, precision 24, emax 127);
ieee_format!(Binary64, "f64", u64, precision 53, emax 1023);

impl Arithmetic for f16 {}
impl Arithmetic for bf16 {}
impl Arithmetic for f32 {}
impl Arithmetic for Binary32 {}
impl Narrow for f16 {}
impl Narrow for bf16 {}
