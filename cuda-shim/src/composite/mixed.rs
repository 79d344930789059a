//! Rows that share an entry: which one it is, an argument says.
//!
//! Every number of a format of at most 32 bits is one of f32, and every integer is one of 64 bits:
//! so an operand is widened, exactly, and keeps its place among NaNs, and the exact result and the
//! flags are those of the row. Kernels that depend on the operands' format itself, such as
//! `next_up`, have a loop for each one. Formats are numbers, as `FORMATS` of the plans: the formats
//! of a row have five bits each, operands first.

use super::put_flags;
use crate::thread_index::Place;
use bitexact::arith::Class;
use bitexact::catalog::{Element, Kernel, decode_mode, decode_overflow, names};
use bitexact::format::{
    Binary32, Binary64, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, bf16, f16,
};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{Mode, Overflow};

/// Bits of a format's number.
const BITS: u32 = 5;
/// The number of f64.
const F64: u32 = 10;
/// The numbers of integers: i8, i16, i32, i64, u8, u16, u32, u64.
const I8: u32 = 11;
const U8: u32 = 15;

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

/// The f32 of a code of a format of at most 8 bits, by the format's number. Only E5M2, whose codes
/// are the upper halves of those of f16, has infinities and signalling NaNs.
#[inline(always)]
const fn widened_byte(code: u8, format: u32) -> u32 {
    // The sign, the bits of a fraction, the bias, and the magnitude of NaN (or none).
    let (minus, fraction, bias, nan) = match format {
        3 => return widened((code as u16) << 8),
        4 => (0x80, 3, 7, 0x7F),
        5 => (0x80, 2, 16, u32::MAX),
        6 => (0x80, 3, 8, u32::MAX),
        7 => (0x20, 2, 3, u32::MAX),
        8 => (0x20, 3, 1, u32::MAX),
        _ => (0x08, 1, 1, u32::MAX),
    };
    let code = code as u32 & (2 * minus - 1);
    let (sign, magnitude) = (code & minus, code & (minus - 1));
    // The NaN of E5M2FNUZ and E4M3FNUZ is where another format has -0.
    let unsigned = format == 5 || format == 6;
    if magnitude == nan || unsigned && code == minus {
        return 0x7FC0_0000;
    }
    let sign = if sign == 0 { 0 } else { 1 << 31 };
    if magnitude == 0 {
        return sign;
    }
    let zeros = (magnitude << (31 - fraction)).leading_zeros();
    let magnitude = if magnitude < 1 << fraction {
        // The highest bit becomes the implicit one of a smaller exponent.
        (128 - bias - zeros) << 23 | (magnitude << (23 - fraction + zeros)) & 0x7F_FFFF
    } else {
        (magnitude << (23 - fraction)) + ((127 - bias) << 23)
    };
    sign | magnitude
}

/// The f32 of a code of a format of at most 16 bits. Not inlined: one function for all callers.
#[inline(never)]
fn widen(code: u32, format: u32) -> u32 {
    match format {
        0 => widened(code as u16),
        1 => code << 16,
        _ => widened_byte(code as u8, format),
    }
}

/// Element `i` of an operand in a format of at most 32 bits.
///
/// # Safety
///
/// There is such an element.
#[inline(always)]
pub unsafe fn load(x: *const u8, i: isize, format: u32) -> Binary32 {
    // SAFETY: the caller's.
    Binary32::from_bits(unsafe {
        match format {
            0 | 1 => widen((*x.cast::<u16>().offset(i)).into(), format),
            2 => *x.cast::<u32>().offset(i),
            _ => widen((*x.offset(i)).into(), format),
        }
    })
}

/// Element `i` of an operand in an integer type, whose bits these are in 64 bits.
///
/// # Safety
///
/// There is such an element.
#[inline(always)]
unsafe fn integer(x: *const u8, i: usize, format: u32) -> i64 {
    // SAFETY: the caller's.
    unsafe {
        match format - I8 {
            0 => (*x.cast::<i8>().add(i)).into(),
            1 => (*x.cast::<i16>().add(i)).into(),
            2 => (*x.cast::<i32>().add(i)).into(),
            4 => (*x.add(i)).into(),
            5 => (*x.cast::<u16>().add(i)).into(),
            6 => (*x.cast::<u32>().add(i)).into(),
            _ => *x.cast::<i64>().add(i),
        }
    }
}

/// The results of a kernel and their flags.
///
/// # Safety
///
/// `operands` and `arguments` may be called for all elements; `out` has `n`, `flags` is null or has
/// as many; nothing else uses them meanwhile.
#[inline(always)]
unsafe fn each<K, O, R, A>(
    place: Place,
    operands: impl Fn(usize) -> O,
    arguments: impl Fn(usize) -> A,
    [out, flags]: [*mut u8; 2],
    n: usize,
) where
    K: Kernel<O, R, A>,
    R: Element,
{
    place.for_each_own(n, |i| {
        let (result, status) = K::call(operands(i), arguments(i));
        // SAFETY: the caller's.
        unsafe {
            *out.cast::<R::Word>().add(i) = result.to_word();
            put_flags(flags, i, status);
        }
    });
}

/// How results are rounded.
#[derive(Clone, Copy)]
struct Rounded {
    /// Random bits, or null.
    random: *const u16,
    /// The mode, or the overflow rule with random bits.
    mode: u32,
}

impl Rounded {
    /// [`each`] with a mode, or stochastically.
    ///
    /// # Safety
    ///
    /// As there; there are random bits for each element if there are any.
    #[inline(always)]
    unsafe fn each<K, O, R>(
        self,
        place: Place,
        operands: impl Fn(usize) -> O,
        outputs: [*mut u8; 2],
        n: usize,
    ) where
        K: Kernel<O, R, Mode> + Kernel<O, R, (u16, Overflow)>,
        R: Element,
    {
        // SAFETY: the caller's.
        unsafe {
            if self.random.is_null() {
                let mode = decode_mode(self.mode);
                each::<K, O, R, _>(place, operands, |_| mode, outputs, n);
            } else {
                let overflow = decode_overflow(self.mode);
                let arguments = |i| (*self.random.add(i), overflow);
                each::<K, O, R, _>(place, operands, arguments, outputs, n);
            }
        }
    }
}

/// `$value` with the format of a number, one of these, as a type.
macro_rules! with_format {
    ($number:expr, [$($of:literal $ty:ty),* $(,)?], $r:ident => $value:expr) => {
        match $number {
            $($of => {
                type $r = $ty;
                $value
            })*
            _ => {}
        }
    };
}

/// A body of rows that share an entry, whose results have one of these formats.
macro_rules! shared {
    ($(
        $(#[$doc:meta])*
        $name:ident ($($x:ident)*) |$i:ident, $formats:ident| $operands:expr => $results:tt
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// The operands and `out` have `n` elements of the formats, `flags` is null or has as many,
        /// and so has `random`; nothing else uses the outputs meanwhile.
        #[inline(always)]
        pub unsafe fn $name(
            place: Place,
            $($x: *const u8,)*
            out: *mut u8,
            flags: *mut u8,
            n: usize,
            random: *const u16,
            mode: u32,
            mut $formats: u32,
        ) {
            let rounded = Rounded { random, mode };
            $(
                let $x = ($x, $formats & ((1 << BITS) - 1));
                $formats >>= BITS;
            )*
            // SAFETY: the caller's.
            unsafe {
                with_format!($formats, $results, R => {
                    rounded.each::<names::$name, _, R>(place, |$i| $operands, [out, flags], n);
                });
            }
        }
    )*};
}

/// The f32 of an operand and its format.
macro_rules! wide {
    ($x:ident $i:ident) => {
        load($x.0, $i as isize, $x.1)
    };
}

shared! {
    /// Sums.
    add (a b) |i, formats| (wide!(a i), wide!(b i)) => [
        0 f16, 1 bf16, 2 Binary32, 3 E5M2, 4 E4M3FN, 5 E5M2FNUZ, 6 E4M3FNUZ, 7 E3M2, 8 E2M3, 9 E2M1
    ]
    /// Differences.
    sub (a b) |i, formats| (wide!(a i), wide!(b i)) => [
        0 f16, 1 bf16, 2 Binary32, 3 E5M2, 4 E4M3FN, 5 E5M2FNUZ, 6 E4M3FNUZ, 7 E3M2, 8 E2M3, 9 E2M1
    ]
    /// Products.
    mul (a b) |i, formats| (wide!(a i), wide!(b i)) => [
        0 f16, 1 bf16, 2 Binary32, 3 E5M2, 4 E4M3FN, 5 E5M2FNUZ, 6 E4M3FNUZ, 7 E3M2, 8 E2M3, 9 E2M1
    ]
    /// Quotients.
    div (a b) |i, formats| (wide!(a i), wide!(b i)) => [
        0 f16, 1 bf16, 2 Binary32, 3 E5M2, 4 E4M3FN, 5 E5M2FNUZ, 6 E4M3FNUZ, 7 E3M2, 8 E2M3, 9 E2M1
    ]
    /// Fused multiply-adds.
    fma (a b c) |i, formats| (wide!(a i), wide!(b i), wide!(c i)) => [0 f16, 1 bf16, 2 Binary32]
    /// Square roots.
    sqrt (a) |i, formats| (wide!(a i),) => [0 f16, 1 bf16, 2 Binary32]
    /// Elements of MX blocks.
    mxint8_encode (a) |i, formats| (wide!(a i),) => [20 MxInt8]
    /// The same between -127/64 and 127/64.
    mxint8_encode_symmetric (a) |i, formats| (wide!(a i),) => [20 MxInt8]
    /// Their values.
    mxint8_decode (a) |i, formats| (MxInt8::from_word(*a.0.add(i)),) => [0 f16, 1 bf16, 2 Binary32]
    /// The values of scales.
    e8m0_decode (a) |i, formats| (E8M0::from_word(*a.0.add(i)),) => [0 f16, 1 bf16, 2 Binary32]
}

/// A conversion, whose operand may have one of two wide types.
macro_rules! converted {
    ($(
        $(#[$doc:meta])*
        $name:ident $x:ident |$i:ident| if $first:expr => $operands:expr => $results:tt
        else $others:expr => $other_results:tt
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// The operand and `out` have `n` elements of the formats, `flags` is null or has as many,
        /// and so has `random`; nothing else uses the outputs meanwhile.
        #[inline(always)]
        pub unsafe fn $name(
            place: Place,
            x: *const u8,
            out: *mut u8,
            flags: *mut u8,
            n: usize,
            random: *const u16,
            mode: u32,
            formats: u32,
        ) {
            let rounded = Rounded { random, mode };
            let ($x, to) = ((x, formats & ((1 << BITS) - 1)), formats >> BITS);
            // SAFETY: the caller's.
            unsafe {
                if $first {
                    with_format!(to, $results, R => {
                        rounded.each::<names::$name, _, R>(place, |$i| $operands, [out, flags], n);
                    });
                } else {
                    with_format!(to, $other_results, R => {
                        rounded.each::<names::$name, _, R>(place, |$i| $others, [out, flags], n);
                    });
                }
            }
        }
    )*};
}

converted! {
    /// Conversions between formats.
    convert x |i| if x.1 == F64 => (Binary64::from_bits(*x.0.cast::<u64>().add(i)),) => [
        0 f16, 1 bf16, 2 Binary32
    ] else (wide!(x i),) => [
        0 f16, 1 bf16, 2 Binary32, 3 E5M2, 4 E4M3FN, 5 E5M2FNUZ, 6 E4M3FNUZ, 7 E3M2, 8 E2M3, 9 E2M1,
        10 Binary64
    ]
    /// Conversions to integers.
    to_int x |i| if x.1 == F64 => (Binary64::from_bits(*x.0.cast::<u64>().add(i)),) => [
        11 i8, 12 i16, 13 i32, 14 i64, 15 u8, 16 u16, 17 u32, 18 u64
    ] else (wide!(x i),) => [
        11 i8, 12 i16, 13 i32, 14 i64, 15 u8, 16 u16, 17 u32, 18 u64
    ]
    /// Conversions of integers.
    from_int x |i| if x.1 < U8 => (integer(x.0, i, x.1),) => [
        0 f16, 1 bf16, 2 Binary32, 10 Binary64
    ] else (integer(x.0, i, x.1) as u64,) => [
        0 f16, 1 bf16, 2 Binary32, 10 Binary64
    ]
}

/// A body of rows of several kernels: `wide` if f32 is all that they need to know of operands,
/// otherwise with a loop for each format.
macro_rules! group {
    ($name:ident $operands:tt ($($x:ident)*) $how:tt $result:tt: [$($kernel:ident)*]) => {
        /// # Safety
        ///
        /// The operands and `out` have `n` elements of the row's types, `flags` is null or has as
        /// many; nothing else uses the outputs meanwhile.
        #[inline(always)]
        pub unsafe fn $name(
            place: Place,
            $($x: *const u8,)*
            out: *mut u8,
            flags: *mut u8,
            n: usize,
            row: u32,
        ) {
            let (format, kernel) = (row & ((1 << BITS) - 1), row >> BITS);
            let mut at = 0;
            $(
                if kernel == at {
                    group! { @ $how $kernel $operands $result format place out flags n }
                }
                at += 1;
            )*
            let _ = at;
        }
    };
    (@ wide $kernel:ident ($($x:ident)*) $result:tt $format:ident $place:ident $out:ident $flags:ident $n:ident) => {
        // SAFETY: the caller's.
        unsafe {
            let operands = |i: usize| ($(load($x, i as isize, $format),)*);
            each::<names::$kernel, _, $result, ()>($place, operands, |_| (), [$out, $flags], $n);
        }
    };
    (@ own $kernel:ident $x:tt $result:tt $format:ident $place:ident $out:ident $flags:ident $n:ident) => {
        group! { @ loop $kernel $x $result [0 f16, 1 bf16, 2 Binary32] $format $place $out $flags $n }
    };
    (@ loop $kernel:ident $x:tt $result:tt $formats:tt $format:ident $place:ident $out:ident $flags:ident $n:ident) => {
        // SAFETY: the caller's.
        unsafe {
            with_format!($format, $formats, F => {
                group! { @ formed $kernel $x $result F $place $out $flags $n }
            });
        }
    };
    (@ formed $kernel:ident ($($x:ident)*) $result:tt $f:ident $place:ident $out:ident $flags:ident $n:ident) => {
        let operands = |i: usize| ($($f::from_word(*$x.cast::<<$f as Element>::Word>().add(i)),)*);
        each::<names::$kernel, _, group!(@result $result $f), ()>(
            $place, operands, |_| (), [$out, $flags], $n
        );
    };
    (@result F $f:ident) => { $f };
    (@result $result:ident $f:ident) => { $result };
}

macro_rules! groups {
    ($($name:ident: $kernels:tt)*) => { $(groups! { @ $name $kernels })* };
    (@ relations $kernels:tt) => { group! { relations (a b) (a b) wide bool: $kernels } };
    (@ predicates $kernels:tt) => { group! { predicates (a) (a) own bool: $kernels } };
    (@ classes $kernels:tt) => { group! { classes (a) (a) own Class: $kernels } };
    (@ exponents $kernels:tt) => { group! { exponents (a) (a) wide i32: $kernels } };
    (@ neighbours $kernels:tt) => { group! { neighbours (a) (a) own F: $kernels } };
    (@ choices $kernels:tt) => { group! { choices (a b) (a b) own F: $kernels } };
    (@ remainders $kernels:tt) => { group! { remainders (a b) (a b) own F: $kernels } };
}
gpu_plans::row_groups!(groups);

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::{widened, widened_byte};
    use bitexact::catalog::Element;
    use bitexact::convert::convert;
    use bitexact::format::{
        Arithmetic, Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ,
    };
    use bitexact::{Mode, f16};

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

    #[test]
    fn every_byte_is_widened() {
        fn check<F: Arithmetic + Element<Word = u8>>(format: u32) {
            for code in 0..=u8::MAX {
                let due: Binary32 = convert(F::from_word(code), Mode::TIES_TO_EVEN);
                let found = widened_byte(code, format);
                if format == 3 && f32::from_bits(found).is_nan() {
                    assert_eq!(found | 0x40_0000, due.to_bits() | found, "{code:#x}");
                } else {
                    assert_eq!(found, due.to_bits(), "{} {code:#x}", F::NAME);
                }
            }
        }
        check::<E5M2>(3);
        check::<E4M3FN>(4);
        check::<E5M2FNUZ>(5);
        check::<E4M3FNUZ>(6);
        check::<E3M2>(7);
        check::<E2M3>(8);
        check::<E2M1>(9);
    }
}
