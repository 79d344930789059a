//! Multiplication.

use super::operation::Product;
use super::parts::{Parts, normalise};
use super::rounder::{Rounder, nan};
use super::status::{Checked, Raised, raised, status_of, value};
use super::{Float, Lane, Loop, avx512, directed, hardware, is, select, widen};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::Mode;
use core::marker::PhantomData;

/// `a * b`.
#[derive(Clone, Copy)]
pub struct Mul<A, B, R> {
    rounder: Rounder,
    mode: Mode,
    of: PhantomData<(A, B, R)>,
}

impl<A: Float, B: Float, R: Float> Lane<(A, B), R, Mode> for Mul<A, B, R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        Some(Self {
            rounder: Rounder::new::<R>(mode, 32 - R::PRECISION),
            mode,
            of: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (a, b): (A, B)) -> R {
        let (a, b) = (Parts::of(widen(a)), Parts::of(widen(b)));
        let product = if A::SHORT && B::SHORT {
            short_product(a, b)
        } else {
            // A significand that is not normalised would give too few bits of the product.
            let (a, b) = (a.normalised(), b.normalised());
            let digits = u64::from(a.significand >> 7) * u64::from(b.significand >> 7);
            // 48 bits, of which 32 and a sticky bit are kept.
            let jam = u32::from(digits as u32 & 0xFFFF != 0);
            product(a, b, (digits >> 16) as u32 | jam)
        };
        let (significand, exponent) = normalise(product.significand, product.exponent + 1);
        let code = self
            .rounder
            .round::<R>(product.minus, exponent, significand);
        let code = select(product.infinite, self.rounder.infinity(product.minus), code);
        R::of_code(select(product.nan, nan::<R>(), code).into())
    }

    #[inline]
    fn cost(&self) -> Cost {
        Cost::arithmetic::<(A, B), R>(is::<A, B>() && is::<A, R>() && avx512::or_even(self.mode))
    }

    #[inline]
    fn over<C: Columns<Row = (A, B)>, U: Outputs<Row = R>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        let written = if self.mode == Mode::TIES_TO_EVEN {
            hardware::write::<Product, _, _>(level, columns, &mut out)
        } else {
            directed::write::<Product, Mul<R, R, R>, _, _, _>(level, self.mode, columns, &mut out)
        };
        if !written {
            level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((A, B), R);
}

impl<A: Float, B: Float, R: Float> Checked<(A, B), R> for Mul<A, B, R> {
    #[inline(always)]
    fn raised((a, b): (A, B), result: R) -> Raised {
        let (x, y) = (value(a), value(b));
        raised([x, y], false, x * y == value(result), result)
    }
}

/// The exact product of significands of at most 11 bits, not normalised.
#[inline(always)]
pub(crate) const fn short_product(a: Parts, b: Parts) -> Parts {
    let digits = (a.significand >> 20) * (b.significand >> 20);
    product(a, b, digits << 10)
}

/// The product, if `significand` is that of the significands times 2^-30.
#[inline(always)]
const fn product(a: Parts, b: Parts, significand: u32) -> Parts {
    let zero = (a.significand == 0) | (b.significand == 0);
    let infinite = a.infinite | b.infinite;
    Parts {
        minus: a.minus ^ b.minus,
        exponent: a.exponent + b.exponent,
        significand,
        infinite,
        nan: a.nan | b.nan | (infinite & zero),
    }
}
