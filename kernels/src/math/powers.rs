//! What the power functions share: `2^t` for a `t` of 64 bits, and the exact cases.

use crate::fixed::{Float, Split, divide, exp2_narrow, exp2_wide};
use crate::round::Exact;

pub(super) const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, Exact::<u32>::TOP);

/// A power of an odd number from 3 on with this exponent has more than 32 bits.
const MANY: u32 = 21;

/// `odd * 2^exponent`.
#[derive(Clone, Copy)]
pub(super) struct Odd {
    pub(super) odd: u64,
    pub(super) exponent: i32,
}

impl Odd {
    /// The factors of `magnitude * 2^unit`, which is not zero.
    #[inline]
    pub(super) const fn new(magnitude: u64, unit: i32) -> Self {
        let zeros = magnitude.trailing_zeros();
        Self {
            odd: magnitude >> zeros,
            exponent: unit + zeros as i32,
        }
    }

    /// The factors of a finite non-zero magnitude.
    #[inline]
    pub(super) const fn of(x: Exact<u32>) -> Self {
        Self::new(x.significand() as u64, x.exponent() - 31)
    }

    /// The n-th power where it has at most 32 bits, for `n > 0` and an odd factor that is not 1. A
    /// longer one is on no rounding boundary, since it is odd.
    #[inline(never)]
    pub(super) const fn power(self, n: u32) -> Option<Self> {
        if self.odd >> 32 != 0 || n >= MANY {
            return None;
        }
        let (mut product, mut left) = (1, n);
        while left > 0 {
            product *= self.odd;
            if product >> 32 != 0 {
                return None;
            }
            left -= 1;
        }
        Some(Self {
            odd: product,
            exponent: self.exponent * n as i32,
        })
    }

    /// The value, which has at most 32 bits.
    #[inline]
    pub(super) const fn exact(self, negative: bool) -> Exact<u32> {
        Exact::<u32>::from_integer(negative, self.odd as u32, self.exponent)
    }

    /// The exponent alone as a number: log2 of a power of 2.
    #[inline]
    pub(super) const fn log2(self) -> Float {
        Float::new(self.exponent < 0, self.exponent.unsigned_abs() as u64, 0)
    }
}

/// Whether a magnitude is 1.
#[inline]
pub(super) const fn is_one(x: Exact<u32>) -> bool {
    x.is_finite_nonzero() && x.exponent() == 0 && x.significand() == Exact::<u32>::TOP
}

/// An integer's significand, its top bit set, and exponent; not zero.
#[inline]
pub(super) const fn normalised(n: u32) -> (u32, i32) {
    let zeros = n.leading_zeros();
    (n << zeros, 31 - zeros as i32)
}

/// `2^t` for a rational `t`, given exactly where it is an integer.
#[inline(never)]
pub(super) const fn exp2_rational(negative: bool, t: Float) -> Exact<u32> {
    if t.significand == 0 {
        return ONE.negate_if(negative);
    }
    let Split { whole, fraction } = t.split();
    if fraction == 0 {
        return Exact::<u32>::normalised(negative, whole, Exact::<u32>::TOP);
    }
    exp2(negative, t)
}

/// `2^t`, which is not exact, for a `t` that is not zero.
#[inline(never)]
pub(super) const fn exp2(negative: bool, t: Float) -> Exact<u32> {
    let Split { whole, fraction } = t.split();
    let significand = (exp2_wide(fraction) >> 32) as u32;
    Exact::<u32>::normalised(negative, whole, significand | 1)
}

/// A value next to 1.
#[inline]
pub(super) const fn beside_one(negative: bool, above: bool) -> Exact<u32> {
    if above {
        Exact::<u32>::normalised(negative, 0, Exact::<u32>::TOP | 1)
    } else {
        Exact::<u32>::normalised(negative, -1, u32::MAX)
    }
}

/// A logarithm of 32 bits, or a multiple of it: `digits * 2^(exponent - 62)`, since the product of
/// two significands has 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Quick {
    negative: bool,
    exponent: i32,
    digits: u64,
}

/// From 2^HUGE on, 2^t overflows or vanishes in every format.
const HUGE: i32 = 9;
/// Below 2^TINY, 2^t is next to 1.
const TINY: i32 = -24;

/// The error of a narrow logarithm truncated to 32 bits, in 2^-32 of it: 2^-31 each for the
/// logarithm and the truncation.
pub(super) const ERROR: u32 = 6;

/// What a division adds to that: it truncates the dividend to 24 bits.
pub(super) const ERROR_OVER: u32 = 1 << 10;

/// The bits of a significand that are below every rounding boundary: a format here has at most 11
/// bits, and a midpoint one more.
pub(super) const BELOW_CUTS: u32 = (1 << 20) - 1;

impl Quick {
    /// The number `value * 2^unit`, truncated to 32 bits. Not zero.
    #[inline]
    pub(super) const fn new((value, unit): (i64, i32)) -> Self {
        let magnitude = value.unsigned_abs();
        let zeros = magnitude.leading_zeros();
        Self {
            negative: value < 0,
            exponent: unit + 63 - zeros as i32,
            digits: magnitude << zeros >> 32 << 31,
        }
    }

    /// The number times `significand * 2^(exponent - 31)`.
    #[inline]
    pub(super) const fn times(self, negative: bool, significand: u32, exponent: i32) -> Self {
        Self {
            negative: self.negative != negative,
            exponent: self.exponent + exponent,
            digits: (self.digits >> 31) * significand as u64,
        }
    }

    /// The number divided by an integer below 2^24, with 24 bits.
    #[inline]
    pub(super) const fn over(self, negative: bool, divisor: u32) -> Self {
        // `divide` needs a divisor of 24 bits; then 2^23 by 2^23 gives 2^40, with 23 leading zeros.
        let shift = divisor.leading_zeros() - 8;
        let (quotient, _) = divide((self.digits >> 39) as u32, divisor << shift, 5);
        let zeros = quotient.leading_zeros();
        Self {
            negative: self.negative != negative,
            exponent: self.exponent + shift as i32 - zeros as i32,
            digits: quotient << zeros >> 1,
        }
    }

    /// `2^t`, unless it is so close to a rounding boundary that the error may reach past it. The
    /// error is `error * 2^-32` relative to `t`.
    ///
    /// `|t| < 2^(exponent + 2)`, so the error of `t` is at most `error * 2^(exponent - 30)`. The
    /// relative error of the result is less than that (ln 2 < 1), plus 8 units for `exp2_narrow`,
    /// where a unit is between 2^-32 and 2^-31 of the result.
    #[inline]
    pub(super) const fn exp2(self, negative: bool, error: u32) -> Option<Exact<u32>> {
        if self.exponent >= HUGE {
            let exponent = if self.negative { -1 << HUGE } else { 1 << HUGE };
            return Some(Exact::<u32>::normalised(negative, exponent, u32::MAX));
        }
        if self.exponent < TINY {
            return Some(beside_one(negative, !self.negative));
        }
        let magnitude = (self.digits >> (30 - self.exponent)) as i64;
        let t = if self.negative { -magnitude } else { magnitude };
        let significand = exp2_narrow(t as u32);
        let reach = if self.exponent > 0 {
            error << (self.exponent + 2)
        } else {
            error << 2
        } + 8;
        let below = significand.wrapping_add(reach) & BELOW_CUTS;
        if below <= 2 * reach {
            return None;
        }
        let exponent = (t >> 32) as i32;
        Some(Exact::<u32>::normalised(
            negative,
            exponent,
            significand | 1,
        ))
    }
}
