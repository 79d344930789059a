//! Addition and subtraction.

use super::parts::Parts;
use super::rounder::Rounder;
use super::{Float, Lane, SIGN, widen};
use bitexact::Mode;
use core::marker::PhantomData;

/// `a + b`, or `a - b` where `SUB`.
#[derive(Clone, Copy)]
pub struct Add<A, B, R, const SUB: bool>(Rounder, PhantomData<(A, B, R)>);

impl<A: Float, B: Float, R: Float, const SUB: bool> Lane<(A, B), R, Mode> for Add<A, B, R, SUB> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        let rounder = Rounder::new::<R>(mode, 32 - R::PRECISION);
        Some(Self(rounder, PhantomData))
    }

    #[inline(always)]
    fn call(&self, (a, b): (A, B)) -> R {
        // A negated NaN is still a NaN.
        let b = widen(b) ^ if SUB { SIGN } else { 0 };
        let code = Parts::of(widen(a)).sum::<R>(Parts::of(b), &self.0);
        R::of_code(code.into())
    }
}
