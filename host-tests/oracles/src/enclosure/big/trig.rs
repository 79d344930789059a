//! Sine, cosine, arc tangent, and pi.
//!
//! - Arc tangent: `|z|` is reduced to below 1/8 by `atan z = 2 atan(z / (1 + sqrt(1 + z^2)))`,
//!   above 1 first by `atan z = pi/2 - atan(1/z)`. The series `sum (-1)^i z^(2i) / (2i + 1)` has,
//!   after `N` terms and for `|z| < 2^t`, a remainder below `2^(2tN + 1)`.
//! - Sine and cosine: `x = k pi/2 + r` with an integer `k` of any length and pi to that many more
//!   bits; then `sin r / r` and `cos r` by Taylor's series. For `|r| < 2^t <= 1` the remainder
//!   after `N` terms is below `2 * 2^(2tN) / (2N)!`.
//! - Pi by Machin's formula: `16 atan(1/5) - 4 atan(1/239)`.

use super::float::{Float, Toward};
use super::interval::Interval;
use super::log::constant;
use std::cell::RefCell;

impl Interval {
    /// The series alone.
    fn short_atan(z: &Self) -> Self {
        let t = z.top();
        if z.exactly().is_some_and(Float::is_zero) {
            return z.clone();
        }
        assert!(t <= -2, "the argument is reduced");
        let terms = (z.p as i64 / (-2 * t) + 1).unsigned_abs();
        let square = z.clone() * z.clone();
        let mut sum = Self::integer(0, z.p);
        for i in (0..terms).rev() {
            sum = Self::integer(1, z.p).over_int(2 * i + 1) - square.clone() * sum;
        }
        sum = sum + Self::error(2 * t * terms as i64 + 1, z.p);
        z.clone() * sum
    }

    pub(super) fn arc_tangent(&self) -> Self {
        let p = self.p;
        self.increasing(|x| {
            let w = p + 24;
            let point = Self::point(x.clone(), w);
            if x.absolute() > Float::integer(1) {
                let rest = Self::halved_atan(&(Self::integer(1, w) / point));
                let right = Self::pi_at(w).scaled_by(-1);
                return if x.is_negative() {
                    -right - rest
                } else {
                    right - rest
                }
                .at_most(p);
            }
            Self::halved_atan(&point).at_most(p)
        })
    }

    fn halved_atan(z: &Self) -> Self {
        let mut z = z.clone();
        let mut halvings = 0;
        while z.top() > -3 {
            let root = (z.clone() * z.clone()).plus_int(1).root();
            z = z / root.plus_int(1);
            halvings += 1;
        }
        Self::short_atan(&z).scaled_by(halvings)
    }

    pub fn pi_at(p: usize) -> Self {
        thread_local!(static BEST: RefCell<Option<Interval>> = const { RefCell::new(None) });
        constant(&BEST, p, |w| {
            let part = |n: i64, d: u64| {
                Self::short_atan(&Self::integer(1, w).over_int(d)) * Self::integer(n, w)
            };
            part(16, 5) - part(4, 239)
        })
    }

    /// `(k mod 4, sin r, cos r)` with `x = k pi/2 + r`.
    fn reduced(&self) -> Option<(u8, Self, Self)> {
        let (low, _) = self.ends()?;
        let spare = usize::try_from(self.top().max(0)).ok()?;
        let w = self.p + 24;
        let wide = w + spare;
        let right = Self::pi_at(wide).scaled_by(-1);
        let (right_low, _) = right.ends()?;
        // Any integer close to it will do.
        let half = Float::new(false, dashu_int::UBig::ONE, -1);
        let k = low
            .over(right_low, spare + 8, Toward::Negative)
            .plus(&half)
            .floor();
        let r = if k.is_zero() {
            self.at(w)
        } else {
            (self.at(wide) - right * Self::point(k.clone(), wide)).at_most(w)
        };
        let t = r.top();
        if t > 0 {
            return None;
        }
        // The least N with 2^(2tN) / (2N)! < 2^-w.
        let (mut terms, mut bits) = (0_u64, 0.0_f64);
        while bits < w as f64 + 4.0 {
            terms += 1;
            let n = 2.0 * terms as f64;
            bits += (n * (n - 1.0)).log2() - 2.0 * t as f64;
        }
        let error = Self::error(-(w as i64), w);
        let square = r.clone() * r.clone();
        let mut sine = Self::integer(1, w);
        let mut cosine = Self::integer(1, w);
        for i in (1..terms).rev() {
            let one = || Self::integer(1, w);
            sine = one() - (square.clone() * sine).over_int(2 * i * (2 * i + 1));
            cosine = one() - (square.clone() * cosine).over_int(2 * i * (2 * i - 1));
        }
        Some((k.modulo_4(), r * (sine + error.clone()), cosine + error))
    }

    pub(super) fn sine_and_cosine(&self) -> (Self, Self) {
        let (sine, cosine) = match self.reduced() {
            None => (Self::whole(self.p), Self::whole(self.p)),
            Some((0, sine, cosine)) => (sine, cosine),
            Some((1, sine, cosine)) => (cosine, -sine),
            Some((2, sine, cosine)) => (-sine, -cosine),
            Some((_, sine, cosine)) => (-cosine, sine),
        };
        (sine.at_most(self.p), cosine.at_most(self.p))
    }
}
