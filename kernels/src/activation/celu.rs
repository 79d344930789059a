//! celu: `x` for a positive operand, `alpha * (e^(x / alpha) - 1)` for a negative one.
//!
//! Method: where alpha is 1, `expm1`'s core; else the quotient by long division and `1 - e^-y`
//! with 60 digits (`fixed/exp_wide.rs`). Where y is below ln 2 the result is x times a factor, so
//! that the quotient's error hardly counts.
//!
//! Why it is exact enough: for alpha 1 as `expm1` is. For the others the relative error is at
//! most 2^-54, which is no proof: about one pair of operand and alpha in 2^41 may lie nearer to a
//! cut.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, `fixed/expm1.rs`'s 24 and `fixed/exp_wide.rs`'s 300.
//! Constants: `constants/exp.py`.

use super::exp_linear::saturating;
use crate::fixed::divide;
use crate::format::Narrow;
use crate::math::exponential_minus_one;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// Steps of the long division: 56 digits.
const STEPS: u32 = 7;

const fn celu_core(x: Exact<u32>, alpha: Exact<u32>) -> Exact<u64> {
    if !matches!(x.kind(), Kind::Finite | Kind::Infinite) || !x.sign() {
        return x.widen();
    }
    match (alpha.kind(), x.kind()) {
        (Kind::Nan, _) => Exact::<u64>::nan(alpha.mark()),
        (Kind::Finite, _) if alpha.sign() => Exact::<u64>::nan(true),
        (Kind::Finite, Kind::Infinite) => alpha.negate_if(true).widen(),
        (Kind::Finite, _) if alpha.significand() == Exact::<u32>::TOP && alpha.exponent() == 0 => {
            exponential_minus_one(x).widen()
        }
        (Kind::Finite, _) => {
            // Alpha's top digit is set: the compiler sees a divisor that is not zero.
            let divisor = alpha.significand() >> 8 | 1 << 23;
            let (quotient, _) = divide(x.significand() >> 8, divisor, STEPS);
            let unit = x.exponent() - alpha.exponent() - 8 * STEPS as i32;
            let alpha = alpha.negate_if(true).widen();
            saturating(alpha, quotient, unit, x.widen())
        }
        _ => Exact::<u64>::nan(true),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, alpha: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let alpha = Exact::<u32>::decode::<f32>(alpha as u32);
    celu_core(x, alpha).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x` where `x > 0`, else `alpha * (e^(x / alpha) - 1)`, rounded once.
    ///
    /// A zero or a positive operand, +infinity too, gives itself, whatever alpha is. -infinity
    /// gives `-alpha` rounded. Alpha has to be positive and finite: any other gives NaN and
    /// invalid at a negative operand, a quiet NaN just NaN. A NaN operand gives the canonical NaN,
    /// and invalid where it signals.
    ///
    /// ```
    /// use bitexact::{Mode, activation::celu, bf16};
    /// let x = bf16::from_bits(0xBF80); // -1
    /// assert_eq!(celu(x, 1.0, Mode::TIES_TO_EVEN).to_bits(), 0xBF22); // -0.6328125
    /// assert_eq!(celu(x, 2.0, Mode::TIES_TO_EVEN).to_bits(), 0xBF49); // -0.78515625
    /// ```
    celu, celu_status, celu_bits;
    <F: Narrow>(x: F, alpha: f32) -> F
}
