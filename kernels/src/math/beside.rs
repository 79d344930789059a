//! Values a little beside an exact one.
//!
//! Where a function differs from one of the formats' values by less than half the last place of
//! 11 digits, on a known side, its jammed neighbour on that side lies on the same side of every
//! cut.

use crate::round::Exact;

pub(super) const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, 1 << 31);

impl Exact<u32> {
    /// A finite value that is smaller in magnitude by less than any cut shows.
    #[inline]
    pub(super) const fn just_below(self) -> Self {
        Self::from_integer(self.sign(), self.significand() - 1, self.exponent() - 31)
    }

    /// A finite value that is greater in magnitude by less than any cut shows.
    #[inline]
    pub(super) const fn just_above(self) -> Self {
        Self::normalised(self.sign(), self.exponent(), self.significand() | 1)
    }

    /// An inexact result.
    #[inline]
    pub(super) const fn jammed(sign: bool, (significand, exponent): (u32, i32)) -> Self {
        Self::normalised(sign, exponent, significand | 1)
    }
}
