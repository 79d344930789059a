//! xlogy and xlog1py: `x ln(y)` and `x ln(1 + y)`, 0 where x is 0.
//!
//! Method: the logarithm to 64 bits, as f32's is computed, times the significand of x.
//!
//! Why it is correctly rounded: the logarithm's relative error is below 2^-57 (see
//! `single/logarithm.rs`), or it lies on the correct side of y, to which it is next where `y` is
//! below 2^-26: the product `x y` has at most 22 bits, so it is on a rounding boundary, a number of
//! 12 bits, or further than 2^-23 from it. No logarithm of a rational number other than 1 is
//! rational, so nothing else is exact. Of all pairs of significands and logarithms, the result
//! nearest to a rounding boundary is 2^-37.7 (xlogy) and 2^-36.7 (xlog1py) of itself away from it,
//! both in f16: `cases/inputs/tests/nearest.rs` searches them.
//!
//! Tables: those of `single/logarithm.rs`.

use super::logarithm::logarithm_of_special;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};
use crate::single;

/// `x` times `logarithm`, the one of y; neither is NaN.
const fn times(x: Exact<u32>, logarithm: Exact<u64>) -> Exact<u64> {
    let sign = x.sign() != logarithm.sign();
    match (x.kind(), logarithm.kind()) {
        (Kind::Zero, _) => Exact::<u64>::zero(false),
        (_, Kind::Nan) | (Kind::Infinite, Kind::Zero) => Exact::<u64>::nan(true),
        (Kind::Infinite, _) => Exact::<u64>::infinity(sign),
        (_, Kind::Finite) => {
            let unit = x.exponent() - 31 + logarithm.exponent() - 63;
            Exact::<u64>::inexact_product(sign, x.significand(), logarithm.significand(), unit)
        }
        _ => logarithm.negate_if(x.sign()),
    }
}

/// `x` times the logarithm of `y`, or of `1 + y`.
#[inline]
const fn product(x: Exact<u32>, y: Exact<u32>, plus_one: bool) -> Exact<u64> {
    if let Some(invalid) = x.nan_operand(y) {
        return Exact::<u64>::nan(invalid);
    }
    let logarithm = if plus_one {
        single::log1p(y)
    } else if y.is_finite_nonzero() && !y.sign() {
        single::log(y)
    } else {
        logarithm_of_special(y).widen()
    };
    times(x, logarithm)
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    let (x, y) = (
        Exact::<u32>::decode::<F>(x as u32),
        Exact::<u32>::decode::<F>(y as u32),
    );
    product(x, y, false).to_format::<F>(rule)
}

#[inline(always)]
const fn round_plus_one<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    let (x, y) = (
        Exact::<u32>::decode::<F>(x as u32),
        Exact::<u32>::decode::<F>(y as u32),
    );
    product(x, y, true).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x ln(y)`, correctly rounded, and +0 where `x` is a zero, whatever number `y` is (PyTorch's
    /// and SciPy's `xlogy`).
    ///
    /// For any other `x`: a `y` of 1 gives a zero of `x`'s sign, a zero `y` the infinity of the
    /// opposite sign, which raises divide by zero where `x` is finite, an infinite `y` that of
    /// `x`'s sign. A negative `y`, and 1 with an infinite `x`, give NaN and raise invalid. A NaN in
    /// either operand gives the canonical NaN, even for a zero `x`; a signalling NaN also raises
    /// invalid. All other results are inexact, and may overflow or underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::xlogy};
    /// let [two, three, zero] = [0x4000, 0x4040, 0].map(bf16::from_bits);
    /// assert_eq!(xlogy(three, two, Mode::TIES_TO_EVEN).to_bits(), 0x4005); // 2.0794
    /// assert_eq!(xlogy(zero, zero, Mode::TIES_TO_EVEN), zero);
    /// ```
    xlogy, xlogy_status, xlogy_bits: round;
    <F: Narrow>(x: F, y: F) -> F
}

rounded_by_mode! {
    /// `x ln(1 + y)`, correctly rounded, and +0 where `x` is a zero, whatever number `y` is
    /// (PyTorch's and SciPy's `xlog1py`).
    ///
    /// For any other `x`: a zero `y` gives a zero whose sign is `x`'s times `y`'s, -1 the infinity
    /// of the opposite sign of `x`, which raises divide by zero where `x` is finite, an infinite
    /// `y` that of `x`'s sign. A `y` below -1, and a zero one with an infinite `x`, give NaN and
    /// raise invalid. A NaN in either operand gives the canonical NaN, even for a zero `x`; a
    /// signalling NaN also raises invalid. All other results are inexact, and may overflow or
    /// underflow.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::xlog1py};
    /// let [one, three] = [0x3F80, 0x4040].map(bf16::from_bits);
    /// assert_eq!(xlog1py(three, one, Mode::TIES_TO_EVEN).to_bits(), 0x4005); // 2.0794
    /// ```
    xlog1py, xlog1py_status, xlog1py_bits: round_plus_one;
    <F: Narrow>(x: F, y: F) -> F
}
