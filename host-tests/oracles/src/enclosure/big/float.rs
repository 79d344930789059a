//! Dyadic rationals of any length, with exact sums and products, and quotients and square roots
//! truncated in a given direction.

use crate::Dyadic;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem, SquareRootRem};
use std::cmp::Ordering;

/// A direction on the real line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toward {
    Negative,
    Positive,
}

/// `m * 2^e`, or its negative.
#[derive(Clone, Debug)]
pub struct Float {
    negative: bool,
    m: UBig,
    e: i64,
}

fn length(m: &UBig) -> i64 {
    i64::try_from(m.bit_len()).expect("fits in memory")
}

fn shift(distance: i64) -> usize {
    usize::try_from(distance).expect("not negative")
}

impl Float {
    #[must_use]
    pub fn new(negative: bool, m: UBig, e: i64) -> Self {
        Self {
            negative: negative && !m.is_zero(),
            m,
            e,
        }
    }

    #[must_use]
    pub fn of(negative: bool, magnitude: Dyadic) -> Self {
        Self::new(negative, UBig::from(magnitude.m), i64::from(magnitude.e))
    }

    #[must_use]
    pub fn integer(n: i64) -> Self {
        Self::new(n < 0, UBig::from(n.unsigned_abs()), 0)
    }

    /// `2^e`.
    #[must_use]
    pub fn power_of_two(e: i64) -> Self {
        Self::new(false, UBig::ONE, e)
    }

    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.m.is_zero()
    }

    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// The `t` with `2^(t-1) <= |self| < 2^t`; for zero, a very small number.
    #[must_use]
    pub fn top(&self) -> i64 {
        if self.is_zero() {
            i64::MIN / 4
        } else {
            length(&self.m) + self.e
        }
    }

    #[must_use]
    pub fn negated(&self) -> Self {
        Self::new(!self.negative, self.m.clone(), self.e)
    }

    #[must_use]
    pub fn absolute(&self) -> Self {
        Self::new(false, self.m.clone(), self.e)
    }

    /// `self * 2^n`.
    #[must_use]
    pub fn scaled(&self, n: i64) -> Self {
        Self::new(self.negative, self.m.clone(), self.e + n)
    }

    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let e = self.e.min(other.e);
        let a = &self.m << shift(self.e - e);
        let b = &other.m << shift(other.e - e);
        if self.negative == other.negative {
            Self::new(self.negative, a + b, e)
        } else if a >= b {
            Self::new(self.negative, a - b, e)
        } else {
            Self::new(other.negative, b - a, e)
        }
    }

    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self::new(
            self.negative != other.negative,
            &self.m * &other.m,
            self.e + other.e,
        )
    }

    /// The number truncated to `p` bits.
    #[must_use]
    pub fn cut(self, p: usize, toward: Toward) -> Self {
        let excess = length(&self.m) - i64::try_from(p).expect("moderate");
        if excess <= 0 {
            return self;
        }
        let low = shift(excess);
        let up = self.away(toward) && self.m.trailing_zeros().is_some_and(|zeros| zeros < low);
        let mut m = self.m >> low;
        if up {
            m += 1_u8;
        }
        Self::new(self.negative, m, self.e + excess)
    }

    /// Whether the direction is away from zero.
    const fn away(&self, toward: Toward) -> bool {
        matches!(toward, Toward::Negative) == self.negative
    }

    /// The quotient, truncated to at least `p` bits.
    ///
    /// # Panics
    ///
    /// If the divisor is zero.
    #[must_use]
    pub fn over(&self, divisor: &Self, p: usize, toward: Toward) -> Self {
        let digits = i64::try_from(p).expect("moderate");
        let k = (digits + 1 + length(&divisor.m) - length(&self.m)).max(0);
        let (q, r) = (&self.m << shift(k)).div_rem(&divisor.m);
        let mut quotient = Self {
            negative: self.negative != divisor.negative,
            m: q,
            e: self.e - divisor.e - k,
        };
        if !r.is_zero() && quotient.away(toward) {
            quotient.m += 1_u8;
        }
        Self::new(quotient.negative, quotient.m, quotient.e)
    }

    /// The square root of a value that is not negative, with at least `p` bits.
    ///
    /// # Panics
    ///
    /// If the value is negative.
    #[must_use]
    pub fn root(&self, p: usize, toward: Toward) -> Self {
        assert!(!self.negative, "a square root of a negative number");
        let digits = i64::try_from(p).expect("moderate");
        let mut k = (2 * digits + 2 - length(&self.m)).max(0);
        if (self.e - k) % 2 != 0 {
            k += 1;
        }
        let (root, rest) = (&self.m << shift(k)).sqrt_rem();
        let root = if !rest.is_zero() && toward == Toward::Positive {
            root + 1_u8
        } else {
            root
        };
        Self::new(false, root, (self.e - k) / 2)
    }

    /// The greatest integer that is not above the number.
    #[must_use]
    pub fn floor(&self) -> Self {
        if self.e >= 0 {
            return self.clone();
        }
        let low = shift(-self.e);
        let up = self.negative && self.m.trailing_zeros().is_some_and(|zeros| zeros < low);
        let mut m = &self.m >> low;
        if up {
            m += 1_u8;
        }
        Self::new(self.negative, m, 0)
    }

    /// The remainder of an integer modulo 4.
    ///
    /// # Panics
    ///
    /// If it is not an integer.
    #[must_use]
    pub fn modulo_4(&self) -> u8 {
        assert!(self.e >= 0, "an integer");
        let low = u8::from(self.e == 0 && self.m.bit(0))
            + 2 * u8::from(match self.e {
                0 => self.m.bit(1),
                1 => self.m.bit(0),
                _ => false,
            });
        if self.negative { (4 - low) % 4 } else { low }
    }

    /// Whether it is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.is_zero() || self.e + self.trailing_zeros() >= 0
    }

    fn trailing_zeros(&self) -> i64 {
        self.m
            .trailing_zeros()
            .map_or(0, |zeros| i64::try_from(zeros).expect("moderate"))
    }

    /// The odd integer `m` and the `e` with `|self| = m * 2^e`, for a number that is not zero.
    #[must_use]
    pub fn odd(&self) -> (UBig, i64) {
        let zeros = self.trailing_zeros();
        (&self.m >> shift(zeros), self.e + zeros)
    }

    /// The value, if it is an integer of moderate size.
    #[must_use]
    pub fn small_integer(&self) -> Option<i64> {
        if self.is_zero() {
            return Some(0);
        }
        if !self.is_integer() || self.top() > 62 {
            return None;
        }
        let (m, e) = self.odd();
        let magnitude = i64::try_from(m << shift(e)).ok()?;
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// An approximation of the value.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a hint")]
    pub fn rough(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let excess = length(&self.m) - 60;
        let m = if excess > 0 {
            &self.m >> shift(excess)
        } else {
            self.m.clone()
        };
        let e = self.e + excess.max(0);
        let m = u64::try_from(m).expect("60 bits") as f64;
        let e = i32::try_from(e.clamp(-3000, 3000)).expect("clamped");
        // Two steps: 2^e alone may leave f64's range where the product does not.
        let half = e / 2;
        let magnitude = m * 2_f64.powi(half) * 2_f64.powi(e - half);
        if self.negative { -magnitude } else { magnitude }
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => return Ordering::Greater,
            (true, false) => return Ordering::Less,
            _ => {}
        }
        let magnitudes = self.top().cmp(&other.top()).then_with(|| {
            let e = self.e.min(other.e);
            (&self.m << shift(self.e - e)).cmp(&(&other.m << shift(other.e - e)))
        });
        if self.negative {
            magnitudes.reverse()
        } else {
            magnitudes
        }
    }
}
