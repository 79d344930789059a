//! E8M0 scales from f32 and back.

use super::{Float, Lane, SIGN, select};
use bitexact::Mode;
use bitexact::scale::{
    BelowMinimum, E8M0, Negative, OverflowTest, ScalePolicy, ScaleRounding, decode,
};
use core::marker::PhantomData;

/// The code of a scale is the operand's exponent field, or one more where the fraction is at least
/// a threshold. Subnormal operands from 2^-127 on have the field 0, and their fraction begins one
/// bit lower.
#[derive(Clone, Copy)]
pub struct Encode {
    /// The thresholds, as f32's fraction, of normal operands and of subnormal ones.
    threshold: [u32; 2],
    /// Subtracted from them where the field is odd.
    odd: u32,
    /// The greatest (field, fraction) that is not too large, as a magnitude.
    most: u32,
    overflow: u32,
    infinity: u32,
    nan: u32,
    zero: u32,
    below: u32,
    /// The code of negative operands, and all ones where they have one.
    negative: u32,
    has_negative: u32,
}

/// A magnitude of 2^-127.
const LEAST: u32 = 0x40_0000;
const NORMAL: u32 = 0x80_0000;
const FRACTION: u32 = 0x7F_FFFF;
const HALF: u32 = 0x40_0000;
const NEVER: u32 = NORMAL;
/// 2^127.
const GREATEST: u32 = 254 << 23;

impl Lane<(f32,), E8M0, ScalePolicy> for Encode {
    #[inline]
    fn new(policy: ScalePolicy) -> Option<Self> {
        let (threshold, odd) = match policy.rounding {
            ScaleRounding::Floor => ([NEVER, NEVER], 0),
            ScaleRounding::Ceil => ([1, 1], 0),
            ScaleRounding::CeilField => ([1, 0], 0),
            ScaleRounding::NearestTiesUp => ([HALF, HALF], 0),
            ScaleRounding::NearestTiesUpQuirk => ([HALF, 1], 0),
            // The exponent is even where the field is odd.
            ScaleRounding::NearestEvenCode => ([HALF + 1, HALF + 1], 1),
        };
        let code = |scale: E8M0| u32::from(scale.to_bits());
        let [normal, _] = threshold;
        let most = match policy.overflow_test {
            OverflowTest::BeforeRounding => GREATEST,
            // Rounded up from the greatest field, which is even.
            OverflowTest::AfterRounding => GREATEST + normal - 1,
        };
        let below = match policy.below_minimum {
            BelowMinimum::Clamp => u32::from(policy.rounding == ScaleRounding::CeilField),
            BelowMinimum::Code(scale) => code(scale),
        };
        let (negative, has_negative) = match policy.negative {
            Negative::Magnitude => (0, 0),
            Negative::Code(scale) => (code(scale), u32::MAX),
        };
        Some(Self {
            threshold,
            odd,
            most,
            overflow: code(policy.overflow),
            infinity: code(policy.infinity),
            nan: code(policy.nan),
            zero: code(policy.zero),
            below,
            negative,
            has_negative,
        })
    }

    #[inline(always)]
    fn call(&self, (x,): (f32,)) -> E8M0 {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let field = magnitude >> 23;
        let subnormal = magnitude < NORMAL;
        let fraction = select(subnormal, magnitude << 1, magnitude) & FRACTION;
        let [of_normal, of_subnormal] = self.threshold;
        let threshold = select(subnormal, of_subnormal, of_normal);
        let threshold = threshold - ((field & 1) * self.odd);
        let code = field + u32::from(fraction >= threshold);
        let code = select(magnitude < LEAST, self.below, code);
        let code = select(magnitude > self.most, self.overflow, code);
        let code = select(magnitude == super::INFINITY, self.infinity, code);
        let minus = ((bits as i32) >> 31) as u32;
        let code = select(minus & self.has_negative != 0, self.negative, code);
        let code = select(magnitude == 0, self.zero, code);
        let code = select(magnitude > super::INFINITY, self.nan, code);
        E8M0::from_bits(code as u8)
    }
}

/// A scale as a number, in a format that has all of them: exact in every mode.
#[derive(Clone, Copy)]
pub struct Decode<R>(u32, PhantomData<R>);

impl<R: Float> Lane<(E8M0,), R, Mode> for Decode<R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        let nan: R = decode(E8M0::NAN, mode);
        Some(Self(nan.code() as u32, PhantomData))
    }

    #[inline(always)]
    fn call(&self, (scale,): (E8M0,)) -> R {
        let field = u32::from(scale.to_bits());
        let digits = R::PRECISION - 1;
        // 2^-127 is a subnormal with only its first bit set.
        let code = select(field == 0, 1 << (digits - 1), field << digits);
        R::of_code(select(field == 255, self.0, code).into())
    }
}
