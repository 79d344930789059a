//! hypot: `sqrt(x^2 + y^2)`.
//!
//! Method: the operands have at most 11 digits, so the larger one's square, as an integer of 30
//! digits, is exact; the smaller one's square is moved to its place and cut off there. The integer
//! square root of the sum has 15 or 16 digits.
//!
//! Why it is exact: floor(sqrt(floor(a))) = floor(sqrt(a)), so the digits are the truncated
//! result's, three more than the deepest cut needs. The result is exact if and only if no digit
//! of the smaller square was cut off and the root leaves no rest: were the sum not an integer in
//! that unit, its root would be no integer. No table.

use crate::fixed::square_root_short;
use crate::format::Narrow;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

impl Exact<u32> {
    /// The length of the hypotenuse, of operands of at most 11 digits.
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
                // Fifteen digits each, of which the last four are zero.
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
    /// `sqrt(x^2 + y^2)`, rounded once (IEEE 754-2019 `hypot`): no intermediate overflow or
    /// underflow.
    ///
    /// The result is never negative: `hypot(-0, -0)` is +0. An infinite operand gives +infinity,
    /// beside a quiet NaN too; otherwise NaN gives the canonical NaN. A signalling operand gives
    /// NaN and invalid always.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::hypot_status, Status};
    /// let (x, y) = (f16::from_bits(0x4200), f16::from_bits(0xC400)); // 3, -4
    /// let five = (f16::from_bits(0x4500), Status::NONE);
    /// assert_eq!(hypot_status(x, y, Mode::TIES_TO_EVEN), five);
    /// ```
    hypot, hypot_status, hypot_bits;
    <F: Narrow>(x: F, y: F) -> F
}
