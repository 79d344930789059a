//! Arithmetic on `f16` and `bf16` and their conversions, in ties to even, by the FPU of a Cortex-M:
//! the same bits as the integer kernels of `bitexact`, which run where the FPU may not.
//!
//! ```
//! use bitexact::{bf16, f16};
//!
//! let (x, y) = (f16::from_bits(0x3C01), f16::from_bits(0x4200));
//! assert_eq!(bitexact_fpu::mul(x, y).to_bits(), 0x4202);
//! let narrow: bf16 = bitexact_fpu::convert(x);
//! assert_eq!(narrow.to_bits(), 0x3F80);
//! ```
//!
//! A function is the kernel of its name with `Mode::TIES_TO_EVEN` and without a status. It is a
//! crate of its own, and opt-in, since it needs `unsafe` (inline assembly) and raises the FPU's
//! cumulative exception flags; `bitexact` is integer arithmetic without `unsafe`. On every target
//! but `thumbv7em-none-eabihf` and `thumbv8m.main-none-eabihf` the functions call the kernels.
//!
//! # The mode of the FPU
//!
//! FPSCR may be set to flush subnormals, to the default NaN, to the alternative half precision or
//! to another rounding direction. Each call reads FPSCR in the same function of assembly in which
//! it computes, so that no compiler can move the one across the other, and calls the kernel if one
//! of these bits is set. That costs three instructions (VMRS, TST and a branch that is not taken)
//! of about 20; a token for a mode that was tested once would be wrong as soon as other code
//! changes the mode.
//!
//! # Why two roundings give the result of one
//!
//! The FPU rounds an operation's exact value x to an f32 number r, and r is rounded to the narrow
//! format. Every midpoint of f16 and bf16, subnormal ones and the one above the largest number
//! included, is an f32 number (bf16's subnormal midpoints are f32 subnormals). Rounding to f32 is
//! monotone, so it never takes x across a midpoint m: both results are the same unless r = m and x
//! is not m.
//!
//! - **Normal results of add, sub, mul, div, sqrt**: r = m implies x = m, since the 24 bits of f32
//!   are at least 2p + 2 for p = 11 and p = 8 (S. A. Figueroa, When is double rounding innocuous?,
//!   SIGNUM Newsletter 30(3), 1995).
//! - **Subnormal f16**: r is normal (above 2^-49). Sums below 2^-14 are multiples of 2^-24, and
//!   exact, as are products, which have 22 bits. Square roots are not subnormal. A quotient a / b
//!   that is not m but is rounded to m differs from it by at most 2^-24 m, so |a - m b| <= 2^-24 m
//!   b; with a, b and m as integers of 11, 11 and at most 12 bits times powers of two, one of the
//!   two sides of the nonzero difference a - m b is at most 2^23 of its units.
//! - **Subnormal bf16**: sums below 2^-125 are multiples of 2^-133, and exact. Products have 16
//!   bits, and are exact from 2^-134 on; a smaller one is rounded to at most 2^-134, which is a tie
//!   with zero, and so is what is smaller. Square roots are not subnormal. A quotient of
//!   significands of 8 bits that is not a multiple of 2^-134 differs from every multiple by at
//!   least 2^-143, and r by at most 2^-150 from it.
//! - **fma**: the product is exact in f32, but the sum's second rounding is not innocuous: for f16,
//!   3 * 683/2048 + 2^-24 is 1 + 2^-11 + 2^-24, which f32 rounds to the midpoint 1 + 2^-11. So the
//!   kernel runs where r is a midpoint (about one result of 8,192 for f16, of 65,536 for bf16), and
//!   where r is below 2^-14 for f16 (its midpoints have other bits there).
//! - **Overflow**: f32 overflows only above the midpoint between the largest number of bf16 and
//!   2^128.
//!
//! f32 to f16 is one rounding. The FPU has no instruction between bf16 and f32; the kernels take a
//! few integer ones.
//!
//! [`firmware/COSTS.md`](https://github.com/bitexact/bitexact/blob/main/firmware/COSTS.md) compares
//! the costs. On a Cortex-M4 arithmetic takes a quarter to a half of the kernel's estimated cycles.
//! From f32 to f16 the kernel is faster for normal numbers; the FPU takes the same time for all.
//!
//! # Evidence
//!
//! `ci/firmware.sh fpu` compares every function with its kernel in QEMU, on a Cortex-M4, M33 and
//! M55, in every mode of the FPU (`firmware/device/src/bin/fpu.rs` says on which operands). All
//! 2^32 pairs have run on a host, where `bitexact-slices` takes the same steps with the processor's
//! f32 (`host-tests/evidence/README.md`): IEEE 754 defines each step, so what these pairs say of
//! two roundings holds here too.
#![no_std]

use bitexact::{Mode, arith, bf16, convert, f16};

/// What the FPU computes, or `None` where it does not give the kernel's bits.
mod unit {
    /// Arithmetic on a format.
    pub trait Unit: bitexact::format::Arithmetic {
        fn add(_: Self, _: Self) -> Option<Self> {
            None
        }
        fn sub(_: Self, _: Self) -> Option<Self> {
            None
        }
        fn mul(_: Self, _: Self) -> Option<Self> {
            None
        }
        fn div(_: Self, _: Self) -> Option<Self> {
            None
        }
        fn sqrt(_: Self) -> Option<Self> {
            None
        }
        fn fma(_: Self, _: Self, _: Self) -> Option<Self> {
            None
        }
    }

    /// A conversion.
    pub trait Conversion<R>: bitexact::format::Format {
        fn convert(self) -> Option<R> {
            None
        }
    }
}
use unit::{Conversion, Unit};

#[cfg(fpu)]
mod thumb;
#[cfg(not(fpu))]
mod elsewhere {
    use super::{Conversion, Unit, bf16, f16};

    impl Unit for f16 {}
    impl Unit for bf16 {}
    impl Conversion<f32> for f16 {}
    impl Conversion<f16> for f32 {}
    impl Conversion<bf16> for f16 {}
    impl Conversion<f16> for bf16 {}
}

/// `f16` and `bf16`.
pub trait Half: Unit {}
impl Half for f16 {}
impl Half for bf16 {}

/// The formats that this one is converted to: `f16` to `f32` and `bf16`, `f32` and `bf16` to `f16`.
pub trait ConvertTo<R: bitexact::format::Format>: Conversion<R> {}
impl<A: Conversion<R>, R: bitexact::format::Format> ConvertTo<R> for A {}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+);)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[must_use]
            pub fn $name<T: Half>($($x: T),+) -> T {
                // Out of line, so that the FPU's path saves no registers.
                #[cold]
                #[inline(never)]
                fn kernel<T: Half>($($x: T),+) -> T {
                    arith::$name($($x,)+ Mode::TIES_TO_EVEN)
                }
                T::$name($($x),+).unwrap_or_else(|| kernel($($x),+))
            }
        )*
    };
}

functions! {
    /// [`arith::add`] in ties to even.
    add(x, y);
    /// [`arith::sub`] in ties to even.
    sub(x, y);
    /// [`arith::mul`] in ties to even.
    mul(x, y);
    /// [`arith::div`] in ties to even.
    div(x, y);
    /// [`arith::sqrt`] in ties to even.
    sqrt(x);
    /// [`arith::fma`] in ties to even: `a * b + c`, rounded once.
    fma(a, b, c);
}

/// [`convert::convert`] in ties to even; a NaN becomes the canonical one.
#[inline]
#[must_use]
pub fn convert<A: ConvertTo<R>, R: bitexact::format::Format>(x: A) -> R {
    #[cold]
    #[inline(never)]
    fn kernel<A: ConvertTo<R>, R: bitexact::format::Format>(x: A) -> R {
        convert::convert(x, Mode::TIES_TO_EVEN)
    }
    x.convert().unwrap_or_else(|| kernel(x))
}
