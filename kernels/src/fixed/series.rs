//! Polynomials in fixed point, by Horner's rule with high multiplies.

use super::product::mul_high_31;

/// The polynomial in `z`, or in `-z` where `alternating`; the highest power's coefficient comes
/// first.
///
/// `z` has to lie below 2^31, every partial sum but the last in 0..2^31 and the last in 0..2^32,
/// which a series with quickly falling coefficients does.
#[inline]
pub(crate) const fn series<const N: usize>(
    coefficients: &[u32; N],
    z: u32,
    alternating: bool,
) -> u32 {
    let mut rest: &[u32] = coefficients;
    let mut sum = 0;
    while let Some((&coefficient, lower)) = rest.split_first() {
        let product = mul_high_31(sum, z);
        sum = if alternating {
            coefficient.wrapping_sub(product)
        } else {
            coefficient.wrapping_add(product)
        };
        rest = lower;
    }
    sum
}
