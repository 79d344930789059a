//! Conversions from f32 to narrower formats, and from the 16-bit ones to f32.
//!
//! The mode that most calls use is compiled separately, since then two of four selects disappear
//! and the others select constants: `NEAREST` is ties to even with infinities that stay, `KEPT` an
//! exact conversion that keeps infinities.

use super::rounder::{Rounder, nan};
use super::status::{Checked, Raised, raised, status_of, value};
use super::{Float, INFINITY, Lane, Loop, SIGN, avx512, select, widen};
use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::{Mode, Overflow};
use core::marker::PhantomData;

/// f32 to a narrower format.
#[derive(Clone, Copy)]
pub struct Narrow<R, const NEAREST: bool = false> {
    rounder: Rounder,
    pub(crate) mode: Mode,
    to: PhantomData<R>,
}

impl<R: Float, const NEAREST: bool> Narrow<R, NEAREST> {
    /// Whether the formats have the same exponents, subnormals included; then the code is rounded
    /// as an integer.
    const SAME_EXPONENTS: bool = R::BIAS == <f32 as bitexact::format::Format>::BIAS;
    /// The discarded bits.
    const DROPPED: u32 = 24 - R::PRECISION;
    /// The bits below the last kept one when it is rounded.
    const WIDTH: u32 = if Self::SAME_EXPONENTS {
        Self::DROPPED
    } else {
        32 - R::PRECISION
    };
}

impl<R: Float> Narrow<R> {
    /// The result of a number that is not too large; to a format with f32's exponents, with IEEE
    /// 754's overflow, of any number, and of the canonical NaN.
    #[inline(always)]
    pub(crate) fn of_number(&self, code: u32) -> R {
        if !Self::SAME_EXPONENTS {
            return self.call((f32::from_bits(code),));
        }
        let (magnitude, minus) = (code & !SIGN, ((code as i32) >> 31) as u32);
        let increment = self.rounder.increment(magnitude >> Self::DROPPED, minus);
        let rounded = (magnitude + increment) >> Self::DROPPED;
        R::of_code((rounded | (minus & R::SIGN as u32)).into())
    }
}

impl<R: Float> Narrow<R, true> {
    /// Ties to even.
    #[inline(always)]
    pub(super) const fn to_even() -> Self {
        Self {
            rounder: Rounder::new::<R>(Mode::TIES_TO_EVEN, Self::WIDTH),
            mode: Mode::TIES_TO_EVEN,
            to: PhantomData,
        }
    }
}

impl<R: Float, const NEAREST: bool> Lane<(f32,), R, Mode> for Narrow<R, NEAREST> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        Some(Self {
            rounder: Rounder::new::<R>(mode, Self::WIDTH),
            mode,
            to: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (x,): (f32,)) -> R {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let minus = ((bits as i32) >> 31) as u32;
        let rounder = if NEAREST {
            const { Rounder::new::<R>(Mode::TIES_TO_EVEN, Self::WIDTH) }
        } else {
            self.rounder
        };
        let code = if Self::SAME_EXPONENTS {
            // The code is that of f32 with some bits dropped; a carry out of them rounds it up.
            let odd = magnitude >> Self::DROPPED;
            let rounded = (magnitude + rounder.increment(odd, minus)) >> Self::DROPPED;
            let code = rounded | (minus & R::SIGN as u32);
            // The next code above the greatest number is the infinity's.
            let too_large = !NEAREST & (rounded > R::MAX_FINITE as u32);
            select(too_large, rounder.overflow(minus), code)
        } else {
            // The subnormals of f32 are below half of the least subnormal, and need not be
            // normalised.
            let field = (magnitude >> 23) as i32;
            let normal = u32::from(field != 0) << 31;
            rounder.round::<R>(minus, field - 127, normal | (magnitude << 8))
        };
        // A value that is too large also gives an infinity.
        let infinite = !NEAREST & (magnitude == INFINITY);
        let code = select(infinite, rounder.infinity(minus), code);
        R::of_code(select(magnitude > INFINITY, nan::<R>(), code).into())
    }

    #[inline]
    fn over<C: Columns<Row = (f32,)>, U: Outputs<Row = R>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        if avx512::narrow(level, self.mode, columns, &mut out) {
            return;
        }
        #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri))))]
        if let (Some(x), Some(out)) = (columns.only(), out.only_mut())
            && super::halves::narrow(level, self.mode, x, out)
        {
            return;
        }
        if self.mode != Mode::TIES_TO_EVEN {
            return level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
        let to_even = Narrow::<R, true>::to_even();
        level.run(Loop::<_, Mode, _, _>::new(to_even, columns, out));
    }

    status_of!((f32,), R);
}

impl<R: Float, const NEAREST: bool> Checked<(f32,), R> for Narrow<R, NEAREST> {
    const AT_BASELINE: bool = true;

    #[inline(always)]
    fn raised((x,): (f32,), result: R) -> Raised {
        let x = f64::from(x);
        raised([x], false, x == value(result), result)
    }
}

/// A 16-bit format to f32, which is exact; the mode only matters for an infinity.
#[derive(Clone, Copy)]
pub struct Widen<F, const KEPT: bool = false> {
    rounder: Rounder,
    kept: bool,
    from: PhantomData<F>,
}

impl<F: Float, const KEPT: bool> Lane<(F,), f32, Mode> for Widen<F, KEPT> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        Some(Self {
            rounder: Rounder::new::<f32>(mode, 8),
            kept: mode.overflow != Overflow::SaturateAll,
            from: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (x,): (F,)) -> f32 {
        let bits = widen(x);
        let magnitude = bits & !SIGN;
        let minus = ((bits as i32) >> 31) as u32;
        let infinite = !KEPT & (magnitude == INFINITY);
        let code = select(infinite, self.rounder.infinity(minus), bits);
        f32::from_bits(select(magnitude > INFINITY, nan::<f32>(), code))
    }

    #[inline]
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        allow(unused_mut)
    )]
    fn over<C: Columns<Row = (F,)>, U: Outputs<Row = f32>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        if !self.kept {
            return level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
        #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri))))]
        if let (Some(x), Some(out)) = (columns.only(), out.only_mut())
            && super::halves::widen(level, x, out)
        {
            return;
        }
        let kept = Widen::<F, true> {
            rounder: self.rounder,
            kept: true,
            from: PhantomData,
        };
        level.run(Loop::<_, Mode, _, _>::new(kept, columns, out));
    }

    status_of!((F,), f32);
}

impl<F: Float, const KEPT: bool> Checked<(F,), f32> for Widen<F, KEPT> {
    const AT_BASELINE: bool = true;

    #[inline(always)]
    fn raised((x,): (F,), result: f32) -> Raised {
        raised([value(x)], false, true, result)
    }
}
