//! Exact sums and products of any number of values, rounded once.

use super::number::Number::{self, Finite, Infinite, Nan};
use super::real::Real;
use super::real384::{Real384, times_u128};

/// The bits of a term that are added at a time.
const WINDOW: i64 = 32;
/// The bits of the accumulator that are moved to the head.
const HEAD: u32 = 320;
/// From so many bits on the accumulator's sign is the sum's: below its last bit there is less than
/// 2^32, which is the number of terms.
const DECIDED: u32 = 34;
/// The most bits of an accumulator before a window is added.
const FULL: i64 = 470;

/// A signed integer of 512 bits.
#[derive(Clone, Copy)]
struct Accumulator([u64; 8]);

impl Accumulator {
    fn is_zero(&self) -> bool {
        self.0 == [0; 8]
    }

    fn is_negative(&self) -> bool {
        let [.., high] = self.0;
        high >> 63 != 0
    }

    fn negate(self) -> Self {
        let mut carry = true;
        Self(self.0.map(|limb| {
            let (limb, next) = (!limb).overflowing_add(u64::from(carry));
            carry = next;
            limb
        }))
    }

    fn magnitude(self) -> Self {
        if self.is_negative() {
            self.negate()
        } else {
            self
        }
    }

    /// The bits of the magnitude.
    fn bits(self) -> u32 {
        let mut bits = 512;
        for limb in self.magnitude().0.iter().rev() {
            bits -= limb.leading_zeros();
            if *limb != 0 {
                break;
            }
        }
        bits
    }

    fn plus(mut self, other: Self) -> Self {
        let mut carry = false;
        for (limb, other) in self.0.iter_mut().zip(other.0) {
            let (sum, first) = limb.overflowing_add(other);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = first | second;
        }
        self
    }

    const fn of(integer: i128) -> Self {
        let extended = (integer >> 127) as u64;
        let (low, high) = (integer as u64, (integer >> 64) as u64);
        let e = extended;
        Self([low, high, e, e, e, e, e, e])
    }

    /// Times 2^places, which must fit.
    fn shift(self, places: u64) -> Self {
        Self(super::real384::shifted_left(&self.0, places))
    }

    /// As a number, of at most 384 bits.
    fn to_wide(self, unit: i64) -> Real384 {
        Real384::from_limbs(self.is_negative(), self.magnitude().0, unit, false)
    }

    /// The nearest integer of [`HEAD`] bits, and what is left.
    fn split(self) -> (Self, Self) {
        let negative = self.is_negative();
        let low = u64::from(self.bits().saturating_sub(HEAD));
        let half = Self([1, 0, 0, 0, 0, 0, 0, 0])
            .shift(low)
            .map_limbs(|limb, above| limb >> 1 | above << 63);
        let above = self.magnitude().plus(half);
        // All ones below 2^low.
        let mask = Self([1, 0, 0, 0, 0, 0, 0, 0])
            .shift(low)
            .plus(Self([u64::MAX; 8]));
        let mut head = above;
        for (limb, mask) in head.0.iter_mut().zip(mask.0) {
            *limb &= !mask;
        }
        let head = if negative { head.negate() } else { head };
        (head, self.plus(head.negate()))
    }

    /// Each limb and the one above it make a new limb.
    fn map_limbs(self, f: impl Fn(u64, u64) -> u64) -> Self {
        let above = self.0.into_iter().skip(1).chain([0]);
        let mut out = self;
        for (limb, above) in out.0.iter_mut().zip(above) {
            *limb = f(*limb, above);
        }
        out
    }
}

/// The bits of a term from `WINDOW * window` on, with its sign.
fn digits(x: &Real384, window: i64) -> i128 {
    // The distance of the window's last bit from the term's first.
    let below = x.exponent - window * WINDOW;
    let Ok(places) = u64::try_from(below) else {
        return 0;
    };
    // Move the window to the top 32 bits.
    let digits = if places < WINDOW as u64 - 1 {
        x.top() >> 96 >> (WINDOW as u64 - 1 - places)
    } else {
        let shifted = super::real384::shifted_left(&x.limbs, places + 1 - WINDOW as u64);
        let [.., high] = shifted;
        u128::from(high >> 32)
    };
    if x.negative {
        -(digits as i128)
    } else {
        digits as i128
    }
}

/// The highest window below `before` in which the term may have bits.
fn next_window(x: &Real384, before: i64) -> Option<i64> {
    let first = x.exponent.div_euclid(WINDOW);
    let last = x.unit().div_euclid(WINDOW);
    if x.is_zero() || before <= last {
        None
    } else {
        Some(first.min(before - 1))
    }
}

/// The exact sum of fewer than 2^32 numbers of at most 320 bits, rounded to odd in 320 bits.
///
/// Windows of 32 bits are added from the top. When the accumulator is full, its head is set aside;
/// what is left decides only on which side of the head the sum is, or that it is the head.
fn sum_of_finite(terms: impl Iterator<Item = Real384> + Clone) -> Real384 {
    let mut head: Option<Real384> = None;
    let mut sum = Accumulator([0; 8]);
    let mut window = i64::MAX;
    loop {
        let next = terms
            .clone()
            .filter_map(|term| next_window(&term, window))
            .max();
        let apart = next.map_or(0, |next| window.saturating_sub(next));
        // What is left is less than one of the accumulator's units, or there is nothing.
        let full = i64::from(sum.bits()).saturating_add(apart.saturating_mul(WINDOW)) > FULL;
        if !sum.is_zero() && (next.is_none() || full) {
            let rest = sum.to_wide(window * WINDOW);
            match head {
                Some(head) => return head.next_to(head.negative == rest.negative),
                None => head = Some(rest),
            }
            sum = Accumulator([0; 8]);
        }
        let Some(next) = next else {
            return head.unwrap_or(Real384::ZERO);
        };
        if !sum.is_zero() {
            sum = sum.shift((apart * WINDOW) as u64);
        }
        window = next;
        let added = terms.clone().map(|term| digits(&term, window)).sum();
        sum = sum.plus(Accumulator::of(added));
        match head {
            Some(head) => {
                if sum.bits() > DECIDED {
                    return head.next_to(head.negative == sum.is_negative());
                }
            }
            None => {
                if sum.bits() > HEAD {
                    let (upper, lower) = sum.split();
                    head = Some(upper.to_wide(window * WINDOW));
                    sum = lower;
                }
            }
        }
    }
}

/// The sum by the rules of Add. The order does not matter.
pub(super) fn sum(terms: impl Iterator<Item = Number> + Clone) -> Number {
    let mut infinity = None;
    for term in terms.clone() {
        match (term, infinity) {
            (Nan, _) => return Nan,
            (Infinite(a), Some(b)) if a != b => {
                // A later NaN makes no difference.
                return Nan;
            }
            (Infinite(a), _) => infinity = Some(a),
            (Finite(_), _) => {}
        }
    }
    match infinity {
        Some(negative) => Infinite(negative),
        None => Finite(sum_of_finite(terms.filter_map(|term| match term {
            Finite(x) => Some(x),
            _ => None,
        }))),
    }
}

/// The limbs of an exact product.
const PRODUCT: usize = 64;

/// The product by the rules of Multiply of numbers of at most 128 bits. The order does not matter.
///
/// It is exact up to 4096 bits, not counting factors of two: that is 128 factors of 32 bits. Beyond
/// that it is truncated to no fewer than 3968 bits, which is odd at the end and so is no rounding
/// boundary.
pub(super) fn product(factors: impl Iterator<Item = Number>) -> Number {
    let mut integer = [0u64; PRODUCT];
    let [first, ..] = &mut integer;
    *first = 1;
    let (mut special, mut rest, mut unit, mut negative) = (Number::ONE, false, 0, false);
    for factor in factors {
        let Finite(x) = factor else {
            special = special.times(factor);
            continue;
        };
        if x.is_zero() {
            special = special.times(factor);
            continue;
        }
        negative ^= x.negative;
        let places = x.top().trailing_zeros();
        unit += x.exponent - 127 + i64::from(places);
        integer = times_u128(&integer, x.top() >> places);
        let [low, next, .., a, b] = integer;
        if a | b != 0 {
            rest |= low | next != 0;
            let upper = integer.into_iter().skip(2).chain([0, 0]);
            let mut shifted = integer;
            for (limb, upper) in shifted.iter_mut().zip(upper) {
                *limb = upper;
            }
            integer = shifted;
            unit += 128;
        }
    }
    let sign = if negative {
        Number::ONE.negate()
    } else {
        Number::ONE
    };
    match special {
        Finite(x) if !x.is_zero() => {
            Finite(Real384::from_limbs(negative, integer, unit, rest).odd())
        }
        special => special.times(sign),
    }
}
