//! A mode as constants, and rounding by them.

use super::{Float, select};
use bitexact::{Mode, Rounding, convert::convert_bits};

/// What a mode means for results in `R`.
///
/// Whether a magnitude goes up is a carry: of the digits below the last one, as a fraction of
/// 2^`width`, and an increment that depends on the mode, on the last digit and on the sign.
#[derive(Clone, Copy)]
pub struct Rounder {
    /// The increment where the last digit is even and the sign plus.
    base: u32,
    /// Is added where the last digit is odd.
    odd: u32,
    /// Is added where the sign is minus.
    minus: u32,
    /// All ones where an exact zero sum of opposite values is -0.
    pub(crate) zero_is_minus: u32,
    /// The codes that a finite magnitude too large gives, with plus and with minus.
    overflow: [u32; 2],
    /// The codes of the infinities.
    infinity: [u32; 2],
}

impl Rounder {
    /// Of fractions of 2^`width`. What overflows is asked of the kernel.
    #[inline]
    pub(crate) const fn new<R: Float>(mode: Mode, width: u32) -> Self {
        let half = 1u32 << (width - 1);
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

    /// What is added below the last digit, odd or even; the sign all ones or 0.
    #[inline(always)]
    pub(crate) const fn increment(&self, last: u32, minus: u32) -> u32 {
        let odd = (last & 1).wrapping_neg() & self.odd;
        self.base.wrapping_add(odd).wrapping_add(minus & self.minus)
    }

    /// The code of a finite magnitude too large.
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

    /// The code of `significand * 2^(exponent - 31)`, whose top bit is set unless it is 0 or all of
    /// it is below the least subnormal; the sign all ones or 0. Its fractions are of 2^(32 - p).
    #[inline(always)]
    pub(crate) const fn round<R: Float>(&self, minus: u32, exponent: i32, significand: u32) -> u32 {
        let width = 32 - R::PRECISION;
        let below = R::EMIN - exponent;
        let below = if below < 0 { 0 } else { below };
        // Beyond 31 digits only the jam bit is left, and beyond 30 nothing else is either.
        let below = if below > 31 { 31 } else { below } as u32;
        let kept = significand >> below;
        let kept = kept | (kept << below != significand) as u32;
        let field = exponent - R::EMIN;
        let field = if field < 0 { 0 } else { field } as u32;
        // The top digit adds one to the field, and so does a carry.
        let truncated = (field << (R::PRECISION - 1)).wrapping_add(kept >> width);
        let rest = kept & ((1 << width) - 1);
        let up = (rest + self.increment(truncated, minus)) >> width;
        let magnitude = truncated.wrapping_add(up);
        let too_large = (exponent > R::EMAX) | (magnitude > R::MAX_FINITE as u32);
        let code = signed::<R>(minus, magnitude);
        select(too_large, self.overflow(minus), code)
    }
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

/// What the kernel makes of a number.
const fn code<R: Float>(x: f64, mode: Mode) -> u32 {
    convert_bits::<f64, R>(x.to_bits(), mode).0 as u32
}

/// What a NaN gives: the canonical one, or what stands for it.
#[inline(always)]
pub(crate) const fn nan<R: Float>() -> u32 {
    match R::NAN {
        Some(nan) => nan as u32,
        None => R::MAX_FINITE as u32,
    }
}
