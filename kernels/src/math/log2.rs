//! log2: the logarithm to base 2.
//!
//! Method: `exponent * 1 + ln(significand) / ln 2` in fixed point with 32 bits, the significand's
//! logarithm by a table of 32 slices and a polynomial (Tang's; see `fixed/log/log_narrow.rs`, which
//! has the error bound: 2^-26 of the result where that is smallest, near 0.03, and 2^-31 near 1).
//!
//! Exactness: a power of 2 gives its exponent; no other logarithm to base 2 of a dyadic number is
//! rational. For all others, the exact value is at least 2^-23.4 (f16) or 2^-19.6 (bf16) of its
//! binade away from any rounding boundary of either format (the least over all operands). The
//! exhaustive run verifies that each result lies on the correct side; repeat it after changing a
//! constant.
//!
//! Tables: those of `fixed/log/log_narrow.rs`, 208 bytes shared by the three. Constants:
//! `constants/log.py`.

use super::logarithm::{logarithm, logarithm_of_special};
use crate::fixed::Base;
use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};
use crate::single;

const fn log2_core(x: Exact<u32>) -> Exact<u32> {
    logarithm(x, Base::Two)
}

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        let value = if x.is_finite_nonzero() && !x.sign() {
            single::log2(x)
        } else {
            logarithm_of_special(x).widen()
        };
        return value.to_format::<F>(rule);
    }
    log2_core(x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The logarithm of `x` to base 2, rounded once.
    ///
    /// 1 gives +0; a power of 2 gives its exponent, exactly. Either zero gives -infinity and raises
    /// divide by zero. Anything below gives NaN and raises invalid. Neither overflow nor underflow
    /// is possible.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::log2};
    /// let three = bf16::from_bits(0x4040);
    /// assert_eq!(log2(three, Mode::TIES_TO_EVEN).to_bits(), 0x3FCB); // 1.585
    /// ```
    log2, log2_status, log2_bits: round;
    <F: Arithmetic>(x: F) -> F
}
