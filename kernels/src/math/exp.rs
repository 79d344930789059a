//! exp: e to the x.
//!
//! Method: `e^x = 2^(x log2(e))`; the product is in fixed point with 32 fraction bits. Its integer
//! part is the result's exponent; 2 to its fraction comes from a table of 32 entries and a cubic
//! (`fixed/exp2.rs`).
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-30 of its binade, and
//! `e^x` is rational only at 0. Its minimum distance to a rounding boundary is 2^-23.3 in bf16 and
//! 2^-31.6 in f16 (at 0x13FF; 2^-28.5 elsewhere). In f16 that is less than the error bound, so
//! correctness is verified by comparing all operands with MPFR; repeat that after any change of a
//! constant.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes, shared by the whole family. Constants: `constants/exp.py`.

use crate::fixed::{LOG2_OF_E, Power, exp2, multiple};
use crate::format::Arithmetic;
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::{Exact, Kind};
use crate::single;

/// 2 to the `x * factor * 2^-62`, inexact for a finite non-zero operand; the factor is from 2^62 up
/// to 2^64.
#[inline]
pub(super) const fn power(x: Exact<u32>, factor: u64) -> Exact<u32> {
    if !x.is_between(-14, 7) {
        return extreme(x);
    }
    power_within(x, factor)
}

/// [`power`] of an operand whose exponent is from -14 to 7.
#[inline]
const fn power_within(x: Exact<u32>, factor: u64) -> Exact<u32> {
    let power = signed_power(x.sign(), multiple(x.significand(), x.exponent(), factor));
    Exact::<u32>::normalised(false, power.exponent, power.significand())
}

/// The power of an operand so small, so large or so special that its factor does not matter.
#[cold]
pub(super) const fn extreme(x: Exact<u32>) -> Exact<u32> {
    if let Some(value) = special(x) {
        return value;
    }
    match (x.exponent() < 0, x.sign()) {
        // Closer to 1 than any rounding boundary.
        (true, true) => Exact::<u32>::BELOW_ONE,
        (true, false) => Exact::<u32>::ABOVE_ONE,
        (false, true) => Exact::<u32>::TINY,
        (false, false) => Exact::<u32>::HUGE,
    }
}

/// 2 to the plus or minus `t * 2^-32`; for minus, one unit less.
#[inline]
pub(crate) const fn signed_power(negative: bool, t: u64) -> Power {
    exp2(if negative { !t } else { t } as i64)
}

/// What an exponential gives for a zero, an infinity or a NaN; otherwise `None`.
#[inline]
const fn special(x: Exact<u32>) -> Option<Exact<u32>> {
    match x.kind() {
        Kind::Nan => Some(x),
        Kind::Infinite if x.sign() => Some(Exact::<u32>::zero(false)),
        Kind::Infinite => Some(x),
        Kind::Zero => Some(Exact::<u32>::ONE),
        Kind::Finite => None,
    }
}

#[inline]
const fn exponential(x: Exact<u32>) -> Exact<u32> {
    power_within(x, LOG2_OF_E)
}

/// The exponential of an f32.
#[inline]
const fn of_f32(x: Exact<u32>) -> Exact<u64> {
    if single::is_moderate(x) {
        single::exp(x)
    } else {
        extreme(x).widen()
    }
}

straight_path!(any -14..=7 => exponential, extreme; f32 to of_f32);

rounded_by_mode! {
    /// `e^x`, correctly rounded (IEEE 754-2019 `exp`).
    ///
    /// Either zero gives 1, exactly, +infinity itself and -infinity +0. Everything else is inexact,
    /// and overflows or underflows where it leaves the format. NaN gives the canonical NaN; a
    /// signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::exp};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(exp(one, Mode::TIES_TO_EVEN).to_bits(), 0x4170); // 2.71875
    /// assert_eq!(exp(one, Mode::TOWARD_ZERO).to_bits(), 0x416F); // 2.716796875
    /// ```
    exp, exp_status, exp_bits: round;
    <F: Arithmetic>(x: F) -> F
}

rounded_by_mode! {
    /// `e^x` of a number of at most 24 bits, rounded once to another format.
    ///
    /// Special operands as of [`exp()`]; results that the format has not overflow or underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::exp_to};
    /// let y: bf16 = exp_to(1.5f32, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x408F); // 4.46875
    /// ```
    exp_to, exp_to_status, exp_to_bits: round_to;
    <F: Arithmetic, R: Arithmetic>(x: F) -> R
}
