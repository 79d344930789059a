//! cosh: the hyperbolic cosine.
//!
//! Method: half of `e^|x| + e^-|x|`, each by `fixed/exp2.rs`, in 64 bits; below 2^-7 in magnitude
//! slightly more than 1.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-30.1, and it is rational
//! only at 0; below 2^-7 it is less than `1 + 2^-14`. Every f16 and bf16 operand has been compared
//! with MPFR.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes. Constants: `constants/exp.py`.

use super::sinh::exponentials;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const fn hyperbolic_cosine(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => return x,
        Kind::Infinite => return Exact::<u32>::infinity(false),
        Kind::Zero => return Exact::<u32>::ONE,
        Kind::Finite => {}
    }
    if x.exponent() < -7 {
        Exact::<u32>::ABOVE_ONE
    } else if x.exponent() < 8 {
        let (upper, lower, exponent) = exponentials(x.significand(), x.exponent());
        Exact::<u32>::inexact(false, upper + lower, exponent - 63)
    } else {
        Exact::<u32>::HUGE
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    hyperbolic_cosine(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The hyperbolic cosine, correctly rounded (IEEE 754-2019 `cosh`).
    ///
    /// Either zero gives 1, exactly, and either infinity +infinity. Everything else is inexact, and
    /// overflows where it leaves the format. NaN gives the canonical NaN; a signalling NaN also
    /// raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::cosh};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(cosh(one, Mode::TIES_TO_EVEN).to_bits(), 0x3E2C); // 1.54296875
    /// ```
    cosh, cosh_status, cosh_bits: round;
    <F: Narrow>(x: F) -> F
}
