//! A mode as constants, and rounding by them.

use super::{Float, select};
use bitexact::{Mode, Rounding, convert::convert_bits};

/// A mode, as constants for results in `R`.
///
/// A magnitude goes up if there is a carry out of the sum of the discarded bits, as a fraction of
/// 2^`width`, and an increment that depends on the mode, on the last kept bit and on the sign.
#[derive(Clone, Copy)]
pub struct Rounder {
    /// The increment where the last bit is 0 and the sign is plus.
    base: u32,
    /// Added where the last bit is 1.
    odd: u32,
    /// Added where the sign is minus.
    minus: u32,
    /// All ones where an exact zero sum of opposite values is -0.
    pub(crate) zero_is_minus: u32,
    /// The codes of a finite magnitude that is too large, with plus and with minus.
    overflow: [u32; 2],
    /// The codes of the infinities.
    infinity: [u32; 2],
}

impl Rounder {
    /// The constants for fractions of 2^`width`. The kernel gives the codes for overflow.
    #[inline]
    pub(crate) const fn new<R: Float>(mode: Mode, width: u32) -> Self {
        // Nothing is rounded to f32 from f32, whose width is 0; but the constants are evaluated for
        // every type.
        let half = 1u32 << width.saturating_sub(1);
        let most = half | (half - 1);
        let (base, odd, minus) = match mode.rounding {
            Rounding::TiesToEven => (half - 1, 1, 0),
            Rounding::TiesToAway => (half, 0, 0),
            Rounding::TowardZero => (0, 0, 0),
            Rounding::TowardPositive => (most, 0, most.wrapping_neg()),
            Rounding::TowardNegative => (0, 0, most),
            Rounding::ToOdd => (most, most.wrapping_neg(), 0),
        };
        let minus_zero = matches!(mode.rounding, Rounding::TowardNegative);
        Self {
            base,
            odd,
            minus,
            zero_is_minus: (minus_zero as u32).wrapping_neg(),
            overflow: [code::<R>(f64::MAX, mode), code::<R>(-f64::MAX, mode)],
            infinity: [
                code::<R>(f64::INFINITY, mode),
                code::<R>(f64::NEG_INFINITY, mode),
            ],
        }
    }

    /// The same for 16 random bits instead of a direction, which are a fraction of the last bit:
    /// they carry out of the discarded bits where the sum of both is at least 1. For fractions of
    /// at least 2^16.
    #[inline(always)]
    pub(crate) const fn with_random(self, random: u16, width: u32) -> Self {
        Self {
            base: (random as u32) << (width - 16),
            odd: 0,
            minus: 0,
            ..self
        }
    }

    /// The increment below the last bit, which is 1 or 0; the sign is all ones or 0.
    #[inline(always)]
    pub(crate) const fn increment(&self, last: u32, minus: u32) -> u32 {
        let odd = (last & 1).wrapping_neg() & self.odd;
        self.base.wrapping_add(odd).wrapping_add(minus & self.minus)
    }

    /// The code of a finite magnitude that is too large.
    #[inline(always)]
    pub(crate) const fn overflow(&self, minus: u32) -> u32 {
        let [plus, negative] = self.overflow;
        select(minus != 0, negative, plus)
    }

    /// The code of an infinity.
    #[inline(always)]
    pub(crate) const fn infinity(&self, minus: u32) -> u32 {
        let [plus, negative] = self.infinity;
        select(minus != 0, negative, plus)
    }

    /// The code of `significand * 2^(exponent - 31)`, whose top bit is set unless it is 0 or
    /// entirely below the least subnormal; the sign is all ones or 0. Its fractions are of 2^(32 -
    /// p).
    #[inline(always)]
    pub(crate) const fn round<R: Float>(&self, minus: u32, exponent: i32, significand: u32) -> u32 {
        let width = 32 - R::PRECISION;
        let below = R::EMIN - exponent;
        let below = if below < 0 { 0 } else { below };
        // A shift by 31 or more leaves only the sticky bit.
        let below = if below > 31 { 31 } else { below } as u32;
        let kept = significand >> below;
        let kept = kept | (kept << below != significand) as u32;
        let field = exponent - R::EMIN;
        let field = if field < 0 { 0 } else { field } as u32;
        // The top bit adds one to the exponent's field, and so does a carry.
        let truncated = (field << (R::PRECISION - 1)).wrapping_add(kept >> width);
        let rest = kept & ((1 << width) - 1);
        let up = (rest + self.increment(truncated, minus)) >> width;
        let magnitude = truncated.wrapping_add(up);
        let too_large = (exponent > R::EMAX) | (magnitude > R::MAX_FINITE as u32);
        let code = signed::<R>(minus, magnitude);
        select(too_large, self.overflow(minus), code)
    }
}

/// What rounds an element: the mode alone, or 16 random bits.
pub trait Random: Copy + Default + Send + Sync + 'static {
    /// The constants for this element.
    fn rounder(self, of_mode: &Rounder, width: u32) -> Rounder;
}

impl Random for () {
    #[inline(always)]
    fn rounder(self, of_mode: &Rounder, _: u32) -> Rounder {
        *of_mode
    }
}

impl Random for u16 {
    #[inline(always)]
    fn rounder(self, of_mode: &Rounder, width: u32) -> Rounder {
        of_mode.with_random(self, width)
    }
}

/// No random bits, for so many elements.
pub fn no_bits(count: usize) -> &'static [()] {
    const MOST: &[()] = &[(); usize::MAX];
    MOST.get(..count).unwrap_or_default()
}

/// A magnitude's code with its sign; a zero has none where there is no negative zero.
#[inline(always)]
pub(crate) const fn signed<R: Float>(minus: u32, magnitude: u32) -> u32 {
    let minus = if R::NEGATIVE_ZERO {
        minus
    } else {
        select(magnitude == 0, 0, minus)
    };
    magnitude | (minus & R::SIGN as u32)
}

/// The kernel's result for a number.
const fn code<R: Float>(x: f64, mode: Mode) -> u32 {
    convert_bits::<f64, R>(x.to_bits(), mode).0 as u32
}

/// The code for a NaN: the canonical one, or what replaces it in a format without NaN.
#[inline(always)]
pub(crate) const fn nan<R: Float>() -> u32 {
    match R::NAN {
        Some(nan) => nan as u32,
        None => R::MAX_FINITE as u32,
    }
}
