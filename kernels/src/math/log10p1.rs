//! log10p1: `log10(1 + x)`.
//!
//! Method: from 2^-5 on, `1 + x` is formed exactly (with a sticky bit from 2^32 on) and its
//! logarithm taken as `log10`'s is; below, `x` itself is the reduced argument: `x (1 + d) / ln 10`,
//! with `d` by the same polynomial (`fixed/log/log2.rs`). The error is 2^-31 relative to the
//! result.
//!
//! Exactness: 9, 99 and (in f16) 999 give 1, 2 and 3, and are recognised by a result so close to an
//! integer. For all others, the exact value is at least 2^-31.4 (f16, for one operand; 2^-28.3 for
//! all others) or 2^-22.5 (bf16) of its binade away from any rounding boundary of either format
//! (the least over all operands). That one operand is closer than the error bound, so its side is
//! verified by the exhaustive run.
//!
//! Tables: those of `fixed/log/log2.rs`. Constants: `constants/log.py`.

use super::logarithm::logarithm_plus_one;
use crate::fixed::Base;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    logarithm_plus_one(Exact::<u32>::decode::<F>(x as u32), Base::Ten).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `log10(1 + x)`, correctly rounded (IEEE 754-2019 `log10p1`).
    ///
    /// Either zero gives itself. -1 gives -infinity and raises divide by zero. Anything below gives
    /// NaN and raises invalid. A subnormal result raises underflow, since it is inexact.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::log10p1};
    /// let x = bf16::from_bits(0x42C6); // 99
    /// assert_eq!(log10p1(x, Mode::TIES_TO_EVEN).to_bits(), 0x4000); // 2
    /// ```
    log10p1, log10p1_status, log10p1_bits: round;
    <F: Narrow>(x: F) -> F
}
