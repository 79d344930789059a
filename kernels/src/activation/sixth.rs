//! Division by six, which hardsigmoid and hardswish share.

use crate::round::{Exact, Kind};

impl Exact<u32> {
    /// A sixth of the value, on its side of every cut of a format of at most 28 digits.
    ///
    /// A third of the significand has 30 digits or more, and the rest sets the jam bit. Where
    /// the operand has a jam bit itself, its significand s is odd and stands for a value within
    /// 1 of it: a cut c of that quotient is a multiple of 2 there, so 3c is even, and s and the
    /// value lie on one side of it.
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
