//! Division by six, which hardsigmoid and hardswish share.

use crate::round::{Exact, Kind};

impl Exact<u32> {
    /// A sixth of the value, on its side of every cut of a format of at most 20 digits.
    ///
    /// A third of the significand has 30 digits or more, and the rest sets the jam bit. Where
    /// the operand has a jam bit itself, at bit k (sums that did not carry are shifted up, so k may
    /// be 1 or a little more), its significand s is an odd multiple of 2^k and stands for a value
    /// within 2^k of it: a cut c of the quotient has more than k + 1 low digits that are zero, so 3c
    /// is an even multiple of 2^k, and s and the value lie on one side of it.
    #[inline]
    pub(super) const fn sixth(self) -> Self {
        match self.kind() {
            Kind::Finite => {
                let (third, rest) = (self.significand() / 3, self.significand() % 3);
                let jammed = (third << 1) | (rest != 0) as u32;
                // The unit of the significand, halved for the jam bit and again for the six.
                Self::from_integer(self.sign(), jammed, self.exponent() - 31 - 2)
            }
            _ => self,
        }
    }
}
