//! Sums in fixed point, the core of the exact accumulators.
//!
//! Method (Kulisch): the sum is an integer times a unit that the owner knows. It is kept as two's
//! complement limbs of 32 bits, each in a word of 64, so that a number of at most 24 bits is added
//! to one limb, one of 48 bits in two parts, and carries are deferred. A carry pass after 64
//! additions, and before any other use, reduces the limbs below the top one to less than 2^32. The
//! 64 leading bits and a sticky bit are then rounded once.
//!
//! Why it is exact: integer addition is exact, and nothing overflows. A part changes a limb by less
//! than 2^55, and both of a number by less than 2^56, so a limb stays below 2^32 + 64 * 2^56 < 2^63
//! between carry passes. In two or three limbs an addition changes each by less than 2^33, and they
//! stay below 2^32 + 2^29 * 2^33. The owner ensures that the top limb, which is never reduced, has
//! room for all terms.
//!
//! Why the result depends only on the terms: the integer does not depend on the order of integer
//! additions, and the only other state is the set of the kinds of terms seen.
//!
//! As words, limbs below the top one are less than 2^32 in magnitude. The words of 2^30 sums add up
//! to less than 2^62, and a carry pass makes them limbs again.

use core::num::NonZeroU32;

use super::ReduceError;
use crate::Status;
use crate::format::Format;
use crate::round::{Exact, Kind, Rule};

/// Bits of a limb.
pub(super) const DIGIT: u32 = 32;
const DIGIT_MASK: i64 = (1 << DIGIT) - 1;

/// Bits of what is added to one limb.
const PART: u32 = 24;
/// GPUs, whose registers hold the limbs, add every number to two or three of them, so that carry
/// passes are rare.
const IN_PARTS: bool = cfg!(not(target_arch = "nvptx64"));
/// Additions between two carry passes.
const PENDING: u32 = if IN_PARTS { 64 } else { 1 << 29 };
/// The most terms that a merge may give.
const TERMS: u64 = 1 << 62;

/// The set of the kinds of terms seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// A zero of this sign.
    pub(crate) const fn zero_of(negative: bool) -> Self {
        if negative {
            Self::MINUS_ZERO
        } else {
            Self::PLUS_ZERO
        }
    }

    /// An infinity of this sign.
    pub(crate) const fn infinity_of(negative: bool) -> Self {
        if negative {
            Self::MINUS_INFINITY
        } else {
            Self::PLUS_INFINITY
        }
    }

    /// A NaN or an infinity.
    pub(crate) const fn of_special(x: Exact<u64>) -> Self {
        match (x.kind(), x.sign()) {
            (Kind::Nan, _) if x.payload_flag() => Self::INVALID,
            (Kind::Nan, _) => Self::NAN,
            (_, negative) => Self::infinity_of(negative),
        }
    }

    /// The sum, where the limbs do not matter: a term is not finite, or all are zeros.
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

/// An exact sum of integers, with the kinds of terms seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedPoint<D> {
    digits: D,
    /// Additions to the limbs since the last carry pass.
    pending: u32,
    terms: u64,
    seen: Seen,
}

impl<D: Copy + AsRef<[i64]> + AsMut<[i64]>> FixedPoint<D> {
    /// The empty sum; its limbs are 0.
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

    /// Adds `magnitude * 2^place` units, a term; the magnitude has at most `bits` bits, a constant
    /// that is 48 or less.
    #[inline(always)]
    pub(crate) fn add_number(&mut self, negative: bool, magnitude: u64, place: u32, bits: u32) {
        self.terms = self.terms.wrapping_add(1);
        if magnitude == 0 {
            self.seen.add(Seen::zero_of(negative));
            return;
        }
        self.seen.add(Seen::NUMBER);
        if !IN_PARTS {
            self.add_digits(negative, magnitude, place);
            return;
        }
        if bits <= PART {
            self.add_part(negative, magnitude as u32, place);
        } else {
            self.add_part(negative, magnitude as u32 & ((1 << PART) - 1), place);
            self.add_part(negative, (magnitude >> PART) as u32, place + PART);
        }
        self.count();
    }

    #[inline(always)]
    fn add_part(&mut self, negative: bool, magnitude: u32, place: u32) {
        let part = i64::from(if negative {
            -(magnitude as i32)
        } else {
            magnitude as i32
        });
        let digits = self.digits.as_mut();
        if let Some(digit) = digits.get_mut((place / DIGIT) as usize) {
            *digit = digit.wrapping_add(part << (place % DIGIT));
        }
    }

    /// An addition to the limbs was made.
    #[inline(always)]
    fn count(&mut self) {
        self.pending += 1;
        if self.pending >= PENDING {
            self.carry();
        }
    }

    /// Adds several terms: their kinds, and `sum * 2^place` units.
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
        self.count();
    }

    /// Adds a NaN or an infinity.
    #[cold]
    pub(crate) fn add_special(&mut self, x: Exact<u64>) {
        self.terms = self.terms.wrapping_add(1);
        self.seen.add(Seen::of_special(x));
    }

    /// The number of its [`words`](Self::words).
    pub(crate) const WORDS: usize = size_of::<D>() / size_of::<i64>() + 2;

    /// The limbs, lowest first; the number of terms; the set.
    #[inline(always)]
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let mut sum = *self;
        sum.carry();
        let length = sum.digits.as_ref().len();
        let digits = (0..length).map(move |k| sum.digits.as_ref().get(k).map_or(0, |&d| d as u64));
        digits.chain([sum.terms, sum.seen.0.into()])
    }

    /// The sum with these [`words`](Self::words), in limbs that are 0 so far.
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

    /// Reduces all limbs except the top one to between 0 and 2^32.
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

    /// Adds all terms of `other`. If there would be more than 2^62, it returns an error and changes
    /// nothing.
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

    /// Whether a term is not finite, and then whether the deviations from the mean raise invalid.
    pub(super) fn deviates(&self) -> Option<bool> {
        let infinite = Seen(Seen::PLUS_INFINITY.0 | Seen::MINUS_INFINITY.0 | Seen::INVALID.0);
        let invalid = self.seen.has(infinite);
        (invalid || self.seen.has(Seen::NAN)).then_some(invalid)
    }

    /// The sum, where the limbs do not matter.
    pub(super) fn special(&self) -> Option<Exact<u64>> {
        self.seen.sum()
    }

    /// Whether the sum is negative, and its magnitude.
    #[inline(always)]
    pub(super) fn absolute(&self) -> (bool, Self) {
        let mut sum = *self;
        sum.carry();
        let negative = sum.digits.as_ref().last().is_some_and(|&top| top < 0);
        if negative {
            for digit in sum.digits.as_mut() {
                *digit = digit.wrapping_neg();
            }
            sum.carry();
        }
        (negative, sum)
    }

    /// A word of 32 bits of a magnitude, counted from the lowest; 0 where there is none.
    #[inline(always)]
    pub(super) fn word(&self, at: i32) -> u32 {
        let digits = self.digits.as_ref();
        let top = digits.len() as i32;
        match usize::try_from(if at == top { at - 1 } else { at }) {
            Ok(place) => {
                let digit = digits.get(place).copied().unwrap_or(0) as u64;
                (if at == top { digit >> DIGIT } else { digit }) as u32
            }
            Err(_) => 0,
        }
    }

    /// The sum of the terms divided by `divisor`, with a unit of 2^`unit`: 64 bits and a sticky
    /// bit.
    #[inline(always)]
    pub(crate) fn value(&self, unit: i32, divisor: NonZeroU32) -> Exact<u64> {
        if let Some(sum) = self.special() {
            return sum;
        }
        let (negative, sum) = self.absolute();
        let words = sum.digits.as_ref().len() as i32 + 1;
        let divisors = [divisor, NonZeroU32::MIN];
        quotient(negative, words, |at| sum.word(at), unit, divisors)
    }
}

/// A number of so many words of 32 bits, given by their places, divided by one divisor and then
/// by the other: 64 bits and a sticky bit. The lowest word counts units of 2^`unit`.
///
/// The words of the quotient are made from the top down to four below the unit: a number that is
/// not 0 has the leading word of its quotient at -2 or higher, and the window has three.
#[inline(always)]
pub(super) fn quotient(
    negative: bool,
    words: i32,
    word: impl Fn(i32) -> u32,
    unit: i32,
    divisors: [NonZeroU32; 2],
) -> Exact<u64> {
    let (mut rests, mut sticky) = ([0; 2], false);
    let (mut window, mut filled) = ([0u32; 3], 0usize);
    let mut first = 0;
    for at in (-4..words).rev() {
        let mut digit = word(at);
        let Some(next) = window.get_mut(filled) else {
            sticky |= digit != 0;
            continue;
        };
        for (rest, divisor) in rests.iter_mut().zip(divisors) {
            let divisor = u64::from(divisor.get());
            if divisor != 1 {
                // The dividend is less than the divisor times 2^32.
                let dividend = (*rest << DIGIT) | u64::from(digit);
                digit = dividend.checked_div(divisor).unwrap_or(0) as u32;
                *rest = dividend.wrapping_sub(u64::from(digit) * divisor);
            }
        }
        if filled > 0 || digit != 0 {
            if filled == 0 {
                first = at;
            }
            *next = digit;
            filled += 1;
        }
    }
    sticky |= rests != [0; 2];

    let [leading, second, third] = window;
    let leading = (u64::from(leading) << DIGIT) | u64::from(second);
    if leading == 0 {
        return Exact::<u64>::zero_by_mode();
    }
    let zeros = leading.leading_zeros();
    let third = u64::from(third) << zeros;
    let jam = sticky || third & DIGIT_MASK as u64 != 0;
    let significand = (leading << zeros) | (third >> DIGIT) | u64::from(jam);
    let exponent = unit + DIGIT as i32 * (first - 1) + 63 - zeros as i32;
    Exact::<u64>::normalised(negative, exponent, significand)
}

/// The one rounding.
pub(crate) fn finish<R: Format>(value: Exact<u64>, rule: Rule) -> (R, Status) {
    let (bits, status) = value.to_format::<R>(rule);
    (R::from_bits(bits), status)
}
