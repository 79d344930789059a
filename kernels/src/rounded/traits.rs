//! The traits of `num-traits`.

use super::{ModeType, Rounded};
use crate::arith::{
    Class, abs, classify, compare_quiet_equal, copy_sign, div, is_finite, is_infinite, is_nan,
    is_normal, is_sign_minus, is_subnormal, maximum_number, minimum_number, mul, round_to_integral,
    scalbn, total_order,
};
use crate::convert::{
    ParseError, convert, convert_bits, from_int, from_int_bits, parse_decimal, parse_hex,
    to_int_status,
};
use crate::format::{Arithmetic, Format, Narrow};
use crate::math;
use crate::round::{Mode, Rounding, Status};
use core::cmp::Ordering;
use core::fmt::{self, Display, Formatter};
use core::num::FpCategory;
use num_traits::float::{FloatCore, TotalOrder};
use num_traits::{
    Bounded, Float, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, One, Pow, Signed,
    ToPrimitive, Zero,
};

/// Why [`Num::from_str_radix`](num_traits::Num::from_str_radix) did not parse a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(docsrs, doc(cfg(feature = "num-traits")))]
#[non_exhaustive]
pub enum FromStrRadixError {
    /// The text is not a number.
    Text(ParseError),
    /// Only radix 10 ([`parse_decimal`](crate::convert::parse_decimal())) and radix 16
    /// ([`parse_hex`](crate::convert::parse_hex())) are parsed.
    Radix(u32),
}

impl Display for FromStrRadixError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => Display::fmt(error, f),
            Self::Radix(radix) => write!(f, "radix {radix} is neither 10 nor 16"),
        }
    }
}

impl core::error::Error for FromStrRadixError {}

impl<F: Arithmetic, M: ModeType> Rounded<F, M> {
    /// The number of a code.
    #[inline(always)]
    fn of(code: u64) -> Self {
        Self::new(F::from_bits(code))
    }

    /// An f32, such as a special value, converted in the mode.
    #[inline(always)]
    fn of_f32(x: f32) -> Self {
        Self::new(convert(x, M::MODE))
    }

    /// A whole number, rounded once in the mode.
    ///
    /// It is first rounded to odd to the 53 bits of an f64, of which no format here has half.
    fn of_integer(negative: bool, magnitude: u128) -> Self {
        let excess = (128 - magnitude.leading_zeros()).saturating_sub(53);
        let lost = magnitude & ((1 << excess) - 1) != 0;
        let significand = (magnitude >> excess) as u64 | u64::from(lost);
        let (bits, _) = from_int_bits::<u64, f64>(significand, Mode::TIES_TO_EVEN);
        let bits = (bits + (u64::from(excess) << 52)) | u64::from(negative) << 63;
        Self::of(convert_bits::<f64, F>(bits, M::MODE).0)
    }

    /// The mode with another direction.
    fn toward(rounding: Rounding) -> Mode {
        Mode::new(rounding, M::MODE.overflow)
    }

    fn integral(self, rounding: Rounding) -> Self {
        Self::new(round_to_integral(self.value, Self::toward(rounding)))
    }

    /// The magnitude of the truncated number and its sign, if the number is finite and below 2^128.
    fn truncated(self) -> Option<(bool, u128)> {
        let (significand, exponent, sign) = decoded(self.value);
        let magnitude = match exponent {
            ..0 => u128::from(significand).checked_shr(exponent.unsigned_abs().into()),
            // The significand has 24 bits.
            0..=104 => return Some((sign < 0, u128::from(significand) << exponent)),
            _ => return None,
        };
        Some((sign < 0, magnitude.unwrap_or(0)))
    }

    fn positive_difference(self, other: Self) -> Self {
        if self <= other {
            Self::of(0)
        } else {
            self - other
        }
    }

    fn sign_of(self) -> Self {
        if is_nan(self.value) {
            self
        } else {
            Self::new(copy_sign(Self::one().value, self.value))
        }
    }

    fn category(self) -> FpCategory {
        match classify(self.value) {
            Class::SignalingNan | Class::QuietNan => FpCategory::Nan,
            Class::NegativeInfinity | Class::PositiveInfinity => FpCategory::Infinite,
            Class::NegativeZero | Class::PositiveZero => FpCategory::Zero,
            Class::NegativeSubnormal | Class::PositiveSubnormal => FpCategory::Subnormal,
            Class::NegativeNormal | Class::PositiveNormal => FpCategory::Normal,
        }
    }

    fn limited(self, min: Self, max: Self) -> Self {
        if self < min {
            min
        } else if self > max {
            max
        } else {
            self
        }
    }

    /// Times a factor, rounded once.
    fn times(self, factor: f32) -> Self {
        Self::new(mul(self.value, factor, M::MODE))
    }

    fn precision() -> Self {
        Self::new(scalbn(Self::one().value, 1 - F::PRECISION as i32, M::MODE))
    }
}

/// The integer and the power of two of which a number is the product, and the sign: those of the
/// f32 of the same value.
fn decoded<F: Arithmetic>(x: F) -> (u64, i16, i8) {
    let bits: f32 = convert(x, Mode::TIES_TO_EVEN);
    let bits = bits.to_bits();
    let (field, fraction) = (bits >> 23 & 0xFF, u64::from(bits & 0x7F_FFFF));
    let sign = if bits >> 31 == 0 { 1 } else { -1 };
    if field == 0 {
        (fraction, -149, sign)
    } else {
        (fraction | 0x80_0000, field as i16 - 150, sign)
    }
}

/// +0; either zero is one.
impl<F: Arithmetic, M: ModeType> Zero for Rounded<F, M> {
    #[inline(always)]
    fn zero() -> Self {
        Self::of(0)
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        compare_quiet_equal(self.value, F::from_bits(0))
    }
}

impl<F: Arithmetic, M: ModeType> One for Rounded<F, M> {
    #[inline(always)]
    fn one() -> Self {
        Self::of((F::BIAS as u64) << (F::PRECISION - 1))
    }
}

impl<F: Arithmetic, M: ModeType> Num for Rounded<F, M> {
    type FromStrRadixErr = FromStrRadixError;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, FromStrRadixError> {
        let x = match radix {
            10 => parse_decimal(text, M::MODE),
            16 => parse_hex(text, M::MODE),
            _ => return Err(FromStrRadixError::Radix(radix)),
        };
        x.map(Self::new).map_err(FromStrRadixError::Text)
    }
}

/// The finite limits.
impl<F: Arithmetic, M: ModeType> Bounded for Rounded<F, M> {
    #[inline(always)]
    fn min_value() -> Self {
        Self::of(F::SIGN | F::MAX_FINITE)
    }

    #[inline(always)]
    fn max_value() -> Self {
        Self::of(F::MAX_FINITE)
    }
}

/// As for `f32`: the sign is the sign bit, also of a zero, and a NaN has the sign NaN.
impl<F: Arithmetic, M: ModeType> Signed for Rounded<F, M> {
    #[inline(always)]
    fn abs(&self) -> Self {
        Self::new(abs(self.value))
    }

    #[inline(always)]
    fn abs_sub(&self, other: &Self) -> Self {
        self.positive_difference(*other)
    }

    #[inline(always)]
    fn signum(&self) -> Self {
        self.sign_of()
    }

    #[inline(always)]
    fn is_positive(&self) -> bool {
        !is_sign_minus(self.value)
    }

    #[inline(always)]
    fn is_negative(&self) -> bool {
        is_sign_minus(self.value)
    }
}

/// Integers are truncated; `None` where they are out of range. Floats have the same value.
impl<F: Arithmetic, M: ModeType> ToPrimitive for Rounded<F, M> {
    fn to_i64(&self) -> Option<i64> {
        let (n, status) = to_int_status(self.value, Mode::TOWARD_ZERO);
        (!status.contains(Status::INVALID)).then_some(n)
    }

    fn to_u64(&self) -> Option<u64> {
        let (n, status) = to_int_status(self.value, Mode::TOWARD_ZERO);
        (!status.contains(Status::INVALID)).then_some(n)
    }

    fn to_i128(&self) -> Option<i128> {
        match self.truncated()? {
            (false, n) => n.try_into().ok(),
            (true, n) => 0i128.checked_sub_unsigned(n),
        }
    }

    fn to_u128(&self) -> Option<u128> {
        match self.truncated()? {
            (true, 1..) => None,
            (_, n) => Some(n),
        }
    }

    #[inline(always)]
    fn to_f32(&self) -> Option<f32> {
        Some(convert(self.value, Mode::TIES_TO_EVEN))
    }

    #[inline(always)]
    fn to_f64(&self) -> Option<f64> {
        Some(convert(self.value, Mode::TIES_TO_EVEN))
    }
}

/// Each is rounded once, in the mode; none is `None`.
impl<F: Arithmetic, M: ModeType> FromPrimitive for Rounded<F, M> {
    #[inline(always)]
    fn from_i64(n: i64) -> Option<Self> {
        Some(Self::new(from_int(n, M::MODE)))
    }

    #[inline(always)]
    fn from_u64(n: u64) -> Option<Self> {
        Some(Self::new(from_int(n, M::MODE)))
    }

    fn from_i128(n: i128) -> Option<Self> {
        Some(Self::of_integer(n < 0, n.unsigned_abs()))
    }

    fn from_u128(n: u128) -> Option<Self> {
        Some(Self::of_integer(false, n))
    }

    #[inline(always)]
    fn from_f32(x: f32) -> Option<Self> {
        Some(Self::of_f32(x))
    }

    #[inline(always)]
    fn from_f64(x: f64) -> Option<Self> {
        Some(Self::new(convert(x, M::MODE)))
    }
}

/// Rounded once, in the mode, if the other type's `to_f64` or `to_i128` gives its value, as those
/// of the primitive types do.
impl<F: Arithmetic, M: ModeType> num_traits::NumCast for Rounded<F, M> {
    fn from<T: ToPrimitive>(n: T) -> Option<Self> {
        // From 2^53 on, every number of an f64 is whole, and the one of a wide integer was rounded.
        const WHOLE: u64 = 0x4340_0000_0000_0000;
        let x = n.to_f64()?;
        if x.to_bits() & (<f64 as Format>::SIGN - 1) >= WHOLE {
            if let Some(n) = n.to_i128() {
                return Self::from_i128(n);
            }
            if let Some(n) = n.to_u128() {
                return Self::from_u128(n);
            }
        }
        Self::from_f64(x)
    }
}

/// [`arith::fma`](crate::arith::fma()).
impl<F: Arithmetic, M: ModeType> MulAdd for Rounded<F, M> {
    type Output = Self;

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Rounded::mul_add(self, a, b)
    }
}

impl<F: Arithmetic, M: ModeType> MulAddAssign for Rounded<F, M> {
    #[inline(always)]
    fn mul_add_assign(&mut self, a: Self, b: Self) {
        *self = Rounded::mul_add(*self, a, b);
    }
}

/// 1 divided by the number.
impl<F: Arithmetic, M: ModeType> Inv for Rounded<F, M> {
    type Output = Self;

    #[inline(always)]
    fn inv(self) -> Self {
        Self::one() / self
    }
}

/// [`math::pow`](crate::math::pow()).
impl<F: Narrow, M: ModeType> Pow<Self> for Rounded<F, M> {
    type Output = Self;

    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        Self::new(math::pow(self.value, exponent.value, M::MODE))
    }
}

/// [`math::pown`](crate::math::pown()).
impl<F: Narrow, M: ModeType> Pow<i32> for Rounded<F, M> {
    type Output = Self;

    #[inline(always)]
    fn pow(self, exponent: i32) -> Self {
        Self::new(math::pown(self.value, exponent, M::MODE))
    }
}

/// [`arith::total_order`](crate::arith::total_order()).
impl<F: Arithmetic, M: ModeType> TotalOrder for Rounded<F, M> {
    fn total_cmp(&self, other: &Self) -> Ordering {
        match (
            total_order(self.value, other.value),
            total_order(other.value, self.value),
        ) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

/// What `FloatCore` and `Float` have in common.
macro_rules! float {
    () => {
        #[inline(always)]
        fn infinity() -> Self {
            Self::of_f32(f32::INFINITY)
        }

        #[inline(always)]
        fn neg_infinity() -> Self {
            Self::of_f32(f32::NEG_INFINITY)
        }

        #[inline(always)]
        fn nan() -> Self {
            Self::of_f32(f32::NAN)
        }

        #[inline(always)]
        fn neg_zero() -> Self {
            Self::of_f32(-0.0)
        }

        #[inline(always)]
        fn min_value() -> Self {
            Bounded::min_value()
        }

        #[inline(always)]
        fn max_value() -> Self {
            Bounded::max_value()
        }

        #[inline(always)]
        fn min_positive_value() -> Self {
            Self::of(1 << (F::PRECISION - 1))
        }

        #[inline(always)]
        fn epsilon() -> Self {
            Self::precision()
        }

        #[inline(always)]
        fn is_nan(self) -> bool {
            is_nan(self.value)
        }

        #[inline(always)]
        fn is_infinite(self) -> bool {
            is_infinite(self.value)
        }

        #[inline(always)]
        fn is_finite(self) -> bool {
            is_finite(self.value)
        }

        #[inline(always)]
        fn is_normal(self) -> bool {
            is_normal(self.value)
        }

        #[inline(always)]
        fn is_subnormal(self) -> bool {
            is_subnormal(self.value)
        }

        #[inline(always)]
        fn classify(self) -> FpCategory {
            self.category()
        }

        #[inline(always)]
        fn floor(self) -> Self {
            self.integral(Rounding::TowardNegative)
        }

        #[inline(always)]
        fn ceil(self) -> Self {
            self.integral(Rounding::TowardPositive)
        }

        #[inline(always)]
        fn round(self) -> Self {
            self.integral(Rounding::TiesToAway)
        }

        #[inline(always)]
        fn trunc(self) -> Self {
            self.integral(Rounding::TowardZero)
        }

        #[inline(always)]
        fn fract(self) -> Self {
            self - self.integral(Rounding::TowardZero)
        }

        #[inline(always)]
        fn abs(self) -> Self {
            Rounded::abs(self)
        }

        #[inline(always)]
        fn signum(self) -> Self {
            self.sign_of()
        }

        #[inline(always)]
        fn is_sign_positive(self) -> bool {
            !is_sign_minus(self.value)
        }

        #[inline(always)]
        fn is_sign_negative(self) -> bool {
            is_sign_minus(self.value)
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self::new(minimum_number(self.value, other.value))
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self::new(maximum_number(self.value, other.value))
        }

        #[inline(always)]
        fn clamp(self, min: Self, max: Self) -> Self {
            self.limited(min, max)
        }

        #[inline(always)]
        fn recip(self) -> Self {
            Self::new(div(Self::one().value, self.value, M::MODE))
        }

        #[inline(always)]
        fn to_degrees(self) -> Self {
            self.times(57.295_78)
        }

        #[inline(always)]
        fn to_radians(self) -> Self {
            self.times(0.017_453_292)
        }

        fn integer_decode(self) -> (u64, i16, i8) {
            decoded(self.value)
        }
    };
}

macro_rules! functions {
    ($($name:ident $function:ident),*) => { $(
        #[inline(always)]
        fn $name(self) -> Self {
            Self::new(math::$function(self.value, M::MODE))
        }
    )* };
}
/// Every method rounds once, except `powi`, whose multiplications are rounded one by one, and the
/// conversions of angles, which are products with the nearest f32 to the factor.
///
/// A format that lacks an infinity, a NaN or -0 has here what an f32's converts to in the mode.
/// `floor`, `ceil`, `round` (ties away from zero) and `trunc` are
/// [`arith::round_to_integral`](crate::arith::round_to_integral()) in their own directions, in
/// which they overflow too (`ceil` of 15.5 in E3M4), by the mode's overflow rule; `min` and `max`
/// return the number if one operand is NaN; `clamp` does not panic where `min > max`.
/// `integer_decode` is that of the f32 of the same value.
impl<F: Arithmetic, M: ModeType> FloatCore for Rounded<F, M> {
    float!();
}

/// The methods that `FloatCore` has too are the same, except that `powi` rounds once. The others
/// are the correctly rounded functions of [`math`], except that `log` divides two logarithms, each
/// rounded.
impl<F: Narrow, M: ModeType> Float for Rounded<F, M> {
    float!();

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Rounded::mul_add(self, a, b)
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        self.pow(n)
    }

    #[inline(always)]
    fn powf(self, n: Self) -> Self {
        self.pow(n)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Rounded::sqrt(self)
    }

    #[inline(always)]
    fn log(self, base: Self) -> Self {
        self.map(math::log) / base.map(math::log)
    }

    #[inline(always)]
    fn abs_sub(self, other: Self) -> Self {
        self.positive_difference(other)
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        Self::new(math::hypot(self.value, other.value, M::MODE))
    }

    #[inline(always)]
    fn atan2(self, other: Self) -> Self {
        Self::new(math::atan2(self.value, other.value, M::MODE))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = math::sincos(self.value, M::MODE);
        (Self::new(sin), Self::new(cos))
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self::new(copy_sign(self.value, sign.value))
    }

    functions! {
        exp exp, exp2 exp2, ln log, log2 log2, log10 log10, cbrt cbrt, sin sin, cos cos, tan tan,
        asin asin, acos acos, atan atan, exp_m1 expm1, ln_1p log1p, sinh sinh, cosh cosh,
        tanh tanh, asinh asinh, acosh acosh, atanh atanh
    }
}

macro_rules! constants {
    ($($name:ident)*) => {
        /// The constants, rounded once in the mode: their f64s, of which none is at a rounding
        /// boundary of another format, are rounded.
        impl<F: Arithmetic, M: ModeType> FloatConst for Rounded<F, M> {
            $(
                #[inline(always)]
                fn $name() -> Self {
                    Self::new(convert(core::f64::consts::$name, M::MODE))
                }
            )*
        }
    };
}
constants! {
    E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6
    FRAC_PI_8 LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
}
