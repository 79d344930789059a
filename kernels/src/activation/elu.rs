//! elu: `x` for a positive operand, `alpha * (e^x - 1)` for a negative one.
//!
//! Method: where alpha is a power of two, the core of `expm1`, scaled; otherwise `1 - e^x` to 60
//! bits (`fixed/exp_wide.rs`) times the 24 bits of alpha.
//!
//! Why it is correctly rounded: for powers of two as `expm1` is, since scaling maps rounding
//! boundaries to rounding boundaries. For other values of alpha the relative error is at most
//! 2^-61. A scan of all f32 alphas and operands of 11 bits found no result closer than 2^-51 to a
//! rounding boundary, except next to boundaries that are `alpha` or `alpha x` themselves, where the
//! truncation lies on the correct side.
//!
//! The derivative below 0 is `alpha e^x` in the same bits, its relative error at most 2^-58.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, `fixed/expm1.rs`'s 24 and `fixed/exp_wide.rs`'s 300.
//! Constants: `constants/exp.py`.

use super::exp_linear::saturating;
use super::gradient::backward;
use super::slope::decaying;
use crate::format::{Arithmetic, Narrow};
use crate::math::exponential_minus_one;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const fn elu_core(x: Exact<u32>, alpha: Exact<u32>) -> Exact<u64> {
    if matches!(x.kind(), Kind::Nan) || (!x.sign() && !matches!(x.kind(), Kind::Zero)) {
        return x.widen();
    }
    let sign = x.sign() != alpha.sign();
    match (alpha.kind(), x.kind()) {
        (Kind::Nan, _) => Exact::<u64>::nan(alpha.payload_flag()),
        (Kind::Infinite, Kind::Zero) => Exact::<u64>::nan(true),
        (Kind::Infinite, _) => Exact::<u64>::infinity(sign),
        (Kind::Zero, _) | (_, Kind::Zero) => Exact::<u64>::zero(sign),
        (_, Kind::Infinite) => alpha.negate_if(true).widen(),
        _ if alpha.significand() == Exact::<u32>::TOP => exponential_minus_one(x)
            .scale(alpha.exponent())
            .negate_if(alpha.sign())
            .widen(),
        _ => {
            let (magnitude, unit) = (x.significand(), x.exponent() - 31);
            let first = x.widen().mul_by(alpha);
            let alpha = alpha.negate_if(true).widen();
            saturating(alpha, magnitude as u64, unit, first)
        }
    }
}

impl Exact<u64> {
    /// A finite value of at most 32 bits times another, exactly.
    #[inline]
    const fn mul_by(self, other: Exact<u32>) -> Self {
        let product = (self.significand() >> 32) * other.significand() as u64;
        let unit = self.exponent() + other.exponent() - 62;
        Self::from_integer(self.sign() != other.sign(), product, unit)
    }
}

#[inline(always)]
const fn round<F: Narrow, A: Arithmetic>(x: u64, alpha: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let alpha = Exact::<u32>::decode::<A>(alpha as u32);
    elu_core(x, alpha).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x` where `x > 0`, otherwise `alpha * (e^x - 1)`, rounded once.
    ///
    /// Alpha has its own format, `A`, and is not rounded to `F` first.
    ///
    /// A positive operand, +infinity included, gives itself for every alpha. -infinity gives
    /// `-alpha` rounded, a zero `alpha * x`. A NaN operand, or a NaN alpha where it matters, gives
    /// the canonical NaN, and raises invalid if it signals. An infinite alpha gives NaN and raises
    /// invalid for a zero operand.
    ///
    /// ```
    /// use bitexact::{Mode, activation::elu, bf16};
    /// let x = bf16::from_bits(0xBF80); // -1
    /// assert_eq!(elu(x, 1.0f32, Mode::TIES_TO_EVEN).to_bits(), 0xBF22); // -0.6328125
    /// assert_eq!(elu(x, 0.3f32, Mode::TIES_TO_EVEN).to_bits(), 0xBE42); // -0.189453125
    /// ```
    elu, elu_status, elu_bits: round;
    <F: Narrow, A: Arithmetic>(x: F, alpha: A) -> F
}

const fn derivative(x: Exact<u32>, alpha: Exact<u32>) -> Exact<u32> {
    if x.is_nan() || (!x.sign() && !matches!(x.kind(), Kind::Zero)) {
        return if x.is_nan() { x } else { Exact::<u32>::ONE };
    }
    match (alpha.kind(), x.kind()) {
        (Kind::Infinite, Kind::Infinite) => Exact::<u32>::nan(true),
        (Kind::Finite, Kind::Infinite) => Exact::<u32>::zero(alpha.sign()),
        (Kind::Finite, Kind::Finite) => {
            let (magnitude, unit) = (x.significand(), x.exponent() - 31);
            decaying(alpha.widen(), magnitude as u64, unit)
        }
        _ => alpha,
    }
}

backward! {
    /// The gradient of [`elu`](super::elu()): its derivative at `x`, 1 where `x > 0`, otherwise
    /// `alpha * e^x`, rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is alpha at either zero and the zero of alpha's sign at -infinity (for an
    /// infinite alpha NaN, with invalid). A NaN in either operand, or a NaN alpha where it matters,
    /// gives the canonical NaN, and raises invalid if it signals. An infinite `grad` where the
    /// derivative rounds to zero, and a zero `grad` where it is infinite, give NaN and raise
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::elu_backward, bf16};
    /// let (x, grad) = (bf16::from_bits(0xBF80), bf16::from_bits(0x3F80)); // -1, 1
    /// let y = elu_backward(x, grad, 0.3f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3DE2); // 0.1103515625
    /// ```
    elu_backward, elu_backward_status, elu_backward_bits: derivative;
    (alpha: A)
}
