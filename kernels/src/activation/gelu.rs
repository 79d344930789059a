//! gelu: `x * (1 + erf(x / sqrt 2)) / 2`.
//!
//! Method: the operand times the tail of the normal distribution, `erfc(|x| / sqrt 2) / 2`, or
//! times 1 minus that, so that nothing cancels. The tail is `exp(-x^2 / 2)`, from the exact square,
//! times a smooth factor (see `fixed/erfc.rs`). Below 2^-13 in magnitude the result is next to
//! `x / 2`; from 16 on, next to `x`, or to 0 where `x` is negative.
//!
//! Why it is correctly rounded: the relative error is below 2^-25.5 (2^-25 below -4). Only the
//! value at zero is a rounding boundary; the closest other value is within 2^-24.9 of one in f16
//! and 2^-19.2 in bf16. The exhaustive run verifies that each lies on the correct side; repeat it
//! after any change of a constant. Below 2^-13 the value differs from `x / 2` by a fraction of 0.8
//! |x|, which is less than the distance to any other rounding boundary, 2^-12. From 4 on it is below
//! `x` by a fraction of at most 2^-14, so every share from 1 - 2^-14 to 1 - 2^-32 gives its bits.
//!
//! The derivative at `-a` is, with the density p, the tail beyond a minus `a p`. Below 2 that is `1/2 - a p (1 + ...)`,
//! with 37 fraction bits at 2 and 55 at its zero near -0.752; from 2 on it is
//! `-p (a - 1 / (a + 1 / (a + 2 / (a + ...))))`, where nothing cancels (`fixed/normal_cdf.rs`). Only the value at zero
//! is a rounding boundary; the closest other value is within 2^-29.5 of one (at 0.445 in f16), from 2 on within
//! 2^-23.2.
//!
//! Tables: those of `fixed/erfc.rs`; for the derivative, the 300 bytes of `fixed/exp_wide.rs` and a constant of 8.

use super::gradient::backward;
use super::logistic::{about_half, saturated};
use super::slope::{end_of_ramp, mirrored};
use crate::fixed::{
    DENSITY, Decay, area_over_density, erfc_of, mills_deficit, mul_high, mul_high_wide,
    reciprocal_wide, split,
};
use crate::format::Narrow;
use crate::math::{in_27_digits, square_in_log2};
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::{Exact, Kind};

/// sqrt(1/2) in 2^-32.
const ROOT_HALF: u32 = 0xB504_F334;

impl Exact<u32> {
    /// The value at a magnitude from 2^-13 to 16, of at most 11 bits.
    #[inline]
    const fn gelu_middle(self) -> Self {
        let y = in_27_digits(mul_high(self.significand(), ROOT_HALF), self.exponent());
        let (n, e) = erfc_of(y, square_in_log2(self) >> 1);
        // The tail is n in 2^(-32 - e).
        let (share, unit) = if self.sign() {
            (n, -e)
        } else if e < 32 {
            (!(n >> e), 0)
        } else {
            (u32::MAX, 0)
        };
        let product = mul_high(self.significand(), share);
        Self::inexact_word(self.sign(), product, self.exponent() + unit - 31)
    }

    /// The value at any other operand.
    #[inline]
    const fn gelu_extreme(self) -> Self {
        match self.kind() {
            Kind::Nan | Kind::Zero => self,
            Kind::Infinite if self.sign() => Self::zero(true),
            Kind::Infinite => self,
            Kind::Finite if self.exponent() < -13 => about_half(self),
            Kind::Finite => saturated(self),
        }
    }
}

straight_path!(any -13..=3 => Exact::<u32>::gelu_middle, Exact::<u32>::gelu_extreme);

rounded_by_mode! {
    /// `x` times the normal distribution function, `x * (1 + erf(x / sqrt 2)) / 2`, correctly
    /// rounded: the exact gelu, not its tanh approximation.
    ///
    /// Zeros give themselves, +infinity itself, -infinity its limit -0. NaN gives the canonical
    /// NaN; a signalling NaN also raises invalid. A large negative number underflows, and so does a
    /// small one whose half is inexact.
    ///
    /// ```
    /// use bitexact::{Mode, activation::gelu, bf16};
    /// let x = bf16::from_bits(0xC0A0); // -5
    /// assert_eq!(gelu(x, Mode::TIES_TO_EVEN).to_bits(), 0xB5C0); // -1.4333e-6
    /// ```
    gelu, gelu_status, gelu_bits: round;
    <F: Narrow>(x: F) -> F
}

/// The derivative at `-a`, from the operand's 11 bits and exponent.
const fn derivative_at_minus(digits: u64, exponent: i32) -> Exact<u64> {
    // a^2 / 2 is below 2^7.
    let parts = match split(digits * digits, 2 * exponent - 21) {
        Some(parts) => parts,
        None => (0, 0),
    };
    let decay = Decay::of(parts);
    if exponent < 1 {
        let square = (digits * digits) << (42 + 2 * exponent);
        let density = mul_high_wide(DENSITY, decay.fraction());
        let product = mul_high_wide(density, (1 << 60) + area_over_density(square));
        // Units of 2^-59.
        let product = mul_high_wide(product, digits << 53) >> -exponent;
        let half = 1u64 << 58;
        // No operand gives 0.
        Exact::<u64>::from_integer(product > half, half.abs_diff(product) | 1, -59)
    } else {
        let (n, d) = mills_deficit(digits, exponent);
        let d = Exact::<u64>::from_integer(false, d | 1, 0);
        let n = Exact::<u64>::from_integer(true, n | 1, 0);
        let quotient = mul_high_wide(n.significand(), reciprocal_wide(d.significand() << 1));
        let product = mul_high_wide(mul_high_wide(quotient, decay.power), DENSITY);
        let unit = n.exponent() - d.exponent() - 63 - decay.k as i32;
        Exact::<u64>::from_integer(true, product | 1, unit)
    }
}

const fn derivative(x: Exact<u32>) -> Exact<u32> {
    if let Some(value) = end_of_ramp(x, 4) {
        return value;
    }
    let left = derivative_at_minus((x.significand() >> 21) as u64, x.exponent());
    mirrored(x.sign(), left)
}

backward! {
    /// The gradient of [`gelu`](super::gelu()): its derivative at `x`, the normal distribution function plus `x` times
    /// its density, rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1/2 at either zero, 1 at +infinity and -0 at -infinity. A NaN in either
    /// operand gives the canonical NaN, and raises invalid if it signals. An infinite `grad` gives
    /// NaN and raises invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::gelu_backward, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// let y = gelu_backward(one, one, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F8B); // 1.0859375
    /// ```
    gelu_backward, gelu_backward_status, gelu_backward_bits: derivative;
    ()
}
