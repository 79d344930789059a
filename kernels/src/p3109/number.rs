//! Closed extended reals: what codes stand for, and what operations give before projection.

use super::wide::Wide;
use core::cmp::Ordering;

/// A value. A finite one that stands for a number with more bits is rounded to odd in 320.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) enum Number {
    Nan,
    /// Whether it is the negative one.
    Infinite(bool),
    Finite(Wide),
}

use Number::{Finite, Infinite, Nan};

impl Number {
    pub(super) const ZERO: Self = Finite(Wide::ZERO);
    pub(super) const ONE: Self = Finite(Wide::ONE);

    pub(super) const fn is_nan(self) -> bool {
        matches!(self, Nan)
    }

    /// Less than zero.
    pub(super) const fn is_negative(self) -> bool {
        matches!(self, Infinite(true) | Finite(Wide { negative: true, .. }))
    }

    pub(super) const fn is_zero(self) -> bool {
        matches!(self, Finite(x) if x.is_zero())
    }

    pub(super) const fn negate(self) -> Self {
        match self {
            Nan => Nan,
            Infinite(negative) => Infinite(!negative),
            Finite(x) => Finite(x.negate()),
        }
    }

    pub(super) const fn magnitude(self) -> Self {
        if self.is_negative() {
            self.negate()
        } else {
            self
        }
    }

    /// The order of two values; none where one is NaN.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        Some(match (self, other) {
            (Nan, _) | (_, Nan) => return None,
            (Infinite(a), Infinite(b)) => b.cmp(&a),
            (Infinite(negative), Finite(_)) => below_if(negative),
            (Finite(_), Infinite(negative)) => below_if(!negative),
            (Finite(x), Finite(y)) => x.compare(&y),
        })
    }

    pub(super) fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite(a), Infinite(b)) if a != b => Nan,
            (Infinite(a), _) | (_, Infinite(a)) => Infinite(a),
            (Finite(x), Finite(y)) => Finite(x.plus(&y).odd()),
        }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Finite(x), Finite(y)) => Finite(x.times(&y).odd()),
            _ if self.is_zero() || other.is_zero() => Nan,
            _ => Infinite(negative),
        }
    }

    /// The quotient; NaN where the divisor is zero.
    pub(super) fn over(self, divisor: Self) -> Self {
        let negative = self.is_negative() != divisor.is_negative();
        match (self, divisor) {
            (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) => Nan,
            _ if divisor.is_zero() => Nan,
            (Infinite(_), Finite(_)) => Infinite(negative),
            (Finite(_), Infinite(_)) => Self::ZERO,
            (Finite(x), Finite(y)) => Finite(x.over(&y)),
        }
    }
}

const fn below_if(below: bool) -> Ordering {
    if below {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}
