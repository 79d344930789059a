//! pow: `x^y`.
//!
//! Method: `2^(y log2(x))`, in two attempts (Ziv's strategy). The quick one uses a 32-bit logarithm
//! and a table of 16 powers with a polynomial. Its result is accepted unless it is so close to a
//! number of 12 bits that the error could reach that number (about 0.1 to 1 % of operands).
//! Otherwise integers identify the exact cases, and all others use 64-bit logarithms and powers.
//!
//! Exactness: all rounding boundaries of both formats, subnormal ones and midpoints too, have at
//! most 12 bits. Let `x = X 2^a` with an odd `X`. For `X = 1` the result is `2^(a y)`: exact where
//! `a y` is an integer, otherwise irrational; `a y` has few bits. For any other `X`, a dyadic `x^y`
//! needs `y > 0` (otherwise its denominator has a factor `X`) and, where `y` is an integer over
//! `2^k`, that `x` is a `2^k`-th power (so `k <= 2`, as `X < 2^11`). Then `x^y` is an integer power
//! of an odd number times a power of 2. It is computed exactly if it has at most 32 bits; a longer
//! one is on no rounding boundary.
//!
//! Error: in the quick attempt the relative error is 2^-30.2 for the logarithm and 2^-29 for the
//! power, which its guard covers. In the careful attempt the relative error of the logarithm is
//! 2^-58 and `|y log2(x)|` is below 2^7.3, so the result's error is below 2^-50. The exhaustive run
//! shows that no inexact result of any pair of either format lies within 2^-47 of a number of 12
//! bits, so the result lies on the correct side.
//!
//! Tables: those of `fixed/log/log2.rs`, `fixed/log/log2_wide.rs` and `fixed/exp2_wide.rs`: 416
//! bytes, and 188 of coefficients, shared by the powers and the logarithms. Constants:
//! `constants/log.py`.

use super::logarithm::log_of;
use super::powers::{ERROR, ONE, Odd, Quick, exp2, exp2_rational, is_one};
use crate::fixed::{Base, log2_wide, square_root_short};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// `x^y` where it is on a rounding boundary, for an odd factor of `x` that is not 1 and `y > 0`:
/// then `x` has to be a power whose exponent is the denominator of `y`.
const fn exact_power(x: Odd, y: Odd) -> Option<Odd> {
    let (mut x, mut y) = (x, y);
    while y.exponent < 0 {
        let (root, inexact) = square_root_short(x.odd as u32);
        if inexact || x.exponent & 1 != 0 || root == 1 {
            return None;
        }
        x = Odd {
            odd: root as u64,
            exponent: x.exponent >> 1,
        };
        y.exponent += 1;
    }
    if y.exponent < 5 {
        x.power((y.odd << y.exponent) as u32)
    } else {
        None
    }
}

/// `x^y` of finite non-zero operands, without the sign.
const fn finite(negative: bool, x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    if is_one(x) {
        return ONE.negate_if(negative);
    }
    let quick = Quick::new(log_of(x).to_base(Base::Two));
    let quick = quick.times(y.sign(), y.significand(), y.exponent());
    match quick.exp2(negative, ERROR) {
        Some(result) => result,
        None => careful(negative, x, y),
    }
}

/// `x^y` where the result is on a rounding boundary, or so close to one that 32 bits do not
/// decide.
#[cold]
#[inline(never)]
const fn careful(negative: bool, x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    let factors = Odd::of(x);
    if factors.odd == 1 {
        let t = factors
            .log2()
            .times(y.sign(), y.significand(), y.exponent());
        return exp2_rational(negative, t);
    }
    if !y.sign() {
        if let Some(power) = exact_power(factors, Odd::of(y)) {
            return power.exact(negative);
        }
    }
    let log = log2_wide(x.exponent(), (x.significand() as u64) << 32);
    exp2(negative, log.times(y.sign(), y.significand(), y.exponent()))
}

pub(crate) const fn power(x: Exact<u32>, y: Exact<u32>) -> Exact<u32> {
    if let Some(true) = x.nan_operand(y) {
        return Exact::<u32>::nan(true);
    }
    let is_one = is_one(x);
    if matches!(y.kind(), Kind::Zero) || is_one && !x.sign() {
        return ONE;
    }
    if x.is_nan() || y.is_nan() {
        return Exact::<u32>::nan(false);
    }
    let (is_integer, is_odd) = match y.kind() {
        Kind::Finite => {
            let unit = Odd::of(y).exponent;
            (unit >= 0, unit == 0)
        }
        _ => (true, false),
    };
    let negative = x.sign() && is_odd;
    match (x.kind(), y.kind()) {
        (Kind::Zero, Kind::Infinite) if y.sign() => Exact::<u32>::infinity(false),
        (Kind::Zero, _) if y.sign() => Exact::<u32>::pole(negative),
        (Kind::Infinite, _) if !y.sign() => Exact::<u32>::infinity(negative),
        (Kind::Zero | Kind::Infinite, _) => Exact::<u32>::zero(negative),
        (_, Kind::Infinite) if is_one => ONE,
        (_, Kind::Infinite) if (x.exponent() >= 0) != y.sign() => Exact::<u32>::infinity(false),
        (_, Kind::Infinite) => Exact::<u32>::zero(false),
        _ if x.sign() && !is_integer => Exact::<u32>::nan(true),
        _ => finite(negative, x, y),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    power(x, Exact::<u32>::decode::<F>(y as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x^y`, correctly rounded (IEEE 754-2019 `pow`).
    ///
    /// 1 where `y` is a zero or `x` is 1, even if the other is a quiet NaN, and for -1 and an
    /// infinite `y`. A negative finite `x` with a finite `y` that is not an integer gives NaN and
    /// raises invalid. A zero `x` gives an infinity and (if `y` is finite) divide by zero for
    /// `y < 0`, a zero for `y > 0`; an infinite `x` gives a zero for `y < 0`, an infinity for
    /// `y > 0`. The result is negative if `x` is negative (zeros and infinities included) and `y`
    /// is an odd integer. An infinite `y` gives infinity where `|x| > 1` and `y > 0`, or `|x| < 1`
    /// and `y < 0`; otherwise +0. A signalling NaN always gives NaN and raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::pow};
    /// let (x, y) = (bf16::from_bits(0x4010), bf16::from_bits(0x3FC0)); // 2.25, 1.5
    /// assert_eq!(pow(x, y, Mode::TIES_TO_EVEN).to_bits(), 0x4058); // 3.375
    /// ```
    pow, pow_status, pow_bits: round;
    <F: Narrow>(x: F, y: F) -> F
}
