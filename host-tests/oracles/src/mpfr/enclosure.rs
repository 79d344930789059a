//! Enclosures with ends by MPFR, each rounded in its direction.

use rug::float::{Round, Special};
use rug::ops::{AddAssignRound, DivAssignRound, MulAssignRound, SubAssignRound};
use rug::{Float, Rational};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An open interval that contains the value, or, with equal ends, the value.
#[derive(Clone)]
pub(super) struct Enclosure {
    pub low: Float,
    pub high: Float,
}

impl Enclosure {
    pub fn point(x: &Float, digits: u32) -> Self {
        let x = Float::with_val(digits, x);
        Self {
            low: x.clone(),
            high: x,
        }
    }

    pub fn rational(x: &Rational, digits: u32) -> Self {
        let end = |round| Float::with_val_round(digits, x, round).0;
        Self {
            low: end(Round::Down),
            high: end(Round::Up),
        }
    }

    pub fn pi(digits: u32) -> Self {
        let end = |round| Float::with_val_round(digits, rug::float::Constant::Pi, round).0;
        Self {
            low: end(Round::Down),
            high: end(Round::Up),
        }
    }

    pub fn int(&self, n: i32) -> Self {
        Self::point(&Float::with_val(64, n), self.low.prec())
    }

    fn whole(digits: u32) -> Self {
        Self {
            low: Float::with_val(digits, Special::NegInfinity),
            high: Float::with_val(digits, Special::Infinity),
        }
    }

    fn new(low: Float, high: Float) -> Self {
        if low.is_nan() || high.is_nan() {
            Self::whole(low.prec())
        } else {
            Self { low, high }
        }
    }

    /// A function that increases.
    pub fn map(self, f: impl Fn(&mut Float, Round) -> Ordering) -> Self {
        let Self { mut low, mut high } = self;
        f(&mut low, Round::Down);
        f(&mut high, Round::Up);
        Self::new(low, high)
    }

    pub fn exp(self) -> Self {
        self.map(Float::exp_round)
    }

    pub fn exp_m1(self) -> Self {
        self.map(Float::exp_m1_round)
    }

    pub fn ln_1p(self) -> Self {
        self.map(Float::ln_1p_round)
    }

    pub fn tanh(self) -> Self {
        self.map(Float::tanh_round)
    }

    pub fn sqrt(self) -> Self {
        self.map(Float::sqrt_round)
    }

    pub fn erf(self) -> Self {
        self.map(Float::erf_round)
    }

    /// 1 + erf, by the complement of the negated.
    pub fn erfc(self) -> Self {
        let Self { mut low, mut high } = self;
        low.erfc_round(Round::Up);
        high.erfc_round(Round::Down);
        Self::new(high, low)
    }

    pub fn is_negative(&self) -> bool {
        self.low < 0
    }

    pub fn is_positive(&self) -> bool {
        self.low > 0
    }

    fn extremes(self, other: Self, op: impl Fn(&mut Float, &Float, Round) -> Ordering) -> Self {
        let pairs = [
            (&self.low, &other.low),
            (&self.low, &other.high),
            (&self.high, &other.low),
            (&self.high, &other.high),
        ];
        let ends = |round| {
            pairs.map(|(a, b)| {
                let mut end = a.clone();
                op(&mut end, b, round);
                end
            })
        };
        let (down, up) = (ends(Round::Down), ends(Round::Up));
        if down.iter().chain(&up).any(Float::is_nan) {
            return Self::whole(self.low.prec());
        }
        let [mut low, ..] = down.clone();
        let [mut high, ..] = up.clone();
        for end in down {
            low = low.min(&end);
        }
        for end in up {
            high = high.max(&end);
        }
        Self { low, high }
    }
}

impl Add for Enclosure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let Self { mut low, mut high } = self;
        low.add_assign_round(&other.low, Round::Down);
        high.add_assign_round(&other.high, Round::Up);
        Self::new(low, high)
    }
}

impl Sub for Enclosure {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let Self { mut low, mut high } = self;
        low.sub_assign_round(&other.high, Round::Down);
        high.sub_assign_round(&other.low, Round::Up);
        Self::new(low, high)
    }
}

impl Neg for Enclosure {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }
}

impl Mul for Enclosure {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.extremes(other, |a, b, round| a.mul_assign_round(b, round))
    }
}

impl Div for Enclosure {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        if other.low <= 0 && other.high >= 0 {
            return Self::whole(self.low.prec());
        }
        self.extremes(other, |a, b, round| a.div_assign_round(b, round))
    }
}
