//! The arc tangent of a ratio of two numbers.
//!
//! For a ratio y/x below tan(pi/8) it is `atan(y/x)`; up to the reciprocal of tan(pi/8) it is
//! `pi/4 + atan((y - x) / (y + x))`; above that `pi/2 - atan(x/y)`. With the significands as
//! integers, all these quotients are of exact numbers of at most 15 bits, so the arc tangent can be
//! computed to any precision: 32 or 64 bits here.

use super::inverse_trig::{Arc, From};
use crate::fixed::{arctangent, arctangent_long, quotient, quotient_long};
use crate::round::Exact;

/// `from` plus or minus the arc tangent of `n / d * 2^exponent`, which is below tan(pi/8) or just
/// above: n is 0, or n/d is at least 1/2 and below 1 and d has 16 bits.
#[derive(Clone, Copy)]
pub(super) struct Ratio {
    from: From,
    minus: bool,
    n: u32,
    d: u32,
    exponent: i32,
}

/// tan(pi/8) as a fraction, a little too small.
const TAN_EIGHTH: (u32, u32) = (53, 128);

impl Ratio {
    /// `y/x` for finite non-zero magnitudes of at most 11 bits.
    #[inline]
    pub(super) const fn new(y: Exact<u32>, x: Exact<u32>) -> Self {
        let (m, k) = (y.significand() >> 21, x.significand() >> 21);
        let apart = y.exponent() - x.exponent();
        if apart < -2 {
            return Self::of(From::Zero, false, m, k, apart);
        }
        if apart > 2 {
            return Self::of(From::Quarter, true, k, m, -apart);
        }
        // In units that make both integers.
        let (p, q) = (m << (apart + 2), k << 2);
        if p * TAN_EIGHTH.1 < q * TAN_EIGHTH.0 {
            Self::of(From::Zero, false, m, k, apart)
        } else if q * TAN_EIGHTH.1 < p * TAN_EIGHTH.0 {
            Self::of(From::Quarter, true, k, m, -apart)
        } else {
            Self::of(From::Eighth, p < q, p.abs_diff(q), p + q, 0)
        }
    }

    /// The quotient of integers of at most 15 bits.
    #[inline]
    const fn of(from: From, minus: bool, n: u32, d: u32, exponent: i32) -> Self {
        let (up, down) = (n.leading_zeros() & 31, d.leading_zeros() & 31);
        let (n, d) = (n << up >> 16, d << down >> 16);
        let halves = n >= d;
        Self {
            from,
            minus,
            n: n >> halves as u32,
            d,
            exponent: exponent + down as i32 - up as i32 + halves as i32,
        }
    }

    /// The same with `-x`.
    #[inline]
    pub(super) const fn mirrored(self) -> Self {
        let (from, minus) = match self.from {
            From::Zero => (From::Half, true),
            From::Eighth => (From::ThreeEighths, !self.minus),
            _ => (From::Quarter, !self.minus),
        };
        Self {
            from,
            minus,
            ..self
        }
    }

    /// The arc tangent. Error: below 2^-29 of the polynomial's value (its own 2^-30, and 2^-31
    /// of the truncated quotient).
    #[inline]
    pub(super) const fn arc(self) -> Arc<u32> {
        if self.n == 0 {
            return Arc::<u32>::exactly(self.from);
        }
        let quotient = quotient(self.n, self.d);
        let exponent = self.exponent - 1;
        Arc::<u32>::new(self.from, self.minus, arctangent(quotient, exponent))
    }

    /// The arc tangent. Error: below 2^-50 of the polynomial's value.
    pub(super) const fn arc_long(self) -> Arc<u64> {
        if self.n == 0 {
            return Arc::<u64>::exactly(self.from);
        }
        let quotient = quotient_long(self.n, self.d);
        let value = arctangent_long(quotient, self.exponent - 1);
        Arc::<u64>::new(self.from, self.minus, value)
    }
}
