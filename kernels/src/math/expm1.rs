//! expm1: e to the x, minus 1.
//!
//! Method: below 1/4 in magnitude `x + x p(x)` with a polynomial p (`fixed/expm1.rs`), so that
//! nothing cancels; above it, `2^(x log2(e))` in fixed point (`fixed/exp2.rs`) minus 1.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-28.4, and `e^x - 1` is
//! rational only at 0. A tiny x is itself a number or a midpoint close to the result; there the
//! polynomial's part is at least one unit, so the result lies on the correct side of it. Every f16
//! and bf16 operand has been compared with MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes and `fixed/expm1.rs`'s 24, shared by the whole family.
//! Constants: `constants/exp.py`.

use super::exp::signed_power;
use crate::fixed::{LOG2_OF_E, Power, expm1_over_y, multiple};
use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};
use crate::single;

/// What an exponential minus 1 gives for a zero, an infinity or a NaN; otherwise `None`.
#[inline]
pub(super) const fn special(x: Exact<u32>) -> Option<Exact<u32>> {
    match x.kind() {
        Kind::Infinite if x.sign() => Some(Exact::<u32>::ONE.negate_if(true)),
        Kind::Finite => None,
        _ => Some(x),
    }
}

/// `e^y - 1` for `|y| = significand * 2^(exponent - 31) <= 1/4`, inexact.
#[inline]
const fn near_zero(sign: bool, exponent: i32, significand: u32) -> Exact<u32> {
    let magnitude = if exponent >= -32 {
        // The exponent is at most -2, so at least one bit is discarded.
        significand >> (-1 - exponent)
    } else {
        0
    };
    let ratio = expm1_over_y(magnitude, sign) as u64;
    let y = significand as u64;
    if sign {
        Exact::<u32>::inexact(true, (y << 32) - y * ratio, exponent - 63)
    } else {
        // Half of it, which has room for the carry.
        let sum = (y << 31) + ((y * ratio) >> 1);
        Exact::<u32>::inexact(false, sum, exponent - 62)
    }
}

/// `e^y - 1` for `|y| = significand * factor * 2^(exponent - 63) <= 1/4`, inexact.
#[inline]
pub(super) const fn near_zero_times(
    sign: bool,
    significand: u32,
    factor: u32,
    exponent: i32,
) -> Exact<u32> {
    let product = significand as u64 * factor as u64;
    let zeros = product.leading_zeros();
    let significand = (product << zeros >> 32) as u32;
    near_zero(sign, exponent - zeros as i32, significand)
}

/// `power - 1`, inexact.
#[inline]
const fn minus_one(power: Power) -> Exact<u32> {
    let (exponent, significand) = (power.exponent, 1 << 32 | power.fraction as u64);
    if exponent < -31 {
        Exact::<u32>::BELOW_ONE.negate_if(true)
    } else if exponent < 0 {
        // 62 fraction bits.
        let rest = (1 << 62) - ((significand << 30) >> -exponent);
        Exact::<u32>::inexact(true, rest, -62)
    } else if exponent < 31 {
        Exact::<u32>::inexact(false, (significand << exponent) - (1 << 32), -32)
    } else {
        Exact::<u32>::normalised(false, exponent, power.significand())
    }
}

/// `2^(x log2_of_base) - 1` of `|x| = significand * 2^(exponent - 31)`, not near 0, inexact.
#[inline(always)]
pub(super) const fn far_from_zero(
    sign: bool,
    exponent: i32,
    significand: u32,
    log2_of_base: u64,
) -> Exact<u32> {
    if exponent < 8 {
        minus_one(signed_power(
            sign,
            multiple(significand, exponent, log2_of_base),
        ))
    } else if sign {
        Exact::<u32>::BELOW_ONE.negate_if(true)
    } else {
        Exact::<u32>::HUGE
    }
}

/// The core before rounding, which `elu` and related kernels share.
pub(crate) const fn exponential_minus_one(x: Exact<u32>) -> Exact<u32> {
    if let Some(value) = special(x) {
        return value;
    }
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    if exponent < -2 {
        near_zero(sign, exponent, significand)
    } else {
        far_from_zero(sign, exponent, significand, LOG2_OF_E)
    }
}

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        let value = match special(x) {
            Some(value) => value.widen(),
            None => single::expm1(x),
        };
        return value.to_format::<F>(rule);
    }
    exponential_minus_one(x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `e^x - 1`, correctly rounded (IEEE 754-2019 `expm1`).
    ///
    /// A zero gives itself, +infinity itself and -infinity -1, exactly. Everything else is inexact;
    /// near 0 the result is close to x, and underflows where it is subnormal. NaN gives the
    /// canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::expm1};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(expm1(one, Mode::TIES_TO_EVEN).to_bits(), 0x3EE0); // 1.71875
    /// let least = f16::from_bits(0x0001);
    /// assert_eq!(expm1(least, Mode::TOWARD_POSITIVE).to_bits(), 0x0002);
    /// ```
    expm1, expm1_status, expm1_bits: round;
    <F: Arithmetic>(x: F) -> F
}
