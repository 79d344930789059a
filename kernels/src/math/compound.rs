//! compound: `(1 + x)^n` for an integer `n`.
//!
//! Method: `2^(n log2(1 + x))`, in two tries (Ziv's strategy). The quick one has a logarithm
//! of 32 digits and a table of 16 powers with a polynomial; it stands unless the result is so
//! near to a number of 12 digits that its error could reach over it (some 0.1 to 1 % of
//! operands). Then the exact cases are told apart by integers, and the others have 64-digit
//! logarithms and powers.
//!
//! Exactness: `1 + x` is formed exactly in 64 digits from 2^-20 to 2^20, and the rest is as
//! for `pown`. Below 2^-20 it has at least 20 digits more than a cut. From 2^20 on, the
//! result lies beside `x^n` (`|n| <= 6`, else it has overflowed or vanished in every format):
//! if that is on a cut, the result has it with a sticky bit.
//!
//! Error: below 2^-5 the logarithm is off by 2^-61 relatively, elsewhere by 2^-58, so that
//! the result is off by less than 2^-50, and by less than 2^-60 where it lies between 1/2 and
//! 2 and `x` is below 2^-5. That this is enough for all 2^32 `n` is known from a search: for
//! a fixed `x`, a result is near to a cut only where `n` is near to `log2(cut) / log2(1 +
//! x)`, so that all `x` beside all cuts were tried (4 * 10^9 pairs in f16, 1.6 * 10^9 in
//! bf16). All pairs within 2^-36 of a cut were run against MPFR and are right; the nearest is
//! at 2^-45.4 in f16 and at 2^-54.3 in bf16 (`x` near -2^-31, the result near 0.74). Where
//! `|x| < 2^-46`, the result is beside 1 for every `n`.
//!
//! Tables: those of `fixed/log.rs`, `fixed/log2_wide.rs` and `fixed/exp2_wide.rs`: 416 bytes,
//! and 188 of coefficients, shared by the powers and the logarithms. Constants:
//! `constants/log.py`.

use super::logarithm::{log_of, one_plus};
use super::powers::{BELOW_CUTS, ERROR, ONE, Odd, Quick, exp2, exp2_rational, is_one, normalised};
use crate::convert::Integer as _;
use crate::fixed::{Base, Float, NEAR_ONE, log_beside_one, log2_beside_one_wide, log2_wide};
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// Below 2^TINY, no power of `1 + x` is on a cut, not even the first.
const TINY: i32 = -20;
/// From 2^FAR on, `(1 + x)^n` lies beside `x^n`, as far as it is neither overflowed nor vanished.
const FAR: i32 = 20;
/// Where 1 is, for a sum in 64 digits: an operand below 2^FAR has room above, and one from 2^TINY on
/// below.
const POINT: i32 = 42;

/// `x^n` with the sticky bit on `(1 + x)^n`'s side, if it is on a cut.
const fn beside_power(x: Exact<u32>, n: i32) -> Option<Exact<u32>> {
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
        log_beside_one(x.sign(), x.exponent(), x.significand(), Base::Two)
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

/// The same where the result is on a cut or so near to one that 32 digits do not tell.
#[cold]
#[inline(never)]
const fn careful(x: Exact<u32>, n: i32) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), (x.significand() as u64) << 32);
    let (by, by_exponent) = normalised(n.unsigned_abs());
    if exponent >= FAR {
        if let Some(beside) = beside_power(x, n) {
            return beside;
        }
    }
    let log = if exponent < TINY {
        log2_beside_one_wide(x.sign(), significand, exponent)
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
            log2_beside_one_wide(x.sign(), significand, exponent)
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
        Kind::Nan if n == 0 && !x.mark() => ONE,
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
    /// `(1 + x)^n`, rounded once (IEEE 754-2019 `compound`).
    ///
    /// `x` below -1: NaN and invalid. Else 1 where `n` is 0, even of a quiet NaN, and of either zero.
    /// Of -1: for `n < 0` infinity and divide by zero, for `n > 0` +0. Of infinity: for `n < 0`
    /// +0, for `n > 0` infinity. A signalling NaN always gives NaN and invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::compound};
    /// let rate = bf16::from_bits(0x3D4D); // 5.005 %
    /// assert_eq!(compound(rate, 20, Mode::TIES_TO_EVEN).to_bits(), 0x402A); // 2.656
    /// ```
    compound, compound_status, compound_bits;
    <F: Narrow>(x: F, n: i32) -> F
}
