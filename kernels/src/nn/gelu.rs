//! gelu in f32, as a stated sequence of roundings.
//!
//! Method: its definition by erf, in four steps. The correctly rounded gelu in 16-bit formats is
//! [`activation::gelu`](crate::activation::gelu).

use super::erf::erf;
use super::single::{HALF, INFINITY, ONE, Single, canonical, code, number};

/// The square root of 1/2, rounded.
const ROOT: u32 = 0x3F35_04F3;
const SIGN: u32 = 1 << 31;

/// `(x * 0.5) * (1 + erf(x * sqrt(1/2)))` in these four steps and those of [`erf`], each rounded to
/// f32, ties to even.
///
/// Far below 0, where `1 + erf` is 0, it is -0, also at minus infinity. NaN gives the canonical
/// NaN.
///
/// ```
/// use bitexact::nn::gelu;
/// assert_eq!((gelu(8.0f32), gelu(-0.0f32).to_bits()), (8.0, 0x8000_0000));
/// ```
#[must_use]
pub fn gelu<F: Single>(x: F) -> F {
    if code(x) == INFINITY | SIGN {
        return number(SIGN);
    }
    let twice = number::<F>(ONE).plus(erf(x.times(number(ROOT))));
    canonical(x.times(number(HALF)).times(twice))
}
