//! Instructions that IEEE 754 defines, of this machine: each rounds to nearest, ties to even. And
//! one for integers.
//!
//! Floats are passed as they are; a NaN's bits are the machine's, and no body delivers one.

pub use enclosures::machine::{fma, from_half, to_half};

/// `a * b + c`, in one instruction that the compiler would not choose for factors that it widens
/// elsewhere.
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

/// Adds to each sum (an even number, four at most) its product, rounded, unless a word has the bits
/// `NOTHING`: then they keep all their bits. The same instructions are issued either way.
#[inline(always)]
pub fn add_unless<const N: usize, const NOTHING: u32>(
    word: u32,
    sums: &mut [f32; N],
    products: [f32; N],
) {
    #[cfg(target_arch = "nvptx64")]
    super::unroll!(H in [0 1] {
        if 2 * H + 1 < N {
            // Indented like the lines of the compiler: so the gate of ci/ptx.sh finds instructions.
            // SAFETY: it computes registers from others.
            unsafe {
                core::arch::asm!(
                    "{{",
                    "\t.reg .pred %p0;",
                    "\tsetp.ne.u32 %p0, {word}, {nothing};",
                    "\t@%p0 add.rn.f32 {a}, {a}, {x};",
                    "\t@%p0 add.rn.f32 {b}, {b}, {y};",
                    "\t}}",
                    word = in(reg32) word, nothing = const NOTHING,
                    a = inout(reg32) sums[2 * H], x = in(reg32) products[2 * H],
                    b = inout(reg32) sums[2 * H + 1], y = in(reg32) products[2 * H + 1],
                    options(pure, nomem, nostack)
                );
            }
        }
    });
    #[cfg(not(target_arch = "nvptx64"))]
    if word != NOTHING {
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum += product;
        }
    }
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

/// The number, of which the compiler does not know that it is the same one as before: so that it
/// computes again what depends on it, in place of keeping that in registers.
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

/// `a * b + c`, rounded once and then brought between 0 and 1; 0 for a NaN.
#[inline(always)]
pub fn fma_within_one(a: f32, b: f32, c: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let sum: f32;
        // SAFETY: it computes one register from others.
        unsafe {
            core::arch::asm!(
                "fma.rn.sat.f32 {d}, {a}, {b}, {c};", d = out(reg32) sum, a = in(reg32) a, b = in(reg32) b,
                c = in(reg32) c, options(pure, nomem, nostack)
            );
        }
        sum
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let sum = fma(a, b, c);
        if sum > 0.0 { sum.min(1.0) } else { 0.0 }
    }
}

/// Four of the eight bytes of `b` and `a`, lowest first: those whose numbers are the digits of
/// `WHICH` to the base 16.
#[inline(always)]
pub fn bytes<const WHICH: u32>(a: u32, b: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let word: u32;
        // SAFETY: it computes one register from others.
        unsafe {
            core::arch::asm!(
                "prmt.b32 {d}, {a}, {b}, {which};", d = out(reg32) word, a = in(reg32) a, b = in(reg32) b,
                which = const WHICH, options(pure, nomem, nostack)
            );
        }
        word
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let both = u64::from(b) << 32 | u64::from(a);
        let byte = |digit: u32| (both >> (8 * (WHICH >> (4 * digit) & 7))) as u32 & 0xFF;
        byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
    }
}

/// The same with the numbers in the four lowest digits of a word, each below 8.
#[inline(always)]
pub fn chosen(a: u32, b: u32, which: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let word: u32;
        // SAFETY: it computes one register from others.
        unsafe {
            core::arch::asm!(
                "prmt.b32 {d}, {a}, {b}, {which};", d = out(reg32) word, a = in(reg32) a, b = in(reg32) b,
                which = in(reg32) which, options(pure, nomem, nostack)
            );
        }
        word
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let both = u64::from(b) << 32 | u64::from(a);
        let byte = |digit: u32| (both >> (8 * (which >> (4 * digit) & 7))) as u32 & 0xFF;
        byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
    }
}
