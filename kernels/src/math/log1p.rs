//! log1p: `ln(1 + x)`.
//!
//! Method: from 2^-5 on, `1 + x` is formed exactly (with a sticky bit from 2^32 on) and its
//! logarithm taken as `log`'s is; below, `x` itself is the reduced argument: `x (1 + d)`, with `d`
//! by the same polynomial (`fixed/log/log2.rs`). The error is 2^-31 relative to the result.
//!
//! Exactness: only ln(1) is exact. For all others, the exact value is at least 2^-26.8 (f16) or
//! 2^-24.2 (bf16) of its binade away from any rounding boundary of either format (the least over
//! all operands), which is more than the error, so the result lies on the correct side.
//!
//! Tables: those of `fixed/log/log2.rs`. Constants: `constants/log.py`.

use super::logarithm::logarithm_plus_one;
use crate::fixed::Base;
use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};
use crate::single;

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        return single::log1p(x).to_format::<F>(rule);
    }
    logarithm_plus_one(x, Base::E).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `ln(1 + x)`, correctly rounded (IEEE 754-2019 `logp1`).
    ///
    /// Either zero gives itself. -1 gives -infinity and raises divide by zero. Anything below gives
    /// NaN and raises invalid. A subnormal result raises underflow, since it is inexact.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::log1p};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(log1p(one, Mode::TIES_TO_EVEN).to_bits(), 0x3F31); // ln 2 = 0.6931
    /// ```
    log1p, log1p_status, log1p_bits: round;
    <F: Arithmetic>(x: F) -> F
}
