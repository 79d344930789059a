//! pown: `x^n` for an integer `n`.
//!
//! Method: `2^(n log2(x))`, in two tries (Ziv's strategy). The quick one has a logarithm of
//! 32 digits and a table of 16 powers with a polynomial; it stands unless the result is so
//! near to a number of 12 digits that its error could reach over it (some 0.1 to 1 % of
//! operands). Then the exact cases are told apart by integers, and the others have 64-digit
//! logarithms and powers.
//!
//! Exactness: as for `pow`, with an integer exponent: exact are powers of 2 and, for `n > 0`,
//! an odd number's power of at most 12 digits; one of up to 32 is computed exactly, and a
//! longer one is on no cut.
//!
//! Error: that of `pow`, less than 2^-50. Of all `x` and `n` whose result is neither
//! overflowed nor vanished, 2 million in f16 and 1.7 million in bf16, none that is not exact
//! comes nearer to a number of 12 digits than 2^-32.1: so the side is right.
//!
//! Tables: those of `fixed/log.rs`, `fixed/log2_wide.rs` and `fixed/exp2_wide.rs`: 416 bytes,
//! and 188 of coefficients, shared by the powers and the logarithms. Constants:
//! `constants/log.py`.

use super::logarithm::log_of;
use super::powers::{ERROR, ONE, Odd, Quick, exp2, exp2_rational, is_one, normalised};
use crate::convert::Integer as _;
use crate::fixed::{Base, log2_wide};
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// `x^n` of a finite `x` that is not zero, the sign apart; `n` not zero.
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

/// The same where the result is on a cut or so near to one that 32 digits do not tell.
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
        Kind::Nan if x.mark() => x,
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
    /// `x^n`, rounded once (IEEE 754-2019 `pown`).
    ///
    /// 1 where `n` is 0, even of a quiet NaN. A zero: for `n < 0` an infinity and divide by zero, for
    /// `n > 0` a zero. An infinity, the other way about. Negative are the results of a negative `x`,
    /// zero and infinity too, and an odd `n`. A signalling NaN always gives NaN and invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::pown};
    /// let x = bf16::from_bits(0xBFC0); // -1.5
    /// assert_eq!(pown(x, 3, Mode::TIES_TO_EVEN).to_bits(), 0xC058); // -3.375
    /// ```
    pown, pown_status, pown_bits;
    <F: Narrow>(x: F, n: i32) -> F
}
