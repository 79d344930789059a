//! exp10m1: 10 to the x, minus 1.
//!
//! Method: below 1/8 in magnitude as [`expm1`](super::expm1()) of `x ln 10`, whose significand
//! has 32 bits; above it 10 to the x in fixed point (`fixed/exp2.rs`) minus 1.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-27.5. `10^x - 1` is
//! rational only at integers, and exact here for 1 to 4; beyond them it has more than 12 bits.
//! Every f16 and bf16 operand has been compared with MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes and `fixed/expm1.rs`'s 24, shared by the whole family.
//! Constants: `constants/exp.py`.

use super::exp10::power_of_ten;
use super::expm1::{far_from_zero, near_zero_times, special};
use crate::fixed::{LN_10, LOG2_OF_10};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

const fn power_of_ten_minus_one(x: Exact<u32>) -> Exact<u32> {
    if let Some(value) = special(x) {
        return value;
    }
    if let Some(power) = power_of_ten(x) {
        return Exact::<u32>::from_integer(false, power - 1, 0);
    }
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    if exponent < -4 {
        near_zero_times(sign, significand, LN_10, exponent + 2)
    } else {
        far_from_zero(sign, exponent, significand, LOG2_OF_10)
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    power_of_ten_minus_one(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `10^x - 1`, correctly rounded (IEEE 754-2019 `exp10m1`).
    ///
    /// A zero gives itself, +infinity itself and -infinity -1, exactly; 9, 99 and 999 are exact
    /// too. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::exp10m1};
    /// let two = f16::from_bits(0x4000);
    /// assert_eq!(exp10m1(two, Mode::TIES_TO_EVEN).to_bits(), 0x5630); // 99
    /// ```
    exp10m1, exp10m1_status, exp10m1_bits: round;
    <F: Narrow>(x: F) -> F
}
