//! Conversions from f64 to the narrower formats, in every mode.

use super::rounder::{Rounder, nan};
use super::{Float, Lane, select};
use bitexact::Mode;
use core::marker::PhantomData;

/// f64 to a narrower format. Integer code: no state of the processor's arithmetic changes a bit.
#[derive(Clone, Copy)]
pub struct FromF64<R>(Rounder, PhantomData<R>);

/// The bits of an f64's fraction that are only seen as a sticky bit: 31 of 52 are left.
const STICKY: u32 = 21;

impl<R: Float> FromF64<R> {
    #[inline(always)]
    pub(crate) fn of_mode(mode: Mode) -> Self {
        Self(Rounder::new::<R>(mode, 32 - R::PRECISION), PhantomData)
    }
}

impl<R: Float> Lane<(f64,), R, Mode> for FromF64<R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        Some(Self::of_mode(mode))
    }

    #[inline(always)]
    fn call(&self, (x,): (f64,)) -> R {
        let bits = x.to_bits();
        let minus = ((bits as i64) >> 63) as u32;
        let field = (bits >> 52) as u32 & 0x7FF;
        let fraction = bits & ((1 << 52) - 1);
        let sticky = fraction & ((1 << STICKY) - 1) != 0;
        let digits = (fraction >> STICKY) as u32 | u32::from(sticky);
        // f64's subnormals are far below every format's least subnormal, and need not be
        // normalised.
        let normal = u32::from(field != 0) << 31;
        let code = self
            .0
            .round::<R>(minus, field as i32 - 1023, normal | digits);
        let special = field == 0x7FF;
        let code = select(special, self.0.infinity(minus), code);
        R::of_code(select(special & (fraction != 0), nan::<R>(), code).into())
    }
}
