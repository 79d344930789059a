//! sigmoid: the logistic function `1 / (1 + e^-x)`.
//!
//! Method: with `E = e^-|x|` (`fixed/exp2.rs`), `1 / (1 + E)` for a positive operand and
//! `E / (1 + E)` for a negative one (`fixed/reciprocal.rs`). Below 2^-8 in magnitude, where it is
//! nearer to its tangent `1/2 + x/4` than that resolves, the tangent and a little toward 1/2.
//!
//! Why it is exact enough: the result's relative error is at most 2^-29 of its binade where it is
//! not beside a number on purpose. Every f16 and bf16 operand has been run against MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes. Constants: `constants/exp.py`.

use super::logistic::logistic;
use crate::fixed::{LOG2_E, multiple};
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

const HALF: Exact<u32> = Exact::<u32>::ONE.scale(-1);

/// Of a finite non-zero operand from 2^-31 up to 2^8 in magnitude. Inexact.
#[inline]
pub(super) const fn middle(x: Exact<u32>) -> Exact<u32> {
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    if exponent >= -8 {
        return logistic(sign, multiple(significand, exponent, LOG2_E));
    }
    // 1/2 + x/4 - x^3/48: the line, which meets a midpoint of f16 at 2^-10, is 2^-21 away from
    // every cut that it does not meet; the rest is less, and brings it nearer to 1/2.
    let quarter = (significand as u64) << (exponent + 31);
    let sum = if sign {
        (1 << 63) - quarter + 1
    } else {
        (1 << 63) + quarter - 1
    };
    Exact::<u32>::inexact(false, sum, -64)
}

const fn sigmoid_core(x: Exact<u32>) -> Exact<u32> {
    match (x.kind(), x.sign()) {
        (Kind::Nan, _) => x,
        (Kind::Infinite, false) => Exact::<u32>::ONE,
        (Kind::Infinite, true) => Exact::<u32>::zero(false),
        (Kind::Zero, _) => HALF,
        (Kind::Finite, _) if x.exponent() >= -20 && x.exponent() < 8 => middle(x),
        (Kind::Finite, false) if x.exponent() < 0 => HALF.outward(),
        (Kind::Finite, true) if x.exponent() < 0 => HALF.inward(),
        (Kind::Finite, false) => Exact::<u32>::BELOW_ONE,
        (Kind::Finite, true) => Exact::<u32>::TINY,
    }
}

const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    sigmoid_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `1 / (1 + e^-x)`, rounded once.
    ///
    /// Either zero gives 1/2, +infinity 1 and -infinity +0, exactly. Everything else is inexact,
    /// and underflows where it is subnormal. NaN gives the canonical NaN, and invalid where it
    /// signals.
    ///
    /// ```
    /// use bitexact::{Mode, activation::sigmoid, f16};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(sigmoid(one, Mode::TIES_TO_EVEN).to_bits(), 0x39D9); // 0.73095703125
    /// ```
    sigmoid, sigmoid_status, sigmoid_bits;
    <F: Narrow>(x: F) -> F
}
