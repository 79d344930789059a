//! Arithmetic of f16 and bf16 in every mode by the processor's f32, where `avx512.rs` has no
//! instruction that rounds in it.
//!
//! - A product has 16 or 22 bits: it is exact in f32 if its last bit is at least 2^-149.
//! - A quotient rounded to f32 is on the same side of every rounding boundary as the exact
//!   quotient. With p <= 11 bits, a boundary b has p + 1 bits, and `x - b * y` is 0 or, as an
//!   integer, at least 1 where x has up to 23 bits. So the exact quotient differs from b by more
//!   than 2^-23 of itself, and the f32 quotient from the exact one by at most 2^-24 of it.
//! - A sum is made odd if it is not exact: of its two neighbours the one with the odd code, as the
//!   sign of Knuth's two-sum says. It has 24 bits, at least two more than the result's format, so
//!   that the second rounding gives what one would (S. Boldo and G. Melquiond, Emulation of FMA and
//!   correctly rounded sums, IEEE Transactions on Computers 57(4), 2008). A sum of zero is exact;
//!   its sign follows the mode.
//!
//! For f16 all of these results are in f32's range; in the three directed modes with the IEEE
//! overflow rule the processor's conversion rounds them, where it has one. Pairs of bf16 are
//! processed in blocks. A block goes through the integer loop if one of its pairs may overflow, has
//! an infinity or a NaN, or has a product or quotient that may be too small; for division also if a
//! divisor is zero or subnormal or a dividend subnormal. The sweep runs all pairs of both formats
//! through these loops (`sweep run --backend host-simd --exhaustive`), and CI a part of them.

use super::avx512;
#[cfg(target_arch = "x86_64")]
use super::halves;
use super::operation::{Difference, Operation, Product, Quotient, Sum};
use super::{Float, Lane, Narrow, SIGN, widen};
use crate::element::{Columns, Outputs};
use crate::environment;
use crate::level::{Level, Task};
#[cfg(target_arch = "x86_64")]
use crate::typed;
#[cfg(target_arch = "x86_64")]
use bitexact::Overflow;
use bitexact::format::Format;
use bitexact::{Mode, Rounding};

/// Pairs of a block. Shorter slices take the integer loop.
const BLOCK: usize = 64;

/// An operation in f32 that decides how the exact result is rounded.
pub(super) trait Deciding: Operation + avx512::Operation<2> {
    /// The code of the result, odd if that matters.
    fn odd(x: f32, y: f32, result: f32) -> u32;
    /// Whether a pair of bf16, given by its codes, is in the range where this holds.
    fn fits(x: u16, y: u16) -> bool;
    /// What a mode that rounds down adds to the code of a result of zero: the sign, or 0 where the
    /// processor's sign is right.
    fn zero(x: u32, y: u32) -> u32;
}

/// The exponent's field of a bf16.
#[inline(always)]
const fn field(code: u16) -> u16 {
    code >> 7 & 0xFF
}

/// Whether a bf16 is zero.
#[inline(always)]
const fn is_zero(code: u16) -> bool {
    code & 0x7FFF == 0
}

/// The greatest field of operands of a sum.
const MOST: u16 = 252;

macro_rules! sums {
    ($($name:ident $flip:expr;)*) => {$(
        impl Deciding for $name {
            #[inline(always)]
            fn odd(x: f32, y: f32, sum: f32) -> u32 {
                let y = f32::from_bits(y.to_bits() ^ $flip);
                let virtually_y = sum - x;
                let error = (x - (sum - virtually_y)) + (y - virtually_y);
                // All ones, or 0.
                let inexact = u32::from((error < 0.0) | (error > 0.0)).wrapping_neg();
                let code = sum.to_bits();
                // The neighbour toward zero, whose last bit is set: that is it or the other one.
                let below = ((error.to_bits() ^ code) as i32 >> 31) as u32;
                code.wrapping_add(below & inexact) | (inexact & 1)
            }

            #[inline(always)]
            fn fits(x: u16, y: u16) -> bool {
                (field(x) <= MOST) & (field(y) <= MOST)
            }

            #[inline(always)]
            fn zero(x: u32, y: u32) -> u32 {
                // Of two zeros, or of opposite numbers.
                (x | (y ^ $flip)) & SIGN
            }
        }
    )*};
}
sums! {
    Sum 0;
    Difference SIGN;
}

impl Deciding for Product {
    #[inline(always)]
    fn odd(_: f32, _: f32, result: f32) -> u32 {
        result.to_bits()
    }

    #[inline(always)]
    fn fits(x: u16, y: u16) -> bool {
        // Last bits are 2^(field - 134) or more; the product is below 2^(fields - 252). From 128
        // on, it is mostly normal, and so fast.
        let fields = field(x) + field(y);
        let finite = (field(x) != 255) & (field(y) != 255);
        finite & (is_zero(x) | is_zero(y) | (128..=379).contains(&fields))
    }

    #[inline(always)]
    fn zero(_: u32, _: u32) -> u32 {
        0
    }
}

impl Deciding for Quotient {
    #[inline(always)]
    fn odd(_: f32, _: f32, result: f32) -> u32 {
        result.to_bits()
    }

    #[inline(always)]
    fn fits(x: u16, y: u16) -> bool {
        // The quotient is a normal number.
        let (above, below) = (field(x) + 125 >= field(y), field(x) <= field(y) + 125);
        let normal = (field(y) >= 1) & (field(y) <= 254) & (field(x) <= 254);
        normal & (is_zero(x) | ((field(x) >= 1) & above & below))
    }

    #[inline(always)]
    fn zero(_: u32, _: u32) -> u32 {
        0
    }
}

/// A loop over blocks, as the task that is compiled for each level. What is left after the last
/// whole block goes through the integer loop.
struct Pairs<'a, T, O, L> {
    x: &'a [T],
    y: &'a [T],
    out: &'a mut [T],
    mode: Mode,
    /// The integer loop.
    lane: L,
    operation: core::marker::PhantomData<O>,
}

impl<T: Float, O: Deciding, L: Lane<(T, T), T, Mode>> Task for Pairs<'_, T, O, L> {
    #[inline(always)]
    fn run(self) {
        let Some(narrow) = Narrow::<T>::new(self.mode) else {
            return;
        };
        // All ones, or 0: so that there is no mask of a vector to be made.
        let down = u32::from(self.mode.rounding == Rounding::TowardNegative).wrapping_neg();
        let always = T::BIAS != <f32 as Format>::BIAS;
        let (out, rest) = self.out.as_chunks_mut::<BLOCK>();
        let (x, x_rest) = self.x.as_chunks::<BLOCK>();
        let (y, y_rest) = self.y.as_chunks::<BLOCK>();
        for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
            let pairs = || x.iter().zip(y);
            let fits = |(x, y): (&T, &T)| O::fits(x.code() as u16, y.code() as u16);
            if !always && !pairs().map(fits).fold(true, |all, one| all & one) {
                for (out, (x, y)) in out.iter_mut().zip(pairs()) {
                    *out = self.lane.call((*x, *y));
                }
                continue;
            }
            for (out, (x, y)) in out.iter_mut().zip(pairs()) {
                let [a, b] = [*x, *y].map(widen);
                let (x, y) = (f32::from_bits(a), f32::from_bits(b));
                let code = O::odd(x, y, O::of(x, y));
                let zero = ((code & !SIGN).wrapping_sub(1) as i32 >> 31) as u32;
                *out = narrow.of_number(code | (zero & down & O::zero(a, b)));
            }
        }
        for ((out, x), y) in rest.iter_mut().zip(x_rest).zip(y_rest) {
            *out = self.lane.call((*x, *y));
        }
    }
}

/// The same for f16 in the three directions, by the processor's conversions. False, with nothing
/// written, elsewhere.
#[cfg(target_arch = "x86_64")]
#[inline]
fn by_instruction<O: Deciding, T: Float>(
    level: Level,
    mode: Mode,
    x: &[T],
    y: &[T],
    out: &mut [T],
) -> bool {
    let (Some(x), Some(y), Some(out), Overflow::Ieee) = (
        typed::of_type(x),
        typed::of_type(y),
        typed::of_type_mut(out),
        mode.overflow,
    ) else {
        return false;
    };
    match mode.rounding {
        Rounding::TowardZero => halves::pairs::<O, { halves::TO_ZERO }>(level, x, y, out),
        Rounding::TowardPositive => halves::pairs::<O, { halves::UP }>(level, x, y, out),
        Rounding::TowardNegative => halves::pairs::<O, { halves::DOWN }>(level, x, y, out),
        Rounding::TiesToEven | Rounding::TiesToAway | Rounding::ToOdd => false,
    }
}

/// Writes the results of an operation in a mode, of which `L` is the integer loop. False, with
/// nothing written, for other types than f16 and bf16, for short slices, and where the processor's
/// state or the level does not allow it.
#[inline]
pub(super) fn write<O: Deciding, L: Lane<(T, T), T, Mode>, T: Float, C: Columns, U: Outputs>(
    level: Level,
    mode: Mode,
    columns: C,
    out: &mut U,
) -> bool {
    if avx512::write::<2, O, _, _>(level, mode, columns, out) {
        return true;
    }
    if let (true, Some((x, y)), Some(out), Some(lane)) = (
        T::BITS == 16,
        columns.pair::<T>(),
        out.only_mut::<T>(),
        L::new(mode),
    ) && out.len() >= BLOCK
        && environment::is_default()
    {
        #[cfg(target_arch = "x86_64")]
        if by_instruction::<O, T>(level, mode, x, y, out) {
            return true;
        }
        let operation = core::marker::PhantomData::<O>;
        level.run(Pairs {
            x,
            y,
            out,
            mode,
            lane,
            operation,
        });
        return true;
    }
    false
}
