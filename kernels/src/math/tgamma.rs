//! tgamma: the gamma function.
//!
//! Method: `gamma(1 + f)` for the fraction f of the operand, multiplied by the numbers between 1 +
//! f and the operand, or divided by those between the operand and f (see `fixed/gamma.rs`). These
//! numbers are exact, and so are the products while they fit 32 bits. Below 2^-24 the result is
//! next to `1 / x`.
//!
//! Why it is correctly rounded: the relative error is below 2^-28. The results of integers are
//! integers: the products start from 1, which is exact, and one that does not fit is inexact. No
//! other result is a rounding boundary. The closest is within 2^-25.9 of one in f16 and 2^-24.8 in
//! bf16. The exhaustive run verifies that each lies on the correct side; repeat it after any change
//! of a constant. Below 2^-24 the value differs from `1 / x` by at most 2^-24 of it, and no
//! rounding boundary is that close, except `1 / x` itself where x is a power of two.
//!
//! Tables: those of `fixed/gamma.rs`.

use crate::fixed::{Scaled, gamma_from_one};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, 1 << 31);
/// Greater than every format's largest number, and less than every format's least positive number.
const HUGE: Exact<u32> = ONE.scale(1000).outward();
const TINY: Exact<u32> = ONE.scale(-1000).outward();
/// Exponents below this one are for `1 / x`.
pub(super) const LEAST: i32 = -24;

impl Exact<u32> {
    /// Whether a finite number is an integer.
    #[inline]
    pub(super) const fn is_integer(self) -> bool {
        let exponent = self.exponent();
        exponent >= 31 || (exponent >= 0 && self.significand() << exponent << 1 == 0)
    }

    /// Whether the integral part of the magnitude is even, of an exponent of at most 31.
    #[inline]
    pub(super) const fn is_floor_even(self) -> bool {
        self.exponent() < 0 || (self.significand() >> (31 - self.exponent())) & 1 == 0
    }

    /// The magnitude of the gamma function at a finite number of at most 11 bits that is not a
    /// pole, with an exponent from -24 to 5.
    pub(super) const fn gamma_magnitude(self) -> Scaled {
        let (significand, exponent) = (self.significand(), self.exponent());
        let magnitude = if exponent >= -1 {
            (significand as i64) << (exponent + 1)
        } else {
            (significand >> (-1 - exponent)) as i64
        };
        let x = if self.sign() { -magnitude } else { magnitude };
        let (floor, fraction) = ((x >> 32) as i32, x as u32);
        let mut gamma = Scaled::new(gamma_from_one(fraction), -31);
        gamma.inexact = fraction != 0;
        let itself = Scaled {
            significand,
            exponent,
            inexact: false,
        };
        if floor >= 0 {
            if floor == 0 {
                return gamma.over(itself);
            }
            // Six integer bits; the fraction has at most nine.
            let mut number = 1;
            while number < floor {
                gamma = gamma.times(Scaled::new(((number as u32) << 26) + (fraction >> 6), -26));
                number += 1;
            }
            return gamma;
        }
        // f * (1 - f) * (2 - f) ... |x|
        let mut divisor = Scaled::new(fraction, -32).times(itself);
        let mut number = 1;
        while number < -floor {
            let factor = ((number as u32) << 26).wrapping_sub(fraction >> 6);
            divisor = divisor.times(Scaled::new(factor, -26));
            number += 1;
        }
        gamma.over(divisor)
    }

    /// The gamma function of an operand of at most 11 bits.
    #[inline]
    pub(crate) const fn tgamma(self) -> Self {
        let negative = self.sign();
        match self.kind() {
            Kind::Nan => self,
            Kind::Zero => Self::pole(negative),
            Kind::Infinite if negative => Self::nan(true),
            Kind::Infinite => self,
            Kind::Finite if negative && self.is_integer() => Self::nan(true),
            Kind::Finite if self.exponent() < LEAST => {
                let reciprocal = ONE.div_short(self);
                if self.significand() != Self::TOP {
                    reciprocal
                } else if negative {
                    reciprocal.outward()
                } else {
                    reciprocal.inward()
                }
            }
            Kind::Finite if self.exponent() > 5 && !negative => HUGE,
            Kind::Finite => {
                let sign = negative && self.is_floor_even();
                if self.exponent() > 5 {
                    return TINY.negate_if(sign);
                }
                let gamma = self.gamma_magnitude();
                let significand = gamma.significand | gamma.inexact as u32;
                Self::normalised(sign, gamma.exponent, significand)
            }
        }
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    Exact::<u32>::decode::<F>(x as u32)
        .tgamma()
        .to_format::<F>(rule)
}

rounded_by_mode! {
    /// The gamma function of `x`, correctly rounded (C23 `tgamma`).
    ///
    /// Either zero gives the infinity of its sign and raises divide by zero. A negative integer and
    /// -infinity give NaN and raise invalid. +infinity gives itself. The result overflows beyond
    /// 9.1 in f16 and 35.1 in bf16, and near zero; it underflows at many negative numbers. NaN
    /// gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, Status, f16, math::tgamma_status};
    /// let seven = f16::from_bits(0x4700);
    /// let factorial = (f16::from_bits(0x61A0), Status::NONE); // 6! = 720
    /// assert_eq!(tgamma_status(seven, Mode::TIES_TO_EVEN), factorial);
    /// ```
    tgamma, tgamma_status, tgamma_bits: round;
    <F: Narrow>(x: F) -> F
}
