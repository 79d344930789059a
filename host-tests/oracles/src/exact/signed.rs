//! Sums and products of dyadic rationals of any length.

use super::magnitude::Magnitude;
use crate::Dyadic;
use dashu_int::{IBig, Sign, UBig};

/// `m * 2^e`.
#[derive(Clone, Debug)]
pub(crate) struct Real {
    m: IBig,
    e: i64,
}

impl Real {
    pub fn new(negative: bool, magnitude: Dyadic) -> Self {
        let sign = if negative {
            Sign::Negative
        } else {
            Sign::Positive
        };
        let m = IBig::from_parts(sign, UBig::from(magnitude.m));
        Self {
            m,
            e: i64::from(magnitude.e),
        }
    }

    pub fn integer(value: i128) -> Self {
        Self {
            m: IBig::from(value),
            e: 0,
        }
    }

    /// `m * 2^e`.
    pub fn natural(m: UBig, e: i32) -> Self {
        Self {
            m: IBig::from(m),
            e: i64::from(e),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.m.is_zero()
    }

    pub fn is_negative(&self) -> bool {
        self.m < IBig::ZERO
    }

    pub fn plus(&self, other: &Self) -> Self {
        let e = self.e.min(other.e);
        let aligned =
            |term: &Self| &term.m << usize::try_from(term.e - e).expect("the lesser exponent");
        Self {
            m: aligned(self) + aligned(other),
            e,
        }
    }

    pub fn times(&self, other: &Self) -> Self {
        Self {
            m: &self.m * &other.m,
            e: self.e + other.e,
        }
    }

    /// `self * 2^n`.
    pub fn scaled(&self, n: i64) -> Self {
        Self {
            m: self.m.clone(),
            e: self.e + n,
        }
    }

    /// Whether it is negative, its numerator's magnitude and its exponent.
    pub fn into_parts(self) -> (bool, UBig, i64) {
        let (sign, numerator) = self.m.into_parts();
        (sign == Sign::Negative, numerator, self.e)
    }

    /// The sign of a value that is not zero, and the magnitude of its quotient by `divisor`.
    pub fn over(self, divisor: u32) -> (bool, Magnitude) {
        let (negative, numerator, exponent) = self.into_parts();
        let denominator = UBig::from(divisor);
        (
            negative,
            Magnitude::Quotient {
                numerator,
                denominator,
                exponent,
            },
        )
    }
}
