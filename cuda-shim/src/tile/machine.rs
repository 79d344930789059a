//! Instructions that IEEE 754 defines, of this machine: each rounds to nearest, ties to even. And one for integers.
//!
//! Floats are passed as they are; a NaN's bits are the machine's, and no body delivers one.

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

/// The f16 nearest to a number, in the low 16 bits.
#[inline(always)]
pub fn to_half(x: f32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let narrow: u16;
        // SAFETY: it computes one register from another.
        unsafe {
            core::arch::asm!(
                "cvt.rn.f16.f32 {d}, {a};", d = out(reg16) narrow, a = in(reg32) x.to_bits(),
                options(pure, nomem, nostack)
            );
        }
        narrow.into()
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let half: bitexact::f16 = bitexact::convert::convert(x, bitexact::Mode::TIES_TO_EVEN);
        half.to_bits().into()
    }
}

/// `a * b + c`, in one instruction that the compiler would not choose for factors that it widens elsewhere.
#[inline(always)]
pub fn add_wide(a: i32, b: i32, c: i64) -> i64 {
    #[cfg(target_arch = "nvptx64")]
    {
        let sum: i64;
        // SAFETY: it computes one register from others.
        unsafe {
            core::arch::asm!(
                "mad.wide.s32 {d}, {a}, {b}, {c};", d = out(reg64) sum, a = in(reg32) a, b = in(reg32) b,
                c = in(reg64) c, options(pure, nomem, nostack)
            );
        }
        sum
    }
    #[cfg(not(target_arch = "nvptx64"))]
    c.wrapping_add(i64::from(a) * i64::from(b))
}

/// The canonical NaN for a NaN, any other number's bits.
#[inline(always)]
pub fn canonical(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits << 1 > 0xFF00_0000 {
        0x7FC0_0000
    } else {
        bits
    }
}

/// The number, of which the compiler does not know that it is the same one as before: so that it computes again what
/// depends on it, in place of keeping that in registers.
#[inline(always)]
pub fn fresh(number: usize) -> usize {
    #[cfg(target_arch = "nvptx64")]
    {
        let copy: u32;
        // SAFETY: it copies a register.
        unsafe {
            core::arch::asm!(
                "mov.u32 {d}, {a};", d = out(reg32) copy, a = in(reg32) number as u32,
                options(nomem, nostack)
            );
        }
        copy as usize
    }
    #[cfg(not(target_arch = "nvptx64"))]
    number
}
