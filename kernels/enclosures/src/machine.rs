//! Instructions that IEEE 754 defines, of this machine: each rounds to nearest, ties to even,
//! unless it says otherwise.
//!
//! Floats are passed as they are; a NaN's bits are the machine's.

/// `a * b + c`, rounded once.
#[inline(always)]
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    return core::f32::math::mul_add(a, b, c);
    #[cfg(not(target_arch = "nvptx64"))]
    a.mul_add(b, c)
}

/// The f32 of the f16 with these low 16 bits: exact.
#[inline(always)]
pub fn from_half(bits: u32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let wide: u32;
        // SAFETY: it computes one register from another.
        unsafe {
            core::arch::asm!(
                "cvt.f32.f16 {d}, {a};", d = out(reg32) wide, a = in(reg16) bits as u16,
                options(pure, nomem, nostack)
            );
        }
        f32::from_bits(wide)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    bitexact::f16::from_bits(bits as u16).to_f32()
}

macro_rules! to_half {
    ($($(#[$doc:meta])* $name:ident $instruction:literal $rounding:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name(x: f32) -> u32 {
                #[cfg(target_arch = "nvptx64")]
                {
                    let narrow: u16;
                    // SAFETY: it computes one register from another.
                    unsafe {
                        core::arch::asm!(
                            concat!($instruction, " {d}, {a};"), d = out(reg16) narrow, a = in(reg32) x.to_bits(),
                            options(pure, nomem, nostack)
                        );
                    }
                    narrow.into()
                }
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    let mode = bitexact::Mode::ieee(bitexact::Rounding::$rounding);
                    let half: bitexact::f16 = bitexact::convert::convert(x, mode);
                    half.to_bits().into()
                }
            }
        )*
    };
}

to_half! {
    /// The f16 nearest to a number, in the low 16 bits.
    to_half "cvt.rn.f16.f32" TiesToEven;
    /// The same, toward zero.
    to_half_toward_zero "cvt.rz.f16.f32" TowardZero;
}
