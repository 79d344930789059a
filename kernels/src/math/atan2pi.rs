//! Arc tangent of a ratio in half turns, in the right quadrant.
//!
//! Method: as `atan2.rs`, the polynomial's value times 1/pi.
//!
//! Exactness. The only rational tangents of rational angles are 0 and +-1 (after Niven), so the
//! exact results are those of the axes, of the diagonals and of infinities: eighths of a turn. The
//! rest depends on the two significands, on the difference of the exponents and on the signs
//! alone.
//! - Where a small part, below 2^-16, is added to a half or whole half turn, or taken from it, the
//!   result is beside that, on the side that is known.
//! - Else the first approximation's error is below 2^-27 of the result, and it is taken only
//!   where it is farther than 2^-26 from all numbers of 12 digits, which include every cut.
//! - The second's error is below 2^-49, and no result is nearer to a cut than 2^-41: that was
//!   found by running all pairs of significands, differences of exponents and signs, as for `atan2`.
//!
//! Tables: those of `atan2`, 28 and 88 bytes. Generators: `constants/arctangent.py`,
//! `constants/arctangent_long.py`.

use super::atan2::{Special, is_clear, special};
use super::ratio::Ratio;
use crate::format::Narrow;
use crate::round::{Exact, Rule, Status};
use crate::wrappers::rounded_by_mode;

pub(crate) const fn atan2pi_core(y: Exact<u32>, x: Exact<u32>) -> Exact<u32> {
    let sign = y.sign();
    if !(y.is_finite_nonzero() && x.is_finite_nonzero()) {
        return match special(y, x) {
            Special::Nan(invalid) => Exact::<u32>::nan(invalid),
            Special::Zero => Exact::<u32>::zero(sign),
            Special::Arc(arc) => arc.half_turns(sign),
        };
    }
    let ratio = Ratio::new(y, x);
    let ratio = if x.sign() { ratio.mirrored() } else { ratio };
    let arc = ratio.arc();
    let short = arc.half_turns(sign);
    if arc.is_whole_or_beside() || is_clear(short) {
        short
    } else {
        ratio.arc_long().half_turns(sign).narrow()
    }
}

#[inline(always)]
const fn round<F: Narrow>(y: u64, x: u64, rule: Rule) -> (u64, Status) {
    let y = Exact::<u32>::decode::<F>(y as u32);
    let x = Exact::<u32>::decode::<F>(x as u32);
    atan2pi_core(y, x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// The angle of the point (x, y) in half turns, from -1 to 1, rounded once (IEEE 754-2019
    /// `atan2Pi`; the ordinate comes first).
    ///
    /// The result has `y`'s sign. Axes, diagonals and infinities give eighths of a turn exactly:
    /// a zero `y` gives a zero where `x` is positive or +0, and 1 where it is negative or -0; a
    /// zero `x` else gives 1/2; two infinities give 1/4 or 3/4, `y`'s alone 1/2, `x`'s alone a
    /// zero or 1. NaN gives the canonical NaN, and invalid where it signals; nothing else is
    /// invalid. Small results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, Status, f16, math::atan2pi_status};
    /// let [y, x] = [0xBC00, 0xBC00].map(f16::from_bits); // -1, -1
    /// let (angle, status) = atan2pi_status(y, x, Mode::TIES_TO_EVEN);
    /// assert_eq!((angle.to_bits(), status), (0xBA00, Status::NONE)); // -3/4
    /// ```
    atan2pi, atan2pi_status, atan2pi_bits;
    <F: Narrow>(y: F, x: F) -> F
}
