//! Arcs: an eighth, a quarter or a half of a turn, more or less a value that a polynomial gives.
//!
//! Arc sine: up to 1/2 the polynomial; above, `asin x = pi/2 - 2 asin(sqrt((1 - x) / 2))`, where
//! `(1 - x) / 2`, which is what the polynomial takes, is exact. Arc tangent: below tan(pi/8) the
//! polynomial; up to its reciprocal `pi/4 + atan((x - 1) / (x + 1))`, where both parts of the
//! quotient are exact; above that `pi/2 - atan(1 / x)`.

use crate::fixed::{
    arcsine, arctangent, normalised_product, normalised_quotient, square, square_root_short,
};
use crate::round::Exact;

/// What an arc is counted from.
#[derive(Clone, Copy)]
pub(super) enum From {
    Zero,
    Eighth,
    Quarter,
    Half,
}

/// `from` plus or minus `significand * 2^(exponent - 31)` radians; the significand is 0 or
/// normalised.
#[derive(Clone, Copy)]
pub(super) struct Arc {
    from: From,
    minus: bool,
    significand: u32,
    exponent: i32,
}

/// The first 32 digits of pi.
const PI: u32 = 0xC90F_DAA2;
/// The first 32 digits of 1/pi, and their exponent.
const PER_PI: u32 = 0xA2F9_836E;
const PER_PI_EXPONENT: i32 = -2;

/// `significand * 2^(exponent - 31)`, below 1, in `2^-unit`, truncated.
#[inline]
const fn at(significand: u32, exponent: i32, unit: i32) -> u32 {
    let shift = 31 - unit - exponent;
    if shift < 32 { significand >> shift } else { 0 }
}

/// `whole` minus, or `half` (of it) in `2^(1 - unit)` plus the value: inexact, and truncated but
/// for the constant's own digits.
#[inline]
const fn sum(sign: bool, arc: Arc, whole: u32, half: u32, unit: i32) -> Exact<u32> {
    let (magnitude, unit) = if arc.minus {
        let value = at(arc.significand, arc.exponent, unit);
        (whole.wrapping_sub(value).wrapping_sub(1), unit)
    } else {
        let value = at(arc.significand, arc.exponent, unit - 1);
        (half.wrapping_add(value), unit - 1)
    };
    Exact::<u32>::from_integer(sign, magnitude | 1, -unit)
}

impl Arc {
    /// An eighth, a quarter or a half of a turn.
    #[inline]
    pub(super) const fn exactly(from: From) -> Self {
        Self {
            from,
            minus: false,
            significand: 0,
            exponent: 0,
        }
    }

    #[inline]
    const fn new(from: From, minus: bool, (significand, exponent): (u32, i32)) -> Self {
        Self {
            from,
            minus,
            significand,
            exponent,
        }
    }

    /// In radians: never exact.
    #[inline]
    pub(super) const fn radians(self, sign: bool) -> Exact<u32> {
        let unit = match self.from {
            From::Zero => {
                return Exact::<u32>::jammed(sign, (self.significand, self.exponent));
            }
            From::Eighth => 32,
            From::Quarter => 31,
            From::Half => 30,
        };
        sum(sign, self, PI, PI >> 1, unit)
    }

    /// In half turns: exact where there is nothing to add.
    #[inline]
    pub(super) const fn half_turns(self, sign: bool) -> Exact<u32> {
        // What is counted from, as a power of two.
        let exponent = match self.from {
            From::Zero => 0,
            From::Eighth => -2,
            From::Quarter => -1,
            From::Half => 0,
        };
        if self.significand == 0 {
            return Exact::<u32>::normalised(sign, exponent, Exact::<u32>::TOP);
        }
        let (significand, carries) = normalised_product(self.significand, PER_PI);
        let scaled = Self {
            significand,
            exponent: self.exponent + PER_PI_EXPONENT + carries as i32,
            ..self
        };
        if matches!(self.from, From::Zero) {
            return Exact::<u32>::jammed(sign, (scaled.significand, scaled.exponent));
        }
        // The whole is 2^32, of which the word holds 0; the difference is below it.
        sum(sign, scaled, 0, 1 << 31, 32 - exponent)
    }

    /// The arc sine of a magnitude, finite and not zero, of at most 1.
    #[inline]
    pub(super) const fn sine(x: Exact<u32>) -> Self {
        let (significand, exponent) = (x.significand(), x.exponent());
        if exponent < -1 || (exponent == -1 && significand == 1 << 31) {
            let z = square(significand, exponent);
            Self::new(From::Zero, false, arcsine(significand, exponent, z))
        } else if exponent == 0 {
            Self::exactly(From::Quarter)
        } else {
            let (value, exponent) = half_chord(significand);
            Self::new(From::Quarter, true, (value, exponent + 1))
        }
    }

    /// The arc cosine of a value, finite and not zero, of a magnitude of at most 1; `None` for
    /// that of 1, which is zero.
    #[inline]
    pub(super) const fn cosine(x: Exact<u32>) -> Option<Self> {
        let (significand, exponent) = (x.significand(), x.exponent());
        if exponent < -1 || (exponent == -1 && significand == 1 << 31) {
            let z = square(significand, exponent);
            let value = arcsine(significand, exponent, z);
            Some(Self::new(From::Quarter, !x.sign(), value))
        } else if exponent == 0 {
            if x.sign() {
                Some(Self::exactly(From::Half))
            } else {
                None
            }
        } else {
            let (value, exponent) = half_chord(significand);
            let from = if x.sign() { From::Half } else { From::Zero };
            Some(Self::new(from, x.sign(), (value, exponent + 1)))
        }
    }

    /// The arc tangent of a magnitude, finite and not zero.
    #[inline]
    pub(super) const fn tangent(x: Exact<u32>) -> Self {
        let (significand, exponent) = (x.significand(), x.exponent());
        // In 2^-12, where it is between 1/4 and 4: exact.
        let scaled = if exponent < -2 {
            0
        } else if exponent < 2 {
            (significand >> 21) << (exponent + 2)
        } else {
            u32::MAX
        };
        if scaled < TAN_EIGHTH {
            return Self::new(From::Zero, false, arctangent(significand, exponent));
        }
        if scaled > COT_EIGHTH {
            let (inverse, carries) = normalised_quotient(1 << 31, significand);
            let exponent = carries as i32 - 1 - exponent;
            return Self::new(From::Quarter, true, arctangent(inverse, exponent));
        }
        let difference = scaled.abs_diff(ONE);
        if difference == 0 {
            return Self::exactly(From::Eighth);
        }
        let sum = scaled + ONE;
        let (up, down) = (difference.leading_zeros(), sum.leading_zeros());
        let (quotient, carries) = normalised_quotient(difference << up, sum << down);
        let exponent = down as i32 - up as i32 - 1 + carries as i32;
        Self::new(From::Eighth, scaled < ONE, arctangent(quotient, exponent))
    }
}

/// 1, and just above tan(pi/8) and just below its reciprocal, in 2^-12.
const ONE: u32 = 1 << 12;
const TAN_EIGHTH: u32 = 1697;
const COT_EIGHTH: u32 = 9887;

/// `asin(sqrt((1 - x) / 2))` for `x = significand * 2^-32`, above 1/2.
#[inline]
const fn half_chord(significand: u32) -> (u32, i32) {
    // w = (1 - x) / 2 in 2^-33: exact, as is its half.
    let w = significand.wrapping_neg();
    let zeros = w.leading_zeros();
    // The radicand with an even power of two.
    let odd = (zeros + 1) & 1;
    let (root, inexact) = square_root_short((w << zeros) >> 1 << (1 - odd), 30);
    let exponent = 15 - (33 + zeros as i32 - odd as i32) / 2;
    // The rest counts as half a unit.
    arcsine((root << 2) | ((inexact as u32) << 1), exponent, w >> 1)
}
