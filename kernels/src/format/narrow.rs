//! Formats narrower than 16 bits: one code in a byte.
//!
//! With `bytemuck` or `zerocopy`, every byte is a value of the 8-bit ones; the 4-bit and 6-bit ones
//! need the upper bits clear, so a byte is converted by `from_bits` or `TryFrom`.

use super::code::byte_code;
use super::{Arithmetic, Format, Narrow, Sealed, Specials};

macro_rules! narrow_format {
    (
        $(#[$doc:meta])*
        $ty:ident, $name:literal, bits $bits:literal, precision $precision:literal,
        emin $emin:literal, emax $emax:literal, $specials:ident, bytes: $pod:ident $from_bytes:ident
    ) => {
        byte_code! {
            $(#[$doc])*
            ///
            /// [A number](crate::format#numbers-in-a-byte): `==` and `<` compare values.
            #[derive(Default)]
            $ty, bits $bits, bytes: $pod $from_bytes
        }

        impl Sealed for $ty {}
        impl Format for $ty {
            const NAME: &'static str = $name;
            const BITS: u32 = $bits;
            const PRECISION: u32 = $precision;
            const EMAX: i32 = $emax;
            const EMIN: i32 = $emin;
            const SPECIALS: Specials = Specials::$specials;

            #[inline]
            fn to_bits(self) -> u64 {
                self.to_bits() as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                Self::from_bits(bits as u8)
            }
        }
        impl Arithmetic for $ty {}
        impl Narrow for $ty {}
    };
}

narrow_format! {
    /// OCP FP8 E5M2: 1 sign, 5 exponent and 2 fraction bits, with infinities and NaNs as in IEEE
    /// 754. Largest finite value 57344 (`0x7B`), canonical NaN `0x7E`.
    E5M2, "e5m2", bits 8, precision 3, emin -14, emax 15, Ieee, bytes: Pod FromBytes
}
narrow_format! {
    /// OCP FP8 E4M3 ("fn"): no infinity, NaN `0x7F` and `0xFF`. Largest finite value 448
    /// (`0x7E`), smallest subnormal 2^-9.
    E4M3FN, "e4m3fn", bits 8, precision 4, emin -6, emax 8, FiniteNan, bytes: Pod FromBytes
}
narrow_format! {
    /// FP8 E5M2 "fnuz": bias 16, no infinity, no negative zero, one NaN `0x80`. Largest finite
    /// value 57344 (`0x7F`), smallest subnormal 2^-17.
    E5M2FNUZ, "e5m2fnuz", bits 8, precision 3, emin -15, emax 15, Fnuz, bytes: Pod FromBytes
}
narrow_format! {
    /// FP8 E4M3 "fnuz": bias 8, no infinity, no negative zero, one NaN `0x80`. Largest finite
    /// value 240 (`0x7F`), smallest subnormal 2^-10.
    E4M3FNUZ, "e4m3fnuz", bits 8, precision 4, emin -7, emax 7, Fnuz, bytes: Pod FromBytes
}
narrow_format! {
    /// FP8 E4M3 as in IEEE 754 (`float8_e4m3` of `ml_dtypes`): with infinities, and NaNs of which
    /// the canonical one is `0x7C`. Largest finite value 240 (`0x77`), smallest subnormal 2^-9.
    E4M3, "e4m3", bits 8, precision 4, emin -6, emax 7, Ieee, bytes: Pod FromBytes
}
narrow_format! {
    /// FP8 E3M4 as in IEEE 754 (`float8_e3m4` of `ml_dtypes`): with infinities, and NaNs of which
    /// the canonical one is `0x78`. Largest finite value 15.5 (`0x6F`), smallest subnormal 2^-6.
    E3M4, "e3m4", bits 8, precision 5, emin -2, emax 3, Ieee, bytes: Pod FromBytes
}
narrow_format! {
    /// FP8 E4M3 "b11fnuz": bias 11, no infinity, no negative zero, one NaN `0x80`. Largest finite
    /// value 30 (`0x7F`), smallest subnormal 2^-13.
    E4M3B11FNUZ, "e4m3b11fnuz", bits 8, precision 4, emin -10, emax 4, Fnuz, bytes: Pod FromBytes
}
narrow_format! {
    /// OCP FP6 E2M3: 1 sign, 2 exponent and 3 fraction bits, neither infinity nor NaN. Largest
    /// value 7.5 (`0x1F`), smallest subnormal 0.125. Where a result would be NaN it is 7.5, with
    /// invalid. The code is in the low six bits of the byte.
    E2M3, "e2m3", bits 6, precision 4, emin 0, emax 2, FiniteOnly, bytes: NoUninit FromZeros
}
narrow_format! {
    /// OCP FP6 E3M2: 1 sign, 3 exponent and 2 fraction bits, neither infinity nor NaN. Largest
    /// value 28 (`0x1F`), smallest subnormal 2^-4. Where a result would be NaN it is 28, with
    /// invalid. The code is in the low six bits of the byte.
    E3M2, "e3m2", bits 6, precision 3, emin -2, emax 4, FiniteOnly, bytes: NoUninit FromZeros
}
narrow_format! {
    /// OCP FP4 E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; neither infinity nor NaN.
    /// Where a result would be NaN it is 6 (code `0x7`), with invalid, as in PTX's `cvt.satfinite`.
    /// The code is in the low four bits of the byte.
    E2M1, "e2m1", bits 4, precision 2, emin 0, emax 2, FiniteOnly, bytes: NoUninit FromZeros
}
