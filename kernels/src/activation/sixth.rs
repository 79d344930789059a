//! Division by six, which hardsigmoid and hardswish share.

use crate::round::{Exact, Kind};

impl Exact<u32> {
    /// A sixth of the value, on the correct side of every rounding boundary of a format of at most
    /// 20 bits.
    ///
    /// A third of the significand has at least 30 bits, and a remainder sets the sticky bit. The
    /// operand may have a sticky bit itself, at bit k (sums that did not carry are shifted up, so k
    /// may be 1 or slightly more). Then its significand s is an odd multiple of 2^k and represents
    /// a value within 2^k of it. A rounding boundary c of the quotient has more than k + 1 low zero
    /// bits, so 3c is an even multiple of 2^k, and s and the value lie on the same side of it.
    #[inline]
    pub(super) const fn sixth(self) -> Self {
        match self.kind() {
            Kind::Finite => {
                let (third, rest) = (self.significand() / 3, self.significand() % 3);
                let jammed = (third << 1) | (rest != 0) as u32;
                // The unit of the significand, halved for the sticky bit and again for the six.
                Self::from_integer(self.sign(), jammed, self.exponent() - 31 - 2)
            }
            _ => self,
        }
    }
}
