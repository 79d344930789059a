//! `arbitrary`: any code, from as many bytes as it has.

use super::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0, MxInt8,
};
use crate::format::{Binary32, Binary64, Format, TF32};
use crate::rounded::{ModeType, Rounded};
use crate::{Mode, Overflow, Rounding};
use arbitrary::{Arbitrary, Result, Unstructured};

macro_rules! codes {
    ($($ty:ident $bits:ident)*) => { $(
        /// Every code.
        impl<'a> Arbitrary<'a> for $ty {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                $bits::arbitrary(u).map(Self::from_bits)
            }

            fn size_hint(depth: usize) -> (usize, Option<usize>) {
                $bits::size_hint(depth)
            }
        }
    )* };
}
codes! {
    E5M2 u8 E4M3FN u8 E5M2FNUZ u8 E4M3FNUZ u8 E4M3 u8 E3M4 u8 E4M3B11FNUZ u8 E2M3 u8 E3M2 u8 E2M1 u8 E8M0 u8 MxInt8 u8
    Binary32 u32 Binary64 u64 TF32 u32
}

/// Every code.
impl<'a, F: Format, M: ModeType> Arbitrary<'a> for Rounded<F, M> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut code = 0;
        for _ in 0..F::BITS.div_ceil(8) {
            code = code << 8 | u64::from(u8::arbitrary(u)?);
        }
        Ok(Self::new(F::from_bits(code)))
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        let bytes = F::BITS.div_ceil(8) as usize;
        (bytes, Some(bytes))
    }
}

macro_rules! choices {
    ($($ty:ident)*) => { $(
        /// Every value.
        impl<'a> Arbitrary<'a> for $ty {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                u.choose(&Self::ALL).copied()
            }
        }
    )* };
}
choices!(Rounding Overflow);

/// Every direction with every overflow rule.
impl<'a> Arbitrary<'a> for Mode {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(Rounding::arbitrary(u)?, Overflow::arbitrary(u)?))
    }
}
