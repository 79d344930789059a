//! The interval type and its arithmetic.

use super::float::{Float, Toward};
use crate::enclosure::number::Real;
use dashu_int::UBig;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An enclosure with ends of about `p` bits.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Low and high; `None` is the whole line. Equal ends are a point.
    pub(super) ends: Option<(Float, Float)>,
    pub(super) p: usize,
}

impl Interval {
    /// A number, with the precision for results computed from it.
    #[must_use]
    pub fn point(x: Float, p: usize) -> Self {
        Self {
            ends: Some((x.clone(), x)),
            p,
        }
    }

    pub(super) const fn whole(p: usize) -> Self {
        Self { ends: None, p }
    }

    /// Computed ends, rounded outwards.
    pub(super) fn new(low: Float, high: Float, p: usize) -> Self {
        debug_assert!(low <= high, "an interval's ends are in order");
        Self {
            ends: Some((low.cut(p, Toward::Negative), high.cut(p, Toward::Positive))),
            p,
        }
    }

    /// Low and high, if anything is known.
    #[must_use]
    pub const fn ends(&self) -> Option<(&Float, &Float)> {
        match &self.ends {
            Some((low, high)) => Some((low, high)),
            None => None,
        }
    }

    /// The number, if this is a point.
    pub(super) fn exactly(&self) -> Option<&Float> {
        self.ends()
            .filter(|(low, high)| low == high)
            .map(|(low, _)| low)
    }

    /// The same enclosure (or a wider one) at another precision.
    pub(super) fn at(&self, p: usize) -> Self {
        match &self.ends {
            // A point stays a point: it is an operand, not a result.
            Some((low, high)) if low == high => Self::point(low.clone(), p),
            Some((low, high)) => Self::new(low.clone(), high.clone(), p),
            None => Self::whole(p),
        }
    }

    /// [`Interval::at`] for a result: a point is also rounded if it is longer.
    pub(super) fn at_most(&self, p: usize) -> Self {
        match &self.ends {
            Some((low, high)) => Self::new(low.clone(), high.clone(), p),
            None => Self::whole(p),
        }
    }

    pub(super) fn integer(n: i64, p: usize) -> Self {
        Self::point(Float::integer(n), p)
    }

    pub(super) fn quotient(numerator: &UBig, denominator: &UBig, negative: bool, p: usize) -> Self {
        let a = Float::new(negative, numerator.clone(), 0);
        let b = Float::new(false, denominator.clone(), 0);
        Self::new(
            a.over(&b, p, Toward::Negative),
            a.over(&b, p, Toward::Positive),
            p,
        )
    }

    /// `[-2^e, 2^e]`: an enclosure of a remainder.
    pub(super) fn error(e: i64, p: usize) -> Self {
        let bound = Float::power_of_two(e);
        Self::new(bound.negated(), bound, p)
    }

    /// From the low end of one to the high end of another.
    pub(super) fn hull(low: &Self, high: &Self) -> Self {
        let ends = match (&low.ends, &high.ends) {
            (Some((low, _)), Some((_, high))) => Some((low.clone(), high.clone())),
            _ => None,
        };
        Self { ends, p: low.p }
    }

    /// A strictly increasing function, from its enclosures at points.
    pub(super) fn increasing(&self, f: impl Fn(&Float) -> Self) -> Self {
        match &self.ends {
            None => Self::whole(self.p),
            Some((low, high)) if low == high => f(low),
            Some((low, high)) => Self::hull(&f(low), &f(high)),
        }
    }

    pub(super) fn plus_int(&self, n: i64) -> Self {
        self.clone() + Self::integer(n, self.p)
    }

    /// Divided by an integer that is not zero.
    pub(super) fn over_int(&self, n: u64) -> Self {
        self.clone() / Self::point(Float::new(false, UBig::from(n), 0), self.p)
    }

    pub(super) fn scaled_by(&self, n: i64) -> Self {
        Self {
            ends: self
                .ends
                .as_ref()
                .map(|(low, high)| (low.scaled(n), high.scaled(n))),
            p: self.p,
        }
    }

    /// The greater of the ends' [`Float::top`]s.
    pub(super) fn top(&self) -> i64 {
        self.ends
            .as_ref()
            .map_or(i64::MAX / 4, |(low, high)| low.top().max(high.top()))
    }

    pub(super) fn is_positive(&self) -> bool {
        self.ends
            .as_ref()
            .is_some_and(|(low, _)| !low.is_negative() && !low.is_zero())
    }

    pub(super) fn root(&self) -> Self {
        match &self.ends {
            Some((low, high)) if !low.is_negative() => Self::new(
                low.root(self.p, Toward::Negative),
                high.root(self.p, Toward::Positive),
                self.p,
            ),
            _ => Self::whole(self.p),
        }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let p = self.p;
        match (&self.ends, &other.ends) {
            (Some((a, b)), Some((c, d))) => Self::new(a.plus(c), b.plus(d), p),
            _ => Self::whole(p),
        }
    }
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            ends: self.ends.map(|(a, b)| (b.negated(), a.negated())),
            p: self.p,
        }
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// The least and the greatest of four.
fn extremes(all: [Float; 4]) -> (Float, Float) {
    let [first, rest @ ..] = all;
    rest.into_iter()
        .fold((first.clone(), first), |(low, high), x| {
            if x < low {
                (x, high)
            } else if x > high {
                (low, x)
            } else {
                (low, high)
            }
        })
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let p = self.p;
        let (Some((a, b)), Some((c, d))) = (&self.ends, &other.ends) else {
            return Self::whole(p);
        };
        if !a.is_negative() && !c.is_negative() {
            return Self::new(a.times(c), b.times(d), p);
        }
        let (low, high) = extremes([a.times(c), a.times(d), b.times(c), b.times(d)]);
        Self::new(low, high, p)
    }
}

impl Div for Interval {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let p = self.p;
        let (Some((a, b)), Some((c, d))) = (&self.ends, &other.ends) else {
            return Self::whole(p);
        };
        // The divisor must stay off zero.
        if c.is_zero() || d.is_zero() || c.is_negative() != d.is_negative() {
            return Self::whole(p);
        }
        if c.is_negative() {
            return -self / -other;
        }
        // A larger positive divisor makes the magnitude smaller.
        let low = if a.is_negative() { c } else { d };
        let high = if b.is_negative() { d } else { c };
        Self::new(
            a.over(low, p, Toward::Negative),
            b.over(high, p, Toward::Positive),
            p,
        )
    }
}

/// The functions, built on those of the other files.
impl Real for Interval {
    fn int(&self, n: i32) -> Self {
        Self::integer(n.into(), self.p)
    }

    fn ratio(&self, numerator: i128, denominator: i128) -> Self {
        Self::quotient(
            &UBig::from(numerator.unsigned_abs()),
            &UBig::from(denominator.unsigned_abs()),
            (numerator < 0) != (denominator < 0),
            self.p,
        )
    }

    fn pi(&self) -> Self {
        Self::pi_at(self.p)
    }

    fn ln_2(&self) -> Self {
        Self::ln_2_at(self.p)
    }

    fn ln_10(&self) -> Self {
        Self::integer(10, self.p).logarithm()
    }

    fn scaled(&self, n: i32) -> Self {
        self.scaled_by(n.into())
    }

    fn exceeds(&self, n: i32) -> bool {
        self.ends()
            .is_some_and(|(low, _)| *low > Float::integer(n.into()))
    }

    fn halves(&self) -> (u8, Self) {
        let x = self.exactly().expect("a point");
        let half = Float::power_of_two(-1);
        let k = x.scaled(1).plus(&half).floor();
        let r = x.minus(&k.scaled(-1));
        (k.modulo_4(), Self::point(r, self.p))
    }

    fn sqrt(&self) -> Self {
        self.root()
    }

    fn cbrt(&self) -> Self {
        // Only as a power; the function itself is decided by integers.
        (self.logarithm().over_int(3)).exponential()
    }

    fn exp(&self) -> Self {
        self.exponential()
    }

    fn exp_m1(&self) -> Self {
        self.exponential_less_1()
    }

    fn ln(&self) -> Self {
        self.logarithm()
    }

    fn ln_1p(&self) -> Self {
        self.logarithm_of_1_plus()
    }

    fn sin(&self) -> Self {
        self.sine_and_cosine().0
    }

    fn cos(&self) -> Self {
        self.sine_and_cosine().1
    }

    fn tan(&self) -> Self {
        let (sine, cosine) = self.sine_and_cosine();
        sine / cosine
    }

    fn asin(&self) -> Self {
        // x / sqrt((1 - x) (1 + x)), except at the ends.
        let one = self.int(1);
        match self.exactly() {
            Some(x) if x.absolute() == Float::integer(1) => {
                let right = self.pi().scaled(-1);
                if x.is_negative() { -right } else { right }
            }
            _ => {
                let root = ((one.clone() - self.clone()) * (one + self.clone())).root();
                (self.clone() / root).arc_tangent()
            }
        }
    }

    fn acos(&self) -> Self {
        // 2 atan(sqrt((1 - x) / (1 + x))), except at -1.
        if self.exactly() == Some(&Float::integer(-1)) {
            return self.pi();
        }
        let one = self.int(1);
        let ratio = (one.clone() - self.clone()) / (one + self.clone());
        ratio.root().arc_tangent().scaled(1)
    }

    fn atan(&self) -> Self {
        self.arc_tangent()
    }

    fn sinh(&self) -> Self {
        // (E + E / (E + 1)) / 2, E = e^x - 1.
        let e = self.exp_m1();
        let other = e.clone() / e.plus_int(1);
        (e + other).scaled(-1)
    }

    fn cosh(&self) -> Self {
        let e = self.exp();
        let other = self.int(1) / e.clone();
        (e + other).scaled(-1)
    }

    fn tanh(&self) -> Self {
        // By the exponential that does not overflow.
        let tanh = |x: &Float| {
            let double = Self::point(x.absolute().negated().scaled(1), self.p + 8);
            let e = double.exp_m1();
            let magnitude = -e.clone() / e.plus_int(2);
            if x.is_negative() {
                -magnitude
            } else {
                magnitude
            }
            .at_most(self.p)
        };
        self.increasing(tanh)
    }

    fn asinh(&self) -> Self {
        // ln1p(x + x^2 / (1 + sqrt(1 + x^2))), of the magnitude.
        let magnitude = |x: &Self| {
            let square = x.square();
            let below = square.plus_int(1).root().plus_int(1);
            (x.clone() + square / below).ln_1p()
        };
        match self.ends() {
            Some((low, _)) if low.is_negative() => -magnitude(&-self.clone()),
            _ => magnitude(self),
        }
    }

    fn acosh(&self) -> Self {
        let t = self.plus_int(-1);
        let root = (t.clone() * t.plus_int(2)).root();
        (t + root).ln_1p()
    }

    fn atanh(&self) -> Self {
        let x = self.clone();
        let ratio = x.scaled(1) / (self.int(1) - x);
        ratio.ln_1p().scaled(-1)
    }

    fn erf(&self) -> Self {
        self.error_function()
    }

    fn erfc(&self) -> Self {
        self.complementary_error_function()
    }

    fn erf_inv(&self) -> Self {
        self.inverse_error_function()
    }

    fn gamma(&self) -> Self {
        self.gamma_function()
    }

    fn ln_gamma(&self) -> Self {
        self.logarithm_of_gamma()
    }

    fn minus_tanh(&self) -> Self {
        self.clone() - self.tanh()
    }

    fn exp_m1_over(&self) -> Self {
        self.exp_m1() / self.clone()
    }
}
