//! The FPU of a Cortex-M, by its instructions.
//!
//! They are in naked functions, since rustc gives inline assembly no registers of an FPU without
//! double precision. Each takes and returns codes in the core's registers, as the procedure call
//! standard says (s0 to s2 need not be kept): the result below FPSCR, which is read in the same
//! function. With link-time optimisation LLVM does not know the target's FPU there, so each names
//! the oldest of them.

use super::{Conversion, Unit, bf16, f16};
use core::arch::naked_asm;

/// The bits of FPSCR that change a result: AHP, DN, FZ, RMode (two) and FZ16. All are 0 after a
/// reset.
const MODES: u64 = (1 << 26 | 1 << 25 | 1 << 24 | 0b11 << 22 | 1 << 19) << 32;

macro_rules! naked {
    ($($name:ident($($x:ident),+) $($line:literal)+;)*) => {
        $(
            #[unsafe(naked)]
            extern "C" fn $name($($x: u32),+) -> u64 {
                naked_asm!(".fpu fpv4-sp-d16", $($line,)+ "vmrs r1, fpscr", "vmov r0, s0", "bx lr")
            }
        )*
    };
}
macro_rules! binary {
    ($($of_halves:ident $of_singles:ident $instruction:literal;)*) => {
        naked! {
            $(
                $of_halves(x, y) "vmov s0, s1, r0, r1" "vcvtb.f32.f16 s0, s0" "vcvtb.f32.f16 s1, s1" $instruction
                    "vcvtb.f16.f32 s0, s0";
                $of_singles(x, y) "vmov s0, s1, r0, r1" $instruction;
            )*
        }
    };
}

binary! {
    add_halves add_singles "vadd.f32 s0, s0, s1";
    sub_halves sub_singles "vsub.f32 s0, s0, s1";
    mul_halves mul_singles "vmul.f32 s0, s0, s1";
    div_halves div_singles "vdiv.f32 s0, s0, s1";
}
naked! {
    sqrt_half(x) "vmov s0, r0" "vcvtb.f32.f16 s0, s0" "vsqrt.f32 s0, s0" "vcvtb.f16.f32 s0, s0";
    sqrt_single(x) "vmov s0, r0" "vsqrt.f32 s0, s0";
    // The f32 result, for f16 too.
    fma_halves(a, b, c) "vmov s0, r2" "vmov s1, s2, r0, r1" "vcvtb.f32.f16 s0, s0" "vcvtb.f32.f16 s1, s1"
        "vcvtb.f32.f16 s2, s2" "vfma.f32 s0, s1, s2";
    fma_singles(a, b, c) "vmov s0, r2" "vmov s1, s2, r0, r1" "vfma.f32 s0, s1, s2";
    widen(x) "vmov s0, r0" "vcvtb.f32.f16 s0, s0";
    narrow(x) "vmov s0, r0" "vcvtb.f16.f32 s0, s0";
}

/// The result in the lower half, unless the FPU was in another mode.
#[inline(always)]
fn if_default(result: u64) -> Option<u32> {
    (result & MODES == 0).then_some(result as u32)
}

/// The f16 in the lower half of a register, whose upper half is arbitrary; a NaN becomes the
/// canonical one.
#[inline(always)]
fn half(register: u32) -> f16 {
    let bits = register as u16;
    f16::from_bits(if bits & 0x7FFF > 0x7C00 { 0x7E00 } else { bits })
}

/// An f32 rounded to bf16, by integer arithmetic: there is no instruction. A carry goes into the
/// exponent, up to infinity; a NaN becomes the canonical one.
#[inline(always)]
fn upper(register: u32) -> bf16 {
    let rounded = register.wrapping_add(0x7FFF + (register >> 16 & 1)) >> 16;
    let nan = register << 1 > 0x7F80_0000 << 1;
    bf16::from_bits(if nan { 0x7FC0 } else { rounded as u16 })
}

#[inline(always)]
fn bits(x: f16) -> u32 {
    x.to_bits().into()
}

/// As an f32.
#[inline(always)]
fn wide(x: bf16) -> u32 {
    u32::from(x.to_bits()) << 16
}

impl Unit for f16 {
    #[inline(always)]
    fn add(x: Self, y: Self) -> Option<Self> {
        if_default(add_halves(bits(x), bits(y))).map(half)
    }

    #[inline(always)]
    fn sub(x: Self, y: Self) -> Option<Self> {
        if_default(sub_halves(bits(x), bits(y))).map(half)
    }

    #[inline(always)]
    fn mul(x: Self, y: Self) -> Option<Self> {
        if_default(mul_halves(bits(x), bits(y))).map(half)
    }

    #[inline(always)]
    fn div(x: Self, y: Self) -> Option<Self> {
        if_default(div_halves(bits(x), bits(y))).map(half)
    }

    #[inline(always)]
    fn sqrt(x: Self) -> Option<Self> {
        if_default(sqrt_half(bits(x))).map(half)
    }

    #[inline(always)]
    fn fma(a: Self, b: Self, c: Self) -> Option<Self> {
        let sum = if_default(fma_halves(bits(a), bits(b), bits(c)))?;
        // 13 bits are discarded, from the least normal number 2^-14 on.
        let decided = sum & 0x1FFF != 0x1000 && sum << 1 >= 0x3880_0000 << 1;
        decided.then(|| half(narrow(sum) as u32))
    }
}

impl Unit for bf16 {
    #[inline(always)]
    fn add(x: Self, y: Self) -> Option<Self> {
        if_default(add_singles(wide(x), wide(y))).map(upper)
    }

    #[inline(always)]
    fn sub(x: Self, y: Self) -> Option<Self> {
        if_default(sub_singles(wide(x), wide(y))).map(upper)
    }

    #[inline(always)]
    fn mul(x: Self, y: Self) -> Option<Self> {
        if_default(mul_singles(wide(x), wide(y))).map(upper)
    }

    #[inline(always)]
    fn div(x: Self, y: Self) -> Option<Self> {
        if_default(div_singles(wide(x), wide(y))).map(upper)
    }

    #[inline(always)]
    fn sqrt(x: Self) -> Option<Self> {
        if_default(sqrt_single(wide(x))).map(upper)
    }

    #[inline(always)]
    fn fma(a: Self, b: Self, c: Self) -> Option<Self> {
        let sum = if_default(fma_singles(wide(a), wide(b), wide(c)))?;
        // 16 bits are discarded, of subnormal numbers too.
        (sum & 0xFFFF != 0x8000).then(|| upper(sum))
    }
}

impl Conversion<f32> for f16 {
    #[inline(always)]
    fn convert(self) -> Option<f32> {
        let canonical = |x| if self.is_nan() { 0x7FC0_0000 } else { x };
        if_default(widen(bits(self))).map(|x| f32::from_bits(canonical(x)))
    }
}

impl Conversion<f16> for f32 {
    #[inline(always)]
    fn convert(self) -> Option<f16> {
        if_default(narrow(self.to_bits())).map(half)
    }
}

impl Conversion<bf16> for f16 {
    #[inline(always)]
    fn convert(self) -> Option<bf16> {
        if_default(widen(bits(self))).map(upper)
    }
}

impl Conversion<f16> for bf16 {
    #[inline(always)]
    fn convert(self) -> Option<f16> {
        if_default(narrow(wide(self))).map(half)
    }
}
