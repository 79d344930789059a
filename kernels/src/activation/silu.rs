//! silu (swish): `x / (1 + e^-x)`.
//!
//! Method: the product of the operand and [`sigmoid`](super::sigmoid())'s core, in 32 bits. Below
//! 2^-20 in magnitude it is slightly more than `x / 2`; above 2^8 it is next to x, or to 0 where x
//! is negative.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-28.4 of its binade where
//! it is not deliberately perturbed from a representable value. Every f16 and bf16 operand has been
//! compared with MPFR.
//!
//! The derivative at `-|x|` is `E (1 + E - |x|) / (1 + E)^2` with `E = e^-|x|` to 60 bits; its zero
//! is near -1.278. See `slope.rs`.
//!
//! Tables: those of [`sigmoid`](super::sigmoid()); for the derivative, the 156 of the exponential
//! in `fixed/exp_wide.rs`. Constants: `constants/exp.py`.

use super::gradient::backward;
use super::logistic::{about_half, saturated, times};
use super::sigmoid::middle;
use super::slope::{end_of_ramp, left_of_ramp, mirrored};
use crate::fixed::{Decay, split};
use crate::format::Arithmetic;
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::{Exact, Kind};

/// The result of a gated linear unit for a zero, an infinity or a NaN.
#[inline]
pub(super) const fn special(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Infinite if x.sign() => Exact::<u32>::zero(true),
        _ => x,
    }
}

/// The function of a magnitude from 2^-20 to 2^8.
#[inline]
const fn silu_middle(x: Exact<u32>) -> Exact<u32> {
    times(x, middle(x))
}

/// The function of any other operand.
#[inline]
const fn extreme(x: Exact<u32>) -> Exact<u32> {
    if !x.is_finite_nonzero() {
        special(x)
    } else if x.exponent() < -20 {
        about_half(x)
    } else {
        saturated(x)
    }
}

straight_path!(any -20..=7 => silu_middle, extreme; f32 to crate::single::silu);

rounded_by_mode! {
    /// `x / (1 + e^-x)`, correctly rounded: the product `x * sigmoid(x)` without the rounding of
    /// sigmoid.
    ///
    /// A zero gives itself, +infinity itself, and -infinity the limit, -0 (a composed
    /// `x * sigmoid(x)` gives NaN there). Everything else is inexact, and underflows where it is
    /// subnormal. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::silu, bf16};
    /// let two = bf16::from_bits(0x4000);
    /// assert_eq!(silu(two, Mode::TIES_TO_EVEN).to_bits(), 0x3FE1); // 1.7578125
    /// ```
    silu, silu_status, silu_bits: round;
    <F: Arithmetic>(x: F) -> F
}

rounded_by_mode! {
    /// `x / (1 + e^-x)` of a number of at most 24 bits, rounded once to another format.
    ///
    /// Special operands as of [`silu()`]; results that the format has not overflow or underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, activation::silu_to};
    /// let y: bf16 = silu_to(1.5f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F9D); // 1.22656
    /// ```
    silu_to, silu_to_status, silu_to_bits: round_to;
    <F: Arithmetic, R: Arithmetic>(x: F) -> R
}

const fn derivative(x: Exact<u32>) -> Exact<u32> {
    if let Some(value) = end_of_ramp(x, 8) {
        return value;
    }
    // Its exponent is below 8.
    let Some((whole, fraction)) = split(x.significand() as u64, x.exponent() - 31) else {
        return x;
    };
    let steep = ((whole as u64) << 53) | (fraction >> 11);
    mirrored(x.sign(), left_of_ramp(Decay::of((whole, fraction)), steep))
}

backward! {
    /// The gradient of [`silu`](super::silu()): its derivative at `x`, `s (1 + x (1 - s))` with
    /// `s = sigmoid(x)`, rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1/2 at either zero, 1 at +infinity and -0 at -infinity. A NaN in either
    /// operand gives the canonical NaN, and raises invalid if it signals. An infinite `grad` gives
    /// NaN and raises invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::silu_backward, bf16};
    /// let (x, grad) = (bf16::from_bits(0x0000), bf16::from_bits(0x4000));
    /// assert_eq!(silu_backward(x, grad, Mode::TIES_TO_EVEN).to_bits(), 0x3F80);
    /// ```
    silu_backward, silu_backward_status, silu_backward_bits: derivative;
    ()
}
