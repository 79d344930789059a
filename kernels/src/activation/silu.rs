//! silu (swish): `x / (1 + e^-x)`.
//!
//! Method: the product of the operand and [`sigmoid`](super::sigmoid())'s core, in 32 digits.
//! Below 2^-20 in magnitude it is `x / 2` and a little, above 2^8 x less a little, or 0.
//!
//! Why it is exact enough: the result's relative error is at most 2^-28.4 of its binade where it is
//! not beside a number on purpose. Every f16 and bf16 operand has been run against MPFR.
//!
//! Tables: those of [`sigmoid`](super::sigmoid()).

use super::logistic::{about_half, saturated, times};
use super::sigmoid::middle;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// What a gated linear unit gives for an operand that is not finite and not zero.
#[inline]
pub(super) const fn special(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Infinite if x.sign() => Exact::<u32>::zero(true),
        _ => x,
    }
}

const fn silu_core(x: Exact<u32>) -> Exact<u32> {
    if !x.is_finite_nonzero() {
        special(x)
    } else if x.exponent() < -20 {
        about_half(x)
    } else if x.exponent() < 8 {
        times(x, middle(x))
    } else {
        saturated(x)
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    silu_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x / (1 + e^-x)`, rounded once: the product `x * sigmoid(x)` without sigmoid's rounding.
    ///
    /// A zero gives itself, +infinity itself, and -infinity the limit, -0 (a composed
    /// `x * sigmoid(x)` gives NaN there). Everything else is inexact, and underflows where it is
    /// subnormal. NaN gives the canonical NaN, and invalid where it signals.
    ///
    /// ```
    /// use bitexact::{Mode, activation::silu, bf16};
    /// let two = bf16::from_bits(0x4000);
    /// assert_eq!(silu(two, Mode::TIES_TO_EVEN).to_bits(), 0x3FE1); // 1.7578125
    /// ```
    silu, silu_status, silu_bits;
    <F: Narrow>(x: F) -> F
}

mod backward {
    use crate::activation::gradient::times_gradient;
    use crate::activation::slope::slope_of_silu;
    use crate::format::Narrow;
    use crate::round::{Exact, Rule, Status};
    use crate::wrappers::rounded_by_mode;

    #[inline(always)]
    const fn round<F: Narrow>(x: u64, grad: u64, rule: Rule) -> (u64, Status) {
        let slope = slope_of_silu(Exact::<u32>::decode::<F>(x as u32));
        times_gradient::<F>(slope, grad, rule)
    }

    rounded_by_mode! {
        /// The gradient of [`silu`](super::silu()): its derivative at `x`, `s (1 + x (1 - s))` with `s = sigmoid(x)`, rounded, and
        /// the product with `grad` rounded again, both in the one mode.
        ///
        /// The derivative is 1/2 at either zero, 1 at +infinity and -0 at -infinity. A NaN of either gives the
        /// canonical NaN, and invalid where one signals; so does an infinite `grad` where the
        /// derivative rounds to zero, with invalid.
        ///
        /// ```
        /// use bitexact::{Mode, activation::silu_backward, bf16};
        /// let (x, grad) = (bf16::from_bits(0x0000), bf16::from_bits(0x4000));
        /// assert_eq!(silu_backward(x, grad, Mode::TIES_TO_EVEN).to_bits(), 0x3F80);
        /// ```
        silu_backward, silu_backward_status, silu_backward_bits;
        <F: Narrow>(x: F, grad: F) -> F
    }
}

pub use backward::*;
