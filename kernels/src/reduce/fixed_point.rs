//! Sums in fixed point: what the exact accumulators are made of.
//!
//! Method (Kulisch): the sum is an integer times a unit that the owner knows, and is kept whole:
//! two's complement digits of 32 bits, each in a word of 64, so that an addition touches two or
//! three digits and carries wait. A carry pass after 2^29 additions, and before any other use,
//! brings the digits below the top one back below 2^32. The window of the 64 leading digits and a
//! jam bit is then rounded once.
//!
//! Why it is exact: integer addition is, and nothing overflows. An addition changes a digit by less
//! than 2^33, so a digit stays below 2^32 + 2^29 * 2^33 < 2^63 between carry passes. That the top
//! one, which is never brought back, has room for all terms is the owner's affair.
//!
//! Why the result depends on the terms alone: the integer does not depend on the order of integer
//! additions, and what else is kept is a set of what was seen.
//!
//! As words, digits below the top one are less than 2^32 in magnitude: 2^30 sums' words add up below
//! 2^62, and a carry pass makes them digits again.

use core::num::NonZeroU32;

use super::ReduceError;
use crate::Status;
use crate::format::Format;
use crate::round::{Exact, Kind, Rule};

/// Bits of a digit.
pub(super) const DIGIT: u32 = 32;
const DIGIT_MASK: i64 = (1 << DIGIT) - 1;

/// Additions between two carry passes.
const PENDING: u32 = 1 << 29;
/// The most terms that a merge may give.
const TERMS: u64 = 1 << 62;

/// What kinds of terms there were, as a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen(u8);

impl Seen {
    pub(crate) const NOTHING: Self = Self(0);
    pub(crate) const PLUS_ZERO: Self = Self(1);
    pub(crate) const MINUS_ZERO: Self = Self(2);
    pub(crate) const NUMBER: Self = Self(4);
    pub(crate) const PLUS_INFINITY: Self = Self(8);
    pub(crate) const MINUS_INFINITY: Self = Self(16);
    pub(crate) const NAN: Self = Self(32);
    pub(crate) const INVALID: Self = Self(64);

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// A zero of that sign.
    pub(crate) const fn zero_of(negative: bool) -> Self {
        if negative {
            Self::MINUS_ZERO
        } else {
            Self::PLUS_ZERO
        }
    }

    /// An infinity of that sign.
    pub(crate) const fn infinity_of(negative: bool) -> Self {
        if negative {
            Self::MINUS_INFINITY
        } else {
            Self::PLUS_INFINITY
        }
    }

    /// The sum, where it is the same whatever the numbers are: they are not finite, or there are
    /// none but zeros.
    #[inline(always)]
    pub(crate) const fn sum(self) -> Option<Exact<u64>> {
        let both = self.has(Self::PLUS_INFINITY) && self.has(Self::MINUS_INFINITY);
        Some(if both || self.has(Self::INVALID) {
            Exact::<u64>::nan(true)
        } else if self.has(Self::NAN) {
            Exact::<u64>::nan(false)
        } else if self.has(Self::PLUS_INFINITY) {
            Exact::<u64>::infinity(false)
        } else if self.has(Self::MINUS_INFINITY) {
            Exact::<u64>::infinity(true)
        } else if !self.has(Self::NUMBER) {
            match (self.has(Self::PLUS_ZERO), self.has(Self::MINUS_ZERO)) {
                (true, true) => Exact::<u64>::zero_by_mode(),
                (_, minus) => Exact::<u64>::zero(minus),
            }
        } else {
            return None;
        })
    }
}

/// An exact sum of integers, with what else was seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedPoint<D> {
    digits: D,
    /// Additions to the digits since the last carry pass.
    pending: u32,
    terms: u64,
    seen: Seen,
}

impl<D: Copy + AsRef<[i64]> + AsMut<[i64]>> FixedPoint<D> {
    /// The empty sum, of digits that are 0.
    pub(crate) const fn new(digits: D) -> Self {
        Self {
            digits,
            pending: 0,
            terms: 0,
            seen: Seen::NOTHING,
        }
    }

    pub(crate) const fn terms(&self) -> u64 {
        self.terms
    }

    /// Adds `magnitude * 2^place` units, a term.
    #[inline(always)]
    pub(crate) fn add_number(&mut self, negative: bool, magnitude: u64, place: u32) {
        self.terms = self.terms.wrapping_add(1);
        if magnitude == 0 {
            self.seen.add(Seen::zero_of(negative));
            return;
        }
        self.seen.add(Seen::NUMBER);
        self.add_digits(negative, magnitude, place);
    }

    /// Adds several terms: what was seen among them, and `sum * 2^place` units.
    #[inline]
    pub(crate) fn add_terms(&mut self, terms: u64, seen: Seen, sum: i128, place: u32) {
        self.terms = self.terms.wrapping_add(terms);
        self.seen.add(seen);
        let magnitude = sum.unsigned_abs();
        self.add_digits(sum < 0, magnitude as u64, place);
        let upper = (magnitude >> 64) as u64;
        if upper != 0 {
            self.add_digits(sum < 0, upper, place + 64);
        }
    }

    #[inline(always)]
    fn add_digits(&mut self, negative: bool, magnitude: u64, place: u32) {
        let (first, shift) = ((place / DIGIT) as usize, place % DIGIT);
        let low = (magnitude & DIGIT_MASK as u64) << shift;
        let high = (magnitude >> DIGIT) << shift;
        let parts = [
            low as i64 & DIGIT_MASK,
            (low >> DIGIT) as i64 + (high as i64 & DIGIT_MASK),
            (high >> DIGIT) as i64,
        ];
        let sign = -i64::from(negative);
        for (digit, part) in self.digits.as_mut().iter_mut().skip(first).zip(parts) {
            *digit = digit.wrapping_add((part ^ sign) - sign);
        }
        self.pending += 1;
        if self.pending >= PENDING {
            self.carry();
        }
    }

    /// Adds a NaN or an infinity.
    #[cold]
    pub(crate) fn add_special(&mut self, x: Exact<u64>) {
        self.terms = self.terms.wrapping_add(1);
        self.seen.add(match (x.kind(), x.sign()) {
            (Kind::Nan, _) if x.mark() => Seen::INVALID,
            (Kind::Nan, _) => Seen::NAN,
            (_, negative) => Seen::infinity_of(negative),
        });
    }

    /// How many [`words`](Self::words) it is.
    pub(crate) const WORDS: usize = size_of::<D>() / size_of::<i64>() + 2;

    /// The digits, the lowest first; the number of terms; the set.
    #[inline(always)]
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let mut sum = *self;
        sum.carry();
        let length = sum.digits.as_ref().len();
        let digits = (0..length).map(move |k| sum.digits.as_ref().get(k).map_or(0, |&d| d as u64));
        digits.chain([sum.terms, sum.seen.0.into()])
    }

    /// The sum of these [`words`](Self::words), in digits that are 0 so far.
    #[inline(always)]
    pub(crate) fn from_words(digits: D, words: &[u64]) -> Result<Self, ReduceError> {
        let (&[terms, seen], others) = words
            .split_last_chunk()
            .map(|(others, last)| (last, others))
            .filter(|_| words.len() == Self::WORDS)
            .ok_or(ReduceError::LengthMismatch {
                expected: Self::WORDS,
                found: words.len(),
            })?;
        let mut sum = Self::new(digits);
        for (digit, &word) in sum.digits.as_mut().iter_mut().zip(others) {
            *digit = word as i64;
        }
        sum.carry();
        sum.terms = terms;
        sum.seen = Seen(seen as u8);
        Ok(sum)
    }

    /// Brings all digits but the top one between 0 and 2^32.
    fn carry(&mut self) {
        let mut carry = 0;
        if let Some((top, digits)) = self.digits.as_mut().split_last_mut() {
            for digit in digits {
                let value = digit.wrapping_add(carry);
                *digit = value & DIGIT_MASK;
                carry = value >> DIGIT;
            }
            *top = top.wrapping_add(carry);
        }
        self.pending = 0;
    }

    /// Adds all terms of `other`, unless there would be more than 2^62: an error then, and nothing
    /// has changed.
    #[inline(always)]
    pub(crate) fn merge(&mut self, other: &Self) -> Result<(), ReduceError> {
        let terms = self.terms.saturating_add(other.terms);
        if terms > TERMS {
            return Err(ReduceError::TooManyTerms { terms });
        }
        let mut other = *other;
        other.carry();
        self.carry();
        let digits = self.digits.as_mut().iter_mut();
        for (digit, &more) in digits.zip(other.digits.as_ref()) {
            *digit = digit.wrapping_add(more);
        }
        self.pending = 1;
        self.terms = terms;
        self.seen.add(other.seen);
        Ok(())
    }

    /// The sum of the terms over `divisor`, the unit being 2^`unit`: 64 digits and a jam bit.
    #[inline(always)]
    pub(crate) fn value(&self, unit: i32, divisor: NonZeroU32) -> Exact<u64> {
        if let Some(sum) = self.seen.sum() {
            return sum;
        }

        let mut sum = *self;
        sum.carry();
        let negative = sum.digits.as_ref().last().is_some_and(|&top| top < 0);
        if negative {
            for digit in sum.digits.as_mut() {
                *digit = digit.wrapping_neg();
            }
            sum.carry();
        }

        // The quotient's digits from the top (which has two) to three below the unit: a sum that is
        // not 0 has its quotient's leading digit at -1 at least, and the window is three long.
        let digits = sum.digits.as_ref();
        let top = digits.last().map_or(0, |&top| (top >> DIGIT) as u32);
        let below = digits.iter().rev().map(|&digit| digit as u32);
        let from_the_top = core::iter::once(top).chain(below).chain([0; 3]);
        let divisor = u64::from(divisor.get());
        let (mut rest, mut sticky) = (0, false);
        let (mut window, mut filled) = ([0u32; 3], 0usize);
        let mut place = digits.len() as i32;
        for digit in from_the_top {
            let dividend = (rest << DIGIT) | u64::from(digit);
            let quotient = if divisor == 1 {
                digit
            } else {
                // The dividend is less than the divisor times 2^32.
                rest = dividend.checked_rem(divisor).unwrap_or(0);
                dividend.checked_div(divisor).unwrap_or(0) as u32
            };
            if filled == 0 {
                if quotient == 0 {
                    place -= 1;
                    continue;
                }
                filled = 1;
                window = [quotient, 0, 0];
            } else if let Some(next) = window.get_mut(filled) {
                *next = quotient;
                filled += 1;
            } else {
                sticky |= quotient != 0;
            }
        }
        sticky |= rest != 0;

        let [first, second, third] = window;
        let leading = (u64::from(first) << DIGIT) | u64::from(second);
        if leading == 0 {
            return Exact::<u64>::zero_by_mode();
        }
        let zeros = leading.leading_zeros();
        let third = u64::from(third) << zeros;
        let jam = sticky || third & DIGIT_MASK as u64 != 0;
        let significand = (leading << zeros) | (third >> DIGIT) | u64::from(jam);
        let exponent = unit + DIGIT as i32 * (place - 1) + 63 - zeros as i32;
        Exact::<u64>::normalised(negative, exponent, significand)
    }
}

/// The one rounding.
pub(crate) fn finish<R: Format>(value: Exact<u64>, rule: Rule) -> (R, Status) {
    let (bits, status) = value.to_format::<R>(rule);
    (R::from_bits(bits), status)
}
