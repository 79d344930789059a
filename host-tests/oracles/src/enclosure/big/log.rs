//! The logarithm.
//!
//! `ln x = k ln 2 + 2 atanh z` with `z = (m - 1) / (m + 1)`, `x = m 2^k`, and
//! `atanh z = z * sum z^(2i) / (2i + 1)`. For `|z| < 2^t <= 1/4` the sum's remainder after `N`
//! terms is below `2^(2tN) / (1 - 1/16)`, so below `2^(2tN + 1)`.

use super::float::Float;
use super::interval::Interval;
use std::cell::RefCell;

impl Interval {
    /// `2 atanh z`.
    fn twice_atanh(z: &Self) -> Self {
        let t = z.top();
        if z.exactly().is_some_and(Float::is_zero) {
            return z.clone();
        }
        if t > -2 {
            return Self::whole(z.p);
        }
        let terms = (z.p as i64 / (-2 * t) + 1).unsigned_abs();
        let square = z.clone() * z.clone();
        let mut sum = Self::integer(0, z.p);
        for i in (0..terms).rev() {
            sum = Self::integer(1, z.p).over_int(2 * i + 1) + square.clone() * sum;
        }
        sum = sum + Self::error(2 * t * terms as i64 + 1, z.p);
        (z.clone() * sum).scaled_by(1)
    }

    pub(super) fn logarithm(&self) -> Self {
        let p = self.p;
        if !self.is_positive() {
            return Self::whole(p);
        }
        self.increasing(|x| {
            let w = p + 20;
            // m in [0.7, 1.42].
            let mut k = x.top();
            if x.scaled(-k).rough() < 0.71 {
                k -= 1;
            }
            let m = x.scaled(-k);
            let one = Float::integer(1);
            let z = Self::point(m.minus(&one), w) / Self::point(m.plus(&one), w);
            let ln_m = Self::twice_atanh(&z);
            let shifted = if k == 0 {
                ln_m
            } else {
                ln_m + Self::ln_2_at(w) * Self::integer(k, w)
            };
            shifted.at_most(p)
        })
    }

    /// `ln(1 + x)`, near zero by `z = x / (2 + x)`.
    pub(super) fn logarithm_of_1_plus(&self) -> Self {
        let p = self.p;
        self.increasing(|x| {
            if x.top() > -2 {
                return Self::point(x.plus(&Float::integer(1)), p).logarithm();
            }
            let w = p + 16;
            let z = Self::point(x.clone(), w) / Self::point(x.plus(&Float::integer(2)), w);
            Self::twice_atanh(&z).at_most(p)
        })
    }

    /// `ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)`.
    pub(super) fn ln_2_at(p: usize) -> Self {
        thread_local!(static BEST: RefCell<Option<Interval>> = const { RefCell::new(None) });
        constant(&BEST, p, |w| {
            let part = |n: i64, d: u64| {
                Self::twice_atanh(&Self::integer(1, w).over_int(d)) * Self::integer(n, w)
            };
            part(9, 26) - part(1, 4801) + part(4, 8749)
        })
    }
}

/// A constant at some precision, from the best enclosure computed so far on this thread.
pub(super) fn constant(
    best: &'static std::thread::LocalKey<RefCell<Option<Interval>>>,
    p: usize,
    compute: impl Fn(usize) -> Interval,
) -> Interval {
    best.with(|cell| {
        let mut slot = cell.borrow_mut();
        let enough = slot.as_ref().is_some_and(|known| known.p >= p + 8);
        if !enough {
            // Round precisions, so that this is rare.
            *slot = Some(compute((p + 8).next_multiple_of(256) + 256));
        }
        slot.as_ref().expect("just made").at(p)
    })
}
