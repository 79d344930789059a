//! Constants and methods as on `half`'s types; all functions are `const`.

use super::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0, MxInt8,
    for_floats,
};
use crate::Mode;
use crate::arith::{
    Class, abs_bits, classify_bits, copy_sign_bits, is_finite_bits, is_infinite_bits, is_nan_bits,
    is_normal_bits, is_sign_minus_bits, total_order_bits,
};
use crate::convert::convert_bits;
use crate::format::Format;
use crate::scale::{ScalePolicy, decode_bits, encode_bits, mxint8_decode_bits, mxint8_encode_bits};
use core::cmp::Ordering;
use core::num::FpCategory;

/// The code of 2^`exponent`, which the format must have.
const fn power<F: Format>(exponent: i32) -> u8 {
    let fraction_bits = F::PRECISION - 1;
    if exponent >= F::EMIN {
        ((exponent + F::BIAS) as u8) << fraction_bits
    } else {
        1 << (exponent + fraction_bits as i32 - F::EMIN)
    }
}

/// The exponent of the last power of ten up to the largest finite number, which is below 2^16.
const fn largest_decimal_exponent<F: Format>() -> i32 {
    let (bits, _) = convert_bits::<F, f32>(F::MAX_FINITE, Mode::TOWARD_ZERO);
    let significand = bits as u32 & 0x7F_FFFF | 0x80_0000;
    (significand >> (23 - F::EMAX)).ilog10() as i32
}

macro_rules! to_floats {
    ($bits:ident $($format:ty)?) => {
        /// The same value; NaN as the canonical NaN.
        #[inline]
        #[must_use]
        pub const fn to_f32(self) -> f32 {
            f32::from_bits($bits::<$($format,)? f32>(self.to_bits() as u64, Mode::TIES_TO_EVEN).0 as u32)
        }

        /// The same value; NaN as the canonical NaN.
        #[inline]
        #[must_use]
        pub const fn to_f64(self) -> f64 {
            f64::from_bits($bits::<$($format,)? f64>(self.to_bits() as u64, Mode::TIES_TO_EVEN).0)
        }
    };
}

macro_rules! floats {
    ($($ty:ident)*) => { $(
        impl $ty {
            /// +0.
            pub const ZERO: Self = Self::from_bits(0);
            /// 1.
            pub const ONE: Self = Self::from_bits(power::<Self>(0));
            /// -1.
            pub const NEG_ONE: Self = Self::from_bits(Self::SIGN as u8 | power::<Self>(0));
            /// The largest finite value.
            pub const MAX: Self = Self::from_bits(Self::MAX_FINITE as u8);
            /// The least finite value, -[`MAX`](Self::MAX).
            pub const MIN: Self = Self::from_bits((Self::SIGN | Self::MAX_FINITE) as u8);
            /// The least positive normal value.
            pub const MIN_POSITIVE: Self = Self::from_bits(power::<Self>(Self::EMIN));
            /// The least positive value.
            pub const MIN_POSITIVE_SUBNORMAL: Self = Self::from_bits(1);
            /// The largest subnormal value.
            pub const MAX_SUBNORMAL: Self = Self::from_bits(power::<Self>(Self::EMIN) - 1);
            /// The distance from 1 to the next larger value, 2^(1 - p).
            pub const EPSILON: Self = Self::from_bits(power::<Self>(1 - Self::PRECISION as i32));
            /// The radix of the exponent.
            pub const RADIX: u32 = 2;
            /// Bits of the significand, the implicit one included.
            pub const MANTISSA_DIGITS: u32 = Self::PRECISION;
            /// The number of decimal digits that always round-trip through the format, as
            /// `f32::DIGITS`: floor((p - 1) * log10 2): 1 for E3M4, 0 for the others.
            pub const DIGITS: u32 = (Self::PRECISION - 1) * 30_103 / 100_000;
            /// One more than the exponent of the least normal value, as `f32::MIN_EXP`.
            pub const MIN_EXP: i32 = Self::EMIN + 1;
            /// One more than the exponent of the largest value, as `f32::MAX_EXP`.
            pub const MAX_EXP: i32 = Self::EMAX + 1;
            /// The least n for which 10^n is in the range of the normal values.
            pub const MIN_10_EXP: i32 = -((1u32 << -Self::EMIN).ilog10() as i32);
            /// The largest n for which 10^n is in the range of the normal values.
            pub const MAX_10_EXP: i32 = largest_decimal_exponent::<Self>();

            /// `x`, rounded once: [`convert`](crate::convert::convert()).
            #[inline]
            #[must_use]
            pub const fn from_f32(x: f32, mode: Mode) -> Self {
                Self::from_bits(convert_bits::<f32, Self>(x.to_bits() as u64, mode).0 as u8)
            }

            /// `x`, rounded once: [`convert`](crate::convert::convert()).
            #[inline]
            #[must_use]
            pub const fn from_f64(x: f64, mode: Mode) -> Self {
                Self::from_bits(convert_bits::<f64, Self>(x.to_bits(), mode).0 as u8)
            }

            to_floats!(convert_bits $ty);

            /// Whether this is NaN.
            #[inline]
            #[must_use]
            pub const fn is_nan(self) -> bool {
                is_nan_bits::<Self>(self.to_bits() as u64)
            }

            /// Whether this is an infinity.
            #[inline]
            #[must_use]
            pub const fn is_infinite(self) -> bool {
                is_infinite_bits::<Self>(self.to_bits() as u64)
            }

            /// Whether this is neither an infinity nor NaN.
            #[inline]
            #[must_use]
            pub const fn is_finite(self) -> bool {
                is_finite_bits::<Self>(self.to_bits() as u64)
            }

            /// Whether this is neither zero, subnormal, infinite nor NaN.
            #[inline]
            #[must_use]
            pub const fn is_normal(self) -> bool {
                is_normal_bits::<Self>(self.to_bits() as u64)
            }

            /// Whether the sign bit is set, also for a zero or a NaN.
            #[inline]
            #[must_use]
            pub const fn is_sign_negative(self) -> bool {
                is_sign_minus_bits::<Self>(self.to_bits() as u64)
            }

            /// Whether the sign bit is clear, also for a zero or a NaN.
            #[inline]
            #[must_use]
            pub const fn is_sign_positive(self) -> bool {
                !self.is_sign_negative()
            }

            /// The category; [`arith::classify`](crate::arith::classify()) tells the signs apart
            /// too.
            #[inline]
            #[must_use]
            pub const fn classify(self) -> FpCategory {
                match classify_bits::<Self>(self.to_bits() as u64) {
                    Class::SignalingNan | Class::QuietNan => FpCategory::Nan,
                    Class::NegativeInfinity | Class::PositiveInfinity => FpCategory::Infinite,
                    Class::NegativeZero | Class::PositiveZero => FpCategory::Zero,
                    Class::NegativeSubnormal | Class::PositiveSubnormal => FpCategory::Subnormal,
                    Class::NegativeNormal | Class::PositiveNormal => FpCategory::Normal,
                }
            }

            /// The number with its sign bit clear, also for a NaN:
            /// [`arith::abs`](crate::arith::abs()).
            #[inline]
            #[must_use]
            pub const fn abs(self) -> Self {
                Self::from_bits(abs_bits::<Self>(self.to_bits() as u64).0 as u8)
            }

            /// The number with the sign bit of another:
            /// [`arith::copy_sign`](crate::arith::copy_sign()).
            #[inline]
            #[must_use]
            pub const fn copysign(self, sign: Self) -> Self {
                let (x, y) = (self.to_bits() as u64, sign.to_bits() as u64);
                Self::from_bits(copy_sign_bits::<Self>(x, y).0 as u8)
            }

            /// The total order of IEEE 754, which includes every code:
            /// [`arith::total_order`](crate::arith::total_order()).
            #[inline]
            #[must_use]
            pub const fn total_cmp(&self, other: &Self) -> Ordering {
                let (x, y) = (self.to_bits() as u64, other.to_bits() as u64);
                match (total_order_bits::<Self>(x, y), total_order_bits::<Self>(y, x)) {
                    (true, true) => Ordering::Equal,
                    (true, false) => Ordering::Less,
                    _ => Ordering::Greater,
                }
            }
        }
    )* };
}
for_floats!(floats);

macro_rules! constants {
    ($($ty:ident: $($(#[$doc:meta])* $name:ident = $bits:literal)*;)*) => { $(
        impl $ty {
            $(
                $(#[$doc])*
                pub const $name: Self = Self::from_bits($bits);
            )*
        }
    )* };
}
constants! {
    E5M2:
        /// -0.
        NEG_ZERO = 0x80
        /// Infinity.
        INFINITY = 0x7C
        /// -infinity.
        NEG_INFINITY = 0xFC
        /// The canonical NaN.
        NAN = 0x7E;
    E4M3FN:
        /// -0.
        NEG_ZERO = 0x80
        /// The canonical NaN.
        NAN = 0x7F;
    E5M2FNUZ:
        /// The one NaN.
        NAN = 0x80;
    E4M3FNUZ:
        /// The one NaN.
        NAN = 0x80;
    E4M3:
        /// -0.
        NEG_ZERO = 0x80
        /// Infinity.
        INFINITY = 0x78
        /// -infinity.
        NEG_INFINITY = 0xF8
        /// The canonical NaN.
        NAN = 0x7C;
    E3M4:
        /// -0.
        NEG_ZERO = 0x80
        /// Infinity.
        INFINITY = 0x70
        /// -infinity.
        NEG_INFINITY = 0xF0
        /// The canonical NaN.
        NAN = 0x78;
    E4M3B11FNUZ:
        /// The one NaN.
        NAN = 0x80;
    E2M3:
        /// -0.
        NEG_ZERO = 0x20;
    E3M2:
        /// -0.
        NEG_ZERO = 0x20;
    E2M1:
        /// -0.
        NEG_ZERO = 0x8;
}

impl E8M0 {
    /// `x` as a scale: [`encode`](crate::scale::encode()).
    #[inline]
    #[must_use]
    pub const fn from_f32(x: f32, policy: &ScalePolicy) -> Self {
        encode_bits::<f32>(x.to_bits() as u64, policy).0
    }

    /// `x` as a scale: [`encode`](crate::scale::encode()).
    #[inline]
    #[must_use]
    pub const fn from_f64(x: f64, policy: &ScalePolicy) -> Self {
        encode_bits::<f64>(x.to_bits(), policy).0
    }

    to_floats!(decode_bits);

    /// The order of the values, with NaN after all others.
    #[inline]
    #[must_use]
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.to_bits().cmp(&other.to_bits())
    }
}

impl Default for E8M0 {
    /// 1, which leaves values unchanged: there is no zero.
    fn default() -> Self {
        Self::ONE
    }
}

impl MxInt8 {
    /// `x`, rounded once and clamped: [`mxint8_encode`](crate::scale::mxint8_encode()).
    #[inline]
    #[must_use]
    pub const fn from_f32(x: f32, mode: Mode) -> Self {
        mxint8_encode_bits::<f32>(x.to_bits() as u64, mode).0
    }

    /// `x`, rounded once and clamped: [`mxint8_encode`](crate::scale::mxint8_encode()).
    #[inline]
    #[must_use]
    pub const fn from_f64(x: f64, mode: Mode) -> Self {
        mxint8_encode_bits::<f64>(x.to_bits(), mode).0
    }

    to_floats!(mxint8_decode_bits);
}
