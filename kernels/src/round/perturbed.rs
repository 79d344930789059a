//! Values perturbed by less than the distance to any rounding boundary.

use super::Exact;

impl Exact<u32> {
    /// 1.
    pub(crate) const ONE: Self = Self::normalised(false, 0, Self::TOP);
    /// 1/2.
    pub(crate) const HALF: Self = Self::ONE.scale(-1);
    /// Between 1 and the next number above it in every format.
    pub(crate) const ABOVE_ONE: Self = Self::ONE.outward();
    /// Between 1 and the next number below it in every format.
    pub(crate) const BELOW_ONE: Self = Self::ONE.inward();
    /// Above every format's largest number, and inexact.
    pub(crate) const HUGE: Self = Self::normalised(false, 1 << 20, u32::MAX);
    /// Below half of every format's least number, and inexact.
    pub(crate) const TINY: Self = Self::normalised(false, -(1 << 20), u32::MAX);

    /// A little more than a decoded operand, in magnitude.
    #[inline]
    pub(crate) const fn outward(self) -> Self {
        Self::normalised(self.sign(), self.exponent(), self.significand() | 1)
    }

    /// A little less than a decoded operand, in magnitude.
    #[inline]
    pub(crate) const fn inward(self) -> Self {
        if self.significand() > Self::TOP {
            Self::normalised(self.sign(), self.exponent(), (self.significand() - 1) | 1)
        } else {
            Self::normalised(self.sign(), self.exponent() - 1, u32::MAX)
        }
    }

    /// An inexact result, from its approximated significand (normalised) and exponent.
    #[inline]
    pub(crate) const fn jammed(sign: bool, (significand, exponent): (u32, i32)) -> Self {
        Self::normalised(sign, exponent, significand | 1)
    }

    /// `unit * magnitude` as an inexact value, normalised to 32 bits.
    #[inline]
    pub(crate) const fn inexact(sign: bool, magnitude: u64, unit: i32) -> Self {
        Exact::<u64>::from_integer(sign, magnitude | 1, unit).narrow()
    }

    /// The same for a magnitude of at most 32 bits.
    #[inline]
    pub(crate) const fn inexact_word(sign: bool, magnitude: u32, unit: i32) -> Self {
        Self::from_integer(sign, magnitude | 1, unit)
    }
}
