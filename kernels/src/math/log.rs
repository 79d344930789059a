//! log: the natural logarithm.
//!
//! Method: `exponent * ln 2 + ln(significand)` in fixed point with 32 bits, the significand's
//! logarithm by a table of 32 slices and a polynomial (Tang's; see `fixed/log/log_narrow.rs`, which
//! has the error bound: 2^-26 of the result where that is smallest, near 0.03, and 2^-31 near 1).
//!
//! Exactness: ln(1) is 0; no other logarithm of a rational number is rational. For all others, the
//! exact value is at least 2^-26.2 (f16) or 2^-25.0 (bf16) of its binade away from any rounding
//! boundary of either format (the least over all operands). The exhaustive run verifies that each
//! result lies on the correct side; repeat it after changing a constant.
//!
//! Tables: those of `fixed/log/log_narrow.rs`, 208 bytes shared by the three. Constants:
//! `constants/log.py`.

use super::logarithm::{logarithm_of_special, narrow_to_base};
use crate::fixed::Base;
use crate::format::Arithmetic;
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::Exact;
use crate::single;

#[inline]
const fn of_positive(x: Exact<u32>) -> Exact<u32> {
    narrow_to_base(x, Base::E)
}

/// The logarithm of an f32.
#[inline]
const fn of_f32(x: Exact<u32>) -> Exact<u64> {
    if x.is_finite_nonzero() && !x.sign() {
        single::log(x)
    } else {
        logarithm_of_special(x).widen()
    }
}

straight_path!(positive -149..=127 => of_positive, logarithm_of_special; f32 of_f32);

rounded_by_mode! {
    /// The natural logarithm of `x`, rounded once.
    ///
    /// 1 gives +0. Either zero gives -infinity and raises divide by zero. Anything below gives NaN
    /// and raises invalid. Neither overflow nor underflow is possible.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::log};
    /// let two = bf16::from_bits(0x4000);
    /// assert_eq!(log(two, Mode::TIES_TO_EVEN).to_bits(), 0x3F31); // ln 2 = 0.6931
    /// ```
    log, log_status, log_bits: round;
    <F: Arithmetic>(x: F) -> F
}
