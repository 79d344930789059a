//! Arc tangent of a ratio in half turns, in the correct quadrant.
//!
//! Method: as in `atan2.rs`, with the polynomial's value times 1/pi.
//!
//! Exactness: the only rational tangents of rational angles are 0 and +-1 (after Niven), so the
//! exact results are those of the axes, the diagonals and the infinities: eighths of a turn. The
//! others depend only on the two significands, the difference of the exponents, and the signs.
//! - Where a small part, below 2^-16, is added to or subtracted from a half or whole half turn, the
//!   result is next to it, on the known side.
//! - Otherwise the first approximation's error is below 2^-27 of the result. It is accepted only
//!   where it is more than 2^-26 away from all numbers of 12 bits, which include every rounding
//!   boundary.
//! - The second's error is below 2^-49, and no result is closer to a rounding boundary than 2^-41.
//!   That was verified over all pairs of significands, differences of exponents and signs, as for
//!   `atan2`.
//!
//! Tables: those of `atan2`, 28 and 88 bytes. Generators: `constants/arctangent.py`,
//! `constants/arctangent_long.py`.

use super::atan_ratio::Ratio;
use super::atan2::{Special, is_clear, special};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

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
    if arc.is_whole_or_near() || is_clear(short) {
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
    /// The angle of the point (x, y) in half turns, from -1 to 1, correctly rounded (IEEE 754-2019
    /// `atan2Pi`; the ordinate comes first).
    ///
    /// The result has `y`'s sign. Axes, diagonals and infinities give eighths of a turn exactly: a
    /// zero `y` gives a zero where `x` is positive or +0, and 1 where it is negative or -0;
    /// otherwise a zero `x` gives 1/2; two infinities give 1/4 or 3/4, an infinite `y` alone 1/2,
    /// an infinite `x` alone a zero or 1. NaN gives the canonical NaN, and invalid where it
    /// signals; nothing else is invalid. Small results underflow.
    ///
    /// ```
    /// use bitexact::{Mode, Status, f16, math::atan2pi_status};
    /// let [y, x] = [0xBC00, 0xBC00].map(f16::from_bits); // -1, -1
    /// let (angle, status) = atan2pi_status(y, x, Mode::TIES_TO_EVEN);
    /// assert_eq!((angle.to_bits(), status), (0xBA00, Status::NONE)); // -3/4
    /// ```
    atan2pi, atan2pi_status, atan2pi_bits: round;
    <F: Narrow>(y: F, x: F) -> F
}
