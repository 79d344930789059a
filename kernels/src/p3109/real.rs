//! What a function is computed with: numbers of [384 bits](super::real384), or of [64](super::real64).

use core::cmp::Ordering;

/// Plus or minus a significand times a power of two, or zero.
///
/// Sums, products and quotients that have more bits than the significand are rounded to odd.
pub(super) trait Real: Copy {
    const ZERO: Self;
    const ONE: Self;
    const HALF: Self;
    const PI: Self;
    /// pi/2.
    const QUARTER_TURN: Self;
    const INVERSE_PI: Self;
    const LN_2: Self;

    /// Below this exponent a function that differs from its operand by the third power is next to
    /// it.
    const SMALL: i64;
    /// The same where it is the second power.
    const SMALL_FOR_SQUARE: i64;
    /// Below this exponent an even function with the value 1 at 0 is next to 1.
    const SMALL_FOR_EVEN: i64;
    /// From this exponent on e^x is beyond every format's range, and its reciprocal below.
    const LARGE: i64;
    /// What stands for a result beyond every format's range: its exponent.
    const BEYOND: i64;
    /// A term of a series that is smaller by this power of two does not count.
    const LAST: i64;
    /// How often the power of a smaller number is squared.
    const SQUARINGS: i64;

    fn from_small(integer: i64) -> Self;
    fn is_zero(&self) -> bool;
    /// Less than zero.
    fn is_negative(&self) -> bool;
    /// Of the top bit of a number other than zero.
    fn exponent(&self) -> i64;
    /// The upper 64 bits of the significand.
    fn high(&self) -> u64;
    fn negate(self) -> Self;
    /// Times 2^places.
    fn scaled(self, places: i64) -> Self;
    fn compare_magnitude(&self, other: &Self) -> Ordering;
    fn plus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// Divided by an integer from 1 to 2^32, nearly.
    fn over_small(&self, divisor: u32) -> Self;
    /// The quotient with a divisor other than zero: exact, or rounded to odd.
    fn over(&self, divisor: &Self) -> Self;
    /// The quotient, nearly.
    fn over_nearly(&self, divisor: &Self) -> Self;
    /// The root of a positive number: exact, or rounded to odd.
    fn root(&self) -> Self;
    /// The root of a number that is not negative, nearly.
    fn root_nearly(&self) -> Self;
    /// The reciprocal of the root of a positive number, nearly.
    fn reciprocal_root(&self) -> Self;
    /// Rounded to odd.
    fn odd(self) -> Self;
    /// Rounded to odd, of a number that stands for one that has more bits.
    fn inexact(self) -> Self;
    /// A number next to this one, which is not zero and has few bits: of greater magnitude, or of
    /// smaller.
    fn next_to(self, greater: bool) -> Self;
    /// The remainder modulo 4, of the same sign.
    fn modulo_four(&self) -> Self;
    /// An operand in radians, of at least 1, as quarter turns: how many whole ones (only modulo 4),
    /// and what is left, from -1/2 to 1/2. Of the magnitude.
    fn quarter_turns(&self) -> (i64, Self);

    fn is_one(&self) -> bool {
        !self.is_negative() && self.compare_magnitude(&Self::ONE).is_eq()
    }

    fn negate_if(self, negate: bool) -> Self {
        if negate { self.negate() } else { self }
    }

    fn magnitude(self) -> Self {
        self.negate_if(self.is_negative())
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negate())
    }

    fn reciprocal(&self) -> Self {
        Self::ONE.over_nearly(self)
    }
}
