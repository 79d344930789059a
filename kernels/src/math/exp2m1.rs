//! exp2m1: 2 to the x, minus 1.
//!
//! Method: below 1/4 in magnitude as [`expm1`](super::expm1()) of `x ln 2`, whose significand
//! has 32 bits; above it 2 to the x in fixed point (`fixed/exp2.rs`) minus 1.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-27.7; it is exact where x
//! is an integer, and irrational elsewhere. Every f16 and bf16 operand has been compared with MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes and `fixed/expm1.rs`'s 24, shared by the whole family.
//! Constants: `constants/exp.py`.

use super::exp2::small_integer;
use super::expm1::{far_from_zero, near_zero_times, special};
use crate::fixed::LN_2;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

const ONE: u64 = 1 << 62;

/// `2^n - 1` of an integer n other than 0.
const fn at_integer(n: i32) -> Exact<u32> {
    if n < -31 {
        Exact::<u32>::BELOW_ONE.negate_if(true)
    } else if n < 0 {
        Exact::<u32>::from_integer(true, u32::MAX >> (32 + n), n)
    } else if n <= 32 {
        Exact::<u32>::from_integer(false, u32::MAX >> (32 - n), 0)
    } else {
        Exact::<u32>::normalised(false, n - 1, u32::MAX)
    }
}

const fn power_of_two_minus_one(x: Exact<u32>) -> Exact<u32> {
    if let Some(value) = special(x) {
        return value;
    }
    if let Some(n) = small_integer(x) {
        return at_integer(n);
    }
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    if exponent < -2 {
        near_zero_times(sign, significand, LN_2, exponent)
    } else {
        far_from_zero(sign, exponent, significand, ONE)
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    power_of_two_minus_one(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `2^x - 1`, correctly rounded (IEEE 754-2019 `exp2m1`).
    ///
    /// A zero gives itself, +infinity itself and -infinity -1, exactly; an integer gives an exact
    /// result if the format holds it. NaN gives the canonical NaN; a signalling NaN also raises
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::exp2m1};
    /// let three = bf16::from_bits(0x4040);
    /// assert_eq!(exp2m1(three, Mode::TIES_TO_EVEN).to_bits(), 0x40E0); // 7
    /// ```
    exp2m1, exp2m1_status, exp2m1_bits: round;
    <F: Narrow>(x: F) -> F
}
