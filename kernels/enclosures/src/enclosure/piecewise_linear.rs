//! Piecewise linear and quadratic functions: their values in f32, each step rounded to nearest,
//! round to the result themselves.
//!
//! So there is no interval to narrow, and [`Function::ULPS`] are 0; NaNs, a -0 that a step loses,
//! and infinity times 0 are left open. In directed modes this would not do, since a value in f32
//! may be a number of the format where the function's is only near it.

use super::instructions::{Machine, at_least, at_most};
use super::{Format, Function, NONE, Sign};

/// 1/6, to within 2^-25 of it: the product with six times a number of up to 23 bits is that number.
const SIXTH: f32 = 1.0 / 6.0;

/// Twice the smallest normal number, as f32's bits: of f16 and of bf16.
const TWICE_NORMAL: [u32; 2] = [(127 - 13) << 23, 2 << 23];

/// 0 below 0.
pub struct Relu;

impl Function for Relu {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [0; 2];
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        // -0 stays, and is no end of an interval.
        if x < 0.0 { 0.0 } else { x }
    }
}

/// 0 below 0, and 6 above 6.
pub struct Relu6;

impl Function for Relu6 {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [0; 2];
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        at_most(Relu::near::<F, M>(m, x), 6.0)
    }
}

/// `(x + 3) / 6` between 0 and 1.
pub struct Hardsigmoid;

impl Function for Hardsigmoid {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [0; 2];
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        at_most(at_least(x + 3.0, 0.0), 6.0) * SIXTH
    }
}

/// `x (x + 3) / 6` between -3 and 3, 0 below and x above.
pub struct Hardswish;

impl Function for Hardswish {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [0; 2];
    #[cfg(not(target_arch = "nvptx64"))]
    const MOST: [usize; 2] = [1 << 24; 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        let above_minus_3 = at_least(x + 3.0, 0.0);
        let value = if F::WIDE {
            let inside = at_most(x.abs(), 3.0) * above_minus_3 * SIXTH;
            if x >= 3.0 { x } else { inside }
        } else {
            // From 3 on a sixth of 6 x, which f32 has.
            x.abs() * at_most(above_minus_3, 6.0) * SIXTH
        };
        // Where x / 2 may be a midpoint, f32 loses the rest. 0 is exact.
        let small = if F::WIDE {
            TWICE_NORMAL[1]
        } else {
            TWICE_NORMAL[0]
        };
        if x.abs().to_bits().wrapping_sub(1) < small - 1 {
            NONE
        } else {
            value
        }
    }
}
