//! Sums, differences, products, quotients and fused multiply-adds of operands in several of the
//! formats f16, bf16 and f32.
//!
//! The catalog has a row for each of these choices of formats, and one entry is all of an
//! operation's. Every number of f16 and bf16 is one of f32, so an operand is widened, exactly, and
//! keeps its place among NaNs: the exact result and the flags are those of the row. The formats are
//! an argument, two bits each from the low ones on, operands first: 0 f16, 1 bf16, 2 f32.

use super::put_flags;
use crate::thread_index::Place;
use bitexact::Status;
use bitexact::catalog::{Kernel, decode_mode, decode_overflow, names};
use bitexact::format::{Binary32, bf16, f16};

/// The f32 of an f16: signalling NaNs stay so.
#[inline(always)]
const fn widened(half: u16) -> u32 {
    let (sign, magnitude) = ((half as u32 & 0x8000) << 16, half as u32 & 0x7FFF);
    sign | match magnitude {
        0 => 0,
        // The highest bit becomes the implicit one of an exponent from -24 on.
        1..0x400 => {
            let zeros = magnitude.leading_zeros();
            (134 - zeros) << 23 | (magnitude << (zeros - 8)) & 0x7F_FFFF
        }
        0x400..0x7C00 => (magnitude << 13) + (112 << 23),
        _ => 0xFF << 23 | (magnitude << 13) & 0x7F_FFFF,
    }
}

/// Element `i` of an operand in the format that comes next.
///
/// # Safety
///
/// There is such an element.
#[inline(always)]
unsafe fn operand(x: *const u8, i: usize, formats: &mut u32) -> Binary32 {
    let format = *formats & 3;
    *formats >>= 2;
    // SAFETY: the caller's.
    Binary32::from_bits(unsafe {
        match format {
            0 => widened(*x.cast::<u16>().add(i)),
            1 => u32::from(*x.cast::<u16>().add(i)) << 16,
            _ => *x.cast::<u32>().add(i),
        }
    })
}

/// Stores result `i` in a format, and its flags.
///
/// # Safety
///
/// There are such elements, which nothing else uses meanwhile.
#[inline(always)]
unsafe fn put<K, O, A>(
    format: u32,
    operands: O,
    arguments: A,
    out: *mut u8,
    flags: *mut u8,
    i: usize,
) where
    K: Kernel<O, f16, A> + Kernel<O, bf16, A> + Kernel<O, Binary32, A>,
{
    // SAFETY: the caller's.
    unsafe {
        let status: Status;
        match format {
            0 => {
                let result: f16;
                (result, status) = K::call(operands, arguments);
                *out.cast::<u16>().add(i) = result.to_bits();
            }
            1 => {
                let result: bf16;
                (result, status) = K::call(operands, arguments);
                *out.cast::<u16>().add(i) = result.to_bits();
            }
            _ => {
                let result: Binary32;
                (result, status) = K::call(operands, arguments);
                *out.cast::<u32>().add(i) = result.to_bits();
            }
        }
        put_flags(flags, i, status);
    }
}

macro_rules! operations {
    ($($name:ident $stochastic:ident ($($x:ident)*);)*) => {$(
        /// # Safety
        ///
        /// The operands and `out` have `n` elements of the formats, `flags` is null or has as many;
        /// nothing else uses the outputs meanwhile.
        #[inline(always)]
        pub unsafe fn $name(
            place: Place, $($x: *const u8,)* out: *mut u8, flags: *mut u8, n: usize, mode: u32, formats: u32
        ) {
            let mode = decode_mode(mode);
            // SAFETY: the caller's.
            place.for_each_own(n, |i| unsafe {
                let mut formats = formats;
                let operands = ($(operand($x, i, &mut formats),)*);
                put::<names::$name, _, _>(formats, operands, mode, out, flags, i);
            });
        }

        /// # Safety
        ///
        /// As above; `random` has `n` elements.
        #[inline(always)]
        pub unsafe fn $stochastic(
            place: Place, $($x: *const u8,)* out: *mut u8, flags: *mut u8, n: usize, random: *const u16, overflow: u32,
            formats: u32
        ) {
            let overflow = decode_overflow(overflow);
            // SAFETY: the caller's.
            place.for_each_own(n, |i| unsafe {
                let mut formats = formats;
                let operands = ($(operand($x, i, &mut formats),)*);
                let arguments = (*random.add(i), overflow);
                put::<names::$name, _, _>(formats, operands, arguments, out, flags, i);
            });
        }
    )*};
}
operations! {
    add add_stochastic (a b);
    sub sub_stochastic (a b);
    mul mul_stochastic (a b);
    div div_stochastic (a b);
    fma fma_stochastic (a b c);
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::widened;
    use bitexact::f16;

    #[test]
    fn every_half_is_widened() {
        for bits in 0..=u16::MAX {
            let (half, found) = (f16::from_bits(bits), widened(bits));
            if half.is_nan() {
                let quiet = found & 0x40_0000 != 0;
                assert!(f32::from_bits(found).is_nan() && quiet == (bits & 0x200 != 0));
                assert_eq!(found >> 31, u32::from(bits >> 15));
            } else {
                assert_eq!(found, half.to_f32().to_bits(), "{bits:#x}");
            }
        }
    }
}
