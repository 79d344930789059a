//! The exact accumulator: holds any sum of values of a format, and of products of two values, as an
//! integer.
//!
//! Method: every finite value of a format, and every product of two, is an integer times the square
//! of the least subnormal. The sum of such integers is kept whole, in
//! [fixed point](super::fixed_point).
//!
//! Why the top limb does not overflow: the limbs below it hold any single term, so its magnitude is
//! less than the number of terms. 2^62 additions one by one take decades, and a merge that would
//! exceed 2^62 terms is refused.
//!
//! Memory: 8 bytes per limb and 16 more: `f16` 48 bytes, `bf16` and `f32` 160 and 168, the 8-bit
//! formats 40 to 48, FP6 and FP4 32. No table.

use core::num::NonZeroU32;

use super::ReduceError;
use super::fixed_point::{DIGIT, FixedPoint, Seen, finish};
use crate::format::{
    Arithmetic, Binary32, E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2,
    E5M2FNUZ, Format, bf16, f16,
};
use crate::round::{Exact, Kind, Rule};
use crate::{Mode, Overflow, Status};

/// A format whose values an [`Accumulator`] takes: all except `f64`.
pub trait Accumulable: Arithmetic {
    /// The accumulator's limbs.
    #[doc(hidden)]
    type Digits: Copy + AsRef<[i64]> + AsMut<[i64]>;
    #[doc(hidden)]
    const NO_DIGITS: Self::Digits;
}

/// The exponent of the least subnormal.
pub(crate) const fn lowest<F: Format>() -> i32 {
    F::EMIN - (F::PRECISION as i32 - 1)
}

/// Limbs for every bit that a product can have, and one more.
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
    f16,
    bf16,
    f32,
    Binary32,
    E5M2,
    E4M3FN,
    E5M2FNUZ,
    E4M3FNUZ,
    E4M3,
    E3M4,
    E4M3B11FNUZ,
    E2M3,
    E3M2,
    E2M1
);

/// A finite number: `(-1)^negative * magnitude * 2^(place + lowest)`.
pub(crate) struct Parts {
    pub(crate) negative: bool,
    pub(crate) magnitude: u32,
    pub(crate) place: u32,
}

impl Parts {
    /// Whether a code is neither an infinity nor a NaN.
    pub(crate) const fn is_finite<F: Format>(bits: u64) -> bool {
        bits & (F::SIGN - 1) <= F::MAX_FINITE && (F::NEGATIVE_ZERO || bits != F::SIGN)
    }

    /// `None` for an infinity or a NaN.
    pub(crate) const fn of<F: Format>(bits: u64) -> Option<Self> {
        if Self::is_finite::<F>(bits) {
            Some(Self::finite::<F>(bits))
        } else {
            None
        }
    }

    /// The same of what is known to be finite.
    pub(crate) const fn finite<F: Format>(bits: u64) -> Self {
        let (negative, code) = (bits & F::SIGN != 0, bits & (F::SIGN - 1));
        let leading = 1 << (F::PRECISION - 1);
        let (field, fraction) = (code >> (F::PRECISION - 1), code & (leading - 1));
        let (magnitude, place) = if field == 0 {
            (fraction, 0)
        } else {
            (fraction | leading, field - 1)
        };
        Self {
            negative,
            magnitude: magnitude as u32,
            place: place as u32,
        }
    }
}

/// An exact sum of values of `F` and of products of two of them, which the caller holds, merges
/// and rounds once.
///
/// For any order of the additions, and any distribution over accumulators that were merged later,
/// [`round`](Self::round) gives the same bits and status:
///
/// | the terms | result | raises |
/// |---|---|---|
/// | none | +0 | |
/// | +0 only; -0 only | that zero | |
/// | others whose sum is 0 | +0; -0 toward negative | |
/// | infinities of one sign | that infinity | |
/// | infinities of both signs | NaN | invalid |
/// | a product of 0 and infinity, a signalling NaN | NaN | invalid |
/// | a quiet NaN | NaN | nothing by itself |
/// | any other | the sum, rounded once | the exceptions of the rounding; only here can a sum overflow |
///
/// A zero product is a term with its sign. The result is the IEEE 754 sum in any order, except that
/// infinities of both signs raise invalid even after a NaN.
///
/// There is room for more than 2^62 terms. Only [`merge`](Self::merge) could reach that limit, and
/// then returns an error.
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
    sum: FixedPoint<F::Digits>,
}

/// The number of terms. There are too many limbs to show.
#[cfg(feature = "defmt")]
impl<F: Accumulable> defmt::Format for Accumulator<F> {
    fn format(&self, f: defmt::Formatter) {
        defmt::write!(f, "Accumulator of {=u64} terms", self.terms());
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
            sum: FixedPoint::new(F::NO_DIGITS),
        }
    }

    /// How many terms were added, those of merged accumulators included.
    #[must_use]
    pub const fn terms(&self) -> u64 {
        self.sum.terms()
    }

    /// Adds `x`.
    #[inline]
    pub fn add(&mut self, x: F) {
        // A value is its integer times the least subnormal; the unit is the square of that.
        let unit = -lowest::<F>();
        match Parts::of::<F>(x.to_bits()) {
            Some(x) => self.sum.add_number(
                x.negative,
                x.magnitude.into(),
                x.place + unit as u32,
                F::PRECISION,
            ),
            None => self
                .sum
                .add_special(Exact::<u32>::decode::<F>(x.to_bits() as u32).widen()),
        }
    }

    /// Adds `a * b`, which is not rounded.
    #[inline]
    pub fn add_product(&mut self, a: F, b: F) {
        match (Parts::of::<F>(a.to_bits()), Parts::of::<F>(b.to_bits())) {
            (Some(a), Some(b)) => self.sum.add_number(
                a.negative != b.negative,
                u64::from(a.magnitude) * u64::from(b.magnitude),
                a.place + b.place,
                2 * F::PRECISION,
            ),
            _ => {
                let a = Exact::<u32>::decode::<F>(a.to_bits() as u32);
                let b = Exact::<u32>::decode::<F>(b.to_bits() as u32);
                self.sum.add_special(a.mul_long(b));
            }
        }
    }

    /// Adds finite terms, not all of them zeros, whose sum was made elsewhere: `sum * 2^exponent`.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, reduce::Accumulator};
    /// let mut sum = Accumulator::<bf16>::new();
    /// sum.add_sum(3, -5, 100)?;
    /// sum.add_sum(1, 1, 102)?;
    /// let sum: f32 = sum.round(Mode::TIES_TO_EVEN);
    /// assert_eq!(sum.to_bits(), 0xF180_0000); // -2^100
    /// # Ok::<(), bitexact::reduce::ReduceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ReduceError::SumOutOfRange`] if this many products of two values cannot have this sum: it
    /// is not a multiple of the smallest product, or it is too large. Nothing has changed then.
    pub fn add_sum(&mut self, terms: u64, sum: i64, exponent: i32) -> Result<(), ReduceError> {
        let error = ReduceError::SumOutOfRange { sum, exponent };
        let zeros = if sum == 0 { 0 } else { sum.trailing_zeros() };
        let odd = sum >> zeros;
        let length = u64::BITS - odd.unsigned_abs().leading_zeros();
        let place = exponent
            .checked_add(zeros as i32)
            .and_then(|lowest_bit| lowest_bit.checked_sub(2 * lowest::<F>()));
        let place = match (odd, place.map(u32::try_from)) {
            (0, _) => 0,
            (_, Some(Ok(place))) => place,
            _ => return Err(error),
        };
        // The digits below the top one hold any term; the top one the number of terms, and the
        // parts that are added to it have 32 bits.
        let count = u64::BITS - terms.saturating_sub(1).leading_zeros();
        let digits = size_of::<F::Digits>() / size_of::<i64>();
        let room = DIGIT * (digits as u32).saturating_sub(1) + count.min(DIGIT - 1);
        if terms == 0 || place.saturating_add(length) > room {
            return Err(error);
        }
        self.sum.add_terms(terms, Seen::NUMBER, odd.into(), place);
        Ok(())
    }

    /// The number of its [`words`](Self::words).
    pub const WORDS: usize = FixedPoint::<F::Digits>::WORDS;

    /// The accumulator as words, for memory that many threads write to: the limbs, lowest first;
    /// the number of terms; a set of bits.
    ///
    /// [`merge`](Self::merge) is the sum modulo 2^64 word by word, and the union (`|`) of the last
    /// words. A GPU has both operations as atomics, and their order does not affect the result. Up
    /// to 2^30 accumulators may be combined this way. A word of 0 changes nothing.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.sum.words()
    }

    /// The accumulator with these [`words`](Self::words), or with words that were combined as
    /// described there.
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
        let sum = FixedPoint::from_words(F::NO_DIGITS, words)?;
        Ok(Self { sum })
    }

    /// Adds all terms of `other`.
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooManyTerms`] where there would be more than 2^62; nothing has changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), ReduceError> {
        self.sum.merge(&other.sum)
    }

    /// The limbs, and the exponent of their unit.
    pub(super) const fn limbs(&self) -> (&FixedPoint<F::Digits>, i32) {
        (&self.sum, 2 * lowest::<F>())
    }

    /// The sum divided by `divisor`: 64 bits and a sticky bit.
    pub(super) fn value(&self, divisor: NonZeroU32) -> Exact<u64> {
        self.sum.value(2 * lowest::<F>(), divisor)
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

    /// The sum divided by `divisor`, rounded once: a mean.
    pub fn round_quotient_status<R: Format>(&self, divisor: NonZeroU32, mode: Mode) -> (R, Status) {
        finish(self.value(divisor), mode.rule())
    }

    /// The square root of the sum, rounded once: a norm. NaN, with invalid, of a negative sum.
    pub fn round_square_root_status<R: Arithmetic>(&self, mode: Mode) -> (R, Status) {
        finish(square_root(self.value(NonZeroU32::MIN)), mode.rule())
    }

    /// The sum times 2^`exponent`, rounded once: a sum of scaled terms.
    pub fn round_scaled_status<R: Format>(&self, exponent: i32, mode: Mode) -> (R, Status) {
        let value = self.value(NonZeroU32::MIN);
        let value = if value.is_finite_nonzero() {
            // Beyond it, every format has overflowed or underflowed.
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

/// The square root of a sum, for formats of at most 24 bits.
///
/// 63 bits of the radicand, the last one sticky, are on the right side of the square of every
/// rounding boundary, which has at most 50; so are the 31 bits of its root and a sticky bit.
pub(super) fn square_root(x: Exact<u64>) -> Exact<u64> {
    if x.sign() && !matches!(x.kind(), Kind::Zero | Kind::Nan) {
        return Exact::<u64>::nan(true);
    }
    if !x.is_finite_nonzero() {
        return x;
    }
    let unit = x.exponent() - 63;
    let odd = unit & 1;
    let significand = x.significand();
    let radicand = (significand >> odd) | (significand & 1);
    let root = radicand.isqrt();
    let sticky = (root << 1) | u64::from(root.wrapping_mul(root) != radicand);
    Exact::<u64>::from_integer(false, sticky, (unit + odd) / 2 - 1)
}
