//! What the powers share: `2^t` for a `t` of 64 digits, and the exact cases.

use crate::fixed::{Float, Split, exp2_wide};
use crate::round::Exact;

pub(super) const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, Exact::<u32>::TOP);

/// No power of an odd number from 3 on has so many factors and less than 33 digits.
const MANY: u32 = 21;

/// `odd * 2^exponent`.
#[derive(Clone, Copy)]
pub(super) struct Odd {
    pub(super) odd: u64,
    pub(super) exponent: i32,
}

impl Odd {
    /// Of `magnitude * 2^unit`, not zero.
    #[inline]
    pub(super) const fn new(magnitude: u64, unit: i32) -> Self {
        let zeros = magnitude.trailing_zeros();
        Self {
            odd: magnitude >> zeros,
            exponent: unit + zeros as i32,
        }
    }

    /// Of a finite magnitude that is not zero.
    #[inline]
    pub(super) const fn of(x: Exact<u32>) -> Self {
        Self::new(x.significand() as u64, x.exponent() - 31)
    }

    /// The n-th power where it has at most 32 digits, for `n > 0` and an odd factor that is not 1. A
    /// longer one is on no cut, since it is odd.
    #[inline]
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

    /// The value, which has at most 32 digits.
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

/// An integer's significand, its top bit set, and exponent; not zero.
#[inline]
pub(super) const fn normalised(n: u32) -> (u32, i32) {
    let zeros = n.leading_zeros();
    (n << zeros, 31 - zeros as i32)
}

/// `2^t` for a rational `t`, given exactly where it is an integer.
#[inline]
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
#[inline]
pub(super) const fn exp2(negative: bool, t: Float) -> Exact<u32> {
    let Split { whole, fraction } = t.split();
    let significand = (exp2_wide(fraction) >> 32) as u32;
    Exact::<u32>::normalised(negative, whole, significand | 1)
}
