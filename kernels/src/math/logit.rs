//! logit: `ln(x / (1 - x))`.
//!
//! Method: below 1/4, `ln(x) - ln(1 - x)`, where nothing cancels; otherwise `2 atanh(2x - 1)`,
//! whose operand is exact and has at most 11 bits (see `atanh.rs`).
//!
//! Exactness: only logit(1/2) is exact. Below 1/4 the absolute error is at most 2^-32 and the
//! result at least 1.09. The exhaustive run verifies that each result lies on the correct side of
//! every rounding boundary; repeat it after changing a constant.
//!
//! Tables: those of `atanh`.

use super::atanh::artanh;
use super::logarithm::{inexact, log_of, one_plus};
use crate::fixed::Base;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

/// Below 2^TINY, `ln(1 - x)` is less than the error.
const TINY: i32 = -32;

const fn log_odds(x: Exact<u32>) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), x.significand());
    match x.kind() {
        Kind::Nan => x,
        Kind::Zero => Exact::<u32>::pole(true),
        Kind::Finite if x.sign() => Exact::<u32>::nan(true),
        Kind::Finite if exponent < -2 => {
            let (value, unit) = log_of(x).to_base(Base::E);
            let rest = if exponent < TINY {
                0
            } else {
                log_of(one_plus(x.negate_if(true))).to_base(Base::E).0
            };
            inexact((value - rest, unit))
        }
        Kind::Finite if exponent < 0 => {
            // 2x - 1 in 2^-31.
            let t = (significand >> (-1 - exponent)).wrapping_sub(Exact::<u32>::TOP) as i32;
            if t == 0 {
                return Exact::<u32>::zero(false);
            }
            artanh(Exact::<u32>::from_integer(t < 0, t.unsigned_abs(), -31)).scale(1)
        }
        Kind::Finite if exponent == 0 && significand == Exact::<u32>::TOP => {
            Exact::<u32>::pole(false)
        }
        _ => Exact::<u32>::nan(true),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    log_odds(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `ln(x / (1 - x))`, correctly rounded: the inverse of
    /// [`sigmoid`](crate::activation::sigmoid()) (PyTorch's and SciPy's `logit`, without `eps`).
    ///
    /// 1/2 gives +0. Either zero gives -infinity and 1 gives +infinity, and both raise divide by
    /// zero. Anything below 0 or above 1 gives NaN and raises invalid. Neither overflow nor
    /// underflow is possible. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::logit};
    /// let x = bf16::from_bits(0x3F40); // 3/4
    /// assert_eq!(logit(x, Mode::TIES_TO_EVEN).to_bits(), 0x3F8D); // ln 3 = 1.0986
    /// ```
    logit, logit_status, logit_bits: round;
    <F: Narrow>(x: F) -> F
}
