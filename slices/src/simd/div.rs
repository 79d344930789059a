//! Division of 16-bit formats with 16-bit results.
//!
//! Method: the quotient of the significands as integers. The processor's f32 quotient of two
//! integers of at most 24 bits, truncated to an integer of at most 15 bits, is correct or one too
//! large in every rounding mode: its error is less than 1, and it is exact where the quotient is an
//! integer. The remainder decides which, and whether the quotient is inexact.

use super::operation::Quotient;
use super::parts::{Parts, normalise};
use super::rounder::{Rounder, nan};
use super::status::{self, Checked, Raised, status_of};
use super::{Float, Lane, Loop, avx512, directed, hardware, is, select, widen};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::Mode;
use core::marker::PhantomData;

/// `a / b`.
#[derive(Clone, Copy)]
pub struct Div<A, B, R> {
    rounder: Rounder,
    mode: Mode,
    of: PhantomData<(A, B, R)>,
}

impl<A: Float, B: Float, R: Float> Div<A, B, R> {
    /// The quotient below has at least 13 bits: one more than the rounding boundaries of the
    /// longest result.
    const FITS: () = assert!(A::SHORT && B::SHORT && R::SHORT);
}

/// The integer part of `n / d`, and whether there is a remainder; `n` below 2^24, `d` from 1 on,
/// the quotient below 2^15.
#[inline(always)]
fn divide(n: u32, d: u32) -> (u32, bool) {
    let quotient = (n as i32 as f32 / d as i32 as f32) as i32 as u32;
    let rest = n.wrapping_sub(quotient.wrapping_mul(d)) as i32;
    (quotient - u32::from(rest < 0), rest != 0)
}

impl<A: Float, B: Float, R: Float> Lane<(A, B), R, Mode> for Div<A, B, R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        const { Self::FITS };
        Some(Self {
            rounder: Rounder::new::<R>(mode, 32 - R::PRECISION),
            mode,
            of: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (a, b): (A, B)) -> R {
        let (a, b) = (Parts::of(widen(a)), Parts::of(widen(b)));
        let (a, b) = (a.normalised(), b.normalised());
        let minus = a.minus ^ b.minus;
        let (a_zero, b_zero) = (a.significand == 0, b.significand == 0);
        // 11 bits each; 13 more zeros give at least as many bits of the quotient.
        let (n, d) = ((a.significand >> 20) << 13, b.significand >> 20);
        let (quotient, more) = divide(n, select(b_zero, 1, d));
        // Bit 14 of the quotient has the weight 2; it moves to bit 31, with the sticky bit below.
        let digits = ((quotient << 1) | u32::from(more)) << 16;
        let digits = select(b.infinite | a_zero, 0, digits);
        let (significand, exponent) = normalise(digits, a.exponent - b.exponent + 1);
        let code = self.rounder.round::<R>(minus, exponent, significand);
        let code = select(a.infinite | b_zero, self.rounder.infinity(minus), code);
        let invalid = (a.infinite & b.infinite) | (a_zero & b_zero);
        R::of_code(select(a.nan | b.nan | invalid, nan::<R>(), code).into())
    }

    #[inline]
    fn cost(&self) -> Cost {
        if is::<A, B>() && is::<A, R>() && avx512::or_even(self.mode) {
            Cost::DIVIDED
        } else {
            Cost::arithmetic::<(A, B), R>(false)
        }
    }

    #[inline]
    fn over<C: Columns<Row = (A, B)>, U: Outputs<Row = R>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        let written = if self.mode == Mode::TIES_TO_EVEN {
            hardware::write::<Quotient, _, _>(level, columns, &mut out)
        } else {
            directed::write::<Quotient, Div<R, R, R>, _, _, _>(level, self.mode, columns, &mut out)
        };
        if !written {
            level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((A, B), R);
}

impl<A: Float, B: Float, R: Float> Checked<(A, B), R> for Div<A, B, R> {
    #[inline(always)]
    fn raised((a, b): (A, B), result: R) -> Raised {
        status::quotient(a, b, result)
    }
}
