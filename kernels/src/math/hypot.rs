//! hypot: `sqrt(x^2 + y^2)`.
//!
//! Method: the operands have at most 11 bits, so the larger one's square, as an integer of 30 bits,
//! is exact; the smaller one's square is shifted to its unit and truncated there. The integer
//! square root of the sum has 15 or 16 bits.
//!
//! Why it is correctly rounded: floor(sqrt(floor(a))) = floor(sqrt(a)), so the bits are the
//! truncated result's, three more than any rounding boundary has. The result is exact if and only
//! if no bit of the smaller square was discarded and the root has no remainder: if the sum were not
//! an integer in that unit, its root would not be one. No table.

use crate::fixed::square_root_short;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

impl Exact<u32> {
    /// The length of the hypotenuse, for operands of at most 11 bits.
    pub(crate) const fn hypot(self, other: Self) -> Self {
        if self.is_signaling() || other.is_signaling() {
            return Self::nan(true);
        }
        let x = self.negate_if(self.sign());
        let y = other.negate_if(other.sign());
        match (x.kind(), y.kind()) {
            (Kind::Infinite, _) | (_, Kind::Infinite) => Exact::<u32>::infinity(false),
            (Kind::Nan, _) | (_, Kind::Nan) => Exact::<u32>::nan(false),
            (_, Kind::Zero) => x,
            (Kind::Zero, _) => y,
            (Kind::Finite, Kind::Finite) => {
                let (large, small) = if x.exponent() >= y.exponent() {
                    (x, y)
                } else {
                    (y, x)
                };
                // Fifteen bits each, of which the last four are zero.
                let (a, b) = (large.significand() >> 17, small.significand() >> 17);
                let apart = large.exponent() - small.exponent();
                let shift = if apart < 15 { 2 * apart as u32 } else { 30 };
                let square = b * b;
                let kept = square >> shift;
                let (root, rest) = square_root_short(a * a + kept);
                let inexact = rest || kept << shift != square;
                let jammed = (root << 1) | inexact as u32;
                Exact::<u32>::from_integer(false, jammed, large.exponent() - 15)
            }
        }
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, y: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let y = Exact::<u32>::decode::<F>(y as u32);
    x.hypot(y).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `sqrt(x^2 + y^2)`, correctly rounded (IEEE 754-2019 `hypot`): no intermediate overflow or
    /// underflow.
    ///
    /// The result is never negative: `hypot(-0, -0)` is +0. An infinite operand gives +infinity,
    /// even with a quiet NaN; otherwise NaN gives the canonical NaN. A signalling operand always
    /// gives NaN and raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::hypot_status, Status};
    /// let (x, y) = (f16::from_bits(0x4200), f16::from_bits(0xC400)); // 3, -4
    /// let five = (f16::from_bits(0x4500), Status::NONE);
    /// assert_eq!(hypot_status(x, y, Mode::TIES_TO_EVEN), five);
    /// ```
    hypot, hypot_status, hypot_bits: round;
    <F: Narrow>(x: F, y: F) -> F
}
