//! Angles in quarter turns, and their sine, cosine and tangent.

use crate::fixed::{normalised_quotient, quarter_cosine, quarter_sine, quarter_turns};
use crate::round::Exact;

/// An angle of `quadrant + fraction` quarter turns, `-1/2 <= fraction <= 1/2`, with a separate sign
/// for the whole. The fraction is zero or finite; it is zero only if the angle is exactly a
/// multiple of a quarter turn.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    sign: bool,
    quadrant: u32,
    fraction: Exact<u32>,
    /// The fraction's magnitude in 2^-32, truncated.
    magnitude: u32,
}

impl Turns {
    /// From finite radians with an exponent of at least -20.
    #[inline]
    pub(super) const fn from_radians(x: Exact<u32>) -> Self {
        let turns = quarter_turns(x.significand(), x.exponent());
        let quadrant = ((turns >> 61) as u32 + 1) >> 1;
        // In 2^-64, where the lowest bit does not matter, so the complement serves as the negative.
        let negative = (turns >> 61) & 1 != 0;
        let mask = 0u32.wrapping_sub(negative as u32);
        let upper = (turns >> 30) as u32 ^ mask;
        let lower = (turns as u32) << 2 ^ mask;
        // At least 2^-17, so that `upper` is not 0.
        let zeros = upper.leading_zeros() & 31;
        let significand = (upper << zeros) | ((lower >> 1) >> (31 - zeros));
        let fraction =
            Exact::<u32>::normalised(negative, -1 - zeros as i32, significand | Exact::<u32>::TOP);
        Self {
            sign: x.sign(),
            quadrant,
            fraction,
            magnitude: upper,
        }
    }

    /// From finite half turns, exactly.
    #[inline]
    pub(super) const fn from_half_turns(x: Exact<u32>) -> Self {
        let sign = x.sign();
        let exponent = x.exponent() + 1;
        if exponent < -1 {
            let magnitude = if exponent > -33 {
                x.significand() >> (-1 - exponent)
            } else {
                0
            };
            return Self {
                sign,
                quadrant: 0,
                fraction: Exact::<u32>::normalised(false, exponent, x.significand()),
                magnitude,
            };
        }
        // Quarter turns modulo 4 in 2^-30. From 2^12 on, 11 bits are a multiple of 4.
        let turns = match exponent {
            -1 => x.significand() >> 2,
            0 => x.significand() >> 1,
            1..=11 => x.significand() << (exponent - 1),
            _ => 0,
        };
        let quadrant = ((turns >> 29) + 1) >> 1;
        let negative = (turns >> 29) & 1 != 0;
        let fraction = if negative {
            (turns << 2).wrapping_neg()
        } else {
            turns << 2
        };
        Self {
            sign,
            quadrant,
            fraction: Exact::<u32>::from_integer(negative, fraction, -32),
            magnitude: fraction,
        }
    }

    #[inline]
    const fn is_odd(self) -> bool {
        self.quadrant & 1 != 0
    }

    /// In the lower half plane.
    #[inline]
    const fn is_lower(self) -> bool {
        self.quadrant & 2 != 0
    }

    /// The sine. A zero has the angle's separate sign.
    #[inline]
    pub(super) const fn sine(self) -> Exact<u32> {
        sine(self.fraction, self.magnitude, self.quadrant, self.sign)
    }

    /// The cosine. A zero is +0.
    #[inline]
    pub(super) const fn cosine(self) -> Exact<u32> {
        // The cosine is the sine a quarter turn further; the separate sign does not matter.
        sine(self.fraction, self.magnitude, self.quadrant + 1, false)
    }

    /// The tangent. Zeros and poles in the lower half plane have the opposite sign.
    #[inline]
    pub(super) const fn tangent(self) -> Exact<u32> {
        if !self.fraction.is_finite_nonzero() {
            let sign = self.sign != self.is_lower();
            return if self.is_odd() {
                Exact::<u32>::pole(sign)
            } else {
                Exact::<u32>::zero(sign)
            };
        }
        let (significand, exponent) = (self.fraction.significand(), self.fraction.exponent());
        let sign = (self.sign != self.fraction.sign()) != self.is_odd();
        if exponent == -1 {
            // An eighth of a turn.
            return Exact::<u32>::ONE.negate_if(sign);
        }
        let (sine, below) = quarter_sine(significand, exponent, self.magnitude);
        let cosine = quarter_cosine(self.magnitude);
        // The cosine's exponent is -1.
        if self.is_odd() {
            let (tangent, carries) = normalised_quotient(cosine, sine);
            Exact::<u32>::jammed(sign, (tangent, -2 - below + carries as i32))
        } else {
            let (tangent, carries) = normalised_quotient(sine, cosine);
            Exact::<u32>::jammed(sign, (tangent, below + carries as i32))
        }
    }
}

/// [`Turns::sine`] of the parts, which pass in registers.
#[inline(always)]
const fn sine(fraction: Exact<u32>, magnitude: u32, quadrant: u32, sign: bool) -> Exact<u32> {
    let before = sign;
    // In the lower half plane the sign is the opposite one.
    let sign = sign != (quadrant & 2 != 0);
    if !fraction.is_finite_nonzero() {
        return if quadrant & 1 != 0 {
            Exact::<u32>::ONE.negate_if(sign)
        } else {
            Exact::<u32>::zero(before)
        };
    }
    if quadrant & 1 != 0 {
        Exact::<u32>::jammed(sign, (quarter_cosine(magnitude), -1))
    } else {
        let sign = sign != fraction.sign();
        let (significand, exponent) = (fraction.significand(), fraction.exponent());
        Exact::<u32>::jammed(sign, quarter_sine(significand, exponent, magnitude))
    }
}
