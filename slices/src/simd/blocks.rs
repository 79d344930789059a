//! MX blocks: a slice to elements and scales, and back.
//!
//! The kernel computes a block's scale from the block's greatest magnitude, which the order of the
//! codes gives, NaNs and infinities included. An element is the normalised value with the scale's
//! exponent subtracted, rounded once.

use super::parts::Parts;
use super::rounder::{Random, Rounder, nan};
use super::{Float, select, widen};
use crate::element::Element as Code;
use crate::level::Task;
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::scale::{
    self, BlockSpecials, Dialect, E8M0, Int8Range, MxInt8, Quotient, block_scale,
};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};

/// A format of values: f16, bf16 or f32.
pub trait Wide: Float + Arithmetic {}

impl Wide for f16 {}
impl Wide for bf16 {}
impl Wide for f32 {}

/// An element type of MX blocks, and how its codes are written and read without branches.
pub trait Element: scale::Element + Code {
    /// The mode's constants, for fractions of 2^`FRACTION`.
    #[doc(hidden)]
    fn rounder(mode: Mode) -> Rounder;
    #[doc(hidden)]
    const FRACTION: u32;
    /// The code of `significand * 2^(exponent - 31)`, as in [`Rounder::round`].
    #[doc(hidden)]
    fn code_of(
        rounder: &Rounder,
        range: Int8Range,
        minus: u32,
        exponent: i32,
        significand: u32,
    ) -> u32;
    /// The code of an infinity.
    #[doc(hidden)]
    fn code_of_infinity(rounder: &Rounder, range: Int8Range, minus: u32) -> u32;
    /// The code for a NaN.
    #[doc(hidden)]
    const NAN_CODE: u32;
    /// The value as an f32 code; a NaN becomes some NaN.
    #[doc(hidden)]
    fn wide(self) -> u32;
    /// Bits from the greatest element's first to the least one's last.
    #[doc(hidden)]
    const DIGITS: u32;
}

macro_rules! elements {
    ($($ty:ident)*) => {
        $(impl Element for $ty {
            #[inline]
            fn rounder(mode: Mode) -> Rounder {
                Rounder::new::<Self>(mode, Self::FRACTION)
            }
            const FRACTION: u32 = 32 - Self::PRECISION;
            #[inline(always)]
            fn code_of(rounder: &Rounder, _: Int8Range, minus: u32, exponent: i32, significand: u32) -> u32 {
                rounder.round::<Self>(minus, exponent, significand)
            }
            #[inline(always)]
            fn code_of_infinity(rounder: &Rounder, _: Int8Range, minus: u32) -> u32 {
                rounder.infinity(minus)
            }
            const NAN_CODE: u32 = nan::<Self>();
            #[inline(always)]
            fn wide(self) -> u32 {
                widen(self)
            }
            const DIGITS: u32 = (Self::EMAX - Self::EMIN) as u32 + Self::PRECISION;
        })*
    };
}
elements!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E3M2 E2M3 E2M1);

/// The discarded bits when an MXINT8 is rounded.
const INT8_WIDTH: u32 = 24;
/// The greatest MXINT8, in units of 2^-6.
const INT8_MOST: u32 = 127;

/// The code of the limit on one side.
#[inline(always)]
const fn int8_limit(range: Int8Range, minus: u32) -> u32 {
    let least = match range {
        Int8Range::Full => 128,
        Int8Range::Symmetric => 127,
    };
    select(minus != 0, least, INT8_MOST)
}

/// Two's complement.
#[inline(always)]
const fn int8_code(minus: u32, magnitude: u32) -> u32 {
    (magnitude ^ minus).wrapping_sub(minus) & 0xFF
}

impl Element for MxInt8 {
    #[inline]
    fn rounder(mode: Mode) -> Rounder {
        // MXINT8's own limits are in `int8_limit`.
        Rounder::new::<f32>(mode, INT8_WIDTH)
    }

    const FRACTION: u32 = INT8_WIDTH;

    #[inline(always)]
    fn code_of(
        rounder: &Rounder,
        range: Int8Range,
        minus: u32,
        exponent: i32,
        significand: u32,
    ) -> u32 {
        // With an exponent of 1 the units are at bit 24; from 2 on every value is too large.
        let below = 1 - exponent;
        let below = if below < 0 { 0 } else { below };
        let below = if below > 31 { 31 } else { below } as u32;
        let kept = significand >> below;
        let kept = kept | (kept << below != significand) as u32;
        let whole = kept >> INT8_WIDTH;
        let rest = kept & ((1 << INT8_WIDTH) - 1);
        let magnitude = whole + ((rest + rounder.increment(whole, minus)) >> INT8_WIDTH);
        let limit = int8_limit(range, minus);
        let too_large = (exponent > 1) | (magnitude > limit);
        int8_code(minus, select(too_large, limit, magnitude))
    }

    #[inline(always)]
    fn code_of_infinity(_: &Rounder, range: Int8Range, minus: u32) -> u32 {
        int8_code(minus, int8_limit(range, minus))
    }

    const NAN_CODE: u32 = INT8_MOST;

    #[inline(always)]
    fn wide(self) -> u32 {
        // An integer times 2^-6.
        let integer = (self.to_bits() as i8 as f32).to_bits();
        select(integer == 0, 0, integer.wrapping_sub(6 << 23))
    }

    const DIGITS: u32 = 8;
}

/// Whether a quotient by the scale that the dialect first rounds to f32 gives the same element as
/// the exact quotient. The two differ only where the rounded quotient is subnormal (so far below
/// every element that only directions away from zero give a non-zero element), or where it is an
/// infinity (which must then be clamped as large numbers are).
pub fn can_quantise(dialect: &Dialect) -> bool {
    let Mode { rounding, overflow } = dialect.mode;
    matches!(dialect.quotient, Quotient::Exact)
        || matches!(
            rounding,
            Rounding::TiesToEven | Rounding::TiesToAway | Rounding::TowardZero
        ) && overflow == Overflow::SaturateAll
}

/// The exponent of a scale that is not NaN.
#[inline(always)]
fn exponent_of(scale: E8M0) -> i32 {
    i32::from(scale.to_bits()) - 127
}

/// Slices to MX blocks; their lengths have been checked.
pub struct Quantise<'a, F, E, N> {
    pub values: &'a [F],
    pub block: usize,
    pub dialect: &'a Dialect,
    /// For each value; with random bits, the mode only says what overflow gives.
    pub random: &'a [N],
    pub elements: &'a mut [E],
    pub scales: &'a mut [E8M0],
}

impl<F: Wide, E: Element, N: Random> Task for Quantise<'_, F, E, N> {
    #[inline(always)]
    fn run(self) {
        let rounder = E::rounder(self.dialect.mode);
        let blocks = self.values.chunks(self.block);
        let blocks = blocks.zip(self.elements.chunks_mut(self.block));
        let blocks = blocks.zip(self.random.chunks(self.block));
        for (((values, elements), random), scale) in blocks.zip(self.scales) {
            let (found, _) = block_scale::<F, E>(&[largest(values, self.dialect)], self.dialect);
            *scale = found;
            if found.is_nan() {
                elements.fill(E::of_code(E::NAN_CODE.into()));
                continue;
            }
            let lower = exponent_of(found);
            for ((value, element), random) in values.iter().zip(elements).zip(random) {
                let rounder = random.rounder(&rounder, E::FRACTION);
                let x = Parts::of(widen(*value)).normalised();
                let range = self.dialect.int8;
                let exponent = x.exponent - lower;
                let code = E::code_of(&rounder, range, x.minus, exponent, x.significand << 1);
                let infinite = E::code_of_infinity(&rounder, range, x.minus);
                let code = select(x.infinite, infinite, code);
                let code = select(x.nan, E::NAN_CODE, code);
                *element = E::of_code(code.into());
            }
        }
    }
}

/// The value of the greatest magnitude, or the NaN or infinity that replaces it.
#[inline(always)]
fn largest<F: Wide>(values: &[F], dialect: &Dialect) -> F {
    let most = match dialect.specials {
        BlockSpecials::Scale => u32::MAX,
        BlockSpecials::Element => F::MAX_FINITE as u32,
    };
    let mut largest = 0;
    for value in values {
        let magnitude = value.code() as u32 & (F::SIGN as u32 - 1);
        let magnitude = select(magnitude > most, 0, magnitude);
        largest = select(magnitude > largest, magnitude, largest);
    }
    F::of_code(largest.into())
}

/// MX blocks to values; their lengths have been checked.
pub struct Dequantise<'a, E, R> {
    pub elements: &'a [E],
    pub scales: &'a [E8M0],
    pub block: usize,
    pub mode: Mode,
    pub values: &'a mut [R],
}

impl<E: Element, R: Wide> Task for Dequantise<'_, E, R> {
    #[inline(always)]
    fn run(self) {
        let rounder = Rounder::new::<R>(self.mode, 32 - R::PRECISION);
        let blocks = self.elements.chunks(self.block);
        let blocks = blocks.zip(self.values.chunks_mut(self.block));
        for ((elements, values), scale) in blocks.zip(self.scales) {
            if scale.is_nan() {
                values.fill(R::of_code(nan::<R>().into()));
                continue;
            }
            let higher = exponent_of(*scale);
            for (element, value) in elements.iter().zip(values) {
                let x = Parts::of(element.wide()).normalised();
                let code = rounder.round::<R>(x.minus, x.exponent + higher, x.significand << 1);
                let code = select(x.infinite, rounder.infinity(x.minus), code);
                let code = select(x.nan, nan::<R>(), code);
                *value = R::of_code(code.into());
            }
        }
    }
}
