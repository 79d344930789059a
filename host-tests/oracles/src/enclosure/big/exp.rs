//! The exponential function.
//!
//! `e^x = 2^k (e^(r / 2^s))^(2^s)` with `r = x - k ln 2`, by Taylor's series. Its remainder after
//! `N` terms, for `|r| < 2^t <= 1/2`: `sum_{n>=N} |r|^n / n! <= 2^(tN) * (1 + 1/2 + 1/4 + ...)`,
//! so at most `2^(tN + 1)`.

use super::float::Float;
use super::interval::Interval;

/// An argument beyond this power of two is not reduced.
const LARGE: i64 = 14;

impl Interval {
    pub(super) fn exponential(&self) -> Self {
        let p = self.p;
        let Some((low, high)) = self.ends() else {
            return Self::whole(p);
        };
        if low.is_zero() && high.is_zero() {
            return Self::integer(1, p);
        }
        if self.top() > LARGE {
            // e^x < 2^x for x < 0; a larger argument is left open.
            let below = |x: &Float| x.is_negative() && x.top() > LARGE;
            return if below(high) {
                Self::new(
                    Float::integer(0),
                    Float::power_of_two(-(1 << (LARGE - 1))),
                    p,
                )
            } else if below(low) && high.top() <= LARGE {
                let top = Self::point(high.clone(), p).exponential();
                Self::hull(&Self::integer(0, p), &top)
            } else {
                Self::whole(p)
            };
        }
        let s = (p as f64).sqrt() as i64;
        let w = p + 2 * usize::try_from(s).expect("small") + 24;
        let k = (low.rough() * std::f64::consts::LOG2_E).round() as i64;
        let ln_2 = Self::ln_2_at(w + 32);
        let r = (self.at(w + 32) - ln_2 * Self::integer(k, w + 32))
            .scaled_by(-s)
            .at_most(w);
        let t = r.top();
        if t > -1 {
            return Self::whole(p);
        }
        let terms = w as i64 / -t + 2;
        let mut sum = Self::integer(1, w);
        for n in (1..terms).rev() {
            sum = (r.clone() * sum).over_int(n.unsigned_abs()).plus_int(1);
        }
        sum = sum + Self::error(t * terms + 1, w);
        for _ in 0..s {
            sum = sum.clone() * sum;
        }
        sum.scaled_by(k).at_most(p)
    }

    /// `e^x - 1`: for `|x| < 2^t <= 1/8` as `x (1 + x/2 (1 + x/3 (...)))`. The factor's remainder
    /// after `N` terms is below `2^(tN + 1)`, as above.
    pub(super) fn exponential_less_1(&self) -> Self {
        let p = self.p;
        let t = self.top();
        if self.exactly().is_some_and(Float::is_zero) {
            return self.clone();
        }
        if t > -3 {
            let mut wide = self.clone();
            wide.p = p + 8;
            return wide.exponential().plus_int(-1).at_most(p);
        }
        let w = p + 16;
        let x = self.at(w);
        let terms = w as i64 / -t + 2;
        let mut sum = Self::integer(1, w);
        for n in (2..=terms).rev() {
            sum = (x.clone() * sum).over_int(n.unsigned_abs()).plus_int(1);
        }
        sum = sum + Self::error(t * terms + 1, w);
        (x * sum).at_most(p)
    }
}
