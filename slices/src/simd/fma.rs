//! Fused multiply-add: of significands of at most 11 bits by integers, and with results in f32 by
//! the processor.
//!
//! The product of two significands of at most 11 bits has 22, and is exact.
//!
//! With AVX-512, operands and results of one format use its instructions (`avx512.rs`). Elsewhere,
//! where the result is an f32, ties to even use the processor's instruction (`hardware.rs`): every
//! operand is an f32, and IEEE 754 defines the operation. At the baseline level of x86-64, which
//! lacks the instruction, f64 arithmetic does the same ([`fused`]).

use super::hardware::{ByF32, long};
use super::mul::short_product;
use super::parts::Parts;
use super::rounder::Rounder;
use super::status::{Checked, Raised, is_sum, raised, status_of, value};
use super::{Float, Lane, Loop, avx512, is, widen};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::level::{Level, Task};
use crate::tensor::fused;
use bitexact::Mode;
use bitexact::arith::fma;
use bitexact::format::Arithmetic;
use core::marker::PhantomData;

/// `a * b + c`, with short `a` and `b`.
#[derive(Clone, Copy)]
pub struct Fma<A, B, C, R> {
    rounder: Rounder,
    mode: Mode,
    of: PhantomData<(A, B, C, R)>,
}

impl<A: Float, B: Float, C: Float, R: Float> Lane<(A, B, C), R, Mode> for Fma<A, B, C, R> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        (A::SHORT && B::SHORT).then(|| Self {
            rounder: Rounder::new::<R>(mode, 32 - R::PRECISION),
            mode,
            of: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (a, b, c): (A, B, C)) -> R {
        let product = short_product(Parts::of(widen(a)), Parts::of(widen(b)));
        // Both are normalised, since either may have the smaller exponent.
        let (product, c) = (product.normalised(), Parts::of(widen(c)).normalised());
        R::of_code(product.sum::<R>(c, &self.rounder).into())
    }

    #[inline]
    fn cost(&self) -> Cost {
        let uniform = is::<A, B>() && is::<A, C>() && is::<A, R>();
        if uniform && avx512::has(Level::best(), self.mode) {
            Cost::moved::<(A, B, C), R>()
        } else {
            Cost::INTEGERS
        }
    }

    #[inline]
    fn over<Rows: Columns<Row = (A, B, C)>, U: Outputs<Row = R>>(
        self,
        level: Level,
        columns: Rows,
        mut out: U,
    ) {
        if !write(level, self.mode, columns, &mut out) {
            level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((A, B, C), R);
}

impl<A: Float, B: Float, C: Float, R: Float> Checked<(A, B, C), R> for Fma<A, B, C, R> {
    #[inline(always)]
    fn raised(operands: (A, B, C), result: R) -> Raised {
        of_sum(operands, result)
    }
}

/// What a row raises.
#[inline(always)]
fn of_sum<A: Float, B: Float, C: Float, R: Float>((a, b, c): (A, B, C), result: R) -> Raised {
    let (x, y, z) = (value(a), value(b), value(c));
    raised([x, y, z], false, is_sum(x * y, z, value(result)), result)
}

/// `a * b + c` in f32 in ties to even, where a factor is an f32; where all operands are, also in
/// the other modes of `avx512.rs`. There is no integer loop: the kernel runs where the processor
/// may not.
#[derive(Clone, Copy)]
pub struct FmaF32<A, B, C>(Mode, PhantomData<(A, B, C)>);

impl<A, B, C> Lane<(A, B, C), f32, Mode> for FmaF32<A, B, C>
where
    A: Float + Arithmetic,
    B: Float + Arithmetic,
    C: Float + Arithmetic,
{
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        let uniform = is::<A, B>() && is::<A, C>() && is::<A, f32>();
        let has = mode == Mode::TIES_TO_EVEN || uniform && avx512::or_even(mode);
        has.then_some(Self(mode, PhantomData))
    }

    #[inline(always)]
    fn call(&self, (a, b, c): (A, B, C)) -> f32 {
        fma(a, b, c, self.0)
    }

    #[inline]
    fn over<Rows: Columns<Row = (A, B, C)>, U: Outputs<Row = f32>>(
        self,
        level: Level,
        columns: Rows,
        mut out: U,
    ) {
        if !write(level, self.0, columns, &mut out) {
            Level::BASELINE.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((A, B, C), f32);
}

impl<A, B, C> Checked<(A, B, C), f32> for FmaF32<A, B, C>
where
    A: Float,
    B: Float,
    C: Float,
{
    const AT_BASELINE: bool = true;

    #[inline(always)]
    fn raised(operands: (A, B, C), result: f32) -> Raised {
        of_sum(operands, result)
    }
}

/// The operation over slices, as the task that is compiled for each level: by the instruction, or
/// by f64.
struct Rows<'a, C, const INSTRUCTION: bool>(C, &'a mut [f32]);

impl<A, B, C, Of, const INSTRUCTION: bool> Task for Rows<'_, Of, INSTRUCTION>
where
    A: Float,
    B: Float,
    C: Float,
    Of: Columns<Row = (A, B, C)>,
{
    #[inline(always)]
    fn run(self) {
        for (out, (a, b, c)) in self.1.iter_mut().zip(self.0.rows()) {
            let [x, y, z] = [widen(a), widen(b), widen(c)].map(f32::from_bits);
            let sum = if INSTRUCTION {
                x.mul_add(y, z)
            } else {
                fused(x, y, z)
            };
            *out = f32::narrow(sum);
        }
    }
}

/// Writes the results by the processor. False, with nothing written, where it has no such
/// instruction, for short slices, and where its state does not allow it.
#[inline]
fn write<A: Float, B: Float, C: Float, Of, U>(
    level: Level,
    mode: Mode,
    columns: Of,
    out: &mut U,
) -> bool
where
    Of: Columns<Row = (A, B, C)>,
    U: Outputs,
{
    if avx512::fma(level, mode, columns, out) {
        return true;
    }
    let (Mode::TIES_TO_EVEN, Some(out)) = (mode, out.only_mut::<f32>()) else {
        return false;
    };
    if !long(out) {
        return false;
    }
    if level == Level::BASELINE && !cfg!(target_arch = "aarch64") {
        level.run(Rows::<_, false>(columns, out));
    } else {
        level.run(Rows::<_, true>(columns, out));
    }
    true
}
