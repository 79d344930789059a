//! Numbers with 384-bit significands, which carry every intermediate result of this module.
//!
//! Products and sums of operands are exact here, or rounded to odd (the last bit is set where
//! anything was discarded), so that one rounding at the end gives the result of the exact value. A
//! rounding boundary of a result, multiplied by a block's scale, has at most 125 bits.
//!
//! The lowest limb is a guard: [`Real384::odd`] and [`Real384::inexact`] leave 320 bits, and quotients
//! and roots have errors below 2^-370. An exact quotient or root is recognised by multiplying back.

use super::constants::{INVERSE_PI_BITS, LN_2_BITS, PI_BITS, TWO_OVER_PI};
use super::real::Real;
use core::cmp::Ordering;

/// The limbs of a significand, the lowest first.
pub(super) const LIMBS: usize = 6;
/// The bits of a significand.
const BITS: i64 = 64 * LIMBS as i64;

type Limbs = [u64; LIMBS];

/// The largest exponent of an angle in radians.
pub(super) const LARGEST_ANGLE: i32 = 1536;
/// The limbs of 2/pi that make an angle's fraction, and those of its product with 128 bits.
const FACTOR: usize = 10;
const PRODUCT: usize = FACTOR + 2;

/// Plus or minus `limbs * 2^(exponent - 383)`; the top bit is set, except in zero, which is
/// positive and has no other representation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Real384 {
    pub(super) negative: bool,
    /// Of the top bit.
    pub(super) exponent: i64,
    pub(super) limbs: Limbs,
}

/// The limbs shifted to the right, and whether anything was lost.
fn shifted_right<const M: usize>(limbs: &[u64; M], places: u64) -> ([u64; M], bool) {
    let places = places.min(64 * M as u64);
    let (words, bits) = ((places / 64) as usize, (places % 64) as u32);
    let limb = |i: usize| limbs.get(i).copied().unwrap_or(0);
    let mut out = [0; M];
    for (i, limb_out) in out.iter_mut().enumerate() {
        let high = limb(i + words + 1).checked_shl(64 - bits).unwrap_or(0);
        *limb_out = limb(i + words) >> bits | high;
    }
    let lost = limbs.iter().take(words).any(|&limb| limb != 0)
        || limb(words).checked_shl(64 - bits).unwrap_or(0) != 0;
    (out, lost)
}

/// The limbs shifted to the left; what leaves at the top is lost.
pub(super) fn shifted_left<const M: usize>(limbs: &[u64; M], places: u64) -> [u64; M] {
    let places = places.min(64 * M as u64);
    let (words, bits) = ((places / 64) as usize, (places % 64) as u32);
    let limb = |i: Option<usize>| i.and_then(|i| limbs.get(i)).copied().unwrap_or(0);
    let mut out = [0; M];
    for (i, limb_out) in out.iter_mut().enumerate() {
        let low = limb(i.checked_sub(words + 1))
            .checked_shr(64 - bits)
            .unwrap_or(0);
        *limb_out = limb(i.checked_sub(words)) << bits | low;
    }
    out
}

fn leading_zeros<const M: usize>(limbs: &[u64; M]) -> u64 {
    let mut zeros = 0;
    for &limb in limbs.iter().rev() {
        zeros += u64::from(limb.leading_zeros());
        if limb != 0 {
            break;
        }
    }
    zeros
}

/// Adds with a carry in; returns the carry out.
fn add_limbs(to: &mut Limbs, other: &Limbs, carry: bool) -> bool {
    let mut carry = u128::from(carry);
    for (limb, &more) in to.iter_mut().zip(other) {
        let sum = u128::from(*limb) + u128::from(more) + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
    carry != 0
}

/// The whole product.
fn product(a: &Limbs, b: &Limbs) -> [u64; 2 * LIMBS] {
    let mut out = [0; 2 * LIMBS];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (limb, &y) in out.iter_mut().skip(i).zip(b.iter().chain(&[0])) {
            let sum = u128::from(x) * u128::from(y) + u128::from(*limb) + carry;
            *limb = sum as u64;
            carry = sum >> 64;
        }
    }
    out
}

/// The product; what leaves at the top is lost.
pub(super) fn times_u128<const M: usize>(limbs: &[u64; M], factor: u128) -> [u64; M] {
    let mut out = [0; M];
    for (i, word) in [factor as u64, (factor >> 64) as u64]
        .into_iter()
        .enumerate()
    {
        let mut carry = 0u128;
        for (limb, &x) in out.iter_mut().skip(i).zip(limbs) {
            let sum = u128::from(x) * u128::from(word) + u128::from(*limb) + carry;
            *limb = sum as u64;
            carry = sum >> 64;
        }
    }
    out
}

impl Real384 {
    /// A positive number of its normalised significand and exponent.
    pub(super) const fn of_limbs(limbs: Limbs, exponent: i64) -> Self {
        Self {
            negative: false,
            exponent,
            limbs,
        }
    }

    /// The integer times 2^unit.
    pub(super) fn new(negative: bool, integer: u128, unit: i64) -> Self {
        Self::from_limbs(
            negative,
            [integer as u64, (integer >> 64) as u64],
            unit,
            false,
        )
    }

    /// The integer, the lowest limb first, times 2^unit; rounded to odd where it has more than 384
    /// bits or where `rest` says that there was something below.
    pub(super) fn from_limbs<const M: usize>(
        negative: bool,
        integer: [u64; M],
        unit: i64,
        rest: bool,
    ) -> Self {
        let zeros = leading_zeros(&integer);
        if zeros == 64 * M as u64 {
            return Self::ZERO;
        }
        let shifted = shifted_left(&integer, zeros);
        let mut limbs = [0; LIMBS];
        let mut from = shifted.iter().rev();
        for (limb, &x) in limbs.iter_mut().rev().zip(from.by_ref()) {
            *limb = x;
        }
        if rest || from.any(|&limb| limb != 0) {
            set_last(&mut limbs);
        }
        Self {
            negative,
            exponent: unit + (64 * M as u64 - 1 - zeros) as i64,
            limbs,
        }
    }

    /// The upper 128 bits of the significand.
    pub(super) const fn top(&self) -> u128 {
        let [.., low, high] = self.limbs;
        (high as u128) << 64 | low as u128
    }

    /// Whether the significand has bits below its upper 128.
    pub(super) const fn has_more_than_top(&self) -> bool {
        let [a, b, c, d, ..] = self.limbs;
        a | b | c | d != 0
    }

    /// Whether the significand has bits below its upper 64.
    #[cfg(test)]
    pub(super) const fn has_more_than_high(&self) -> bool {
        self.has_more_than_top() || self.top() as u64 != 0
    }

    /// The exponent of the last bit that is set.
    pub(super) fn unit(&self) -> i64 {
        let mut zeros = 0;
        for limb in self.limbs {
            zeros += limb.trailing_zeros();
            if limb != 0 {
                break;
            }
        }
        self.exponent - (BITS - 1) + i64::from(zeros)
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// Whether the exact product is this number of at most 320 bits.
    fn is_product(&self, a: &Self, b: &Self) -> bool {
        let product = product(&a.limbs, &b.limbs);
        let unit = a.exponent + b.exponent - 2 * (BITS - 1);
        Self::from_limbs(a.negative != b.negative, product, unit, false) == *self
    }

    /// The nearest number of 320 bits.
    fn to_320_bits(self) -> Self {
        let [guard, rest @ ..] = self.limbs;
        let [a, b, c, d, e] = rest;
        let mut limbs = [0, a, b, c, d, e];
        if guard >> 63 != 0 && add_limbs(&mut limbs, &[0, 1, 0, 0, 0, 0], false) {
            return Self {
                limbs: Self::ONE.limbs,
                exponent: self.exponent + 1,
                ..self
            };
        }
        Self { limbs, ..self }
    }
}

impl Real for Real384 {
    const ZERO: Self = Self {
        negative: false,
        exponent: 0,
        limbs: [0; LIMBS],
    };
    const ONE: Self = Self::of_limbs([0, 0, 0, 0, 0, 1 << 63], 0);
    const HALF: Self = Self::of_limbs([0, 0, 0, 0, 0, 1 << 63], -1);
    const PI: Self = Self::of_limbs(PI_BITS, 1);
    const QUARTER_TURN: Self = Self::of_limbs(PI_BITS, 0);
    const INVERSE_PI: Self = Self::of_limbs(INVERSE_PI_BITS, -2);
    const LN_2: Self = Self::of_limbs(LN_2_BITS, -1);

    const SMALL: i64 = -170;
    const SMALL_FOR_SQUARE: i64 = -170;
    const SMALL_FOR_EVEN: i64 = -100;
    const LARGE: i64 = 36;
    const BEYOND: i64 = 1 << 40;
    const LAST: i64 = 390;
    const SQUARINGS: i64 = 16;

    fn from_small(integer: i64) -> Self {
        let magnitude = integer.unsigned_abs();
        if magnitude == 0 {
            return Self::ZERO;
        }
        let zeros = magnitude.leading_zeros();
        Self {
            negative: integer < 0,
            exponent: 63 - zeros as i64,
            limbs: [0, 0, 0, 0, 0, magnitude << zeros],
        }
    }

    fn is_zero(&self) -> bool {
        self.top() == 0
    }

    fn negate(self) -> Self {
        Self {
            negative: !self.negative && !self.is_zero(),
            ..self
        }
    }

    fn scaled(self, places: i64) -> Self {
        if self.is_zero() {
            return self;
        }
        Self {
            exponent: self.exponent + places,
            ..self
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .exponent
                .cmp(&other.exponent)
                .then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev())),
        }
    }

    fn times(&self, other: &Self) -> Self {
        let unit = self.exponent + other.exponent - 2 * (BITS - 1);
        let negative = self.negative != other.negative;
        Self::from_limbs(negative, product(&self.limbs, &other.limbs), unit, false)
    }

    fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return *other;
        }
        if other.is_zero() {
            return *self;
        }
        let (mut large, small) = match self.compare_magnitude(other) {
            Ordering::Less => (*other, self),
            _ => (*self, other),
        };
        let apart = large.exponent.abs_diff(small.exponent);
        let (mut shifted, lost) = shifted_right(&small.limbs, apart);
        if large.negative == small.negative {
            if add_limbs(&mut large.limbs, &shifted, false) {
                let (mut limbs, carried) = shifted_right(&large.limbs, 1);
                let [.., high] = &mut limbs;
                *high |= 1 << 63;
                if carried {
                    set_last(&mut limbs);
                }
                large.limbs = limbs;
                large.exponent += 1;
            }
            if lost {
                set_last(&mut large.limbs);
            }
            return large;
        }
        // Minus what is lost is one unit less, and then something more.
        for limb in &mut shifted {
            *limb = !*limb;
        }
        add_limbs(&mut large.limbs, &shifted, !lost);
        Self::from_limbs(
            large.negative,
            large.limbs,
            large.exponent - (BITS - 1),
            lost,
        )
    }

    fn over_small(&self, divisor: u32) -> Self {
        let divisor = u128::from(divisor.max(1));
        let mut limbs = [0u64; LIMBS + 1];
        let mut rest = 0u128;
        for (limb, &x) in limbs
            .iter_mut()
            .rev()
            .zip(self.limbs.iter().rev().chain(&[0]))
        {
            let part = rest << 64 | u128::from(x);
            *limb = (part / divisor) as u64;
            rest = part % divisor;
        }
        Self::from_limbs(self.negative, limbs, self.exponent - (BITS - 1) - 64, false)
    }

    fn over(&self, divisor: &Self) -> Self {
        if self.is_zero() {
            return *self;
        }
        let quotient = self.over_nearly(divisor);
        let nearest = quotient.to_320_bits();
        if self.is_product(&nearest, divisor) {
            nearest
        } else {
            quotient.inexact()
        }
    }

    fn over_nearly(&self, divisor: &Self) -> Self {
        self.times(&divisor.reciprocal())
    }

    fn root(&self) -> Self {
        let root = self.root_nearly();
        let nearest = root.to_320_bits();
        if self.is_product(&nearest, &nearest) {
            nearest
        } else {
            root.inexact()
        }
    }

    fn root_nearly(&self) -> Self {
        if self.is_zero() {
            return *self;
        }
        self.times(&self.reciprocal_root())
    }

    fn reciprocal_root(&self) -> Self {
        let odd = self.exponent & 1;
        // From 2^126 up to 2^128, in units of 2^-126 of a number from 1 up to 4.
        let root = (self.top() >> (1 - odd)).isqrt();
        let first = u128::MAX / (root | 1 << 63);
        // 2^128 / (root * 2^-63) is in units of 2^-128.
        let mut y = Self::new(false, first, 63 - 128 - ((self.exponent - odd) >> 1));
        for _ in 0..3 {
            let rest = Self::ONE.minus(&self.times(&y.times(&y)));
            y = y.plus(&y.times(&rest).scaled(-1));
        }
        y
    }

    fn reciprocal(&self) -> Self {
        let [.., high] = self.limbs;
        let first = u128::MAX / u128::from(high | 1 << 63);
        let mut r = Self::new(self.negative, first, 63 - 128 - self.exponent);
        for _ in 0..3 {
            r = r.plus(&r.times(&Self::ONE.minus(&self.times(&r))));
        }
        r
    }

    fn odd(self) -> Self {
        let [guard, ..] = self.limbs;
        if guard == 0 { self } else { self.inexact() }
    }

    fn inexact(self) -> Self {
        let [_, a, b, c, d, e] = self.limbs;
        Self {
            limbs: [0, a | 1, b, c, d, e],
            ..self
        }
    }

    fn next_to(self, greater: bool) -> Self {
        let tiny = Self::ONE.scaled(self.exponent - 330);
        let tiny = tiny.negate_if(self.negative == greater);
        self.plus(&tiny).inexact()
    }

    fn is_negative(&self) -> bool {
        self.negative
    }

    fn exponent(&self) -> i64 {
        self.exponent
    }

    fn high(&self) -> u64 {
        let [.., high] = self.limbs;
        high
    }

    fn modulo_four(&self) -> Self {
        let Ok(places @ 1..) = u64::try_from(self.exponent - 1) else {
            return *self;
        };
        let rest = shifted_left(&self.limbs, places);
        Self::from_limbs(self.negative, rest, 2 - BITS, false)
    }

    /// Of an operand below 2^1537 of at most 112 bits.
    fn quarter_turns(&self) -> (i64, Self) {
        // The angle is `integer * 2^unit`. Bits of 2/pi above 2^(1 - unit) make whole turns.
        let (integer, unit) = (self.top() >> 16, self.exponent - 111);
        let skipped = (unit - 2).max(0) as u64;
        let first = (skipped / 64) as usize;
        let mut bits = [0u64; PRODUCT];
        let wanted = TWO_OVER_PI.iter().skip(first).take(FACTOR);
        for (limb, &word) in bits.iter_mut().rev().skip(PRODUCT - FACTOR).zip(wanted) {
            *limb = word;
        }
        let fraction_bits = 64 * (first + FACTOR) as i64 - unit;
        let product = times_u128(&bits, integer);
        // The two bits above the point move to the top.
        let total = 64 * PRODUCT as i64;
        let mut rest = shifted_left(&product, (total - 2 - fraction_bits).max(0) as u64);
        let [.., high] = &mut rest;
        let whole = (*high >> 62) as i64;
        *high &= u64::MAX >> 2;
        let rest = Self::from_limbs(false, rest, 2 - total, false);
        // The nearest integer.
        let up = rest.exponent >= -1 && !rest.is_zero();
        let rest = if up { rest.minus(&Self::ONE) } else { rest };
        (whole + i64::from(up), rest)
    }
}

/// Rounds to odd what something was discarded from.
fn set_last(limbs: &mut Limbs) {
    let [last, ..] = limbs;
    *last |= 1;
}
