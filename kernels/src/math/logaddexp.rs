//! logaddexp and logaddexp2: `ln(e^x + e^y)` and `log2(2^x + 2^y)`.
//!
//! Method: the greater operand plus `ln(1 + E)` with `E = e^-d`, or `log2(1 + E)` with `E = 2^-d`,
//! for the exact difference d of the operands; exponential and logarithm to 60 bits
//! (`fixed/exp_wide.rs`), as softplus has them.
//!
//! Why it is correctly rounded: the logarithm has a relative error below 2^-58, and the sum's is
//! below that of its greater term. `ln(e^x + e^y)` of rational numbers is never rational
//! (Lindemann-Weierstrass: e^x, e^y and e^z are linearly independent unless two of the exponents
//! are equal). `log2(2^x + 2^y)` is, only for x = y (the powers of 2 with distinct fractional
//! exponents are linearly independent over the rationals; for an integer d, `2^d + 1` is odd): then
//! it is `x + 1`, an exact sum. Of all pairs of other operands, the result nearest to a rounding
//! boundary is 2^-38.7 (logaddexp) and 2^-45.5 (logaddexp2) of the greater term away from it, both
//! in f16: `cases/inputs/tests/nearest.rs` searches them.
//!
//! Two operands below 2^-20 give base 2 a sum next to 1, `1 + (x + y) / 2 + 0.09 d^2`, on the side
//! that x + y says, and above it where that is zero: if it is not, it is at least 2^-12 of the
//! greater operand, and `d^2` less than 2^-18 of it.
//!
//! Tables: those of `fixed/exp_wide.rs`.

use crate::fixed::{Decay, LOG2_E_WIDE, log1p_over, mul_high_wide, split};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// Below 2^SMALL, operands count as zero: the sum is next to 1 to base 2.
const SMALL: i32 = -20;

/// Whether a number is below 2^SMALL in magnitude.
#[inline]
const fn is_small(x: Exact<u32>) -> bool {
    !x.is_finite_nonzero() || x.exponent() < SMALL
}

/// `ln(1 + e^-d)` or `log2(1 + 2^-d)`, for a `d` below 2^10 in parts.
#[inline]
const fn excess(parts: (u32, u64), base_2: bool) -> Exact<u64> {
    let decay = if base_2 {
        Decay::of_base_2(parts)
    } else {
        Decay::of(parts)
    };
    let natural = mul_high_wide(decay.power, log1p_over(decay.fraction()));
    let unit = -64 - decay.k as i32;
    if base_2 {
        Exact::<u64>::from_integer(false, mul_high_wide(natural, LOG2_E_WIDE), unit + 1)
    } else {
        Exact::<u64>::from_integer(false, natural, unit)
    }
}

/// The logarithm of the sum of powers of two numbers, of which neither is NaN.
const fn logarithm(x: Exact<u32>, y: Exact<u32>, base_2: bool) -> Exact<u64> {
    let (most, least) = if x.is_less_than(y) { (y, x) } else { (x, y) };
    match (most.kind(), least.kind()) {
        (Kind::Zero, Kind::Infinite) => return Exact::<u64>::zero(false),
        (Kind::Infinite, _) | (_, Kind::Infinite) => return most.widen(),
        _ => {}
    }
    let apart = most.widen().add(least.widen().negate_if(true));
    let parts = if apart.is_finite_nonzero() {
        if base_2 && is_small(most) && is_small(least) {
            let sum = most.add(least);
            let below = sum.is_finite_nonzero() && sum.sign();
            return if below {
                Exact::<u32>::BELOW_ONE
            } else {
                Exact::<u32>::ABOVE_ONE
            }
            .widen();
        }
        split(apart.significand(), apart.exponent() - 63)
    } else if base_2 {
        let sum = most.add(Exact::<u32>::ONE);
        // The logarithm of 1.
        return if sum.is_finite_nonzero() {
            sum
        } else {
            Exact::<u32>::zero(false)
        }
        .widen();
    } else {
        Some((0, 0))
    };
    match parts {
        Some(parts) => {
            let sum = most.widen().add(excess(parts, base_2));
            Exact::<u64>::jammed(sum.sign(), sum.exponent(), sum.significand())
        }
        None if !most.is_finite_nonzero() => Exact::<u32>::TINY.widen(),
        None if most.sign() => most.inward().widen(),
        None => most.outward().widen(),
    }
}

#[inline(always)]
const fn of_codes<F: Narrow>(x: u64, y: u64, base_2: bool) -> Exact<u64> {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let y = Exact::<u32>::decode::<F>(y as u32);
    match x.nan_operand(y) {
        Some(invalid) => Exact::<u64>::nan(invalid),
        None => logarithm(x, y, base_2),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    of_codes::<F>(x, y, false).to_format::<F>(rule)
}

#[inline(always)]
const fn round_base_2<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    of_codes::<F>(x, y, true).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `ln(e^x + e^y)`, correctly rounded (NumPy's and PyTorch's `logaddexp`): no intermediate
    /// overflow or underflow.
    ///
    /// An operand of -infinity gives the other one, a zero as +0; +infinity gives +infinity. A NaN
    /// in either gives the canonical NaN; a signalling NaN also raises invalid. All other results
    /// are inexact, and none is a zero before it is rounded; small ones underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::logaddexp};
    /// let [one, two] = [0x3F80, 0x4000].map(bf16::from_bits);
    /// assert_eq!(logaddexp(one, two, Mode::TIES_TO_EVEN).to_bits(), 0x4014); // 2.3133
    /// ```
    logaddexp, logaddexp_status, logaddexp_bits: round;
    <F: Narrow>(x: F, y: F) -> F
}

rounded_by_mode! {
    /// `log2(2^x + 2^y)`, correctly rounded (NumPy's and PyTorch's `logaddexp2`): no intermediate
    /// overflow or underflow.
    ///
    /// Equal operands give `x + 1`, rounded; those of -1 give +0. An operand of -infinity gives the
    /// other one, a zero as +0; +infinity gives +infinity. A NaN in either gives the canonical NaN;
    /// a signalling NaN also raises invalid. All other results are inexact; small ones underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::logaddexp2};
    /// let [one, two] = [0x3F80, 0x4000].map(bf16::from_bits);
    /// assert_eq!(logaddexp2(one, two, Mode::TIES_TO_EVEN).to_bits(), 0x4025); // log2 6 = 2.585
    /// ```
    logaddexp2, logaddexp2_status, logaddexp2_bits: round_base_2;
    <F: Narrow>(x: F, y: F) -> F
}
