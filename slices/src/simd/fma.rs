//! Fused multiply-add of significands of at most 11 bits: their product has 22, and is exact.

use super::mul::short_product;
use super::parts::Parts;
use super::rounder::Rounder;
use super::status::{Checked, Raised, is_sum, raised, status_of, value};
use super::{Float, Lane, widen};
use bitexact::Mode;
use core::marker::PhantomData;

/// `a * b + c`, with short `a` and `b`.
#[derive(Clone, Copy)]
pub struct Fma<A, B, C, R>(Rounder, PhantomData<(A, B, C, R)>);

impl<A: Float, B: Float, C: Float, R: Float> Lane<(A, B, C), R, Mode> for Fma<A, B, C, R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        if !(A::SHORT && B::SHORT) {
            return None;
        }
        let rounder = Rounder::new::<R>(mode, 32 - R::PRECISION);
        Some(Self(rounder, PhantomData))
    }

    #[inline(always)]
    fn call(&self, (a, b, c): (A, B, C)) -> R {
        let product = short_product(Parts::of(widen(a)), Parts::of(widen(b)));
        // Both are normalised, since either may have the smaller exponent.
        let (product, c) = (product.normalised(), Parts::of(widen(c)).normalised());
        R::of_code(product.sum::<R>(c, &self.0).into())
    }

    status_of!((A, B, C), R);
}

impl<A: Float, B: Float, C: Float, R: Float> Checked<(A, B, C), R> for Fma<A, B, C, R> {
    #[inline(always)]
    fn raised((a, b, c): (A, B, C), result: R) -> Raised {
        let (x, y, z) = (value(a), value(b), value(c));
        raised([x, y, z], false, is_sum(x * y, z, value(result)), result)
    }
}
