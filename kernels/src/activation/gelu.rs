//! gelu: `x * (1 + erf(x / sqrt 2)) / 2`.
//!
//! Method: the operand times the normal distribution's tail, `erfc(|x| / sqrt 2) / 2`, or times 1
//! less that, so that nothing cancels; the tail is `exp(-x^2 / 2)`, of the exact square, times a
//! smooth factor (see `fixed/erfc.rs`). Below 2^-13 in magnitude, just beside `x / 2`; from 4 on,
//! just below `x`.
//!
//! Why it is exact: the relative error is below 2^-25.5 (2^-25 below -4). No value but that of zero
//! is a cut; the nearest one comes within 2^-24.9 of it in f16 and 2^-19.2 in bf16, and it is the
//! exhaustive run that shows each on its side: any change of a constant means to run it again.
//! Below 2^-13 the value is `x / 2` but for 0.8 |x| of it, which is less than the distance to any
//! other cut, 2^-12; from 4 on it is `x` but for 2^-14 of it.
//!
//! The derivative at `-a` is, with the density p, the tail beyond a less `a p`: below 2 that is
//! `1/2 - a p (1 + ...)` with 37 digits after the point at 2 and 55 at its zero near -0.752; from 2 on
//! minus p times `a - 1 / (a + 1 / (a + 2 / (a + ...)))`, where nothing cancels (`fixed/normal.rs`).
//! No value but that of zero is a cut; the nearest comes within 2^-29.5 of one (at 0.445 in f16), from
//! 2 on within 2^-23.2.
//!
//! Tables: none of its own, beside those of `fixed/erfc.rs`; of the derivative, `fixed/exp_wide.rs`'s
//! 300 bytes and a constant's 8.

use super::gradient::backward;
use super::slope::{end_of_ramp, mirrored};
use crate::fixed::{
    DENSITY, Decay, area_over_density, erfc_of, mills_deficit, mul_high, mul_high_wide,
    reciprocal_wide, split,
};
use crate::format::Narrow;
use crate::math::{in_27_digits, square_in_log2};
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

/// sqrt(1/2) in 2^-32.
const ROOT_HALF: u32 = 0xB504_F334;
/// Less than every format's least number.
const TINY: Exact<u32> = Exact::<u32>::normalised(true, -1000, 1 << 31).outward();

impl Exact<u32> {
    /// The value of an operand of at most 11 digits.
    #[inline]
    pub(crate) const fn gelu(self) -> Self {
        match self.kind() {
            Kind::Nan | Kind::Zero => self,
            Kind::Infinite if self.sign() => Self::zero(true),
            Kind::Infinite => self,
            Kind::Finite if self.exponent() < -13 && self.sign() => self.scale(-1).inward(),
            Kind::Finite if self.exponent() < -13 => self.scale(-1).outward(),
            Kind::Finite if self.exponent() > 3 && self.sign() => TINY,
            Kind::Finite if self.exponent() > 1 && !self.sign() => self.inward(),
            Kind::Finite => {
                let y = in_27_digits(mul_high(self.significand(), ROOT_HALF), self.exponent());
                let (n, e) = erfc_of(y, square_in_log2(self) >> 1);
                // The tail is n in 2^(-32 - e).
                let (share, unit) = if self.sign() {
                    (n, -e)
                } else {
                    ((n >> e).wrapping_neg(), 0)
                };
                let product = mul_high(self.significand(), share);
                Self::from_integer(self.sign(), product | 1, self.exponent() + unit - 31)
            }
        }
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    Exact::<u32>::decode::<F>(x as u32)
        .gelu()
        .to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x` times the normal distribution's share below it, `x * (1 + erf(x / sqrt 2)) / 2`,
    /// rounded once: the exact gelu, not the one by tanh.
    ///
    /// Zeros give themselves, +infinity itself, -infinity its limit -0. NaN gives the canonical
    /// NaN, and invalid where it signals. A large negative number underflows, and so does an
    /// inexact half of a small one.
    ///
    /// ```
    /// use bitexact::{Mode, activation::gelu, bf16};
    /// let x = bf16::from_bits(0xC0A0); // -5
    /// assert_eq!(gelu(x, Mode::TIES_TO_EVEN).to_bits(), 0xB5C0); // -1.4333e-6
    /// ```
    gelu, gelu_status, gelu_bits;
    <F: Narrow>(x: F) -> F
}

/// At `-a`, of the operand's 11 digits and exponent.
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
    /// The gradient of [`gelu`](super::gelu()): its derivative at `x`, the normal distribution plus `x` times its density, rounded, and the
    /// product with `grad` rounded again, both in the one mode.
    ///
    /// The derivative is 1/2 at either zero, 1 at +infinity and -0 at -infinity. A NaN of either
    /// gives the canonical NaN, and invalid where one signals; so does an infinite `grad` where the
    /// derivative rounds to zero, with invalid.
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
