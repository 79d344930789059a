//! pown: `x^n` for an integer `n`.
//!
//! Method: `2^(n log2(x))`, in two attempts (Ziv's strategy). The quick one uses a 32-bit logarithm
//! and a table of 16 powers with a polynomial. Its result is accepted unless it is so close to a
//! number of 12 bits that the error could reach that number (about 0.1 to 1 % of operands).
//! Otherwise integers identify the exact cases, and all others use 64-bit logarithms and powers.
//!
//! Exactness: as for `pow`, with an integer exponent. The exact results are powers of 2 and, for
//! `n > 0`, an odd number's power of at most 12 bits. A power of up to 32 bits is computed exactly,
//! and a longer one is on no rounding boundary.
//!
//! Error: that of `pow`, less than 2^-50. Among all `x` and `n` whose result neither overflows nor
//! vanishes (2 million in f16, 1.7 million in bf16), no inexact result is closer to a number of 12
//! bits than 2^-32.1, so the result lies on the correct side.
//!
//! Tables: those of `fixed/log/log2.rs`, `fixed/log/log2_wide.rs` and `fixed/exp2_wide.rs`: 416
//! bytes, and 188 of coefficients, shared by the powers and the logarithms. Constants:
//! `constants/log.py`.

use super::logarithm::log_of;
use super::powers::{ERROR, ONE, Odd, Quick, exp2, exp2_rational, is_one, normalised};
use crate::convert::Integer as _;
use crate::fixed::{Base, log2_wide};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// `x^n` of a finite non-zero `x`, without the sign; `n` is not zero.
const fn finite(negative: bool, x: Exact<u32>, n: i32) -> Exact<u32> {
    if is_one(x) {
        return ONE.negate_if(negative);
    }
    let (significand, exponent) = normalised(n.unsigned_abs());
    let quick = Quick::new(log_of(x).to_base(Base::Two)).times(n < 0, significand, exponent);
    match quick.exp2(negative, ERROR) {
        Some(result) => result,
        None => careful(negative, x, n),
    }
}

/// `x^n` where the result is on a rounding boundary, or so close to one that 32 bits do not
/// decide.
#[cold]
#[inline(never)]
const fn careful(negative: bool, x: Exact<u32>, n: i32) -> Exact<u32> {
    let factors = Odd::of(x);
    let (significand, exponent) = normalised(n.unsigned_abs());
    if factors.odd == 1 {
        let t = factors.log2().times(n < 0, significand, exponent);
        return exp2_rational(negative, t);
    }
    if n > 0 {
        if let Some(power) = factors.power(n as u32) {
            return power.exact(negative);
        }
    }
    let log = log2_wide(x.exponent(), (x.significand() as u64) << 32);
    exp2(negative, log.times(n < 0, significand, exponent))
}

pub(crate) const fn power_by_integer(x: Exact<u32>, n: i32) -> Exact<u32> {
    let negative = x.sign() && n & 1 != 0;
    match x.kind() {
        Kind::Nan if x.payload_flag() => x,
        _ if n == 0 => ONE,
        Kind::Nan => x,
        Kind::Finite => finite(negative, x, n),
        Kind::Zero if n < 0 => Exact::<u32>::pole(negative),
        Kind::Infinite if n > 0 => Exact::<u32>::infinity(negative),
        _ => Exact::<u32>::zero(negative),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, n: u64, rule: Rule) -> (u64, Status) {
    power_by_integer(Exact::<u32>::decode::<F>(x as u32), n as u32 as i32).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x^n`, correctly rounded (IEEE 754-2019 `pown`).
    ///
    /// 1 where `n` is 0, even for a quiet NaN. A zero gives an infinity and divide by zero for
    /// `n < 0`, a zero for `n > 0`. An infinity gives a zero for `n < 0` and an infinity for
    /// `n > 0`. The result is negative if `x` is negative (zeros and infinities included) and `n`
    /// is odd. A signalling NaN always gives NaN and raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::pown};
    /// let x = bf16::from_bits(0xBFC0); // -1.5
    /// assert_eq!(pown(x, 3, Mode::TIES_TO_EVEN).to_bits(), 0xC058); // -3.375
    /// ```
    pown, pown_status, pown_bits: round;
    <F: Narrow>(x: F, n: i32) -> F
}
