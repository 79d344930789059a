//! The exact accumulator: every sum of values and of products of two values of a format, as an
//! integer.
//!
//! Method (Kulisch): every finite value of a format, and every product of two, is an integer
//! times the square of the least subnormal. The sum of such integers is kept whole: two's
//! complement digits of 32 bits, each in a word of 64, so that an addition touches two or three
//! digits and carries wait. A carry pass after 2^29 additions, and before any other use, brings
//! the digits below the top one back below 2^32. The window of the 64 leading digits and a jam bit
//! is then rounded once.
//!
//! Why it is exact: integer addition is, and nothing overflows. An addition changes a digit by less
//! than 2^33, so a digit stays below 2^32 + 2^29 * 2^33 < 2^63 between carry passes. The digits
//! below the top one hold any single term, so the top one is less than the number of terms in
//! magnitude; 2^62 additions one by one take decades, and a merge that would pass 2^62 terms is
//! refused.
//!
//! Why the result depends on the terms alone: the integer does not depend on the order of integer
//! additions, and what else is kept is a set of what was seen.
//!
//! As words, digits below the top one are less than 2^32 in magnitude: 2^30 accumulators' words add
//! up below 2^62, and a carry pass makes them digits again.
//!
//! Memory: 8 bytes a digit and 16 more: `f16` 48 bytes, `bf16` and `f32` 160 and 168, the
//! 8-bit formats 40 to 48, FP6 and FP4 32. No table.

use core::num::NonZeroU32;

use super::ReduceError;
use crate::format::{
    Arithmetic, Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format, bf16, f16,
};
use crate::round::{Exact, Kind, Rule};
use crate::{Mode, Overflow, Status};

/// A format whose values an [`Accumulator`] takes: all but `f64`.
pub trait Accumulable: Arithmetic {
    /// The accumulator's digits.
    #[doc(hidden)]
    type Digits: Copy + AsRef<[i64]> + AsMut<[i64]>;
    #[doc(hidden)]
    const NO_DIGITS: Self::Digits;
}

/// Bits of a digit.
const DIGIT: u32 = 32;
const DIGIT_MASK: i64 = (1 << DIGIT) - 1;

/// The exponent of the least subnormal.
const fn lowest<F: Format>() -> i32 {
    F::EMIN - (F::PRECISION as i32 - 1)
}

/// Digits for every bit that a product can have, and one more.
const fn digits<F: Format>() -> usize {
    let bits = 2 * (F::EMAX + 1 - lowest::<F>());
    (bits as u32).div_ceil(DIGIT) as usize + 1
}

macro_rules! accumulable {
    ($($format:ty),*) => {
        $(impl Accumulable for $format {
            type Digits = [i64; digits::<$format>()];
            const NO_DIGITS: Self::Digits = [0; digits::<$format>()];
        })*
    };
}
accumulable!(
    f16, bf16, f32, Binary32, E5M2, E4M3FN, E5M2FNUZ, E4M3FNUZ, E2M3, E3M2, E2M1
);

/// Additions between two carry passes.
const PENDING: u32 = 1 << 29;
/// The most terms that a merge may give.
const TERMS: u64 = 1 << 62;

/// What kinds of terms there were, as a set.
#[derive(Clone, Copy, Debug)]
struct Seen(u8);

impl Seen {
    const NOTHING: Self = Self(0);
    const PLUS_ZERO: Self = Self(1);
    const MINUS_ZERO: Self = Self(2);
    const NUMBER: Self = Self(4);
    const PLUS_INFINITY: Self = Self(8);
    const MINUS_INFINITY: Self = Self(16);
    const NAN: Self = Self(32);
    const INVALID: Self = Self(64);

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A finite number: `(-1)^negative * magnitude * 2^(place + lowest)`.
struct Parts {
    negative: bool,
    magnitude: u32,
    place: u32,
}

impl Parts {
    /// `None` for an infinity or a NaN.
    fn of<F: Format>(bits: u64) -> Option<Self> {
        let negative = bits & F::SIGN != 0;
        let code = bits & (F::SIGN - 1);
        if code > F::MAX_FINITE || (negative && code == 0 && !F::NEGATIVE_ZERO) {
            return None;
        }
        let leading = 1 << (F::PRECISION - 1);
        let (field, fraction) = (code >> (F::PRECISION - 1), code & (leading - 1));
        let (magnitude, place) = if field == 0 {
            (fraction, 0)
        } else {
            (fraction | leading, field - 1)
        };
        Some(Self {
            negative,
            magnitude: magnitude as u32,
            place: place as u32,
        })
    }
}

/// An exact sum of values of `F` and of products of two of them, which the caller holds, merges
/// and rounds once.
///
/// Whatever the order of the additions, and however they were distributed over accumulators that
/// were merged later, [`round`](Self::round) gives the same bits and status:
///
/// | the terms | delivers | raises |
/// |---|---|---|
/// | none | +0 | |
/// | +0 only; -0 only | that zero | |
/// | others whose sum is 0 | +0; -0 toward negative | |
/// | infinities of one sign | that infinity | |
/// | infinities of both signs | NaN | invalid |
/// | a product of 0 and infinity, a signalling NaN | NaN | invalid |
/// | a quiet NaN | NaN | nothing by itself |
/// | any other | the sum, rounded once | as rounding has it: a sum may overflow only here |
///
/// A zero product is a term with its sign. It is the IEEE 754 sum in any order, but that invalid is
/// raised for infinities of both signs even where a NaN came before them.
///
/// There is room for 2^62 terms and more; [`merge`](Self::merge) alone could get there, and says so.
///
/// ```
/// use bitexact::{Mode, bf16, reduce::Accumulator};
/// let mut left = Accumulator::<bf16>::new();
/// left.add(bf16::MAX);
/// left.add(bf16::MAX); // more than bf16 holds, for now
/// let mut right = Accumulator::new();
/// right.add(bf16::MIN);
/// right.add_product(bf16::MIN, bf16::from_bits(0x3F80));
/// right.add(bf16::from_bits(0x0001));
/// left.merge(&right)?;
/// let sum: bf16 = left.round(Mode::TIES_TO_EVEN);
/// assert_eq!(sum.to_bits(), 0x0001);
/// # Ok::<(), bitexact::reduce::ReduceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Accumulator<F: Accumulable> {
    digits: F::Digits,
    /// Additions to the digits since the last carry pass.
    pending: u32,
    terms: u64,
    seen: Seen,
}

/// The number of terms; the digits are many.
#[cfg(feature = "defmt")]
impl<F: Accumulable> defmt::Format for Accumulator<F> {
    fn format(&self, f: defmt::Formatter) {
        defmt::write!(f, "Accumulator of {=u64} terms", self.terms);
    }
}

impl<F: Accumulable> Default for Accumulator<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Accumulable> Accumulator<F> {
    /// The empty sum.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            digits: F::NO_DIGITS,
            pending: 0,
            terms: 0,
            seen: Seen::NOTHING,
        }
    }

    /// How many terms were added, those of merged accumulators included.
    #[must_use]
    pub const fn terms(&self) -> u64 {
        self.terms
    }

    /// Adds `x`.
    #[inline]
    pub fn add(&mut self, x: F) {
        // A value is its integer times the least subnormal, of which the unit is the square.
        let unit = -lowest::<F>();
        match Parts::of::<F>(x.to_bits()) {
            Some(x) => self.add_number(x.negative, x.magnitude.into(), x.place + unit as u32),
            None => self.add_special(Exact::<u32>::decode::<F>(x.to_bits() as u32).widen()),
        }
    }

    /// Adds `a * b`, which is not rounded.
    #[inline]
    pub fn add_product(&mut self, a: F, b: F) {
        match (Parts::of::<F>(a.to_bits()), Parts::of::<F>(b.to_bits())) {
            (Some(a), Some(b)) => self.add_number(
                a.negative != b.negative,
                u64::from(a.magnitude) * u64::from(b.magnitude),
                a.place + b.place,
            ),
            _ => {
                let a = Exact::<u32>::decode::<F>(a.to_bits() as u32);
                let b = Exact::<u32>::decode::<F>(b.to_bits() as u32);
                self.add_special(a.mul_long(b));
            }
        }
    }

    /// Adds `magnitude * 2^place` units, of at most 48 bits.
    #[inline]
    fn add_number(&mut self, negative: bool, magnitude: u64, place: u32) {
        self.terms = self.terms.wrapping_add(1);
        if magnitude == 0 {
            self.seen.add(if negative {
                Seen::MINUS_ZERO
            } else {
                Seen::PLUS_ZERO
            });
            return;
        }
        self.seen.add(Seen::NUMBER);
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
    fn add_special(&mut self, x: Exact<u64>) {
        self.terms = self.terms.wrapping_add(1);
        self.seen.add(match (x.kind(), x.sign()) {
            (Kind::Nan, _) if x.mark() => Seen::INVALID,
            (Kind::Nan, _) => Seen::NAN,
            (_, false) => Seen::PLUS_INFINITY,
            (_, true) => Seen::MINUS_INFINITY,
        });
    }

    /// How many [`words`](Self::words) it is.
    pub const WORDS: usize = size_of::<F::Digits>() / size_of::<i64>() + 2;

    /// The accumulator as words, for memory that many write to: the digits, the lowest first; the
    /// number of terms; a set of bits.
    ///
    /// [`merge`](Self::merge) is word by word the sum modulo 2^64, and of the last words the union
    /// (`|`): operations that a GPU has as atomics, in whose order no result can be seen. Up to 2^30
    /// accumulators may be put together so. A word of 0 changes nothing.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        let mut sum = *self;
        sum.carry();
        let length = sum.digits.as_ref().len();
        let digits = (0..length).map(move |k| sum.digits.as_ref().get(k).map_or(0, |&d| d as u64));
        digits.chain([sum.terms, sum.seen.0.into()])
    }

    /// The accumulator of these [`words`](Self::words), or of some put together as stated there.
    ///
    /// # Errors
    ///
    /// [`ReduceError::LengthMismatch`] unless there are [`WORDS`](Self::WORDS) of them.
    ///
    /// ```
    /// use bitexact::{Mode, reduce::Accumulator};
    /// let mut memory = [0u64; Accumulator::<f32>::WORDS];
    /// for part in [[1e30f32, 1.0], [-1e30, 2.0]] {
    ///     let mut sum = Accumulator::new();
    ///     part.map(|x| sum.add(x));
    ///     let (last, others) = memory.split_last_mut().unwrap();
    ///     let mut words = sum.words();
    ///     others.iter_mut().zip(&mut words).for_each(|(m, w)| *m = m.wrapping_add(w));
    ///     *last |= words.next().unwrap();
    /// }
    /// let sum: f32 = Accumulator::<f32>::from_words(&memory)?.round(Mode::TIES_TO_EVEN);
    /// assert_eq!(sum, 3.0);
    /// # Ok::<(), bitexact::reduce::ReduceError>(())
    /// ```
    pub fn from_words(words: &[u64]) -> Result<Self, ReduceError> {
        let (&[terms, seen], digits) = words
            .split_last_chunk()
            .map(|(digits, last)| (last, digits))
            .filter(|_| words.len() == Self::WORDS)
            .ok_or(ReduceError::LengthMismatch {
                expected: Self::WORDS,
                found: words.len(),
            })?;
        let mut sum = Self::new();
        for (digit, &word) in sum.digits.as_mut().iter_mut().zip(digits) {
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

    /// Adds all terms of `other`.
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooManyTerms`] where there would be more than 2^62; nothing has changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), ReduceError> {
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

    /// The sum over `divisor`: 64 digits and a jam bit.
    pub(super) fn value(&self, divisor: NonZeroU32) -> Exact<u64> {
        let seen = self.seen;
        let both = seen.has(Seen::PLUS_INFINITY) && seen.has(Seen::MINUS_INFINITY);
        if both || seen.has(Seen::INVALID) {
            return Exact::<u64>::nan(true);
        } else if seen.has(Seen::NAN) {
            return Exact::<u64>::nan(false);
        } else if seen.has(Seen::PLUS_INFINITY) {
            return Exact::<u64>::infinity(false);
        } else if seen.has(Seen::MINUS_INFINITY) {
            return Exact::<u64>::infinity(true);
        } else if !seen.has(Seen::NUMBER) {
            return match (seen.has(Seen::PLUS_ZERO), seen.has(Seen::MINUS_ZERO)) {
                (true, true) => Exact::<u64>::zero_by_mode(),
                (_, minus) => Exact::<u64>::zero(minus),
            };
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
        let exponent = 2 * lowest::<F>() + DIGIT as i32 * (place - 1) + 63 - zeros as i32;
        Exact::<u64>::normalised(negative, exponent, significand)
    }

    /// The sum, rounded once to `R`, in `mode`.
    #[must_use]
    pub fn round<R: Format>(&self, mode: Mode) -> R {
        self.round_status(mode).0
    }

    /// [`round`](Self::round) with its status.
    pub fn round_status<R: Format>(&self, mode: Mode) -> (R, Status) {
        finish(self.value(NonZeroU32::MIN), mode.rule())
    }

    /// The sum over `divisor`, rounded once: a mean.
    pub fn round_quotient_status<R: Format>(&self, divisor: NonZeroU32, mode: Mode) -> (R, Status) {
        finish(self.value(divisor), mode.rule())
    }

    /// The sum times 2^`exponent`, rounded once: a sum of scaled terms.
    pub fn round_scaled_status<R: Format>(&self, exponent: i32, mode: Mode) -> (R, Status) {
        let value = self.value(NonZeroU32::MIN);
        let value = if value.is_finite_nonzero() {
            // Beyond it, every format has overflown, or has nothing but its least number.
            value.scale(exponent.clamp(-(1 << 16), 1 << 16))
        } else {
            value
        };
        finish(value, mode.rule())
    }

    /// [`round_status`](Self::round_status) with stochastic rounding by 16 random bits: see
    /// [`round`](crate::round#stochastic-rounding).
    pub fn round_stochastic_status<R: Arithmetic>(
        &self,
        random: u16,
        overflow: Overflow,
    ) -> (R, Status) {
        finish(
            self.value(NonZeroU32::MIN),
            Rule::stochastic(random, overflow),
        )
    }
}

/// The one rounding.
pub(super) fn finish<R: Format>(value: Exact<u64>, rule: Rule) -> (R, Status) {
    let (bits, status) = value.to_format::<R>(rule);
    (R::from_bits(bits), status)
}
