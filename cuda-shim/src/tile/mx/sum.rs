//! Ways to add up the dot products of blocks.

use crate::tile::machine::{add_wide, canonical, fma};
use core::marker::PhantomData;

/// 1.5 * 2^23: the next numbers are integers.
const MAGIC: f32 = 12_582_912.0;

/// How dot products of blocks are added up.
pub trait Way {
    /// Digits of an element of each operand.
    const DIGITS: [usize; 2];
    /// What sums in s32 begin from.
    const FIRST: u32 = 0;
    type Sum: Copy;
    const NOTHING: Self::Sum;
    /// Makes a row's factor ready.
    type Row: Copy;
    fn row(factor: u32) -> Self::Row;
    /// Adds a dot product, given by its sums of digits' products by weight.
    fn add(sum: Self::Sum, dot: Dot, row: Self::Row, column: u32) -> Self::Sum;
    /// Writes the sum of this number.
    ///
    /// # Safety
    ///
    /// There is room.
    unsafe fn put(out: *mut Self::Sum, at: usize, sum: Self::Sum);
}

/// A dot product's sums of digits' products, by weight: those that there are.
type Dot = [u32; WEIGHTS];
pub(super) const WEIGHTS: usize = 9;

/// Sums of this type, for elements of so many digits: not fewer of the first operand's.
pub struct Sums<S, const I: usize, const J: usize>(pub(super) PhantomData<S>);

/// In the declared order.
impl<const I: usize, const J: usize> Way for Sums<f32, I, J> {
    const DIGITS: [usize; 2] = [I, J];
    const FIRST: u32 = if I == 1 { MAGIC.to_bits() } else { 0 };
    type Sum = f32;
    const NOTHING: f32 = -0.0;
    type Row = [f32; 2];

    #[inline(always)]
    fn row(factor: u32) -> [f32; 2] {
        let factor = f32::from_bits(factor);
        [factor, factor * -MAGIC]
    }

    #[inline(always)]
    fn add(sum: f32, dot: Dot, [factor, less]: [f32; 2], column: u32) -> f32 {
        let scaled = if I == 1 {
            fma(f32::from_bits(dot[0]), factor, less)
        } else {
            rounded::<I, J>(dot) * factor
        };
        fma(scaled, f32::from_bits(column), sum)
    }

    #[inline(always)]
    unsafe fn put(out: *mut f32, at: usize, sum: f32) {
        // SAFETY: the caller's.
        unsafe { *out.cast::<u32>().add(at) = canonical(sum) };
    }
}

/// Exact ones.
impl<const I: usize, const J: usize> Way for Sums<i64, I, J> {
    const DIGITS: [usize; 2] = [I, J];
    type Sum = i64;
    const NOTHING: i64 = 0;
    type Row = u32;

    #[inline(always)]
    fn row(factor: u32) -> u32 {
        factor
    }

    #[inline(always)]
    fn add(sum: i64, dot: Dot, row: u32, column: u32) -> i64 {
        if I == 1 {
            let scaled = (dot[0] as i32).wrapping_mul(row as i32);
            return add_wide(scaled, column as i32, sum);
        }
        let [low, high] = halves(dot);
        let dot = i64::from(low) + (i64::from(high) << 12);
        let factor = i64::from(row).wrapping_mul(column.into());
        sum.wrapping_add(dot.wrapping_mul(factor))
    }

    #[inline(always)]
    unsafe fn put(out: *mut i64, at: usize, sum: i64) {
        // SAFETY: the caller's.
        unsafe { *out.add(at) = sum };
    }
}

/// A dot product, rounded once, of elements of more digits than one.
#[inline(always)]
pub(super) fn rounded<const I: usize, const J: usize>(dot: Dot) -> f32 {
    if I == 5 {
        return of_five::<J>(dot);
    }
    let [low, middle] = halves(dot);
    if I == 3 && J > 1 {
        let (high, low) = (middle >> 8, low + ((middle & 0xFF) << 12));
        fma(high as f32, 1_048_576.0, low as f32)
    } else {
        (low + (middle << 12)) as f32
    }
}

/// A dot product in base 64 as two integers, the second one in units of 2^12.
#[inline(always)]
pub(super) const fn halves([a, b, c, d, e, ..]: Dot) -> [i32; 2] {
    let low = (a as i32).wrapping_add((b as i32) << 6);
    let high = (c as i32)
        .wrapping_add((d as i32) << 6)
        .wrapping_add((e as i32) << 12);
    [low, high]
}

/// A dot product in base 128, rounded once.
#[inline(always)]
pub(super) fn of_five<const J: usize>(dot: Dot) -> f32 {
    let [a, b, c, d, e, f, g, h, i] = dot.map(|sum| sum as i32);
    let low = add_wide(c + (d << 7), 1 << 14, (a + (b << 7)).into());
    let low = add_wide(e, 1 << 28, low);
    let high = add_wide(h + (i << 7), 1 << 14, (f + (g << 7)).into());
    if J < 5 {
        return (low + (high << 35)) as f32;
    }
    let (high, low) = (high + (low >> 35), low & ((1 << 35) - 1));
    let near = (-1 << 26..1 << 26).contains(&high);
    // The last bit stands for all of `low`. Both are computed, so that there is no branch.
    let far = high | i64::from(low != 0);
    let (sum, unit) = if near {
        ((high << 35) + low, 1.0)
    } else {
        (far, 34_359_738_368.0)
    };
    sum as f32 * unit
}
