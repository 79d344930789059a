//! Conversions between f32 and the 16-bit formats.

use super::rounder::{Rounder, nan};
use super::{Float, INFINITY, Lane, Loop, SIGN, select, widen};
use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::Mode;
use core::marker::PhantomData;

/// f32 to a narrower format.
#[derive(Clone, Copy)]
pub struct Narrow<R> {
    rounder: Rounder,
    /// Whether the processor's own conversion rounds so.
    #[cfg(target_arch = "x86_64")]
    by_f16c: bool,
    to: PhantomData<R>,
}

impl<R: Float> Narrow<R> {
    /// Whether the formats have the same exponents, subnormal ones too: then rounding is of the
    /// code as an integer.
    const SAME_EXPONENTS: bool = R::BIAS == <f32 as bitexact::format::Format>::BIAS;
    /// The digits that go.
    const DROPPED: u32 = 24 - R::PRECISION;
    /// The digits below the last one when it is rounded.
    const WIDTH: u32 = if Self::SAME_EXPONENTS {
        Self::DROPPED
    } else {
        32 - R::PRECISION
    };
}

impl<R: Float> Lane<(f32,), R, Mode> for Narrow<R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        Some(Self {
            rounder: Rounder::new::<R>(mode, Self::WIDTH),
            #[cfg(target_arch = "x86_64")]
            by_f16c: mode == Mode::TIES_TO_EVEN,
            to: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (x,): (f32,)) -> R {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let minus = ((bits as i32) >> 31) as u32;
        let code = if Self::SAME_EXPONENTS {
            let truncated = magnitude >> Self::DROPPED;
            let rest = magnitude & ((1 << Self::DROPPED) - 1);
            let rounded = truncated + self.rounder.up(rest, truncated, minus, Self::WIDTH);
            let code = rounded | (minus & R::SIGN as u32);
            let too_large = rounded > R::MAX_FINITE as u32;
            select(too_large, self.rounder.overflow(minus), code)
        } else {
            // f32's subnormals are below half of the least subnormal, and need not be normalised.
            let field = (magnitude >> 23) as i32;
            let normal = u32::from(field != 0) << 31;
            self.rounder
                .round::<R>(minus, field - 127, normal | (magnitude << 8))
        };
        let code = select(magnitude == INFINITY, self.rounder.infinity(minus), code);
        R::of_code(select(magnitude > INFINITY, nan::<R>(), code).into())
    }

    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
    fn over<C: Columns<Row = (f32,)>, U: Outputs<Row = R>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.by_f16c
            && let (Some(x), Some(out)) = (columns.f32s(), out.f16s_mut())
            && super::f16c::narrow(level, x, out)
        {
            return;
        }
        level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
    }
}

/// A 16-bit format to f32, which is exact; the mode only says what an infinity gives.
#[derive(Clone, Copy)]
pub struct Widen<F> {
    rounder: Rounder,
    /// Whether the processor's own conversion does so.
    #[cfg(target_arch = "x86_64")]
    by_f16c: bool,
    from: PhantomData<F>,
}

impl<F: Float> Lane<(F,), f32, Mode> for Widen<F> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        Some(Self {
            rounder: Rounder::new::<f32>(mode, 8),
            #[cfg(target_arch = "x86_64")]
            by_f16c: mode.overflow != bitexact::Overflow::SaturateAll,
            from: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (x,): (F,)) -> f32 {
        let bits = widen(x);
        let magnitude = bits & !SIGN;
        let minus = ((bits as i32) >> 31) as u32;
        let code = select(magnitude == INFINITY, self.rounder.infinity(minus), bits);
        f32::from_bits(select(magnitude > INFINITY, nan::<f32>(), code))
    }

    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
    fn over<C: Columns<Row = (F,)>, U: Outputs<Row = f32>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.by_f16c
            && let (Some(x), Some(out)) = (columns.f16s(), out.f32s_mut())
            && super::f16c::widen(level, x, out)
        {
            return;
        }
        level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
    }
}
