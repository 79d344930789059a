//! sigmoid: the logistic function `1 / (1 + e^-x)`.
//!
//! Method: `(1 + tanh(x / 2)) / 2` (`fixed/tanh.rs`) for an operand above -2; below that,
//! `E / (1 + E)` with `E = e^x` (`fixed/exp2.rs`, `fixed/reciprocal.rs`), so that nothing cancels.
//! Below 2^-8 in magnitude, where it is too close to its tangent `1/2 + x/4` for that, the tangent,
//! moved slightly toward 1/2; from 16 on, where `E` is below 2^-23, slightly less than 1.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-28 of its binade where it
//! is not deliberately perturbed from a representable value. Every f16 and bf16 operand has been
//! compared with MPFR.
//!
//! Tables: `fixed/tanh.rs`'s 408 bytes, `fixed/exp2.rs`'s 140 and `fixed/reciprocal.rs`'s 128.

use super::gradient::backward;
use super::logistic::logistic;
use super::slope::slope_of_sigmoid;
use crate::fixed::{LOG2_OF_E, multiple, tanh_upper};
use crate::format::Arithmetic;
use crate::math::tanh_lower;
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::{Exact, Kind};

const TOP: u32 = Exact::<u32>::TOP;

/// The function of a finite non-zero operand up to 2^8 in magnitude. Inexact.
/// One copy of it where flash counts.
#[cfg_attr(target_os = "none", inline(never))]
#[cfg_attr(not(target_os = "none"), inline)]
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

/// `1/2 + x/4`, moved slightly toward 1/2, for `exponent < -8`.
///
/// Below 2^-8 the function is `1/2 + x/4 - x^3/48`. The line passes through a midpoint of f16 at
/// 2^-10, and is at least 2^-21 away from every other rounding boundary; the remaining term is
/// smaller.
#[inline]
const fn near_half(sign: bool, exponent: i32, significand: u32) -> Exact<u32> {
    let quarter = if exponent > -30 {
        significand >> (1 - exponent)
    } else {
        1
    };
    // In units of 2^-32, so that the distance of a rounding boundary from 1/2 is an even number of
    // units.
    let less = (quarter - 1) | 1;
    Exact::<u32>::inexact_word(false, if sign { TOP - less } else { TOP + less }, -32)
}

pub(super) const fn sigmoid_core(x: Exact<u32>) -> Exact<u32> {
    if x.exponent() < 8 {
        middle(x)
    } else {
        extreme(x)
    }
}

/// The function of a magnitude from 2^8 on, or of a zero, an infinity or a NaN.
#[inline]
const fn extreme(x: Exact<u32>) -> Exact<u32> {
    match (x.kind(), x.sign()) {
        (Kind::Finite, false) => Exact::<u32>::BELOW_ONE,
        (Kind::Finite, true) => Exact::<u32>::TINY,
        (Kind::Nan, _) => x,
        (Kind::Infinite, false) => Exact::<u32>::ONE,
        (Kind::Infinite, true) => Exact::<u32>::zero(false),
        (Kind::Zero, _) => Exact::<u32>::HALF,
    }
}

straight_path!(any -149..=7 => middle, extreme; f32 to crate::single::sigmoid);

rounded_by_mode! {
    /// `1 / (1 + e^-x)`, correctly rounded.
    ///
    /// Either zero gives 1/2, +infinity 1 and -infinity +0, exactly. Everything else is inexact,
    /// and underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN also
    /// raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::sigmoid, f16};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(sigmoid(one, Mode::TIES_TO_EVEN).to_bits(), 0x39D9); // 0.73095703125
    /// ```
    sigmoid, sigmoid_status, sigmoid_bits: round;
    <F: Arithmetic>(x: F) -> F
}

rounded_by_mode! {
    /// `1 / (1 + e^-x)` of a number of at most 24 bits, rounded once to another format.
    ///
    /// Special operands as of [`sigmoid()`]; results that the format has not overflow or underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, activation::sigmoid_to};
    /// let y: bf16 = sigmoid_to(1.5f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F51); // 0.816406
    /// ```
    sigmoid_to, sigmoid_to_status, sigmoid_to_bits: round_to;
    <F: Arithmetic, R: Arithmetic>(x: F) -> R
}

backward! {
    /// The gradient of [`sigmoid`](super::sigmoid()): its derivative at `x`, `s (1 - s)`, rounded;
    /// the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1/4 at either zero and +0 at an infinity. A NaN in either operand gives
    /// the canonical NaN, and raises invalid if it signals. An infinite `grad` gives NaN and raises
    /// invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::sigmoid_backward, bf16};
    /// let (x, grad) = (bf16::from_bits(0x0000), bf16::from_bits(0x4000));
    /// assert_eq!(sigmoid_backward(x, grad, Mode::TIES_TO_EVEN).to_bits(), 0x3F00);
    /// ```
    sigmoid_backward, sigmoid_backward_status, sigmoid_backward_bits: slope_of_sigmoid;
    ()
}
