//! Arithmetic in ties to even by the processor's f32.
//!
//! IEEE 754 defines the f32 result in its default state, so a loop first tests that this thread is
//! in that state; otherwise the integer loop runs. The result of an f32 operation, the fused
//! multiply-add included (`fma.rs`), is the kernel's once NaNs are replaced by the canonical one.
//! For f16 and bf16 the f32 result is rounded a second time:
//!
//! - In the range of normal numbers two roundings give the result of one, since the 24 bits of f32
//!   are at least 2p + 2 for p = 11 and p = 8 (S. A. Figueroa, When is double rounding innocuous?,
//!   SIGNUM Newsletter 30(3), 1995), for sums, products and quotients.
//! - All f32 results of f16 operands are zero or normal, between 2^-48 and 2^41. Where f16's are
//!   subnormal, its boundaries have fewer than p + 1 bits, and the same argument holds.
//! - bf16 has f32's exponents. Its sums below 2^-125 are multiples of 2^-133, and exact in f32. Its
//!   products have 16 bits: they are exact in f32 from 2^-134 on, which is half of the least
//!   subnormal and rounds to zero, and smaller ones cannot round to more than that. A quotient of
//!   significands of 8 bits that is no multiple of 2^-134 differs from every multiple by 2^-143 at
//!   least, and an f32 subnormal is off by 2^-150 at most.
//! - f32 overflows only where the result does.
//!
//! The sweep runs all pairs of both formats through these loops (`sweep run --backend host-simd
//! --exhaustive`).

use super::avx512;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri))))]
use super::halves;
use super::operation::{Operation, Quotient};
use super::rounder::nan;
use super::status::{self, Checked, Raised, status_of};
use super::{Float, INFINITY, Lane, Loop, Narrow, SIGN, select, widen};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::environment;
use crate::level::{Level, Task};
use bitexact::arith::div;
use bitexact::{Mode, bf16, f16};
use core::marker::PhantomData;

/// Shorter slices take the integer loop, whose start is cheaper.
const SHORT: usize = 16;

/// A format of arithmetic by the processor's f32.
pub trait ByF32: Float {
    /// Rounded in ties to even; a NaN becomes the canonical one.
    fn narrow(x: f32) -> Self;
    /// Writes the results of an operation, in the default state.
    fn write<O: Operation>(level: Level, x: &[Self], y: &[Self], out: &mut [Self]) {
        pairs::<_, O>(level, x, y, out);
    }
}

impl ByF32 for f32 {
    #[inline(always)]
    fn narrow(x: f32) -> f32 {
        let bits = x.to_bits();
        f32::from_bits(select(bits & !SIGN > INFINITY, nan::<f32>(), bits))
    }
}

impl ByF32 for bf16 {
    #[inline(always)]
    fn narrow(x: f32) -> bf16 {
        const { Narrow::<bf16, true>::to_even() }.call((x,))
    }
}

impl ByF32 for f16 {
    #[inline(always)]
    fn narrow(x: f32) -> f16 {
        const { Narrow::<f16, true>::to_even() }.call((x,))
    }

    fn write<O: Operation>(level: Level, x: &[f16], y: &[f16], out: &mut [f16]) {
        #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri))))]
        if halves::pairs::<O, { halves::NEAREST }>(level, x, y, out) {
            return;
        }
        pairs::<_, O>(level, x, y, out);
    }
}

/// An operation over slices, as the task that is compiled for each level.
struct Pairs<'a, T, O> {
    x: &'a [T],
    y: &'a [T],
    out: &'a mut [T],
    operation: PhantomData<O>,
}

impl<T: ByF32, O: Operation> Task for Pairs<'_, T, O> {
    #[inline(always)]
    fn run(self) {
        for ((out, x), y) in self.out.iter_mut().zip(self.x).zip(self.y) {
            let wide = |x| f32::from_bits(widen(x));
            *out = T::narrow(O::of(wide(*x), wide(*y)));
        }
    }
}

fn pairs<T: ByF32, O: Operation>(level: Level, x: &[T], y: &[T], out: &mut [T]) {
    let operation = PhantomData::<O>;
    level.run(Pairs {
        x,
        y,
        out,
        operation,
    });
}

/// Writes the results of an operation, in ties to even. False, with nothing
/// written, for other types than f16, bf16 and f32, for short slices, and where the processor's
/// state does not allow it.
#[inline]
pub(super) fn write<O: Operation + avx512::Operation<2>, C: Columns, U: Outputs>(
    level: Level,
    columns: C,
    out: &mut U,
) -> bool {
    avx512::write::<2, O, _, _>(level, Mode::TIES_TO_EVEN, columns, out)
        || of_type::<f16, O, _, _>(level, columns, out)
        || of_type::<bf16, O, _, _>(level, columns, out)
        || of_type::<f32, O, _, _>(level, columns, out)
}

/// The same for one type.
#[inline]
fn of_type<T: ByF32, O: Operation, C: Columns, U: Outputs>(
    level: Level,
    columns: C,
    out: &mut U,
) -> bool {
    if let (Some((x, y)), Some(out)) = (columns.pair::<T>(), out.only_mut::<T>())
        && long(out)
    {
        T::write::<O>(level, x, y, out);
        return true;
    }
    false
}

/// Whether a slice is long enough, and the state the default one.
pub(super) fn long<T>(out: &[T]) -> bool {
    out.len() >= SHORT && environment::is_default()
}

/// Quotients of f32, which have no integer loop: the kernel runs where the processor may not.
#[derive(Clone, Copy)]
pub struct DivF32(Mode);

impl Lane<(f32, f32), f32, Mode> for DivF32 {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        avx512::or_even(mode).then_some(Self(mode))
    }
    #[inline(always)]
    fn call(&self, (x, y): (f32, f32)) -> f32 {
        div(x, y, self.0)
    }
    #[inline]
    fn cost(&self) -> Cost {
        Cost::DIVIDED
    }
    #[inline]
    fn over<C: Columns<Row = (f32, f32)>, U: Outputs<Row = f32>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        let written = if self.0 == Mode::TIES_TO_EVEN {
            write::<Quotient, _, _>(level, columns, &mut out)
        } else {
            avx512::write::<2, Quotient, _, _>(level, self.0, columns, &mut out)
        };
        if !written {
            Level::BASELINE.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((f32, f32), f32);
}

impl Checked<(f32, f32), f32> for DivF32 {
    const AT_BASELINE: bool = true;

    #[inline(always)]
    fn raised((x, y): (f32, f32), result: f32) -> Raised {
        status::quotient(x, y, result)
    }
}
