//! exp10: 10 to the x.
//!
//! Method: as [`exp`](super::exp()), with the factor log2(10); the powers up to 10^4 are exact.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-30. `10^x` is rational
//! only at integers; it has more than 12 bits from 10^6 up (too many for f16), at least 9 bits from
//! 10^4 up (too many for bf16), and infinitely many below 1. Every f16 and bf16 operand has been
//! compared with MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, shared by the whole family. Constants: `constants/exp.py`.

use super::exp::power;
use super::exp2::small_integer;
use crate::fixed::LOG2_OF_10;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

/// 10 to the operand where that is 1, 2, 3 or 4.
#[inline]
pub(super) const fn power_of_ten(x: Exact<u32>) -> Option<u32> {
    match small_integer(x) {
        Some(1) => Some(10),
        Some(2) => Some(100),
        Some(3) => Some(1_000),
        Some(4) => Some(10_000),
        _ => None,
    }
}

const fn power_to_base_ten(x: Exact<u32>) -> Exact<u32> {
    match power_of_ten(x) {
        Some(n) => Exact::<u32>::from_integer(false, n, 0),
        None => power(x, LOG2_OF_10),
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    power_to_base_ten(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `10^x`, correctly rounded (IEEE 754-2019 `exp10`).
    ///
    /// 1, 10, 100 and 1000 are exact in both 16-bit formats, and 10000 in f16; either zero gives 1,
    /// +infinity itself and -infinity +0. NaN gives the canonical NaN; a signalling NaN also raises
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::exp10};
    /// let two = f16::from_bits(0x4000);
    /// assert_eq!(exp10(two, Mode::TIES_TO_EVEN).to_bits(), 0x5640); // 100
    /// ```
    exp10, exp10_status, exp10_bits: round;
    <F: Narrow>(x: F) -> F
}
