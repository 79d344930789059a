//! softplus: `ln(1 + e^(beta x)) / beta`, and x above a threshold.
//!
//! Method: the product `beta x` is exact. Where beta is 1, `log_one_plus_exp`'s 32-digit core;
//! else, with `E = e^-|beta x|`, `ln(1 + E)` with 60 digits (`fixed/exp_wide.rs`), plus the product
//! where that is positive, and a long division by beta.
//!
//! Why it is exact enough: for beta 1 every f16 and bf16 operand has been run against MPFR. For
//! the others the relative error is at most 2^-55, which is no proof: about one pair of operand
//! and beta in 2^42 may lie nearer to a cut.
//!
//! Tables: `fixed/log1p_exp.rs`'s 180 bytes, `fixed/exp2.rs`'s 140 and `fixed/exp_wide.rs`'s 300.
//! Constants: `constants/exp.py`.

use super::log_one_plus_exp::log_one_plus_exp;
use crate::fixed::{divide_wide, log1p_over, mul_high_wide, one_minus_exp_over, reduce, split};
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

const fn softplus_core(x: Exact<u32>, beta: Exact<u32>, threshold: Exact<u32>) -> Exact<u64> {
    if x.is_nan() || beta.is_nan() || threshold.is_nan() {
        let invalid = (x.is_nan() && x.mark())
            || (beta.is_nan() && beta.mark())
            || (threshold.is_nan() && threshold.mark());
        return Exact::<u64>::nan(invalid);
    }
    let y = x.mul_long(beta);
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
        _ if beta.significand() == Exact::<u32>::TOP && beta.exponent() == 0 && !beta.sign() => {
            log_one_plus_exp(x).widen()
        }
        _ => quotient(x, y, beta),
    }
}

/// `ln(1 + e^y) / beta` of finite values, beta not zero. Inexact.
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
            let (k, r) = reduce(whole, fraction);
            // e^-r, and with its exponent E.
            let power = u64::MAX - mul_high_wide(r, one_minus_exp_over(r));
            let e = if k < 64 { power >> k } else { 0 };
            if y.sign() {
                (mul_high_wide(power, log1p_over(e)), -64 - k as i32)
            } else {
                let y = ((whole as u64) << 57) | (fraction >> 7);
                (y + (mul_high_wide(e, log1p_over(e)) >> 7), -57)
            }
        }
    };
    let zeros = logarithm.leading_zeros();
    let quotient = divide_wide((logarithm << zeros) >> 2, beta.significand() >> 8);
    let unit = unit - zeros as i32 + 1 - beta.exponent();
    Exact::<u64>::from_integer(beta.sign(), quotient | 1, unit)
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, beta: u64, threshold: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let beta = Exact::<u32>::decode::<f32>(beta as u32);
    let threshold = Exact::<u32>::decode::<f32>(threshold as u32);
    softplus_core(x, beta, threshold).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `ln(1 + e^(beta x)) / beta`, rounded once; x itself where `beta x > threshold`, the product
    /// exact. PyTorch's defaults are 1 and 20.
    ///
    /// An infinite product gives x where it is positive, and where it is negative a zero of
    /// beta's sign. Beta zero: an infinity of its sign and divide by zero. Zero times infinity:
    /// NaN and invalid. Any NaN among the three gives the canonical NaN, and invalid where one
    /// signals. Everything else but x itself is inexact, and overflows or underflows where it
    /// leaves the format.
    ///
    /// ```
    /// use bitexact::{Mode, activation::softplus, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(softplus(one, 1.0, 20.0, Mode::TIES_TO_EVEN).to_bits(), 0x3FA8); // 1.3125
    /// assert_eq!(softplus(one, 2.0, 20.0, Mode::TIES_TO_EVEN).to_bits(), 0x3F88); // 1.0625
    /// assert_eq!(softplus(one, 1.0, 0.5, Mode::TIES_TO_EVEN).to_bits(), 0x3F80); // x
    /// ```
    softplus, softplus_status, softplus_bits;
    <F: Narrow>(x: F, beta: f32, threshold: f32) -> F
}
