//! The position of `head + tail` among a format's numbers.
//!
//! The rounding boundaries are f64s: a code's value has at most 24 bits, a midpoint 25, a boundary
//! of stochastic rounding 41, and their exponents are far inside f64's range, so each is computed
//! exactly.

use super::values::Values;
use crate::{Format, Fractions, Located, Place, Tiny};
use std::cmp::Ordering;

/// The result format, with what the search needs of it.
pub(super) struct Grid {
    pub format: &'static Format,
    values: &'static Values,
    /// The bits of an f64 that the format lacks.
    spare: u32,
    /// The f64 exponent and leading bits of the least normal number, as an integer, minus that
    /// number's code.
    offset: u64,
    least_normal: f64,
    /// 1 / the least magnitude.
    per_subnormal: f64,
}

/// A positive magnitude `head + tail`, where `head` is the magnitude rounded to f64.
struct Magnitude<T> {
    head: f64,
    /// The sign of the tail, requested only where it decides.
    tail: T,
}

impl<T: Fn() -> f64> Magnitude<T> {
    #[inline]
    fn compare(&self, cut: f64) -> Ordering {
        if self.head < cut {
            Ordering::Less
        } else if self.head > cut {
            Ordering::Greater
        } else {
            (self.tail)().total_cmp(&0.0)
        }
    }

    #[inline]
    fn place(&self, low: f64, high: f64) -> Place {
        let middle = 0.5 * (low + high);
        // The common case, separate because it has no unpredictable branch.
        if self.head != low && self.head != middle {
            return [Place::Below, Place::Above][usize::from(self.head > middle)];
        }
        if self.compare(low) == Ordering::Equal {
            return Place::Exact;
        }
        match self.compare(middle) {
            Ordering::Less => Place::Below,
            Ordering::Equal => Place::Middle,
            Ordering::Greater => Place::Above,
        }
    }

    /// The discarded fraction in 2^-16, rounded down: a guess, then corrected by comparisons.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a guess"
    )]
    fn fraction(&self, low: f64, high: f64) -> u16 {
        let unit = (high - low) * (1.0 / 65536.0);
        let below = |t: u16| self.compare(low + unit * f64::from(t)) == Ordering::Less;
        let mut t = ((self.head - low) / unit) as u16;
        while below(t) {
            t -= 1;
        }
        while t < u16::MAX && !below(t + 1) {
            t += 1;
        }
        t
    }
}

impl Grid {
    /// For a result format of up to 32 bits.
    pub fn new(format: &'static Format) -> Option<Self> {
        let values = match Values::of(format.ty)? {
            Values::F64 => return None,
            values => values,
        };
        let spare = 53 - format.precision;
        let least_normal = 2_f64.powi(format.emin);
        let least_code = 1 << (format.precision - 1);
        Some(Self {
            format,
            values,
            spare,
            offset: (least_normal.to_bits() >> spare) - least_code,
            least_normal,
            per_subnormal: 1.0 / values.load(1),
        })
    }

    /// Locates the value `head + tail`, which is not zero; `tail` returns a number with the tail's
    /// sign.
    #[inline]
    pub fn locate(&self, head: f64, tail: impl Fn() -> f64, fractions: bool) -> Located {
        let negative = head < 0.0;
        // The comparison below treats -0 and +0 as equal.
        let tail = || (if negative { -tail() } else { tail() }) + 0.0;
        self.magnitude(
            negative,
            &Magnitude {
                head: head.abs(),
                tail,
            },
            fractions,
        )
    }

    #[inline]
    fn magnitude<T: Fn() -> f64>(
        &self,
        negative: bool,
        x: &Magnitude<T>,
        fractions: bool,
    ) -> Located {
        let format = self.format;
        let value = |code| self.values.magnitude(code, format.largest);
        let mut code = self.guess(x.head).min(format.largest);
        // Checked: `low <= x < high`, for any guess.
        let (mut low, mut high) = (value(code), value(code + 1));
        while x.compare(low) == Ordering::Less {
            code -= 1;
            (low, high) = (value(code), low);
        }
        while x.compare(high) != Ordering::Less {
            if code == format.largest {
                return Located {
                    format,
                    negative,
                    code,
                    place: None,
                    tiny: Tiny::No,
                    fractions: None,
                };
            }
            code += 1;
            (low, high) = (high, value(code + 1));
        }
        let place = x.place(low, high);
        let (mut tiny, mut edge) = (Tiny::No, None);
        if low < self.least_normal {
            tiny = Tiny::Yes;
            // The last number of p bits below the least normal one is this gap's midpoint.
            let middle = 0.5 * (low + high);
            if high == self.least_normal && place == Place::Above {
                tiny = Tiny::Edge(x.place(middle, high));
                edge = Some(middle);
            }
        }
        let fractions = fractions.then(|| Fractions {
            gap: x.fraction(low, high),
            edge: edge.map_or(0, |middle| x.fraction(middle, high)),
        });
        Located {
            format,
            negative,
            code,
            place: Some(place),
            tiny,
            fractions,
        }
    }

    /// The code of the magnitude rounded toward zero, if the guess is correct.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a guess"
    )]
    #[inline]
    fn guess(&self, head: f64) -> u64 {
        if head >= self.least_normal {
            (head.to_bits() >> self.spare) - self.offset
        } else {
            (head * self.per_subnormal) as u64
        }
    }
}
