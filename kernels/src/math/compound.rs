//! compound: `(1 + x)^n` for an integer `n`.
//!
//! Method: `2^(n log2(1 + x))`, in two attempts (Ziv's strategy). The quick one uses a 32-bit
//! logarithm and a table of 16 powers with a polynomial. Its result is accepted unless it is so
//! close to a number of 12 bits that the error could reach that number (about 0.1 to 1 % of
//! operands). Otherwise integers identify the exact cases, and all others use 64-bit logarithms and
//! powers.
//!
//! Exactness: `1 + x` is formed exactly in 64 bits from 2^-20 to 2^20, and the argument of `pown`
//! applies. Below 2^-20 it has at least 20 bits more than a rounding boundary. From 2^20 on, the
//! result lies next to `x^n` (`|n| <= 6`, since otherwise it has overflowed or vanished in every
//! format). If `x^n` is on a rounding boundary, the result is `x^n` with a sticky bit.
//!
//! Error: the relative error of the logarithm is 2^-61 below 2^-5 and 2^-58 elsewhere. So the
//! result's is below 2^-50, and below 2^-60 where the result lies between 1/2 and 2 and `x` is
//! below 2^-5. A search showed that this is enough for all 2^32 `n`. For a fixed `x`, a result is
//! close to a rounding boundary `b` only where `n` is close to `log2(b) / log2(1 + x)`, so all `x`
//! were tried with all rounding boundaries (4 * 10^9 pairs in f16, 1.6 * 10^9 in bf16). All pairs
//! within 2^-36 of a rounding boundary were compared with MPFR and are correct; the closest is at
//! 2^-45.4 in f16 and at 2^-54.3 in bf16 (`x` near -2^-31, the result near 0.74). Where
//! `|x| < 2^-46`, the result is next to 1 for every `n`.
//!
//! Tables: those of `fixed/log/log2.rs`, `fixed/log/log2_wide.rs` and `fixed/exp2_wide.rs`: 416
//! bytes, and 188 of coefficients, shared by the powers and the logarithms. Constants:
//! `constants/log.py`.

use super::logarithm::{log_of, one_plus};
use super::powers::{BELOW_CUTS, ERROR, ONE, Odd, Quick, exp2, exp2_rational, is_one, normalised};
use crate::convert::Integer as _;
use crate::fixed::{Base, Float, NEAR_ONE, log_near_one, log2_near_one_wide, log2_wide};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// Below 2^TINY, no power of `1 + x` is on a rounding boundary, not even `1 + x` itself.
const TINY: i32 = -20;
/// From 2^FAR on, `(1 + x)^n` lies next to `x^n`, unless it has overflowed or vanished.
const FAR: i32 = 20;
/// The position of 1 in a 64-bit sum. There is room above for an operand below 2^FAR and below for
/// one from 2^TINY on.
const POINT: i32 = 42;

/// If `x^n` is on a rounding boundary: `x^n` with the sticky bit on the side of `(1 + x)^n`.
const fn near_power(x: Exact<u32>, n: i32) -> Option<Exact<u32>> {
    let factors = Odd::of(x);
    let magnitude = n.unsigned_abs();
    if magnitude > 15 {
        return None;
    }
    if n < 0 {
        if factors.odd != 1 {
            return None;
        }
        let exponent = factors.exponent * n;
        return Some(Exact::<u32>::normalised(false, exponent - 1, u32::MAX));
    }
    match factors.power(magnitude) {
        Some(power) => {
            let power = power.exact(false);
            if power.significand() & BELOW_CUTS == 0 {
                let significand = power.significand() | 1;
                Some(Exact::<u32>::normalised(
                    false,
                    power.exponent(),
                    significand,
                ))
            } else {
                None
            }
        }
        None => None,
    }
}

/// `(1 + x)^n` for a finite `x` above -1 that is not zero, and `n` not zero.
const fn finite(x: Exact<u32>, n: i32) -> Exact<u32> {
    let (by, by_exponent) = normalised(n.unsigned_abs());
    let log = if x.exponent() < NEAR_ONE {
        log_near_one(x.sign(), x.exponent(), x.significand(), Base::Two)
    } else {
        log_of(one_plus(x)).to_base(Base::Two)
    };
    match Quick::new(log)
        .times(n < 0, by, by_exponent)
        .exp2(false, ERROR)
    {
        Some(result) => result,
        None => careful(x, n),
    }
}

/// `(1 + x)^n` where the result is on a rounding boundary, or so close to one that 32 bits do not
/// decide.
#[cold]
#[inline(never)]
const fn careful(x: Exact<u32>, n: i32) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), (x.significand() as u64) << 32);
    let (by, by_exponent) = normalised(n.unsigned_abs());
    if exponent >= FAR {
        if let Some(beside) = near_power(x, n) {
            return beside;
        }
    }
    let log = if exponent < TINY {
        log2_near_one_wide(x.sign(), significand, exponent)
    } else if exponent <= FAR {
        let fraction = significand >> (63 - POINT - exponent);
        let sum = if x.sign() {
            (1 << POINT) - fraction
        } else {
            (1 << POINT) + fraction
        };
        let factors = Odd::new(sum, -POINT);
        if factors.odd == 1 {
            return exp2_rational(false, factors.log2().times(n < 0, by, by_exponent));
        }
        if n > 0 {
            if let Some(power) = factors.power(n as u32) {
                return power.exact(false);
            }
        }
        if exponent < NEAR_ONE {
            log2_near_one_wide(x.sign(), significand, exponent)
        } else {
            let sum = Float::new(false, sum, -POINT);
            log2_wide(sum.exponent, sum.significand)
        }
    } else {
        let sum = if exponent < 63 {
            significand + (1 << (63 - exponent))
        } else {
            significand
        };
        log2_wide(exponent, sum)
    };
    exp2(false, log.times(n < 0, by, by_exponent))
}

pub(crate) const fn compound_growth(x: Exact<u32>, n: i32) -> Exact<u32> {
    let is_minus_one = is_one(x) && x.sign();
    match x.kind() {
        Kind::Nan if n == 0 && !x.payload_flag() => ONE,
        Kind::Nan => x,
        Kind::Finite | Kind::Infinite if x.sign() && x.exponent() >= 0 && !is_minus_one => {
            Exact::<u32>::nan(true)
        }
        _ if n == 0 => ONE,
        Kind::Zero => ONE,
        Kind::Infinite if n > 0 => x,
        Kind::Infinite => Exact::<u32>::zero(false),
        _ if !is_minus_one => finite(x, n),
        _ if n < 0 => Exact::<u32>::pole(false),
        _ => Exact::<u32>::zero(false),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, n: u64, rule: Rule) -> (u64, Status) {
    compound_growth(Exact::<u32>::decode::<F>(x as u32), n as u32 as i32).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `(1 + x)^n`, correctly rounded (IEEE 754-2019 `compound`).
    ///
    /// `x` below -1 gives NaN and raises invalid. Otherwise the result is 1 where `n` is 0, even
    /// for a quiet NaN, and for either zero. -1 gives infinity and divide by zero for `n < 0`, +0
    /// for `n > 0`. Infinity gives +0 for `n < 0`, infinity for `n > 0`. A signalling NaN always
    /// gives NaN and raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::compound};
    /// let rate = bf16::from_bits(0x3D4D); // 5.005 %
    /// assert_eq!(compound(rate, 20, Mode::TIES_TO_EVEN).to_bits(), 0x402A); // 2.656
    /// ```
    compound, compound_status, compound_bits: round;
    <F: Narrow>(x: F, n: i32) -> F
}
