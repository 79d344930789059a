//! celu: `x` for a positive operand, `alpha * (e^(x / alpha) - 1)` for a negative one.
//!
//! Method: where alpha is 1, the core of `expm1`; otherwise the quotient by long division, and
//! `1 - e^-y` to 60 bits (`fixed/exp_wide.rs`). Where y is below ln 2 the result is x times a
//! factor, so the quotient's error hardly matters.
//!
//! Why it is correctly rounded: for alpha = 1 as `expm1` is. For other values of alpha the relative
//! error is at most 2^-54. That is not a proof: about one pair of operand and alpha in 2^41 may lie
//! closer to a rounding boundary.
//!
//! The derivative below 0 is `e^(x / alpha)` of the same quotient, its relative error at most
//! 2^-49.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, `fixed/expm1.rs`'s 24 and `fixed/exp_wide.rs`'s 300.
//! Constants: `constants/exp.py`.

use super::exp_linear::saturating;
use super::gradient::backward;
use super::slope::decaying;
use crate::fixed::divide;
use crate::format::{Arithmetic, Narrow};
use crate::math::exponential_minus_one;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// Steps of the long division: 56 bits.
const STEPS: u32 = 7;

/// `|x| / alpha` of finite values as a number and its unit, truncated.
#[inline]
const fn over(x: Exact<u32>, alpha: Exact<u32>) -> (u64, i32) {
    // The top bit of alpha is set, which shows the compiler that the divisor is not zero.
    let divisor = alpha.significand() >> 8 | 1 << 23;
    let (quotient, _) = divide(x.significand() >> 8, divisor, STEPS);
    let unit = x.exponent() - alpha.exponent() - 8 * STEPS as i32;
    (quotient, unit)
}

const fn celu_core(x: Exact<u32>, alpha: Exact<u32>) -> Exact<u64> {
    if !matches!(x.kind(), Kind::Finite | Kind::Infinite) || !x.sign() {
        return x.widen();
    }
    match (alpha.kind(), x.kind()) {
        (Kind::Nan, _) => Exact::<u64>::nan(alpha.payload_flag()),
        (Kind::Finite, _) if alpha.sign() => Exact::<u64>::nan(true),
        (Kind::Finite, Kind::Infinite) => alpha.negate_if(true).widen(),
        (Kind::Finite, _) if alpha.significand() == Exact::<u32>::TOP && alpha.exponent() == 0 => {
            exponential_minus_one(x).widen()
        }
        (Kind::Finite, _) => {
            let (quotient, unit) = over(x, alpha);
            let alpha = alpha.negate_if(true).widen();
            saturating(alpha, quotient, unit, x.widen())
        }
        _ => Exact::<u64>::nan(true),
    }
}

#[inline(always)]
const fn round<F: Narrow, A: Arithmetic>(x: u64, alpha: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let alpha = Exact::<u32>::decode::<A>(alpha as u32);
    celu_core(x, alpha).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x` where `x > 0`, otherwise `alpha * (e^(x / alpha) - 1)`, rounded once.
    ///
    /// Alpha has its own format, `A`, and is not rounded to `F` first.
    ///
    /// A zero or a positive operand, +infinity included, gives itself for every alpha. -infinity
    /// gives `-alpha` rounded. Alpha has to be positive and finite: for a negative operand any
    /// other alpha gives NaN and raises invalid, except that a quiet NaN raises nothing. A NaN
    /// operand gives the canonical NaN; a signalling one also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::celu, bf16};
    /// let x = bf16::from_bits(0xBF80); // -1
    /// assert_eq!(celu(x, 1.0f32, Mode::TIES_TO_EVEN).to_bits(), 0xBF22); // -0.6328125
    /// assert_eq!(celu(x, 2.0f32, Mode::TIES_TO_EVEN).to_bits(), 0xBF49); // -0.78515625
    /// ```
    celu, celu_status, celu_bits: round;
    <F: Narrow, A: Arithmetic>(x: F, alpha: A) -> F
}

const fn derivative(x: Exact<u32>, alpha: Exact<u32>) -> Exact<u32> {
    if x.is_nan() {
        return x;
    }
    if !x.sign() || matches!(x.kind(), Kind::Zero) {
        return Exact::<u32>::ONE;
    }
    match (alpha.kind(), x.kind()) {
        (Kind::Nan, _) => Exact::<u32>::nan(alpha.payload_flag()),
        (Kind::Finite, _) if alpha.sign() => Exact::<u32>::nan(true),
        (Kind::Finite, Kind::Infinite) => Exact::<u32>::zero(false),
        (Kind::Finite, _) => {
            let (quotient, unit) = over(x, alpha);
            decaying(Exact::<u32>::ONE.widen(), quotient, unit)
        }
        _ => Exact::<u32>::nan(true),
    }
}

backward! {
    /// The gradient of [`celu`](super::celu()): its derivative at `x`, 1 where `x >= 0`, otherwise
    /// `e^(x / alpha)`, rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1 at either zero, for every alpha, and +0 at -infinity. Alpha has to be
    /// positive and finite: for a negative operand any other alpha gives NaN and raises invalid,
    /// except that a quiet NaN raises nothing. A NaN in either operand gives the canonical NaN, and
    /// raises invalid if it signals. An infinite `grad` gives NaN and raises invalid where the
    /// derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::celu_backward, bf16};
    /// let (x, grad) = (bf16::from_bits(0xBF80), bf16::from_bits(0x3F80)); // -1, 1
    /// let y = celu_backward(x, grad, 2.0f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F1B); // 0.60546875
    /// ```
    celu_backward, celu_backward_status, celu_backward_bits: derivative;
    (alpha: A)
}
