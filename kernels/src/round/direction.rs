//! The one decision: which of its two neighbours an inexact magnitude goes to.

use super::{Mode, Overflow, Rounding};

/// A rounding direction, or 16 random bits in its place.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Fixed(Rounding),
    Stochastic(u16),
}

/// What a target of `round` needs to know of the caller's wish.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) direction: Direction,
    pub(crate) overflow: Overflow,
}

impl Rule {
    #[inline]
    pub(crate) const fn stochastic(random: u16, overflow: Overflow) -> Self {
        Self {
            direction: Direction::Stochastic(random),
            overflow,
        }
    }
}

impl Mode {
    #[inline]
    pub(crate) const fn rule(self) -> Rule {
        Rule {
            direction: Direction::Fixed(self.rounding),
            overflow: self.overflow,
        }
    }
}

/// Random bits that stochastic rounding consumes.
pub(crate) const RANDOM_BITS: u32 = 16;

impl Direction {
    #[inline]
    pub(crate) const fn is_stochastic(self) -> bool {
        matches!(self, Self::Stochastic(_))
    }

    /// Whether the digits below a significand's last one are seen at the depth that `self`
    /// needs when `digits` of them, the sticky bit included, are kept: two for the fixed
    /// directions (half and sticky), the random bits and the sticky bit for stochastic ones.
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
        matches!(self, Self::Fixed(Rounding::TowardNegative))
    }

    /// Whether an overflowed magnitude of that sign goes to infinity (IEEE 754-2019 clause 7.4).
    #[inline]
    pub(crate) const fn overflows_to_infinity(self, sign: bool) -> bool {
        match self {
            Self::Fixed(Rounding::TowardZero | Rounding::ToOdd) => false,
            Self::Fixed(Rounding::TowardPositive) => !sign,
            Self::Fixed(Rounding::TowardNegative) => sign,
            _ => true,
        }
    }
}

macro_rules! rounds_up {
    ($name:ident, $w:ty) => {
        impl Direction {
            /// Whether a magnitude goes up to its upper neighbour.
            ///
            /// `rest` holds the digits below the last kept one as a fraction of 2^`width`, and
            /// `odd` says whether that last digit is 1.
            #[inline]
            pub(crate) const fn $name(self, sign: bool, odd: bool, rest: $w, width: u32) -> bool {
                let half: $w = 1 << (width - 1);
                match self {
                    Self::Fixed(Rounding::TiesToEven) => rest > half || (rest == half && odd),
                    Self::Fixed(Rounding::TiesToAway) => rest >= half,
                    Self::Fixed(Rounding::TowardZero) => false,
                    Self::Fixed(Rounding::TowardPositive) => rest != 0 && !sign,
                    Self::Fixed(Rounding::TowardNegative) => rest != 0 && sign,
                    Self::Fixed(Rounding::ToOdd) => rest != 0 && !odd,
                    Self::Stochastic(random) => {
                        let fraction = if width >= RANDOM_BITS {
                            (rest >> (width - RANDOM_BITS)) as u32
                        } else {
                            (rest as u32) << (RANDOM_BITS - width)
                        };
                        (fraction + random as u32) >> RANDOM_BITS != 0
                    }
                }
            }
        }
    };
}

rounds_up!(rounds_up_u32, u32);
rounds_up!(rounds_up_u64, u64);
