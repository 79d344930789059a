//! log2p1: `log2(1 + x)`.
//!
//! Method: from 2^-5 on, `1 + x` is formed exactly (with a sticky bit from 2^32 on) and its
//! logarithm taken as `log2`'s is; below, `x` itself is the reduced argument: `x (1 + d) / ln 2`,
//! with `d` by the same polynomial (`fixed/log/log2.rs`). The error is 2^-31 relative to the
//! result.
//!
//! Exactness: where `1 + x` is a power of 2 its exponent is exact. For all others, the exact value
//! is at least 2^-28.7 (f16) or 2^-22.1 (bf16, unless `x` is a power of 2) of its binade away from
//! any rounding boundary of either format (the least over all operands), which is more than the
//! error, so the result lies on the correct side. `log2(1 + 2^k)` is closer to `k`; its sticky bit
//! puts it on the correct side.
//!
//! Tables: those of `fixed/log/log2.rs`. Constants: `constants/log.py`.

use super::logarithm::logarithm_plus_one;
use crate::fixed::Base;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    logarithm_plus_one(Exact::<u32>::decode::<F>(x as u32), Base::Two).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `log2(1 + x)`, correctly rounded (IEEE 754-2019 `log2p1`).
    ///
    /// Either zero gives itself. -1 gives -infinity and raises divide by zero. Anything below gives
    /// NaN and raises invalid. A subnormal result raises underflow, since it is inexact.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::log2p1};
    /// let seven = bf16::from_bits(0x40E0);
    /// assert_eq!(log2p1(seven, Mode::TIES_TO_EVEN).to_bits(), 0x4040); // 3
    /// ```
    log2p1, log2p1_status, log2p1_bits: round;
    <F: Narrow>(x: F) -> F
}
