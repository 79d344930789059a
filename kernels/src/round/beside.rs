//! Values that lie beside a number: infinitely near, as far as any cut can tell.

use super::Exact;

impl Exact<u32> {
    /// A value just above a number's magnitude, of a finite one of at most 30 digits.
    #[inline]
    pub(crate) const fn just_above(self) -> Self {
        Self::normalised(self.sign(), self.exponent(), self.significand() | 1)
    }

    /// A value just below a number's magnitude, of a finite one of at most 30 digits.
    #[inline]
    pub(crate) const fn just_below(self) -> Self {
        if self.significand() == Self::TOP {
            Self::normalised(self.sign(), self.exponent() - 1, u32::MAX)
        } else {
            Self::normalised(self.sign(), self.exponent(), self.significand() - 1)
        }
    }
}
