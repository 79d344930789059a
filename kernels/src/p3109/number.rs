//! Closed extended reals: what codes stand for, and what operations give before projection.

use super::real::Real;
use super::real384::Real384;
use crate::format::FormatSpec;
use crate::round::{Exact, Kind, Projection, project_u128, saturate};
use core::cmp::Ordering;

/// A value. A finite one that stands for a number with more bits is rounded to odd in 320.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) enum Number<R = Real384> {
    Nan,
    /// Whether it is the negative one.
    Infinite(bool),
    Finite(R),
}

use Number::{Finite, Infinite, Nan};

impl<R: Real> Number<R> {
    pub(super) const ZERO: Self = Finite(R::ZERO);
    pub(super) const ONE: Self = Finite(R::ONE);

    pub(super) fn is_nan(self) -> bool {
        matches!(self, Nan)
    }

    /// Less than zero.
    pub(super) fn is_negative(self) -> bool {
        match self {
            Nan => false,
            Infinite(negative) => negative,
            Finite(x) => x.is_negative(),
        }
    }

    pub(super) fn is_zero(self) -> bool {
        matches!(self, Finite(x) if x.is_zero())
    }

    pub(super) fn negate(self) -> Self {
        match self {
            Nan => Nan,
            Infinite(negative) => Infinite(!negative),
            Finite(x) => Finite(x.negate()),
        }
    }

    pub(super) fn magnitude(self) -> Self {
        if self.is_negative() {
            self.negate()
        } else {
            self
        }
    }
}

impl Number {
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

impl FormatSpec {
    /// Sign, integer and exponent of a finite code: `integer * 2^exponent`, the integer odd or 0.
    /// `None` for infinities and NaN.
    #[must_use]
    pub const fn value(self, code: u64) -> Option<(bool, u64, i32)> {
        let x = Exact::<u64>::decode_spec(self, code);
        match x.kind() {
            Kind::Zero => Some((false, 0, 0)),
            Kind::Finite => {
                let places = x.significand().trailing_zeros();
                let unit = x.exponent() - 63 + places as i32;
                Some((x.sign(), x.significand() >> places, unit))
            }
            _ => None,
        }
    }

    /// The value of a code, of which the bits above the format's are ignored.
    pub(super) fn decode(self, code: u64) -> Number {
        let x = Exact::<u64>::decode_spec(self, code);
        match x.kind() {
            Kind::Nan => Nan,
            Kind::Infinite => Infinite(x.sign()),
            Kind::Zero => Number::ZERO,
            Kind::Finite => Finite(Real384::new(
                x.sign(),
                x.significand().into(),
                i64::from(x.exponent()) - 63,
            )),
        }
    }
}

impl Number {
    /// The code of the projected value.
    pub(super) fn project(self, format: FormatSpec, projection: Projection) -> u64 {
        match self {
            Nan => format.nan(),
            Infinite(negative) => {
                saturate(format, negative, projection.beyond(format, negative, true))
            }
            Finite(x) if x.is_zero() => 0,
            Finite(x) => {
                // Beyond every format on both sides.
                // Not `clamp`, which can panic.
                #[allow(clippy::manual_clamp)]
                let exponent = x.exponent.max(-(1 << 20)).min(1 << 20) as i32;
                let significand = x.top() | u128::from(x.has_more_than_top());
                project_u128(format, projection, x.negative, exponent, significand)
            }
        }
    }
}
