//! rootn: `x^(1/n)` for an integer `n`.
//!
//! Method: `2^(log2(x) / n)`, in two attempts (Ziv's strategy). The quick one uses a 32-bit
//! logarithm and a table of 16 powers with a polynomial. Its result is accepted unless it is so
//! close to a number of 12 bits that the error could reach that number (about 0.1 to 1 % of
//! operands). Otherwise integers identify the exact cases, and all others use 64-bit logarithms and
//! powers.
//!
//! Exactness: `x = X 2^a` with an odd `X` has a dyadic n-th root only if `X` is a power of `n` (for
//! `n < 0`: 1) and `n` divides `a`; the odd numbers from 3 on are tried. From `n` of 2^22 on, the
//! root of every number other than 1 is next to 1: closer to it than any other rounding boundary.
//!
//! Error: the quick attempt's division has 24 bits, which its guard covers. The careful one divides
//! all 64 bits of the logarithm: its error is below 2^-51, and below 2^-60 where `n` is so large
//! that the root is within 2^-6 of 1. All `x` were run for `|n| <= 64`, and for larger `n` every
//! `x` near every number of 12 bits. No inexact result is closer than 2^-51.7, with one exception
//! (for `n = -15824`; its root is within 2^-10 of 1). So the result lies on the correct side.
//!
//! Tables: those of `fixed/log/log2.rs`, `fixed/log/log2_wide.rs` and `fixed/exp2_wide.rs`: 416
//! bytes, and 188 of coefficients, shared by the powers and the logarithms. Constants:
//! `constants/log.py`.

use super::logarithm::log_of;
use super::powers::{ERROR, ERROR_OVER, ONE, Odd, Quick, beside_one, exp2, exp2_rational, is_one};
use crate::convert::Integer as _;
use crate::fixed::{Base, log2_wide};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// The n-th root where it is on a rounding boundary; the odd factor is not 1, and `n > 0`.
const fn exact_root(x: Odd, n: u32) -> Option<Odd> {
    if x.exponent.unsigned_abs() % n != 0 {
        return None;
    }
    let exponent = x.exponent / n as i32;
    let mut root = Odd { odd: 3, exponent };
    loop {
        match root.power(n) {
            Some(power) if power.odd == x.odd => return Some(root),
            Some(power) if power.odd < x.odd => root.odd += 2,
            _ => return None,
        }
    }
}

/// From here on, the n-th root of every operand other than 1 is next to 1: its logarithm is at most
/// 133.
const MANY: u32 = 1 << 22;

/// The n-th root of a finite non-zero `x`, without the sign; `n` is not zero.
const fn finite(negative: bool, x: Exact<u32>, n: i32) -> Exact<u32> {
    let magnitude = n.unsigned_abs();
    if is_one(x) {
        return ONE.negate_if(negative);
    }
    if magnitude >= MANY {
        return beside_one(negative, (x.exponent() >= 0) == (n > 0));
    }
    let quick = Quick::new(log_of(x).to_base(Base::Two)).over(n < 0, magnitude);
    match quick.exp2(negative, ERROR + ERROR_OVER) {
        Some(result) => result,
        None => careful(negative, x, n),
    }
}

/// `x^(1/n)` where the result is on a rounding boundary, or so close to one that 32 bits do not
/// decide.
#[cold]
#[inline(never)]
const fn careful(negative: bool, x: Exact<u32>, n: i32) -> Exact<u32> {
    let factors = Odd::of(x);
    let magnitude = n.unsigned_abs();
    if factors.odd == 1 {
        return exp2_rational(negative, factors.log2().over(n < 0, magnitude));
    }
    if n > 0 {
        if let Some(root) = exact_root(factors, magnitude) {
            return root.exact(negative);
        }
    }
    let log = log2_wide(x.exponent(), (x.significand() as u64) << 32);
    exp2(negative, log.over(n < 0, magnitude))
}

pub(crate) const fn root_by_integer(x: Exact<u32>, n: i32) -> Exact<u32> {
    let negative = x.sign() && n & 1 != 0;
    match x.kind() {
        Kind::Nan => x,
        _ if n == 0 => Exact::<u32>::nan(true),
        Kind::Zero if n < 0 => Exact::<u32>::pole(negative),
        Kind::Zero => Exact::<u32>::zero(negative),
        _ if x.sign() && !negative => Exact::<u32>::nan(true),
        Kind::Infinite if n > 0 => x,
        Kind::Infinite => Exact::<u32>::zero(negative),
        Kind::Finite => finite(negative, x, n),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, n: u64, rule: Rule) -> (u64, Status) {
    root_by_integer(Exact::<u32>::decode::<F>(x as u32), n as u32 as i32).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The n-th root of `x`, correctly rounded (IEEE 754-2019 `rootn`).
    ///
    /// `n` = 0, and an even `n` with an `x` below zero, give NaN and raise invalid. A zero gives an
    /// infinity and divide by zero for `n < 0`, a zero for `n > 0`. An infinity gives a zero for
    /// `n < 0` and an infinity for `n > 0`. The result is negative if `x` is negative (zeros and
    /// infinities included) and `n` is odd. A quiet NaN gives NaN and raises nothing, even for `n`
    /// = 0.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::rootn};
    /// let x = bf16::from_bits(0xC1D8); // -27
    /// assert_eq!(rootn(x, 3, Mode::TIES_TO_EVEN).to_bits(), 0xC040); // -3
    /// ```
    rootn, rootn_status, rootn_bits: round;
    <F: Narrow>(x: F, n: i32) -> F
}
