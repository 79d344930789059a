//! softplus: `ln(1 + e^(beta x)) / beta`, or x above a threshold.
//!
//! Method: the product `beta x` is exact. With `E = e^-|beta x|`, `ln(1 + E)` to 60 bits
//! (`fixed/exp_wide.rs`), plus the product where that is positive, and a long division by beta. The
//! derivative is `1 / (1 + E)` or `E / (1 + E)`.
//!
//! Why it is correctly rounded: for beta = 1 every f16 and bf16 operand has been compared with the
//! oracle. For other values of beta the relative error is at most 2^-55. That is not a proof: about
//! one pair of operand and beta in 2^42 may lie closer to a rounding boundary, of f32 one in 2^29.
//!
//! Tables: `fixed/exp_wide.rs`'s 300 bytes. Constants: `constants/exp.py`.

use super::gradient::backward;
use super::slope::logistic_wide;
use crate::fixed::{Decay, divide_wide, log1p_over, mul_high_wide, split};
use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// `beta x`, exactly; NaN where any of the three is NaN or the product is undefined.
#[inline]
const fn product(x: Exact<u32>, beta: Exact<u32>, threshold: Exact<u32>) -> Exact<u64> {
    if x.is_nan() || beta.is_nan() || threshold.is_nan() {
        let invalid = (x.is_nan() && x.payload_flag())
            || (beta.is_nan() && beta.payload_flag())
            || (threshold.is_nan() && threshold.payload_flag());
        return Exact::<u64>::nan(invalid);
    }
    x.mul_long(beta)
}

const fn softplus_core(x: Exact<u32>, beta: Exact<u32>, threshold: Exact<u32>) -> Exact<u64> {
    let y = product(x, beta, threshold);
    if y.is_nan() {
        return y;
    }
    if threshold.widen().is_less_than(y) {
        return x.widen();
    }
    match (y.kind(), beta.kind()) {
        (_, Kind::Zero) => Exact::<u64>::pole(beta.sign()),
        (Kind::Infinite, _) if y.sign() => Exact::<u64>::zero(beta.sign()),
        (Kind::Infinite, _) => x.widen(),
        _ => quotient(x, y, beta),
    }
}

/// `ln(1 + e^y) / beta` for finite values and a non-zero beta. Inexact.
const fn quotient(x: Exact<u32>, y: Exact<u64>, beta: Exact<u32>) -> Exact<u64> {
    let parts = if y.is_finite_nonzero() {
        split(y.significand(), y.exponent() - 63)
    } else {
        Some((0, 0))
    };
    let (logarithm, unit) = match parts {
        Some((64.., _)) | None if !y.sign() => return x.outward().widen(),
        None => return Exact::<u32>::TINY.negate_if(beta.sign()).widen(),
        Some((whole, fraction)) => {
            let decay = Decay::of((whole, fraction));
            let e = decay.fraction();
            if y.sign() {
                let product = mul_high_wide(decay.power, log1p_over(e));
                (product as u128, -64 - decay.k as i32)
            } else {
                let y = (whole as u128) << 64 | fraction as u128;
                (y + mul_high_wide(e, log1p_over(e)) as u128, -64)
            }
        }
    };
    let zeros = logarithm.leading_zeros();
    let quotient = divide_wide((logarithm << zeros >> 66) as u64, beta.significand() >> 8);
    let unit = unit + 65 - zeros as i32 - beta.exponent();
    Exact::<u64>::from_integer(beta.sign(), quotient | 1, unit)
}

#[inline(always)]
const fn round<F: Arithmetic, A: Arithmetic, B: Arithmetic>(
    x: u64,
    beta: u64,
    threshold: u64,
    rule: Rule,
) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let beta = Exact::<u32>::decode::<A>(beta as u32);
    let threshold = Exact::<u32>::decode::<B>(threshold as u32);
    softplus_core(x, beta, threshold).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `ln(1 + e^(beta x)) / beta`, rounded once; x itself where the exact product `beta x` exceeds
    /// the threshold. PyTorch's defaults are 1 and 20. Both parameters have their own formats and
    /// are not rounded to `F` first.
    ///
    /// An infinite product gives x where it is positive, and a zero of beta's sign where it is
    /// negative. A zero beta gives an infinity of its sign and raises divide by zero. Zero times
    /// infinity gives NaN and raises invalid. A NaN among the three gives the canonical NaN, and
    /// raises invalid if it signals. Everything else except x itself is inexact, and overflows or
    /// underflows where it leaves the format.
    ///
    /// ```
    /// use bitexact::{Mode, activation::softplus, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(softplus(one, 1.0f32, 20.0f32, Mode::TIES_TO_EVEN).to_bits(), 0x3FA8); // 1.3125
    /// assert_eq!(softplus(one, 2.0f32, 20.0f32, Mode::TIES_TO_EVEN).to_bits(), 0x3F88); // 1.0625
    /// assert_eq!(softplus(one, 1.0f32, 0.5f32, Mode::TIES_TO_EVEN).to_bits(), 0x3F80); // x
    /// ```
    softplus, softplus_status, softplus_bits: round;
    <F: Arithmetic, A: Arithmetic, B: Arithmetic>(x: F, beta: A, threshold: B) -> F
}

const fn derivative(x: Exact<u32>, beta: Exact<u32>, threshold: Exact<u32>) -> Exact<u32> {
    let y = product(x, beta, threshold);
    if y.is_nan() {
        return Exact::<u32>::nan(y.payload_flag());
    }
    if threshold.widen().is_less_than(y) {
        return Exact::<u32>::ONE;
    }
    match (y.kind(), y.sign()) {
        (Kind::Infinite, true) => Exact::<u32>::zero(false),
        (Kind::Infinite, false) => Exact::<u32>::ONE,
        (Kind::Finite, negative) => logistic_wide(negative, y.significand(), y.exponent() - 63),
        _ => Exact::<u32>::HALF,
    }
}

backward! {
    /// The gradient of [`softplus`](super::softplus()): its derivative at `x`, 1 where the exact
    /// product `beta x` exceeds the threshold, otherwise `1 / (1 + e^-(beta x))`, rounded; the
    /// product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1/2 where the product is zero (also for a zero beta), +0 where it is
    /// -infinity and 1 where it is +infinity. Zero times infinity gives NaN and raises invalid. A
    /// NaN gives the canonical NaN, and raises invalid if it signals. An infinite `grad` gives NaN
    /// and raises invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::softplus_backward, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// let y = softplus_backward(one, one, 2.0f32, 20.0f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F61); // 0.87890625
    /// let y = softplus_backward(one, one, 2.0f32, 1.0f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y, one);
    /// ```
    softplus_backward, softplus_backward_status, softplus_backward_bits: derivative;
    (beta: A, threshold: B)
}
