//! Sine.
//!
//! Method: reduction to a fraction of a quarter turn by the bits of 2/pi (`fixed/two_over_pi.rs`,
//! after Payne and Hanek), then the polynomial of the sine or the cosine
//! (`fixed/sincos_quarter_turn.rs`).
//!
//! Exactness: the sine of a rational number other than 0 is irrational, so every other result is
//! inexact. Below 2^-6 it is `x` minus at most `x^3/6`, which is less than half a unit in the last
//! of 11 bits. Elsewhere the error is below 2^-29 of the result. The exhaustive run verifies that
//! no result is closer than that to a rounding boundary; repeat it after changing a constant.
//!
//! Tables: 128 bytes of 2/pi and 36 of polynomials, which the family shares. Generators:
//! `constants/two_over_pi.py`, `constants/quarter.py`.

use super::angle_reduction::Turns;
use crate::format::Arithmetic;
use crate::public_api::{rounded_by_mode, straight_path};
use crate::round::{Exact, Kind};

/// Below this exponent `sin x` and `tan x` are next to `x`, and `cos x` is next to 1.
pub(super) const SMALL: i32 = -6;

#[inline]
const fn sine(x: Exact<u32>) -> Exact<u32> {
    Turns::from_radians(x).sine()
}

/// The sine of an operand below 2^-6 in magnitude, or that is not finite.
#[inline]
const fn extreme(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Finite => x.inward(),
        Kind::Infinite => Exact::<u32>::nan(true),
        Kind::Zero | Kind::Nan => x,
    }
}

straight_path!(any -6..=127 => sine, extreme; f32 crate::single::sine);

rounded_by_mode! {
    /// The sine of `x` radians, correctly rounded (IEEE 754-2019 `sin`).
    ///
    /// Zeros give themselves. Infinities give NaN and raise invalid. NaN gives the canonical NaN; a
    /// signalling NaN also raises invalid. Subnormal results underflow; the reduction is exact for
    /// every operand.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::sin};
    /// let x = f16::from_bits(0x3C00); // 1
    /// assert_eq!(sin(x, Mode::TIES_TO_EVEN).to_bits(), 0x3ABB); // 0.8413
    /// ```
    sin, sin_status, sin_bits: round;
    <F: Arithmetic>(x: F) -> F
}
