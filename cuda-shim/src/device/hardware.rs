//! Conversions and square roots that the hardware rounds as IEEE 754 requires. Its NaNs are not
//! canonical, so each NaN is replaced by an integer select. Functions of f32 by the hardware's f64.
//!
//! The host side uses such an entry only after it has given the core's results for all operands on
//! that very device.

use super::vector::map;
use crate::abi::{decode_mode, lanes};
use bitexact::Rounding;
use core::arch::asm;
use enclosures::double::{self, Rounder};

macro_rules! hardware {
    (
        $(
            $name:ident: $from:ident $from_class:ident -> $to:ident $to_class:ident,
            infinity $infinity:literal, NaN $nan:literal, $packs:literal $instructions:literal;
        )*
    ) => {
        $(
            /// `out[i] = f(x[i])`, to nearest with ties to even.
            ///
            /// # Safety
            ///
            /// `x` and `out` have `n` words; nothing else uses `out` meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(x: *const $from, out: *mut $to, n: usize) {
                const LANES: usize = lanes(size_of::<$from>(), size_of::<$to>());
                let f = |x: $from| {
                    let result: $to;
                    // SAFETY: it computes one register from another.
                    unsafe {
                        asm!(
                            $instructions, d = out($to_class) result, a = in($from_class) x,
                            options(pure, nomem, nostack)
                        );
                    }
                    if result & ($to::MAX >> 1) > $infinity { $nan } else { result }
                };
                // SAFETY: the caller's.
                unsafe { map::<_, _, LANES, $packs>(x, out, n, f) }
            }
        )*
    };
}

// A square root takes so long that a thread processes two packs at once.
hardware! {
    convert_f16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000, 1 "cvt.f32.f16 {d}, {a};";
    convert_bf16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000,
        1 "{{ .reg .b16 zero; mov.b16 zero, 0; mov.b32 {d}, {{zero, {a}}}; }}";
    convert_f16_f64_hw: u16 reg16 -> u64 reg64,
        infinity 0x7FF0_0000_0000_0000, NaN 0x7FF8_0000_0000_0000, 1 "cvt.f64.f16 {d}, {a};";
    convert_bf16_f64_hw: u16 reg16 -> u64 reg64,
        infinity 0x7FF0_0000_0000_0000, NaN 0x7FF8_0000_0000_0000,
        1 "{{ .reg .b16 zero; .reg .b32 wide; mov.b16 zero, 0; mov.b32 wide, {{zero, {a}}}; cvt.f64.f32 {d}, wide; }}";
    convert_f32_f64_hw: u32 reg32 -> u64 reg64,
        infinity 0x7FF0_0000_0000_0000, NaN 0x7FF8_0000_0000_0000, 1 "cvt.f64.f32 {d}, {a};";
    sqrt_f16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000,
        2 "{{ .reg .b32 wide; cvt.f32.f16 wide, {a}; sqrt.rn.f32 {d}, wide; }}";
    sqrt_bf16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000,
        2 "{{ .reg .b16 zero; .reg .b32 wide; mov.b16 zero, 0; mov.b32 wide, {{zero, {a}}}; sqrt.rn.f32 {d}, wide; }}";
    sqrt_f32_hw: u32 reg32 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000, 2 "sqrt.rn.f32 {d}, {a};";
}

/// A 16-bit format that the hardware converts f32 to, to nearest and toward zero.
trait Narrow {
    const NAN: u16;
    fn nearest(x: u32) -> u16;
    fn toward_zero(x: u32) -> u16;
    /// The f32 of the same value.
    fn widen(x: u16) -> u32;
}

macro_rules! narrow {
    ($name:ident $nearest:literal $zero:literal $widen:literal $nan:literal) => {
        struct $name;

        // SAFETY: each instruction computes one register from another.
        impl Narrow for $name {
            const NAN: u16 = $nan;
            #[inline(always)]
            fn nearest(x: u32) -> u16 {
                let y;
                unsafe { asm!($nearest, d = out(reg16) y, a = in(reg32) x, options(pure, nomem, nostack)) };
                y
            }
            #[inline(always)]
            fn toward_zero(x: u32) -> u16 {
                let y;
                unsafe { asm!($zero, d = out(reg16) y, a = in(reg32) x, options(pure, nomem, nostack)) };
                y
            }
            #[inline(always)]
            fn widen(x: u16) -> u32 {
                let y;
                unsafe { asm!($widen, d = out(reg32) y, a = in(reg16) x, options(pure, nomem, nostack)) };
                y
            }
        }
    };
}

narrow! { Half "cvt.rn.f16.f32 {d}, {a};" "cvt.rz.f16.f32 {d}, {a};" "cvt.f32.f16 {d}, {a};" 0x7E00 }
#[cfg(target_feature = "sm_80")]
narrow! {
    Bfloat "cvt.rn.bf16.f32 {d}, {a};" "cvt.rz.bf16.f32 {d}, {a};"
    "{{ .reg .b16 zero; mov.b16 zero, 0; mov.b32 {d}, {{zero, {a}}}; }}" 0x7FC0
}

/// `x` one code further from zero, if the truncation to `x` was inexact and the sign is this one.
#[inline(always)]
fn away<T: Narrow>(x: u32, sign: u32) -> u16 {
    let cut = T::toward_zero(x);
    // The code after the largest finite number is that of infinity.
    cut + u16::from(T::widen(cut) != x && x >> 31 == sign)
}

#[inline(always)]
unsafe fn convert<T: Narrow>(x: *const u32, out: *mut u16, n: usize, mode: u32) {
    #[inline(always)]
    unsafe fn each<T: Narrow>(x: *const u32, out: *mut u16, n: usize, f: impl Fn(u32) -> u16) {
        let f = |x: u32| if x << 1 > 0xFF00_0000 { T::NAN } else { f(x) };
        // SAFETY: the caller's.
        unsafe { map::<_, _, { lanes(4, 2) }, 1>(x, out, n, f) }
    }
    // SAFETY: the caller's.
    unsafe {
        match decode_mode(mode).rounding {
            Rounding::TiesToEven => each::<T>(x, out, n, T::nearest),
            // A midpoint of narrow numbers ends in a zero bit, and nothing else is between it and
            // the f32 beyond it; infinity stays infinity.
            Rounding::TiesToAway => each::<T>(x, out, n, |x| {
                T::nearest(x | u32::from(x << 1 < 0xFF00_0000))
            }),
            Rounding::TowardZero => each::<T>(x, out, n, T::toward_zero),
            Rounding::TowardPositive => each::<T>(x, out, n, |x| away::<T>(x, 0)),
            Rounding::TowardNegative => each::<T>(x, out, n, |x| away::<T>(x, 1)),
            Rounding::ToOdd => each::<T>(x, out, n, |x| {
                let cut = T::toward_zero(x);
                cut | u16::from(T::widen(cut) != x)
            }),
        }
    }
}

/// `out[i] = convert(x[i])` in any rounding, with the IEEE overflow rule.
///
/// # Safety
///
/// `x` and `out` have `n` words; nothing else uses `out` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn convert_f32_f16_hw(
    x: *const u32,
    out: *mut u16,
    n: usize,
    mode: u32,
) {
    // SAFETY: the caller's.
    unsafe { convert::<Half>(x, out, n, mode) }
}

/// `out[i] = convert(x[i])` in any rounding, with the IEEE overflow rule.
///
/// # Safety
///
/// `x` and `out` have `n` words; nothing else uses `out` meanwhile.
#[cfg(target_feature = "sm_80")]
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn convert_f32_bf16_hw(
    x: *const u32,
    out: *mut u16,
    n: usize,
    mode: u32,
) {
    // SAFETY: the caller's.
    unsafe { convert::<Bfloat>(x, out, n, mode) }
}

macro_rules! functions {
    ($($name:ident $function:ident;)*) => {$(
        /// `out[i] = f(x[i])` in any rounding, with the IEEE overflow rule.
        ///
        /// # Safety
        ///
        /// `x` and `out` have `n` words; nothing else uses `out` meanwhile.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(x: *const u32, out: *mut u32, n: usize, mode: u32) {
            let mode = decode_mode(mode);
            let rounder = Rounder::new(mode);
            let f = |x| rounder.one::<double::$function>(mode, f32::from_bits(x)).to_bits();
            // SAFETY: the caller's.
            unsafe { map::<_, _, { lanes(4, 4) }, 1>(x, out, n, f) }
        }
    )*};
}

functions! {
    exp_f32_hw Exp;
    exp2_f32_hw Exp2;
    expm1_f32_hw Expm1;
    log_f32_hw Log;
    log2_f32_hw Log2;
    log1p_f32_hw Log1p;
    sin_f32_hw Sin;
    cos_f32_hw Cos;
    tanh_f32_hw Tanh;
    erf_f32_hw Erf;
    rsqrt_f32_hw Rsqrt;
    reciprocal_f32_hw Reciprocal;
    sigmoid_f32_hw Sigmoid;
    silu_f32_hw Silu;
    gelu_f32_hw Gelu;
    gelu_tanh_f32_hw GeluTanh;
    sigmoid_derivative_f32_hw SigmoidDerivative;
    tanh_derivative_f32_hw TanhDerivative;
    silu_derivative_f32_hw SiluDerivative;
    gelu_derivative_f32_hw GeluDerivative;
    gelu_tanh_derivative_f32_hw GeluTanhDerivative;
}
