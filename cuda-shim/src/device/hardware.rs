//! Conversions and square roots that the hardware rounds as IEEE 754 says: to nearest, ties to
//! even. Its NaNs are its own, so that each NaN is replaced by an integer select.
//!
//! The host side uses such an entry after it has given the core's results for all operands on that
//! very device.

use super::vector::map;
use crate::abi::lanes;
use core::arch::asm;

macro_rules! hardware {
    (
        $(
            $(#[$cfg:meta])*
            $name:ident: $from:ident $from_class:ident -> $to:ident $to_class:ident,
            infinity $infinity:literal, NaN $nan:literal, $instructions:literal;
        )*
    ) => {
        $(
            /// `out[i] = f(x[i])`.
            ///
            /// # Safety
            ///
            /// `x` and `out` have `n` words; nothing else uses `out` meanwhile.
            $(#[$cfg])*
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
                unsafe { map::<_, _, LANES, 1>(x, out, n, f) }
            }
        )*
    };
}

hardware! {
    convert_f32_f16_hw: u32 reg32 -> u16 reg16,
        infinity 0x7C00, NaN 0x7E00, "cvt.rn.f16.f32 {d}, {a};";
    #[cfg(target_feature = "sm_80")]
    convert_f32_bf16_hw: u32 reg32 -> u16 reg16,
        infinity 0x7F80, NaN 0x7FC0, "cvt.rn.bf16.f32 {d}, {a};";
    convert_f16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000, "cvt.f32.f16 {d}, {a};";
    convert_bf16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000,
        "{{ .reg .b16 zero; mov.b16 zero, 0; mov.b32 {d}, {{zero, {a}}}; }}";
    convert_f16_f64_hw: u16 reg16 -> u64 reg64,
        infinity 0x7FF0_0000_0000_0000, NaN 0x7FF8_0000_0000_0000, "cvt.f64.f16 {d}, {a};";
    convert_bf16_f64_hw: u16 reg16 -> u64 reg64,
        infinity 0x7FF0_0000_0000_0000, NaN 0x7FF8_0000_0000_0000,
        "{{ .reg .b16 zero; .reg .b32 wide; mov.b16 zero, 0; mov.b32 wide, {{zero, {a}}}; cvt.f64.f32 {d}, wide; }}";
    convert_f32_f64_hw: u32 reg32 -> u64 reg64,
        infinity 0x7FF0_0000_0000_0000, NaN 0x7FF8_0000_0000_0000, "cvt.f64.f32 {d}, {a};";
    sqrt_f16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000,
        "{{ .reg .b32 wide; cvt.f32.f16 wide, {a}; sqrt.rn.f32 {d}, wide; }}";
    sqrt_bf16_f32_hw: u16 reg16 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000,
        "{{ .reg .b16 zero; .reg .b32 wide; mov.b16 zero, 0; mov.b32 wide, {{zero, {a}}}; sqrt.rn.f32 {d}, wide; }}";
    sqrt_f32_hw: u32 reg32 -> u32 reg32,
        infinity 0x7F80_0000, NaN 0x7FC0_0000, "sqrt.rn.f32 {d}, {a};";
}
