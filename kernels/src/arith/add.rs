//! Addition and subtraction.
//!
//! Method: the textbook method with a sticky bit. The smaller operand's significand is shifted to
//! the larger one's unit; if bits are lost, the lowest bit is set.
//!
//! Why it is correctly rounded: with one bit of headroom, 31 (or 63) bits are kept. Where bits are
//! lost the exponents differ by at least 2, as an operand has at most 24 bits (in 32 bits: at least
//! 8), so a subtraction cancels at most one leading bit, and the sticky bit stays below the 30th
//! bit of the result. The rounding boundaries of a fixed rounding need no bit below the 25th.
//! Stochastic rounding to f32 needs 15 more, and uses 64 bits.

use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Kind, Rule, Status, shift_right_jam};

macro_rules! impl_add {
    ($w:ty) => {
        impl Exact<$w> {
            /// The exact sum.
            pub(crate) const fn add(self, other: Self) -> Self {
                if self.is_finite_nonzero() && other.is_finite_nonzero() {
                    self.add_finite(other)
                } else {
                    self.add_special(other)
                }
            }

            #[cold]
            const fn add_special(self, other: Self) -> Self {
                if let Some(invalid) = self.nan_operand(other) {
                    return Self::nan(invalid);
                }
                match (self.kind(), other.kind()) {
                    (Kind::Infinite, Kind::Infinite) if self.sign() != other.sign() => {
                        Self::nan(true)
                    }
                    (Kind::Zero, Kind::Zero) if self.sign() != other.sign() => Self::zero_by_mode(),
                    (Kind::Infinite, _) | (_, Kind::Zero) => self,
                    _ => other,
                }
            }

            #[inline]
            const fn add_finite(self, other: Self) -> Self {
                let (large, small) = if self.exponent() >= other.exponent() {
                    (self, other)
                } else {
                    (other, self)
                };
                // One bit of headroom for the carry.
                let unit = large.exponent() - (<$w>::BITS as i32 - 2);
                let apart = (large.exponent() - small.exponent()) as u32;
                let upper = large.significand() >> 1;
                let lower = shift_right_jam!(small.significand() >> 1, apart, $w);
                if large.sign() == small.sign() {
                    Self::from_integer(large.sign(), upper + lower, unit)
                } else if upper > lower {
                    Self::from_integer(large.sign(), upper - lower, unit)
                } else if upper < lower {
                    Self::from_integer(small.sign(), lower - upper, unit)
                } else {
                    Self::zero_by_mode()
                }
            }
        }
    };
}

impl_add!(u32);
impl_add!(u64);

/// `a + b`, or `a - b` where `NEGATE`.
#[inline(always)]
const fn sum<A: Arithmetic, B: Arithmetic, R: Arithmetic>(
    a: u64,
    b: u64,
    negate: bool,
    rule: Rule,
) -> (u64, Status) {
    let a = Exact::<u32>::decode::<A>(a as u32);
    let b = Exact::<u32>::decode::<B>(b as u32).negate_if(negate);
    // The sum has 30 (or 62) certain bits, enough for the result and its rounding boundaries.
    if rule.direction.needs_more_than(30 - R::PRECISION) {
        a.widen().add(b.widen()).to_format::<R>(rule)
    } else {
        a.add(b).to_format::<R>(rule)
    }
}

mod addition {
    use super::{Arithmetic, Rule, Status, rounded, sum};

    #[inline(always)]
    const fn round<A: Arithmetic, B: Arithmetic, R: Arithmetic>(
        a: u64,
        b: u64,
        rule: Rule,
    ) -> (u64, Status) {
        sum::<A, B, R>(a, b, false, rule)
    }

    rounded! {
        /// `a + b`, rounded once to `R` (IEEE 754-2019 `formatOf-addition`).
        ///
        /// An exact zero sum of opposite values is +0, or -0 toward negative; (-0) + (-0) is -0.
        /// Infinities of opposite sign give NaN and raise invalid.
        ///
        /// ```
        /// use bitexact::{arith::add, f16, Mode};
        /// let (a, b) = (f16::from_bits(0x3C00), f16::from_bits(0x1000)); // 1 + 2^-11, a tie
        /// let even: f16 = add(a, b, Mode::TIES_TO_EVEN);
        /// let away: f16 = add(a, b, Mode::TIES_TO_AWAY);
        /// assert_eq!((even.to_bits(), away.to_bits()), (0x3C00, 0x3C01));
        /// ```
        add, add_status, add_stochastic, add_stochastic_status,
        add_bits, add_stochastic_bits: round;
        <A: Arithmetic, B: Arithmetic, R: Arithmetic>(a: A, b: B) -> R
    }
}

mod subtraction {
    use super::{Arithmetic, Rule, Status, rounded, sum};

    #[inline(always)]
    const fn round<A: Arithmetic, B: Arithmetic, R: Arithmetic>(
        a: u64,
        b: u64,
        rule: Rule,
    ) -> (u64, Status) {
        sum::<A, B, R>(a, b, true, rule)
    }

    rounded! {
        /// `a - b`, rounded once to `R` (IEEE 754-2019 `formatOf-subtraction`): `a + (-b)`, see
        /// [`add`](super::add).
        sub, sub_status, sub_stochastic, sub_stochastic_status,
        sub_bits, sub_stochastic_bits: round;
        <A: Arithmetic, B: Arithmetic, R: Arithmetic>(a: A, b: B) -> R
    }
}

pub use addition::*;
pub use subtraction::*;
