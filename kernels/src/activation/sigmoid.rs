//! sigmoid: the logistic function `1 / (1 + e^-x)`.
//!
//! Method: `(1 + tanh(x / 2)) / 2` (`fixed/tanh.rs`) for an operand above -2. Below it `E / (1 + E)`
//! with `E = e^x` (`fixed/exp2.rs`, `fixed/reciprocal.rs`), so that nothing cancels. Below 2^-8 in
//! magnitude, where it is nearer to its tangent `1/2 + x/4` than that resolves, the tangent and a
//! little toward 1/2; from 16 on, where `E` is below 2^-23, a little less than 1.
//!
//! Why it is exact enough: the result's relative error is at most 2^-28 of its binade where it is
//! not beside a number on purpose. Every f16 and bf16 operand has been run against MPFR.
//!
//! Tables: `fixed/tanh.rs`'s 408 bytes, `fixed/exp2.rs`'s 140 and `fixed/reciprocal.rs`'s 128.

use super::gradient::backward;
use super::logistic::logistic;
use super::slope::slope_of_sigmoid;
use crate::fixed::{LOG2_OF_E, multiple, tanh_upper};
use crate::format::Narrow;
use crate::math::tanh_lower;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

const TOP: u32 = Exact::<u32>::TOP;

/// Of a finite non-zero operand up to 2^8 in magnitude. Inexact.
#[inline]
pub(super) const fn middle(x: Exact<u32>) -> Exact<u32> {
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    // tanh(x / 2) / 2, in units of 2^-32.
    let half = if exponent < -8 {
        return near_half(sign, exponent, significand);
    } else if exponent < 0 {
        tanh_lower(significand, exponent - 1) >> (1 - exponent)
    } else if exponent < if sign { 1 } else { 4 } {
        tanh_upper(significand, exponent - 1) >> 1
    } else if sign {
        return logistic(true, multiple(significand, exponent, LOG2_OF_E));
    } else {
        return Exact::<u32>::BELOW_ONE;
    };
    if sign {
        Exact::<u32>::inexact_word(false, TOP - half, -32)
    } else {
        Exact::<u32>::jammed(false, (TOP + half, -1))
    }
}

/// `1/2 + x/4` and a little toward 1/2, of `exponent < -8`.
///
/// That is `1/2 + x/4 - x^3/48` below 2^-8: the line meets a
/// midpoint of f16 at 2^-10, and is 2^-21 or more away from every cut that it does not meet; the
/// rest is less.
#[inline]
const fn near_half(sign: bool, exponent: i32, significand: u32) -> Exact<u32> {
    let quarter = if exponent > -30 {
        significand >> (1 - exponent)
    } else {
        1
    };
    // In units of 2^-32, so that a cut is an even number of them away from 1/2.
    let less = (quarter - 1) | 1;
    Exact::<u32>::inexact_word(false, if sign { TOP - less } else { TOP + less }, -32)
}

pub(super) const fn sigmoid_core(x: Exact<u32>) -> Exact<u32> {
    match (x.kind(), x.sign()) {
        (Kind::Finite, _) if x.exponent() < 8 => middle(x),
        (Kind::Finite, false) => Exact::<u32>::BELOW_ONE,
        (Kind::Finite, true) => Exact::<u32>::TINY,
        (Kind::Nan, _) => x,
        (Kind::Infinite, false) => Exact::<u32>::ONE,
        (Kind::Infinite, true) => Exact::<u32>::zero(false),
        (Kind::Zero, _) => Exact::<u32>::HALF,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    sigmoid_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `1 / (1 + e^-x)`, rounded once.
    ///
    /// Either zero gives 1/2, +infinity 1 and -infinity +0, exactly. Everything else is inexact,
    /// and underflows where it is subnormal. NaN gives the canonical NaN, and invalid where it
    /// signals.
    ///
    /// ```
    /// use bitexact::{Mode, activation::sigmoid, f16};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(sigmoid(one, Mode::TIES_TO_EVEN).to_bits(), 0x39D9); // 0.73095703125
    /// ```
    sigmoid, sigmoid_status, sigmoid_bits;
    <F: Narrow>(x: F) -> F
}

backward! {
    /// The gradient of [`sigmoid`](super::sigmoid()): its derivative at `x`, `s (1 - s)`, rounded, and the
    /// product with `grad` rounded again, both in the one mode.
    ///
    /// The derivative is 1/4 at either zero and +0 at an infinity. A NaN of either gives the
    /// canonical NaN, and invalid where one signals; so does an infinite `grad` where the
    /// derivative rounds to zero, with invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::sigmoid_backward, bf16};
    /// let (x, grad) = (bf16::from_bits(0x0000), bf16::from_bits(0x4000));
    /// assert_eq!(sigmoid_backward(x, grad, Mode::TIES_TO_EVEN).to_bits(), 0x3F00);
    /// ```
    sigmoid_backward, sigmoid_backward_status, sigmoid_backward_bits: slope_of_sigmoid;
    ()
}
