//! Steps one after the other: dot products in the order of a matrix unit.
//!
//! Method: what the operands are read as is decided once (their own format or TF32), then the
//! width of the words; then one loop over the steps.

use super::step::{Scales, fits_32, steps};
use super::{Addend, SumFormat, Unit, WideOperands};
use crate::arith::add_status;
use crate::convert::{convert, convert_stochastic};
use crate::format::{Arithmetic, Binary32, Format, TF32, f16};
use crate::reduce::ReduceError;
use crate::reduce::exact::check_lengths;
use crate::reduce::pairwise::pairwise;
use crate::scale::E8M0;
use crate::{Mode, Overflow, Status};

const ONES: Scales = [E8M0::ONE; 2];

/// An accumulator, or an `f32` sum of accumulators.
#[derive(Clone, Copy)]
struct Sum {
    format: SumFormat,
    code: u32,
}

impl Sum {
    /// The same number where `A` is the accumulator's format, otherwise rounded to it.
    fn to<A: Format>(self, round32: impl Fn(Binary32) -> A, round16: impl Fn(f16) -> A) -> A {
        match self.format {
            SumFormat::F32 if is_f32::<A>() => A::from_bits(self.code.into()),
            SumFormat::F32 => round32(Binary32::from_bits(self.code)),
            SumFormat::F16 if is_f16::<A>() => A::from_bits(self.code.into()),
            SumFormat::F16 => round16(f16::from_bits(self.code as u16)),
        }
    }

    fn rounded<A: Arithmetic>(self, mode: Mode) -> A {
        self.to(|x| convert(x, mode), |x| convert(x, mode))
    }
}

const fn is_f32<A: Format>() -> bool {
    A::BITS == 32 && A::PRECISION == f32::PRECISION
}

const fn is_f16<A: Format>() -> bool {
    A::BITS == 16 && A::PRECISION == f16::PRECISION
}

const fn is_wide<T: Format>() -> bool {
    T::PRECISION > f16::PRECISION
}

/// An operand as TF32, which holds the upper 19 bits of an `f32`.
#[inline(always)]
fn tf32<T: Arithmetic>(x: T, nearest: bool) -> TF32 {
    if nearest {
        convert(x, Mode::TIES_TO_EVEN)
    } else {
        TF32::from_bits((x.to_bits() >> 13) as u32)
    }
}

impl Unit {
    /// [`steps`](Self::steps), compiled once for all that walk along k.
    #[inline(never)]
    fn walk<T: Arithmetic, U: Arithmetic>(
        &self,
        pairs: &mut impl Iterator<Item = (T, U, Scales)>,
        c: u32,
        most: usize,
    ) -> Option<u32> {
        self.steps(pairs, c, most)
    }

    /// Some steps from an accumulator: see [`steps`].
    #[inline(always)]
    fn steps<T: Arithmetic, U: Arithmetic>(
        &self,
        pairs: &mut impl Iterator<Item = (T, U, Scales)>,
        c: u32,
        most: usize,
    ) -> Option<u32> {
        let nearest = match self.parameters.wide {
            WideOperands::Tf32Truncated => Some(false),
            WideOperands::Tf32Nearest => Some(true),
            WideOperands::Refused | WideOperands::Whole => None,
        };
        let (Some(nearest), true) = (nearest, is_wide::<T>() || is_wide::<U>()) else {
            return self.steps_as(pairs, c, most);
        };
        match (is_wide::<T>(), is_wide::<U>()) {
            (true, false) => {
                let mut pairs = pairs.map(|(a, b, scale)| (tf32(a, nearest), b, scale));
                self.steps_as(&mut pairs, c, most)
            }
            (false, true) => {
                let mut pairs = pairs.map(|(a, b, scale)| (a, tf32(b, nearest), scale));
                self.steps_as(&mut pairs, c, most)
            }
            _ => {
                let both = |(a, b, scale)| (tf32(a, nearest), tf32(b, nearest), scale);
                let mut pairs = pairs.map(both);
                self.steps_as(&mut pairs, c, most)
            }
        }
    }

    #[inline(always)]
    fn steps_as<T: Arithmetic, U: Arithmetic>(
        &self,
        pairs: &mut impl Iterator<Item = (T, U, Scales)>,
        c: u32,
        most: usize,
    ) -> Option<u32> {
        if fits_32::<T, U>(&self.parameters) {
            steps::<u32, T, U>(self, pairs, c, most)
        } else {
            steps::<u64, T, U>(self, pairs, c, most)
        }
    }

    /// One step: the accumulator `c` and the products of `a` and `b`, where fewer than a step has
    /// are filled up with zeros. [`promote`](Self::promote) and [`segments`](Self::segments) have
    /// no effect on it.
    ///
    /// `A` is the accumulator's format; `c` in another one is converted to it, to nearest, ties to
    /// even, and the result is converted back.
    ///
    /// ```
    /// use bitexact::f16;
    /// use bitexact::reduce::Unit;
    /// let [one, three] = [0x3C00, 0x4200].map(f16::from_bits);
    /// assert_eq!(Unit::HOPPER_F16.step(&[one, three], &[three, three], 0.5f32), Ok(12.5));
    /// assert_eq!(Unit::HOPPER_F16_F16.step(&[three], &[three], one), Ok(f16::from_bits(0x4900)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`ReduceError::LengthMismatch`]; [`ReduceError::TooManyTerms`] for more products than a step
    /// has; [`ReduceError::OperandsTooWide`] for a format that the unit does not
    /// [take](Self::takes).
    pub fn step<T: Arithmetic, U: Arithmetic, A: Arithmetic>(
        &self,
        a: &[T],
        b: &[U],
        c: A,
    ) -> Result<A, ReduceError> {
        self.step_scaled(a, b, ONES, c)
    }

    /// [`step`](Self::step) of blocks: the elements of `a` are multiplied by the first scale, those of
    /// `b` by the second, exactly (their exponents are added to the products'). A scale that is NaN
    /// makes the result NaN.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn step_scaled<T: Arithmetic, U: Arithmetic, A: Arithmetic>(
        &self,
        a: &[T],
        b: &[U],
        scales: [E8M0; 2],
        c: A,
    ) -> Result<A, ReduceError> {
        self.check::<T>()?;
        self.check::<U>()?;
        check_lengths(a, b)?;
        if a.len() > self.parameters.terms.into() {
            return Err(ReduceError::TooManyTerms {
                terms: a.len() as u64,
            });
        }
        let format = self.parameters.sum;
        let c = match format {
            SumFormat::F32 if is_f32::<A>() => c.to_bits() as u32,
            SumFormat::F32 => convert::<A, Binary32>(c, Mode::TIES_TO_EVEN).to_bits(),
            SumFormat::F16 if is_f16::<A>() => c.to_bits() as u32,
            SumFormat::F16 => convert::<A, f16>(c, Mode::TIES_TO_EVEN).to_bits().into(),
        };
        // A step without products still rounds its accumulator.
        let pairs = a.iter().zip(b).map(|(a, b)| (*a, *b, scales));
        let zero = (T::from_bits(0), U::from_bits(0), ONES);
        let mut pairs = pairs.chain(core::iter::once(zero)).take(a.len().max(1));
        let code = self.steps(&mut pairs, c, 1).unwrap_or(c);
        Ok(Sum { format, code }.rounded(Mode::TIES_TO_EVEN))
    }

    /// The dot product in this order, rounded from the accumulator to `A` in `mode`. Where `A` is
    /// the accumulator's format it is the accumulator.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, reduce::Unit};
    /// let x = [bf16::from_f32(3.0); 40]; // two steps of 16, and 8 products with 8 zeros
    /// assert_eq!(Unit::HOPPER_BF16.dot(&x, &x, Mode::TIES_TO_EVEN), Ok(360f32));
    /// ```
    ///
    /// # Errors
    ///
    /// [`ReduceError::LengthMismatch`]; [`ReduceError::OperandsTooWide`] for a format that the unit
    /// does not [take](Self::takes).
    pub fn dot<T: Arithmetic, U: Arithmetic, A: Arithmetic>(
        &self,
        a: &[T],
        b: &[U],
        mode: Mode,
    ) -> Result<A, ReduceError> {
        self.check::<T>()?;
        self.check::<U>()?;
        check_lengths(a, b)?;
        let pairs = a.iter().copied().zip(b.iter().copied());
        Ok(self.dot_by(pairs, a.len(), mode))
    }

    /// [`dot`](Self::dot) of the pairs of an iterator, of which there are `count`, for example of
    /// two strided lanes. Only [`segments`](Self::segments) needs the number. Operands that the
    /// unit does not [take](Self::takes) are read with all their bits.
    pub fn dot_by<T: Arithmetic, U: Arithmetic, A: Arithmetic>(
        &self,
        pairs: impl Iterator<Item = (T, U)>,
        count: usize,
        mode: Mode,
    ) -> A {
        let pairs = pairs.map(|(a, b)| (a, b, ONES));
        self.dot_scaled_by(pairs, count, mode)
    }

    /// [`dot_by`](Self::dot_by) of operands that have a scale each, as in
    /// [`step_scaled`](Self::step_scaled).
    pub fn dot_scaled_by<T: Arithmetic, U: Arithmetic, A: Arithmetic>(
        &self,
        pairs: impl Iterator<Item = (T, U, [E8M0; 2])>,
        count: usize,
        mode: Mode,
    ) -> A {
        self.chain(pairs, count).rounded(mode)
    }

    /// [`dot_by`](Self::dot_by) with a stochastic last rounding.
    pub(in crate::reduce) fn dot_stochastic<T: Arithmetic, U: Arithmetic, A: Arithmetic>(
        &self,
        pairs: impl Iterator<Item = (T, U)>,
        count: usize,
        random: u16,
        overflow: Overflow,
    ) -> A {
        let sum = self.chain(pairs.map(|(a, b)| (a, b, ONES)), count);
        sum.to(
            |x| convert_stochastic(x, random, overflow),
            |x| convert_stochastic(x, random, overflow),
        )
    }

    /// Out of line, so that sums in other orders do not have its arrays in their stack frame.
    #[inline(never)]
    fn chain<T: Arithmetic, U: Arithmetic>(
        &self,
        mut pairs: impl Iterator<Item = (T, U, Scales)>,
        count: usize,
    ) -> Sum {
        let format = self.parameters.sum;
        if self.promote == 0 && self.segments <= 1 {
            let code = self.walk(&mut pairs, 0, usize::MAX).unwrap_or(0);
            return Sum { format, code };
        }
        if self.segments <= 1 {
            return Sum {
                format: SumFormat::F32,
                code: self.part(&mut pairs, usize::MAX).to_bits(),
            };
        }
        let step = usize::from(self.parameters.terms).max(1);
        let part = count
            .div_ceil(self.segments.max(1).into())
            .div_ceil(step)
            .max(1);
        let parts = count.div_ceil(part.saturating_mul(step).max(1));
        let parts = (0..parts).map(|_| self.part(&mut pairs, part));
        let add = |a, b| (self.plus(a, b), Status::NONE);
        let (sum, _) = pairwise(parts, |part| (part, Status::NONE), add);
        Sum {
            format: SumFormat::F32,
            code: sum.to_bits(),
        }
    }

    /// One of the parts of k: so many steps, or as many as there are.
    fn part<T: Arithmetic, U: Arithmetic>(
        &self,
        pairs: &mut impl Iterator<Item = (T, U, Scales)>,
        mut left: usize,
    ) -> Binary32 {
        let format = self.parameters.sum;
        let most = match self.promote {
            0 => left,
            steps => steps.into(),
        };
        let mut sum = Binary32::from_bits(0);
        while left > 0 {
            let now = most.min(left);
            let Some(code) = self.walk(pairs, 0, now) else {
                break;
            };
            left -= now;
            // The first sum is its accumulator: that is not -0.
            sum = self.plus(sum, Sum { format, code }.rounded(Mode::TIES_TO_EVEN));
        }
        sum
    }

    /// A sum of `f32`, to nearest; a NaN is the unit's, if that is an `f32`.
    fn plus(&self, a: Binary32, b: Binary32) -> Binary32 {
        let (sum, _) = add_status::<Binary32, Binary32, Binary32>(a, b, Mode::TIES_TO_EVEN);
        let is_nan = sum.to_bits() & (f32::SIGN as u32 - 1) > f32::MAX_FINITE as u32 + 1;
        match self.parameters.sum {
            SumFormat::F32 if is_nan => Binary32::from_bits(self.parameters.nan),
            _ => sum,
        }
    }

    /// Whether products are added along k only by [aligned](Addend::Aligned) steps toward zero, in
    /// one chain to an `f32`: what a vector loop has.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        let unit = self.parameters;
        self.promote == 0
            && self.segments <= 1
            && matches!(unit.addend, Addend::Aligned)
            && matches!(unit.cut, crate::Rounding::TowardZero)
            && matches!(unit.rounding, crate::Rounding::TowardZero)
            && matches!(unit.sum, SumFormat::F32)
            && !unit.flush_operands
            && !unit.flush_sums
            && !unit.product_overflow
    }
}
