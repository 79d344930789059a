//! The four IEEE-like formats whose types exist already.

use super::{Arithmetic, Format, Narrow, Sealed, Specials, bf16, f16};

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

impl Arithmetic for f16 {}
impl Arithmetic for bf16 {}
impl Arithmetic for f32 {}
impl Narrow for f16 {}
impl Narrow for bf16 {}
