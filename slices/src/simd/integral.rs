//! Rounding to an integral value: by AVX-512's instruction, in the modes and the state that it
//! needs (`avx512.rs`), or as integers, without float instructions, so in every state of the
//! floating-point unit. Exceptions are found by comparing operand and result, in the default state;
//! in others by the kernel.
//!
//! From 1 on, the bits of a magnitude's code that stand for its fraction are the last ones, as many
//! as the exponent leaves. An increment of them that depends on the mode, on the sign and on the
//! last bit before them carries into the integer, and from a full significand into the exponent;
//! then they are cleared. Below 1, the result is 0 or 1, by one comparison. No number's integral
//! value is too large for these formats; but a rule for overflow may replace infinities, so there
//! is a lane for IEEE's only.

use super::avx512::{self, Integer};
use super::status::{self, Checked, Raised, status_of};
use super::{Float, Lane, Loop, select};
use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::{Mode, Overflow, Rounding};
use core::marker::PhantomData;

/// A mode as constants. Masks are all ones or 0.
#[derive(Clone, Copy)]
pub struct Integral<T> {
    mode: Mode,
    /// To the nearer neighbour.
    nearest: u32,
    /// 1 where a half goes up after an even last bit too, otherwise 0.
    tie: u32,
    /// Away from zero, for numbers with plus and with minus.
    plus: u32,
    minus: u32,
    /// Whether a number whose last bit is odd stays (rounding to odd).
    odd: u32,
    format: PhantomData<T>,
}

impl<T: Float> Integral<T> {
    const FRACTION: u32 = T::PRECISION - 1;
    const ONE: u32 = (T::BIAS as u32) << Self::FRACTION;
    const HALF: u32 = Self::ONE - (1 << Self::FRACTION);
    const MINUS: u32 = T::SIGN as u32;
    const QUIET: u32 = T::MAX_FINITE as u32 + 1 + (1 << (T::PRECISION - 2));
}

impl<T: Float> Lane<(T,), T, Mode> for Integral<T> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        // With SSE2, which shifts all elements alike, a table is faster.
        let pays = T::BITS == 32 || Level::best().has_fma();
        if !pays || mode.overflow != Overflow::Ieee {
            return None;
        }
        let (none, all) = (0, u32::MAX);
        let [nearest, tie, plus, minus, odd] = match mode.rounding {
            Rounding::TiesToEven => [all, 0, none, none, none],
            Rounding::TiesToAway => [all, 1, none, none, none],
            Rounding::TowardZero => [none, 0, none, none, none],
            Rounding::TowardPositive => [none, 0, all, none, none],
            Rounding::TowardNegative => [none, 0, none, all, none],
            Rounding::ToOdd => [none, 0, all, all, all],
        };
        Some(Self {
            mode,
            nearest,
            tie,
            plus,
            minus,
            odd,
            format: PhantomData,
        })
    }

    #[inline(always)]
    fn call(&self, (x,): (T,)) -> T {
        let code = x.code() as u32;
        let (sign, size) = (code & Self::MINUS, code & !Self::MINUS);
        let away = select(sign != 0, self.minus, self.plus);
        // The fraction's bits, and the last one before them.
        let exponent = size >> Self::FRACTION;
        let bits = (T::BIAS as u32 + Self::FRACTION).saturating_sub(exponent);
        let one = 1 << bits.min(Self::FRACTION);
        let (mask, last) = (one - 1, size & one != 0);
        let nearest = (mask >> 1) + select(last, 1, self.tie);
        let directed = mask & away & !select(last, self.odd, 0);
        let large = (size + ((nearest & self.nearest | directed) & mask)) & !mask;
        let up = (size + self.tie > Self::HALF) & (self.nearest != 0) | (size & away != 0);
        let small = select(up, Self::ONE, 0);
        let number = select(size < Self::ONE, small, large) | sign;
        let result = select(size > T::MAX_FINITE as u32 + 1, Self::QUIET, number);
        T::of_code(result.into())
    }

    #[inline]
    fn over<C: Columns<Row = (T,)>, U: Outputs<Row = T>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        if !avx512::write::<1, Integer, _, _>(level, self.mode, columns, &mut out) {
            level.run(Loop::<_, Mode, _, _>::new(self, columns, out));
        }
    }

    status_of!((T,), T);
}

impl<T: Float> Checked<(T,), T> for Integral<T> {
    const AT_BASELINE: bool = true;

    #[inline(always)]
    fn raised((x,): (T,), result: T) -> Raised {
        status::integral(x, result)
    }
}
