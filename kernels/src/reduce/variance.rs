//! Variances from exact sums, and what a norm of a row takes from them.
//!
//! Method: of n values with the sum S and the sum Q of their squares, n Q - S^2 is n^2 times the
//! variance about the mean. It is an exact integer in units of 2^-298, the square of f32's least
//! subnormal, and is divided by n and by n - 1 or n; the quotient's 64 leading bits and a sticky
//! bit are rounded once.
//!
//! Why it is exact: a square is below 2^256, so n Q is below 2^(256 + 298 + 64), and a product of
//! it with the square of a number of 25 bits is below 2^668: 21 words of 32 bits. No such number
//! is negative, as S^2 <= n Q (Cauchy and Schwarz).
//!
//! A reciprocal root 1 / sqrt(v) lies on a side of the rounding boundary b, a number of 25 bits,
//! that the sign of v b^2 - 1 tells, in integers. The boundary is the one nearest to an
//! approximation, whose relative error is below 2^-29 and so below half the distance of two
//! boundaries: no other one lies between b and the root.

use core::num::NonZeroU32;

use super::accumulator::square_root;
use super::fixed_point::{finish, quotient};
use super::{Accumulable, Accumulator, Parts, lowest};
use crate::format::{Arithmetic, Binary32, Format};
use crate::round::{Exact, Kind};
use crate::{Mode, Status};

/// Words of 32 bits.
const WORDS: usize = 21;
/// The exponent of the unit.
const UNIT: i32 = 2 * lowest::<Binary32>();

/// A natural number.
#[derive(Clone, Copy)]
struct Natural([u32; WORDS]);

impl Natural {
    /// The number with these words, times 2^`shift`; no bits but zeros are lost.
    fn shifted(word: impl Fn(i32) -> u32, shift: i32) -> Self {
        let mut to = [0; WORDS];
        for (to, at) in to.iter_mut().zip(0..) {
            let bit = 32 * at - shift;
            let place = bit.div_euclid(32);
            let both = u64::from(word(place)) | u64::from(word(place + 1)) << 32;
            *to = (both >> bit.rem_euclid(32)) as u32;
        }
        Self(to)
    }

    /// A small one, times 2^`shift`.
    fn small(magnitude: u32, shift: i32) -> Self {
        Self::shifted(|at| if at == 0 { magnitude } else { 0 }, shift)
    }

    fn times(mut self, factor: u32) -> Self {
        let mut carry = 0;
        for word in &mut self.0 {
            let product = u64::from(*word) * u64::from(factor) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        self
    }

    /// `self - factor * other * 2^(32 * place)`, modulo the words' range.
    fn minus_product(&mut self, other: &Self, factor: u32, place: usize) {
        let mut carry = 0;
        for (word, other) in self.0.iter_mut().skip(place).zip(other.0) {
            let product = u64::from(other) * u64::from(factor) + carry;
            let (difference, borrow) = word.overflowing_sub(product as u32);
            *word = difference;
            carry = (product >> 32) + u64::from(borrow);
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        let mut carry = 0;
        for (word, other) in self.0.iter_mut().zip(other.0) {
            let sum = u64::from(*word) + u64::from(other) + carry;
            *word = sum as u32;
            carry = sum >> 32;
        }
        self
    }

    fn is_zero(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether `self < other`, and the distance.
    fn distance(self, other: &Self) -> (bool, Self) {
        let less = self.0.iter().rev().lt(other.0.iter().rev());
        let (mut larger, smaller) = if less { (*other, &self) } else { (self, other) };
        larger.minus_product(smaller, 1, 0);
        (less, larger)
    }

    fn word(&self, at: i32) -> u32 {
        let word = usize::try_from(at).ok().and_then(|at| self.0.get(at));
        word.copied().unwrap_or(0)
    }

    /// In units of 2^-298, divided by both: 64 bits and a sticky bit. +0 of 0.
    fn over(&self, negative: bool, divisors: [NonZeroU32; 2]) -> Exact<u64> {
        if self.is_zero() {
            return Exact::<u64>::zero(false);
        }
        quotient(negative, WORDS as i32, |at| self.word(at), UNIT, divisors)
    }
}

/// Whether a sum is negative, and its magnitude in units of 2^`unit`. Out of line where the stack
/// counts: it works on copies of the sum.
#[cfg_attr(target_os = "none", inline(never))]
fn magnitude<F: Accumulable>(sum: &Accumulator<F>, unit: i32) -> (bool, Natural) {
    let (limbs, own) = sum.limbs();
    let (negative, magnitude) = limbs.absolute();
    let magnitude = Natural::shifted(|at| magnitude.word(at), own - unit);
    (negative, magnitude)
}

/// A number's magnitude times `count`, in units of 2^-298; `None` for an infinity or a NaN.
fn counted(x: Binary32, count: NonZeroU32) -> Option<(bool, Natural)> {
    let x_parts = Parts::of::<Binary32>(x.to_bits().into())?;
    let place = x_parts.place as i32 + lowest::<Binary32>() - UNIT;
    let magnitude = Natural::small(x_parts.magnitude, place).times(count.get());
    Some((x_parts.negative, magnitude))
}

/// The exact variance of some values about their mean, or the mean of their squares, made from
/// exact sums: what is left to do is one rounding.
///
/// ```
/// use bitexact::{Mode, bf16, f16, reduce::{Accumulator, Variance}};
/// # use core::num::NonZeroU32;
/// let (mut sum, mut squares) = (Accumulator::<f16>::new(), Accumulator::new());
/// for x in [0x63D0, 0x63D1].map(f16::from_bits) { // 1000 and 1000.5
///     sum.add(x);
///     squares.add_product(x, x);
/// }
/// let count = NonZeroU32::new(2).unwrap();
/// let variance = Variance::new(count, Some(&sum), &squares);
/// let (variance, _): (bf16, _) = variance.round_status(count, Mode::TIES_TO_EVEN);
/// assert_eq!(variance.to_f32(), 0.0625);
/// ```
#[derive(Clone, Copy)]
pub struct Variance {
    /// The variance times the square of the count, in units of 2^-298.
    scaled: Natural,
    /// What it is, where it is not finite.
    special: Option<Exact<u64>>,
    count: NonZeroU32,
}

impl core::fmt::Debug for Variance {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Variance of {} values", self.count)
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Variance {
    fn format(&self, f: defmt::Formatter) {
        defmt::write!(f, "Variance of {=u32} values", self.count.get());
    }
}

impl Variance {
    /// Of `count` values with this sum and this sum of their squares; without a sum, the mean of
    /// the squares.
    ///
    /// It is a number without meaning for sums that no values have. Without a sum, any number may be
    /// given as the squares and 1 as the count; a negative one makes all results NaN.
    #[must_use]
    pub fn new<F: Accumulable>(
        count: NonZeroU32,
        sum: Option<&Accumulator<F>>,
        squares: &Accumulator<F>,
    ) -> Self {
        let (negative, magnitude_of_squares) = magnitude(squares, UNIT);
        let special = match sum {
            Some(sum) => sum.limbs().0.deviates().map(Exact::<u64>::nan),
            None => match squares
                .limbs()
                .0
                .special()
                .filter(|x| x.kind() != Kind::Zero)
            {
                None if negative => Some(Exact::<u64>::nan(true)),
                Some(x) if x.sign() => Some(Exact::<u64>::nan(true)),
                special => special,
            },
        };
        let mut scaled = magnitude_of_squares.times(count.get());
        if let Some(sum) = sum {
            let (_, sum) = magnitude(sum, UNIT / 2);
            for (place, word) in sum.0.into_iter().enumerate() {
                if word != 0 {
                    scaled.minus_product(&sum, word, place);
                }
            }
        }
        Self {
            scaled,
            special,
            count,
        }
    }

    /// The variance times the count, divided by `divisor`: the count, or one less for Bessel's
    /// correction.
    fn value(&self, divisor: NonZeroU32) -> Exact<u64> {
        let value = || self.scaled.over(false, [self.count, divisor]);
        self.special.unwrap_or_else(value)
    }

    /// The sum of the squared deviations divided by `divisor` (the number of values, or one less
    /// for Bessel's correction), rounded once.
    pub fn round_status<R: Format>(&self, divisor: NonZeroU32, mode: Mode) -> (R, Status) {
        finish(self.value(divisor), mode.rule())
    }

    /// The square root of that, rounded once.
    pub fn round_square_root_status<R: Arithmetic>(
        &self,
        divisor: NonZeroU32,
        mode: Mode,
    ) -> (R, Status) {
        finish(square_root(self.value(divisor)), mode.rule())
    }

    /// `1 / sqrt(variance + epsilon)` of the exact variance, rounded once, ties to even.
    ///
    /// +infinity where that sum is 0, +0 where it is infinite; NaN where it is negative or NaN.
    #[must_use]
    pub fn reciprocal_root(&self, epsilon: Binary32) -> Binary32 {
        let root = self.exact_reciprocal_root(epsilon);
        finish(root, Mode::TIES_TO_EVEN.rule()).0
    }

    fn exact_reciprocal_root(&self, epsilon: Binary32) -> Exact<u64> {
        let nan = Exact::<u64>::nan(false);
        let infinite = self.special.is_some();
        if self.special.is_some_and(|x| x.kind() == Kind::Nan) {
            return nan;
        }
        let Some((negative, more)) = counted(epsilon, self.count) else {
            let kind = Exact::<u32>::decode::<Binary32>(epsilon.to_bits());
            let falls = kind.kind() == Kind::Nan || kind.sign();
            return if falls {
                nan
            } else {
                Exact::<u64>::zero(false)
            };
        };
        if infinite {
            return Exact::<u64>::zero(false);
        }
        let more = more.times(self.count.get());
        let scaled = if negative {
            match self.scaled.distance(&more) {
                (true, _) => return nan,
                (false, scaled) => scaled,
            }
        } else {
            self.scaled.plus(&more)
        };
        if scaled.is_zero() {
            return Exact::<u64>::infinity(false);
        }
        let divisors = [self.count; 2];
        let value = scaled.over(false, divisors);
        // The value is top * 2^(2 half + 32), about, and 1 / top is the quotient times 2^-92.
        let unit = value.exponent() - 63;
        let odd = unit & 1;
        let half = (unit + odd) / 2;
        // The top bit is set; setting it again shows the compiler that this is not 0.
        let top = ((value.significand() | 1 << 63) >> odd) >> 32;
        let (high, rest) = ((1 << 63) / top, (1 << 63) % top);
        let root = ((high << 29) + (rest << 29) / top).isqrt();
        let boundary = (root as u32 + (1 << 5)) >> 6;
        let square = scaled.times(boundary).times(boundary);
        let square = square.over(false, divisors);
        let exponent = square.exponent() - 112 - 2 * half;
        let boundary = u64::from(boundary) << 2;
        let root = if exponent < 0 {
            boundary | 1
        } else if exponent == 0 && square.significand() == 1 << 63 {
            boundary
        } else {
            boundary - 1
        };
        Exact::<u64>::from_integer(false, root, -58 - half)
    }
}

impl<F: Accumulable> Accumulator<F> {
    /// The sum divided by `count`, a mean, as two numbers: it is rounded to f32, and what is left
    /// of it too, both ties to even.
    ///
    /// The second is +0 where the first is the mean, and NaN where the first is not finite.
    ///
    /// ```
    /// use bitexact::reduce::Accumulator;
    /// # use core::num::NonZeroU32;
    /// let mut sum = Accumulator::<f32>::new();
    /// [1.0, 1.0, 2.0].map(|x| sum.add(x));
    /// let parts = sum.quotient_in_two(NonZeroU32::new(3).unwrap());
    /// assert_eq!(parts.map(|x| f32::from_bits(x.to_bits())), [1.3333334, -3.9736432e-8]);
    /// ```
    #[must_use]
    pub fn quotient_in_two(&self, count: NonZeroU32) -> [Binary32; 2] {
        let (first, _) = self.round_quotient_status::<Binary32>(count, Mode::TIES_TO_EVEN);
        let Some((_, part)) = counted(first, count) else {
            return [first, Binary32::from_bits(0x7FC0_0000)];
        };
        let (negative, total) = magnitude(self, UNIT);
        // The first part has the sign of the sum, or is 0.
        let (less, rest) = total.distance(&part);
        let second = rest.over(less != negative, [count, NonZeroU32::MIN]);
        [first, finish(second, Mode::TIES_TO_EVEN.rule()).0]
    }
}
