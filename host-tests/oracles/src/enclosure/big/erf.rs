//! The error function, its complement and its inverse.
//!
//! `erf x = 2/sqrt(pi) e^(-x^2) sum_{n>=0} t_n` with `t_0 = x`, `t_(n+1) = t_n 2x^2 / (2n + 3)`:
//! for `x > 0` all terms are positive, so nothing cancels. Once `2x^2 / (2n + 3) <= 1/2`, the
//! remainder of the sum is at most `2 t_(n+1)`; the sum ends where that is below the precision.
//!
//! `erfc x = 1 - erf x`, with as many more bits of precision as cancel (`x^2 log2 e` and a few).
//!
//! `erfinv x`: Newton's iteration from an f64 finds a number, and `erf` at two numbers beside it
//! says that the value is between them.
//!
//! Checked once against MPFR 4.2.2 (through gmpy2 2.3.2, at 640 bits): the positions of `erf` and
//! `erfc` at every 7th finite input of f16 and of bf16, with 0 differences. The points of
//! `host-tests/tests/reference` repeat a part of that in every test run, and the feature `mpfr` all
//! of it.

use super::float::{Float, Toward};
use super::interval::Interval;
use crate::enclosure::elementary;
use crate::enclosure::number::Real;

/// Arguments from here on are not computed: `erfc(2^7) < e^(-2^14)`.
const LARGE: i64 = 7;

impl Interval {
    /// The value at a point.
    fn erf_of(x: &Float, p: usize) -> Self {
        if x.is_zero() {
            return Self::point(x.clone(), p);
        }
        if x.is_negative() {
            return -Self::erf_of(&x.negated(), p);
        }
        if x.top() > LARGE {
            let low = Float::integer(1).minus(&Float::power_of_two(-(1 << (2 * LARGE - 2))));
            return Self::new(low, Float::integer(1), p);
        }
        let w = p + 24;
        let point = Self::point(x.clone(), w);
        let square = point.clone() * point.clone();
        let double = square.scaled_by(1);
        let mut term = point;
        let mut sum = term.clone();
        let bound = x.rough().powi(2) * 2.0 + 1e-9;
        for n in 0_u64.. {
            term = (term * double.clone()).over_int(2 * n + 3);
            let small = term.top() < sum.top() - w as i64;
            if small && bound < 0.5 * (2 * n + 5) as f64 {
                // The remainder, `term` included, lies in (0, 2 term).
                let (_, high) = term.ends().expect("of a moderate argument");
                let rest = Self::new(Float::integer(0), high.scaled(1), w);
                sum = sum + rest;
                break;
            }
            sum = sum + term.clone();
        }
        let factor = (-square).exponential() / Self::pi_at(w).root();
        let product = (sum * factor).scaled_by(1).at_most(p);
        // Not above 1, however close.
        match &product.ends {
            Some((low, high)) if *high > Float::integer(1) => {
                Self::new(low.clone().min(Float::integer(1)), Float::integer(1), p)
            }
            _ => product,
        }
    }

    pub(super) fn error_function(&self) -> Self {
        let p = self.p;
        self.increasing(|x| Self::erf_of(x, p))
    }

    fn erfc_of(x: &Float, p: usize) -> Self {
        if x.is_negative() || x.top() < 0 {
            return (-Self::erf_of(x, p)).plus_int(1);
        }
        if x.top() > LARGE {
            let bound = Float::power_of_two(-(1 << (2 * LARGE - 2)));
            return Self::new(Float::integer(0), bound, p);
        }
        let x_up = x.clone().cut(40, Toward::Positive).rough();
        let lost = (x_up * x_up * std::f64::consts::LOG2_E + x_up.log2().max(0.0) + 8.0) as usize;
        (-Self::erf_of(x, p + lost)).plus_int(1).at_most(p)
    }

    pub(super) fn complementary_error_function(&self) -> Self {
        let p = self.p;
        -self.increasing(|x| -Self::erfc_of(x, p))
    }

    /// Of a point between -1 and 1.
    pub(super) fn inverse_error_function(&self) -> Self {
        let p = self.p;
        let x = self.exactly().expect("a point");
        if x.is_negative() {
            return -(-self.clone()).inverse_error_function();
        }
        let w = p + 32;
        let root = Self::pi_at(w).root().scaled_by(-1);
        let mut y = of_f64(elementary::erf_inv(x.rough()));
        // Each step doubles the bits, from about 40.
        for _ in 0..w.ilog2() {
            let point = Self::point(y.clone(), w);
            let short = Self::point(x.clone(), w) - Self::erf_of(&y, w);
            let step = short * point.square().exponential() * root.clone();
            let (low, _) = step.ends().expect("of a moderate argument");
            y = y.plus(low).cut(w, Toward::Negative);
        }
        for reach in (4..).step_by(4) {
            let reach = y.scaled(reach - p as i64);
            let (least, most) = (y.minus(&reach), y.plus(&reach));
            let below = Self::erf_of(&least, w)
                .ends()
                .is_some_and(|(_, high)| high <= x);
            if below
                && Self::erf_of(&most, w)
                    .ends()
                    .is_some_and(|(low, _)| low >= x)
            {
                return Self::new(least, most, p);
            }
        }
        unreachable!("zero is below, and 8 times the value above")
    }
}

/// A positive number.
fn of_f64(x: f64) -> Float {
    let bits = x.to_bits();
    let m = bits & ((1 << 52) - 1) | 1 << 52;
    Float::new(false, m.into(), (bits >> 52).cast_signed() - 1075)
}
