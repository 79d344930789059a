//! TF32.

use super::{Arithmetic, Format, Sealed, Specials};
use crate::Rounding;
use crate::arith::{compare, compare_quiet_equal, negate};
use crate::convert::{Text, convert, convert_bits};
use crate::round::Mode;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter, LowerExp, UpperExp};
use core::ops::Neg;

/// NVIDIA's TF32: 1 sign, 8 exponent and 10 fraction bits, with the range of `f32` and the
/// precision of `f16`.
///
/// The code is in the low 19 bits. As an `f32`, it is in the high bits, and the 13 low ones are 0:
/// [`to_f32`](Self::to_f32) gives that. PTX's `cvt.rna.tf32.f32` is [`from_f32`](Self::from_f32)
/// with ties to away, `cvt.rn` with ties to even. [`arith`](crate::arith) takes it (a tensor core's
/// product is `arith::fma::<TF32, TF32, f32, f32>`); [`math`](crate::math) does not. `==` and `<`
/// compare values.
///
/// ```
/// use bitexact::{Mode, format::TF32};
/// let x = TF32::from_f32(0.1, Mode::TIES_TO_AWAY);
/// assert_eq!(x.to_f32().to_bits(), 0x3DCC_C000);
/// ```
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct TF32(u32);

impl TF32 {
    /// The value of a code; bits above the low 19 are ignored.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & 0x7_FFFF)
    }

    /// The code.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// `x`, rounded once: [`convert`](crate::convert::convert()).
    #[inline]
    #[must_use]
    pub const fn from_f32(x: f32, mode: Mode) -> Self {
        Self(convert_bits::<f32, Self>(x.to_bits() as u64, mode).0 as u32)
    }

    /// The same value, and the same bits in the high 19; a NaN keeps its payload.
    #[inline]
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        f32::from_bits(self.0 << 13)
    }
}

impl Sealed for TF32 {}
impl Format for TF32 {
    const NAME: &'static str = "tf32";
    const BITS: u32 = 19;
    const PRECISION: u32 = 11;
    const EMAX: i32 = 127;
    const EMIN: i32 = -126;
    const SPECIALS: Specials = Specials::Ieee;

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
}
impl Arithmetic for TF32 {}

macro_rules! from {
    ($from:ident -> $($to:ident)*) => { $(
        /// The same value; NaN as the canonical NaN.
        impl From<$from> for $to {
            #[inline]
            fn from(x: $from) -> Self {
                convert(x, Mode::TIES_TO_EVEN)
            }
        }
    )* };
}
from!(TF32 -> f32 f64);

/// As IEEE 754's `compareQuietEqual`: +0 equals -0, and a NaN equals nothing.
impl PartialEq for TF32 {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        compare_quiet_equal(*self, *other)
    }
}

/// As [`compare`]: `None` where either is NaN.
impl PartialOrd for TF32 {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        compare(*self, *other)
    }
}

/// As [`negate`]: the sign bit flipped, also for a NaN.
impl Neg for TF32 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        negate(self)
    }
}

macro_rules! texts {
    ($($text:ident)*) => { $(
        /// The shortest decimal that round-trips; with a precision, the nearest one, ties to even.
        impl $text for TF32 {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $text::fmt(&Text::new(*self, Rounding::TiesToEven), f)
            }
        }
    )* };
}
texts!(Display LowerExp UpperExp);

/// The shortest decimal and the code.
impl Debug for TF32 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "TF32({self} = {:#07X})", self.0)
    }
}
