//! Reciprocals and square roots: the machine's.

use super::instructions::Machine;
use super::{Domain, Format, Function, Sign};

/// `sqrt(x)`.
pub struct Sqrt;

impl Function for Sqrt {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [3, 3];
    const DOMAIN: Domain = Domain::From0;
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        m.sqrt(x)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    fn may_be_flat(x: f32) -> bool {
        x < 0.0
    }
}

/// `1 / sqrt(x)`.
pub struct Rsqrt;

impl Function for Rsqrt {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [3, 3];
    const DOMAIN: Domain = Domain::From0;
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        m.rsqrt(x)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    fn may_be_flat(x: f32) -> bool {
        x < 0.0
    }
}

/// `1 / x`.
pub struct Reciprocal;

impl Function for Reciprocal {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [2, 2];
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        if F::WIDE {
            m.rcp_of_any(x.abs())
        } else {
            m.rcp(x.abs())
        }
    }
}
