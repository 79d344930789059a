//! Number to E8M0 scale.
//!
//! The operand's exact value decides: its exponent, and how its significand compares with 1 and
//! with 1.5. No logarithm is computed (`ceil(log2(x))` in f32 is wrong just above powers of two).

use super::{E8M0, ScalePolicy};
use crate::format::Format;
use crate::round::{Exact, Status};

/// The E8M0 scale of `x` under `policy`.
///
/// | operand | result | raises |
/// |---|---|---|
/// | NaN | `policy.nan` | invalid where it signals |
/// | zero of either sign | `policy.zero` | underflow and inexact; invalid where that is NaN |
/// | negative, infinity included | the scale of its magnitude, or the code of `policy.negative` | as the magnitude; or invalid |
/// | infinity | `policy.infinity` | overflow and inexact; invalid where that is NaN |
/// | a magnitude below 2^-127 | 2^-127 by rounding (`CeilField`: 2^-126); or the code of `policy.below_minimum` | underflow and inexact; invalid where that is NaN |
/// | too large, by `policy.overflow_test` | `policy.overflow` | overflow and inexact |
/// | any other | the power of two given by `policy.rounding` | inexact where it differs from the magnitude |
///
/// Source: OCP Microscaling Formats (MX) v1.0 for the format; the settings and presets are the
/// measured behaviour of the systems they are named after.
///
/// ```
/// use bitexact::scale::{self, E8M0, ScalePolicy};
/// let outward_one = f32::from_bits(0x3F80_0001);
/// assert_eq!(scale::encode(outward_one, &ScalePolicy::FLOOR).to_bits(), 127);
/// assert_eq!(scale::encode(outward_one, &ScalePolicy::CEIL).to_bits(), 128);
/// assert_eq!(scale::encode(0.0f32, &ScalePolicy::CEIL), E8M0::MIN);
/// ```
#[inline]
#[must_use]
pub fn encode<F: Format>(x: F, policy: &ScalePolicy) -> E8M0 {
    encode_bits::<F>(x.to_bits(), policy).0
}

/// [`encode`] with its status.
#[inline]
pub fn encode_status<F: Format>(x: F, policy: &ScalePolicy) -> (E8M0, Status) {
    encode_bits::<F>(x.to_bits(), policy)
}

/// [`encode_status`] on the code of an `F`, in constant code too.
#[inline]
pub const fn encode_bits<F: Format>(x: u64, policy: &ScalePolicy) -> (E8M0, Status) {
    if F::BITS > 32 {
        Exact::<u64>::decode::<F>(x).narrow().to_scale(policy)
    } else {
        Exact::<u32>::decode::<F>(x as u32).to_scale(policy)
    }
}
