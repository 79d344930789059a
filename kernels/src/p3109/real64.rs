//! Numbers with 64-bit significands: the functions of formats with K up to 8, in little code.
//!
//! Sums, products, quotients and roots are rounded to odd: sums in 62 bits, roots in 61. So the
//! error of a function is some 2^-57 of its result, while projection looks at
//! [28 bits](super::functions). That no exact result lies so close to a number of 28 bits, except
//! those that are one, is not an estimate: the tests of `functions.rs` compare, for all operands
//! with K up to 8, these 28 bits and whether there is more with those of the 384-bit result.

use super::constants::{INVERSE_PI_BITS, LN_2_BITS, PI_BITS, TWO_OVER_PI};
use super::real::Real;
use crate::round::{Exact, Kind};
use core::cmp::Ordering;

pub(super) type Real64 = Exact<u64>;

/// A constant of its upper 64 bits.
const fn constant([.., high]: [u64; 6], exponent: i32) -> Real64 {
    Real64::normalised(false, exponent, high)
}

/// The digits of a root, so that its remainder fits.
const DIGITS: u32 = 61;

/// The bits of 2/pi after a word of zeros, the highest first: enough for angles below 2^128.
const TWO_OVER_PI_AFTER_ZEROS: [u64; 5] = {
    let [a, b, c, d, ..] = TWO_OVER_PI;
    [0, a, b, c, d]
};

/// 128 of these bits, from this place on.
fn two_over_pi(place: usize) -> u128 {
    let mut words = TWO_OVER_PI_AFTER_ZEROS.iter().copied().skip(place / 64);
    let mut next = || u128::from(words.next().unwrap_or(0));
    let (first, second, third) = (next() << 64, next(), next());
    let bits = place % 64;
    (first | second) << bits | third >> (64 - bits)
}

impl Real for Real64 {
    const ZERO: Self = Self::zero(false);
    const ONE: Self = Self::normalised(false, 0, Self::TOP);
    const HALF: Self = Self::normalised(false, -1, Self::TOP);
    const PI: Self = constant(PI_BITS, 1);
    const QUARTER_TURN: Self = constant(PI_BITS, 0);
    const INVERSE_PI: Self = constant(INVERSE_PI_BITS, -2);
    const LN_2: Self = constant(LN_2_BITS, -1);

    // x^2/6 and less is below 2^-36, a quotient's distance from a boundary.
    const SMALL: i64 = -19;
    // x/2 is below 2^-28.
    const SMALL_FOR_SQUARE: i64 = -31;
    // x^2/2 is below 2^-28.
    const SMALL_FOR_EVEN: i64 = -15;
    const LARGE: i64 = 10;
    const BEYOND: i64 = 1 << 20;
    const LAST: i64 = 66;
    const SQUARINGS: i64 = 0;

    fn from_small(integer: i64) -> Self {
        Self::from_integer(integer < 0, integer.unsigned_abs(), 0)
    }

    fn is_zero(&self) -> bool {
        matches!(self.kind(), Kind::Zero)
    }

    fn is_negative(&self) -> bool {
        self.is_finite_nonzero() && self.sign()
    }

    fn exponent(&self) -> i64 {
        Self::exponent(*self).into()
    }

    fn high(&self) -> u64 {
        self.significand()
    }

    fn negate(self) -> Self {
        self.negate_if(true)
    }

    fn scaled(self, places: i64) -> Self {
        if self.is_zero() {
            return self;
        }
        self.scale(places as i32)
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let order = self.magnitude().order(other.magnitude());
        order.unwrap_or(Ordering::Equal)
    }

    fn plus(&self, other: &Self) -> Self {
        self.add(*other)
    }

    fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        let product = u128::from(self.significand()) * u128::from(other.significand());
        // From 1 up to 4.
        let carries = (product >> 127) as i32;
        let product = product << (1 - carries);
        let rest = product as u64 != 0;
        Self::normalised(
            self.sign() != other.sign(),
            Self::exponent(*self) + Self::exponent(*other) + carries,
            (product >> 64) as u64 | u64::from(rest),
        )
    }

    fn over_small(&self, divisor: u32) -> Self {
        let quotient = self.significand() / u64::from(divisor.max(1));
        let unit = Self::exponent(*self) - 63;
        Self::from_integer(self.sign(), quotient, unit)
    }

    fn over(&self, divisor: &Self) -> Self {
        if self.is_zero() {
            return *self;
        }
        let (n, d) = (self.significand(), divisor.significand());
        let below = n < d;
        // Of 65 bits, the highest apart.
        let (mut high, mut rest) = if below { (true, n << 1) } else { (false, n) };
        let mut quotient = 0;
        for _ in 0..64 {
            let fits = high || rest >= d;
            if fits {
                rest = rest.wrapping_sub(d);
            }
            quotient = quotient << 1 | u64::from(fits);
            high = rest >> 63 != 0;
            rest <<= 1;
        }
        Self::normalised(
            self.sign() != divisor.sign(),
            Self::exponent(*self) - Self::exponent(*divisor) - i32::from(below),
            quotient | u64::from(high || rest != 0),
        )
    }

    fn over_nearly(&self, divisor: &Self) -> Self {
        self.over(divisor)
    }

    fn root(&self) -> Self {
        if self.is_zero() {
            return *self;
        }
        let (exponent, significand) = (Self::exponent(*self), self.significand());
        // From 1 up to 4 in units of 2^-62.
        let (mut bits, lost) = if exponent & 1 == 0 {
            (significand >> 1, significand & 1)
        } else {
            (significand, 0)
        };
        let (mut rest, mut root) = (0u64, 0u64);
        for _ in 0..DIGITS {
            rest = rest << 2 | bits >> 62;
            bits <<= 2;
            let trial = root << 2 | 1;
            root <<= 1;
            if rest >= trial {
                rest -= trial;
                root |= 1;
            }
        }
        let significand = root << (64 - DIGITS) | u64::from(rest | lost != 0);
        Self::normalised(false, exponent >> 1, significand)
    }

    fn root_nearly(&self) -> Self {
        self.root()
    }

    fn reciprocal_root(&self) -> Self {
        Self::ONE.over(&self.root())
    }

    fn odd(self) -> Self {
        self
    }

    fn inexact(self) -> Self {
        let significand = self.significand() | 1;
        Self::normalised(self.sign(), Self::exponent(self), significand)
    }

    fn next_to(self, greater: bool) -> Self {
        let (exponent, significand) = (Self::exponent(self), self.significand());
        let (exponent, significand) = if greater {
            (exponent, significand | 1)
        } else if significand == Self::TOP {
            (exponent - 1, u64::MAX)
        } else {
            (exponent, significand - 1)
        };
        Self::normalised(self.sign(), exponent, significand)
    }

    fn modulo_four(&self) -> Self {
        match u32::try_from(Self::exponent(*self) - 1) {
            Ok(places @ 1..) => {
                let rest = self.significand().checked_shl(places).unwrap_or(0);
                Self::from_integer(self.sign(), rest, -62)
            }
            _ => *self,
        }
    }

    /// Of an operand below 2^128 of at most 8 bits.
    fn quarter_turns(&self) -> (i64, Self) {
        // The angle is `integer * 2^unit`. Bits of 2/pi above 2^(1 - unit) make whole turns.
        let (integer, unit) = (self.significand() >> 56, Self::exponent(*self) - 7);
        let place = (unit + 62).clamp(0, 255) as usize;
        // In units of 2^-126, modulo 4.
        let turns = two_over_pi(place).wrapping_mul(integer.into());
        let fraction = turns << 2;
        let up = fraction >> 127 != 0;
        let fraction = if up {
            fraction.wrapping_neg()
        } else {
            fraction
        };
        // 2/pi is irrational, so it is not 0; the tests show that enough of its bits are here.
        let zeros = fraction.leading_zeros();
        let significand = (fraction << (zeros & 63) >> 64) as u64 | Self::TOP | 1;
        let rest = Self::normalised(up, -1 - zeros as i32, significand);
        ((turns >> 126) as i64 + i64::from(up), rest)
    }
}
