//! acosh: the inverse hyperbolic cosine.
//!
//! Method: `ln(x + sqrt(x^2 - 1))`, where the radicand is exact and the logarithm is computed as in
//! `log`; from 2^16 on, `ln(2 x)`.
//!
//! Exactness: only acosh(1) is exact. For all other operands the exact value is at least 2^-25.2
//! (f16) or 2^-21.7 (bf16) of its binade away from any rounding boundary of either format (the
//! least over all operands), and the relative error is at most 2^-27 (near 1; 2^-30 from 2 on), so
//! the result lies on the correct side.
//!
//! Tables: those of `fixed/log/log2.rs`. Constants: `constants/log.py`.

use super::hyperbolic::log_of_root;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const fn arcosh(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => Exact::<u32>::nan(x.payload_flag()),
        Kind::Infinite if !x.sign() => x,
        Kind::Finite if !x.sign() && x.exponent() >= 0 => log_of_root(x, false),
        _ => Exact::<u32>::nan(true),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    arcosh(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The inverse hyperbolic cosine of `x`, correctly rounded (IEEE 754-2019 `acosh`).
    ///
    /// 1 gives +0. Anything below gives NaN and raises invalid. Neither overflow nor underflow is
    /// possible.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::acosh};
    /// let two = bf16::from_bits(0x4000);
    /// assert_eq!(acosh(two, Mode::TIES_TO_EVEN).to_bits(), 0x3FA9); // 1.317
    /// ```
    acosh, acosh_status, acosh_bits: round;
    <F: Narrow>(x: F) -> F
}
