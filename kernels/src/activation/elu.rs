//! elu: `x` for a positive operand, `alpha * (e^x - 1)` for a negative one.
//!
//! Method: where alpha is a power of two, `expm1`'s core, scaled; else `1 - e^x` with 60 digits
//! (`fixed/exp_wide.rs`) times alpha's 24.
//!
//! Why it is exact enough: for powers of two as `expm1` is, since a scaled value's cuts are among
//! the unscaled ones. For the others the relative error is at most 2^-61, and a scan of all f32
//! alphas and operands of 11 digits found none nearer than 2^-51 to a cut (nearer ones lie beside
//! a cut that `alpha`, or `alpha x`, is; there the truncation is on the right side).
//!
//! The derivative below 0 is `alpha e^x` in the same digits, its relative error at most 2^-58.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, `fixed/expm1.rs`'s 24 and `fixed/exp_wide.rs`'s 300.
//! Constants: `constants/exp.py`.

use super::exp_linear::saturating;
use super::gradient::backward;
use super::slope::decaying;
use crate::format::{Arithmetic, Narrow};
use crate::math::exponential_minus_one;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

const fn elu_core(x: Exact<u32>, alpha: Exact<u32>) -> Exact<u64> {
    if matches!(x.kind(), Kind::Nan) || (!x.sign() && !matches!(x.kind(), Kind::Zero)) {
        return x.widen();
    }
    let sign = x.sign() != alpha.sign();
    match (alpha.kind(), x.kind()) {
        (Kind::Nan, _) => Exact::<u64>::nan(alpha.mark()),
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
    /// A finite value of at most 32 digits times another, exactly.
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
    /// `x` where `x > 0`, else `alpha * (e^x - 1)`, rounded once.
    ///
    /// Alpha has a format of its own, `A`, and is not rounded to `F` first.
    ///
    /// A positive operand, +infinity too, gives itself, whatever alpha is. -infinity gives
    /// `-alpha` rounded, a zero `alpha * x`. A NaN operand, or a NaN alpha where it counts, gives
    /// the canonical NaN, and invalid where it signals; so does an infinite alpha at a zero, with
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::elu, bf16};
    /// let x = bf16::from_bits(0xBF80); // -1
    /// assert_eq!(elu(x, 1.0f32, Mode::TIES_TO_EVEN).to_bits(), 0xBF22); // -0.6328125
    /// assert_eq!(elu(x, 0.3f32, Mode::TIES_TO_EVEN).to_bits(), 0xBE42); // -0.189453125
    /// ```
    elu, elu_status, elu_bits;
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
    /// The gradient of [`elu`](super::elu()): its derivative at `x`, 1 where `x > 0`, else
    /// `alpha * e^x`, rounded, and the product with `grad` rounded again, both in the one mode.
    ///
    /// The derivative is alpha at either zero and the zero of alpha's sign at -infinity, where an
    /// infinite alpha makes it NaN, with invalid. A NaN of either operand, or a NaN alpha where it
    /// counts, gives the canonical NaN, and invalid where one signals; so does an infinite `grad`
    /// where the derivative rounds to zero, and a zero where it is infinite, with invalid.
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
