//! Dyadic rationals of moderate length: every value and every rounding boundary of every format is
//! one.

use std::cmp::Ordering;

/// The number `m * 2^e`, not negative. Several pairs may represent the same number; equality and
/// order are those of the numbers.
///
/// `m` has at most 71 bits (the 53 bits of an f64, 17 more for the boundaries of stochastic
/// rounding, and one spare).
#[derive(Clone, Copy, Debug)]
pub struct Dyadic {
    pub m: u128,
    pub e: i32,
}

impl Dyadic {
    pub const ZERO: Self = Self { m: 0, e: 0 };

    #[must_use]
    pub const fn new(m: u128, e: i32) -> Self {
        Self { m, e }
    }

    /// `2^e`.
    #[must_use]
    pub const fn power_of_two(e: i32) -> Self {
        Self { m: 1, e }
    }

    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.m == 0
    }

    /// The `t` with `2^(t-1) <= self < 2^t`, for a value that is not zero.
    const fn top(self) -> i64 {
        (u128::BITS - self.m.leading_zeros()) as i64 + self.e as i64
    }

    /// The greatest `k` with `2^k <= self`, for a value that is not zero.
    ///
    /// # Panics
    ///
    /// On zero.
    #[must_use]
    pub fn floor_log2(self) -> i32 {
        assert!(!self.is_zero(), "zero has no logarithm");
        let k = i32::try_from(self.top() - 1).expect("exponents are moderate");
        assert!(Self::power_of_two(k) <= self && self < Self::power_of_two(k + 1));
        k
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_zero() || other.is_zero() {
            return other.is_zero().cmp(&self.is_zero());
        }
        self.top().cmp(&other.top()).then_with(|| {
            // In the same binade, so the exponents differ by at most the difference of the lengths,
            // and the shifted integer is as long as the other one.
            let low = self.e.min(other.e);
            (self.m << (self.e - low)).cmp(&(other.m << (other.e - low)))
        })
    }
}
