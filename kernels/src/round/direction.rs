//! The one decision of rounding: to which of its two neighbours an inexact magnitude goes.
//!
//! Every direction is an increment. Added to the discarded bits, it carries into the kept bits
//! exactly when the magnitude goes to its upper neighbour.

use super::{Mode, Overflow, Rounding};

/// A rounding direction, or 16 random bits instead of one.
///
/// One word, so that it passes in a register: the number of a [`Rounding`], or a marker bit and the
/// random bits in the upper half.
#[derive(Clone, Copy)]
pub(crate) struct Direction(u32);

/// What a target of `round` needs to know about the caller's direction.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) direction: Direction,
    pub(crate) overflow: Overflow,
}

impl Rule {
    #[inline]
    pub(crate) const fn stochastic(random: u16, overflow: Overflow) -> Self {
        Self {
            direction: Direction(((random as u32) << 16) | STOCHASTIC),
            overflow,
        }
    }

    /// Whether this is [`Mode::TIES_TO_EVEN`].
    #[inline]
    pub(super) const fn is_default(self) -> bool {
        self.direction.is_ties_to_even() && matches!(self.overflow, Overflow::Ieee)
    }
}

impl Mode {
    #[inline]
    pub(crate) const fn rule(self) -> Rule {
        Rule {
            direction: Direction::fixed(self.rounding),
            overflow: self.overflow,
        }
    }
}

/// Random bits that stochastic rounding consumes.
pub(crate) const RANDOM_BITS: u32 = 16;

/// The marker bit of random bits, above all numbers of roundings.
const STOCHASTIC: u32 = 8;

/// Whether every inexact magnitude goes up in a directed rounding, for each sign and last kept bit.
/// The last two of the four bits are for negative values; the second and the fourth are for a last
/// bit of 1.
const GOES_UP: u32 = 0b0011 << (4 * Rounding::TowardPositive as u32)
    | 0b1100 << (4 * Rounding::TowardNegative as u32)
    | 0b0101 << (4 * Rounding::ToOdd as u32);

impl Direction {
    #[inline]
    pub(crate) const fn fixed(rounding: Rounding) -> Self {
        Self(rounding as u32)
    }

    #[inline]
    const fn is(self, rounding: Rounding) -> bool {
        self.0 == rounding as u32
    }

    #[inline]
    pub(crate) const fn is_ties_to_even(self) -> bool {
        self.is(Rounding::TiesToEven)
    }

    #[inline]
    pub(crate) const fn is_stochastic(self) -> bool {
        self.0 & STOCHASTIC != 0
    }

    /// Whether `digits` bits below a significand's last one, the sticky bit included, are enough
    /// for `self`. A fixed direction needs two (half and sticky); a stochastic one needs as many as
    /// there are random bits, and the sticky bit.
    #[inline]
    pub(crate) const fn needs_more_than(self, digits: u32) -> bool {
        digits
            < if self.is_stochastic() {
                RANDOM_BITS + 1
            } else {
                2
            }
    }

    #[inline]
    pub(crate) const fn is_toward_negative(self) -> bool {
        self.is(Rounding::TowardNegative)
    }

    /// Whether an overflowed magnitude of that sign goes to infinity (IEEE 754-2019 clause 7.4).
    #[inline]
    pub(crate) const fn overflows_to_infinity(self, sign: bool) -> bool {
        const TOWARD_ZERO: u32 = Rounding::TowardZero as u32;
        const TO_ODD: u32 = Rounding::ToOdd as u32;
        const TOWARD_POSITIVE: u32 = Rounding::TowardPositive as u32;
        const TOWARD_NEGATIVE: u32 = Rounding::TowardNegative as u32;
        match self.0 {
            TOWARD_ZERO | TO_ODD => false,
            TOWARD_POSITIVE => !sign,
            TOWARD_NEGATIVE => sign,
            _ => true,
        }
    }
}

macro_rules! impl_increment {
    ($increment:ident, $rounds_up:ident, $w:ty) => {
        impl Direction {
            /// The increment that, added to the `digits` discarded bits (at least one), carries out of them exactly
            /// when the magnitude goes up. `odd` says whether the last kept bit is 1.
            ///
            /// Inline, because it is a constant for a literal direction; otherwise a call, where
            /// size counts.
            pub(crate) const fn $increment(self, sign: bool, odd: bool, digits: u32) -> $w {
                const TIES_TO_EVEN: u32 = Rounding::TiesToEven as u32;
                const TIES_TO_AWAY: u32 = Rounding::TiesToAway as u32;
                let half: $w = 1 << (digits - 1);
                match self.0 {
                    TIES_TO_EVEN => half - 1 + odd as $w,
                    TIES_TO_AWAY => half,
                    random if random & STOCHASTIC != 0 => {
                        // Discarded bits below the random ones cannot carry, and random bits
                        // below the discarded ones have nothing to carry into.
                        let random = (random >> 16) as $w;
                        if digits >= RANDOM_BITS {
                            random << (digits - RANDOM_BITS)
                        } else {
                            random >> (RANDOM_BITS - digits)
                        }
                    }
                    // An increment of all ones carries out of anything but zero; an increment of 0
                    // never carries.
                    directed => {
                        let goes_up = GOES_UP >> (4 * directed + 2 * sign as u32 + odd as u32) & 1;
                        (0 as $w).wrapping_sub(goes_up as $w) & (half - 1 + half)
                    }
                }
            }

            /// Whether a magnitude goes to its upper neighbour. `rest` holds the discarded bits as
            /// a fraction of 2^BITS.
            #[inline]
            pub(crate) const fn $rounds_up(self, sign: bool, odd: bool, rest: $w) -> bool {
                rest.overflowing_add(self.$increment(sign, odd, <$w>::BITS))
                    .1
            }
        }
    };
}

impl_increment!(increment_u32, rounds_up_u32, u32);
impl_increment!(increment_u64, rounds_up_u64, u64);
impl_increment!(increment_u128, rounds_up_u128, u128);
