//! The instructions that approximations are made of.

/// A machine's approximate instructions. The hardware's error bounds: relative 2^-22 for `2^x`, one
/// ulp for the reciprocal, relative 2^-22.9 for the reciprocal square root, relative 2^-23 for the
/// square root.
pub trait Machine: Copy {
    /// `2^x`, where that is a normal number; it may be 0 below, and is infinite above.
    fn ex2(self, x: f32) -> f32;
    /// `1 / x`; of a normal number, and 0 instead of a subnormal one.
    fn rcp(self, x: f32) -> f32;
    /// `1 / x`.
    fn rcp_of_any(self, x: f32) -> f32;
    /// `1 / sqrt(x)`.
    fn rsqrt(self, x: f32) -> f32;
    /// `sqrt(x)`.
    fn sqrt(self, x: f32) -> f32;
    /// `sqrt(x)`, of a number that is not subnormal.
    #[inline(always)]
    fn sqrt_of_normal(self, x: f32) -> f32 {
        self.sqrt(x)
    }
    /// A magnitude that will be added to 1 or more; a host may replace a tiny one by a small one.
    #[inline(always)]
    fn addend(self, x: f32) -> f32 {
        x
    }
    /// `x^2`; of a tiny x perhaps that of a small one.
    #[inline(always)]
    fn square(self, x: f32) -> f32 {
        x * x
    }
}

/// The GPU.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy)]
pub struct Device;

#[cfg(target_arch = "nvptx64")]
macro_rules! instruction {
    ($($name:ident $instruction:literal)*) => {
        $(
            #[inline(always)]
            fn $name(self, x: f32) -> f32 {
                let bits: u32;
                // SAFETY: it computes one register from another.
                unsafe {
                    core::arch::asm!(
                        concat!($instruction, " {d}, {a};"), d = out(reg32) bits, a = in(reg32) x.to_bits(),
                        options(pure, nomem, nostack)
                    );
                }
                f32::from_bits(bits)
            }
        )*
    };
}

#[cfg(target_arch = "nvptx64")]
impl Machine for Device {
    instruction! {
        ex2 "ex2.approx.ftz.f32"
        rcp "rcp.approx.ftz.f32"
        rcp_of_any "rcp.approx.f32"
        rsqrt "rsqrt.approx.f32"
        sqrt "sqrt.approx.f32"
        sqrt_of_normal "sqrt.approx.ftz.f32"
    }
}

/// A host that perturbs correctly rounded results by these numbers of ulps: for powers, reciprocals
/// and roots.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy)]
pub struct Moved(pub [i32; 3]);

#[cfg(not(target_arch = "nvptx64"))]
impl Moved {
    fn by(value: f64, ulps: i32) -> f32 {
        let nearest = value as f32;
        if nearest.is_normal() {
            f32::from_bits(nearest.to_bits().wrapping_add_signed(ulps))
        } else {
            nearest
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Machine for Moved {
    fn ex2(self, x: f32) -> f32 {
        let power = Self::by(f64::from(x).exp2(), self.0[0]);
        if power.is_subnormal() { 0.0 } else { power }
    }
    fn rcp(self, x: f32) -> f32 {
        let reciprocal = self.rcp_of_any(x);
        if reciprocal.is_subnormal() {
            0.0
        } else {
            reciprocal
        }
    }
    fn rcp_of_any(self, x: f32) -> f32 {
        Self::by(1.0 / f64::from(x), self.0[1])
    }
    fn rsqrt(self, x: f32) -> f32 {
        Self::by(1.0 / f64::from(x).sqrt(), self.0[2])
    }
    fn sqrt(self, x: f32) -> f32 {
        Self::by(f64::from(x).sqrt(), self.0[2])
    }
    fn sqrt_of_normal(self, x: f32) -> f32 {
        self.sqrt(if x.is_subnormal() { 0.0 } else { x })
    }
}

/// The smaller one; NaN if x is one.
#[inline(always)]
pub fn at_most(x: f32, limit: f32) -> f32 {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    {
        let bits: u32;
        // SAFETY: it computes one register from others.
        unsafe {
            core::arch::asm!(
                "min.NaN.f32 {d}, {a}, {b};", d = out(reg32) bits, a = in(reg32) x.to_bits(),
                b = in(reg32) limit.to_bits(), options(pure, nomem, nostack)
            );
        }
        f32::from_bits(bits)
    }
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    if x > limit { limit } else { x }
}

/// The larger one; NaN if x is one.
#[inline(always)]
pub fn at_least(x: f32, limit: f32) -> f32 {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    {
        let bits: u32;
        // SAFETY: it computes one register from others.
        unsafe {
            core::arch::asm!(
                "max.NaN.f32 {d}, {a}, {b};", d = out(reg32) bits, a = in(reg32) x.to_bits(),
                b = in(reg32) limit.to_bits(), options(pure, nomem, nostack)
            );
        }
        f32::from_bits(bits)
    }
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    if x < limit { limit } else { x }
}
