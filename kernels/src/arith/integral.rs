//! Round to an integral value.

use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let (integral, inexact) = Exact::<u32>::decode::<F>(x as u32).to_integral(rule.direction);
    let (bits, status) = integral.to_format::<F>(rule);
    (bits, status.union(inexact))
}

rounded! {
    /// `x` rounded to an integral value in its own format (IEEE 754-2019 `roundToIntegralExact`:
    /// inexact is raised where rounding changed the value; the plain form is
    /// `roundToIntegralTiesToEven` and the like).
    ///
    /// A zero result has the sign of `x`; infinities stay. Rounding to odd and stochastic rounding
    /// work on the integers.
    ///
    /// ```
    /// use bitexact::{arith::round_to_integral, f16, Mode};
    /// let x = f16::from_f32_const(-0.5);
    /// assert_eq!(round_to_integral(x, Mode::TIES_TO_EVEN).to_bits(), 0x8000);
    /// assert_eq!(round_to_integral(x, Mode::TO_ODD).to_bits(), 0xBC00); // -1
    /// ```
    round_to_integral, round_to_integral_status, round_to_integral_stochastic,
    round_to_integral_stochastic_status,
    round_to_integral_bits, round_to_integral_stochastic_bits: round;
    <F: Arithmetic>(x: F) -> F
}
