//! Addition and subtraction.

use super::operation::{Difference, Sum};
use super::parts::Parts;
use super::rounder::Rounder;
use super::status::{Checked, Raised, is_sum, raised, status_of, value};
use super::{Float, Lane, Loop, SIGN, avx512, directed, hardware, is, widen};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::Mode;
use core::marker::PhantomData;

/// `a + b`, or `a - b` where `SUB`.
#[derive(Clone, Copy)]
pub struct Add<A, B, R, const SUB: bool> {
    rounder: Rounder,
    mode: Mode,
    of: PhantomData<(A, B, R)>,
}

impl<A: Float, B: Float, R: Float, const SUB: bool> Lane<(A, B), R, Mode> for Add<A, B, R, SUB> {
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
        // A negated NaN is still a NaN.
        let b = widen(b) ^ if SUB { SIGN } else { 0 };
        let code = Parts::of(widen(a)).sum::<R>(Parts::of(b), &self.rounder);
        R::of_code(code.into())
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
        let (even, mode) = (self.mode == Mode::TIES_TO_EVEN, self.mode);
        let written = match (even, SUB) {
            (true, false) => hardware::write::<Sum, _, _>(level, columns, &mut out),
            (true, true) => hardware::write::<Difference, _, _>(level, columns, &mut out),
            (false, false) => {
                directed::write::<Sum, Add<R, R, R, SUB>, _, _, _>(level, mode, columns, &mut out)
            }
            (false, true) => directed::write::<Difference, Add<R, R, R, SUB>, _, _, _>(
                level, mode, columns, &mut out,
            ),
        };
        if !written {
            level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((A, B), R);
}

impl<A: Float, B: Float, R: Float, const SUB: bool> Checked<(A, B), R> for Add<A, B, R, SUB> {
    #[inline(always)]
    fn raised((a, b): (A, B), result: R) -> Raised {
        let (x, y) = (value(a), value(b));
        let exact = is_sum(x, if SUB { -y } else { y }, value(result));
        raised([x, y], false, exact, result)
    }
}
