//! log10: the logarithm to base 10.
//!
//! Method: `exponent * log10(2) + ln(significand) / ln 10` in fixed point with 32 bits, the
//! significand's logarithm by a table of 32 slices and a polynomial (Tang's; see
//! `fixed/log/log_narrow.rs`, which has the error bound: 2^-26 of the result where that is
//! smallest, near 0.03, and 2^-31 near 1).
//!
//! Exactness: a power of 10 (in f16 up to 10^4, in bf16 up to 10^3) gives its exponent. It is
//! recognised by a result within 2^-24 of an integer, which no other operand has; no other
//! logarithm to base 10 of a dyadic number is rational. For all others, the exact value is at least
//! 2^-26.4 (f16) or 2^-22.5 (bf16) of its binade away from any rounding boundary of either format
//! (the least over all operands). The exhaustive run verifies that each result lies on the correct
//! side; repeat it after changing a constant.
//!
//! Tables: those of `fixed/log/log_narrow.rs`, 208 bytes shared by the three. Constants:
//! `constants/log.py`.

use super::logarithm::logarithm;
use crate::fixed::Base;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

const fn log10_core(x: Exact<u32>) -> Exact<u32> {
    logarithm(x, Base::Ten)
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    log10_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The logarithm of `x` to base 10, rounded once.
    ///
    /// 1 gives +0; a power of 10 gives its exponent, exactly. Either zero gives -infinity and
    /// raises divide by zero. Anything below gives NaN and raises invalid. Neither overflow nor
    /// underflow is possible.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::log10};
    /// let thousand = bf16::from_bits(0x447A);
    /// assert_eq!(log10(thousand, Mode::TIES_TO_EVEN).to_bits(), 0x4040); // 3
    /// ```
    log10, log10_status, log10_bits: round;
    <F: Narrow>(x: F) -> F
}
