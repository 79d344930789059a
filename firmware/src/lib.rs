//! The kernels as firmware uses them: `no_std`, no heap, buffers of fixed capacity.
#![no_std]

use bitexact::scale::{self, E8M0, ScalePolicy};
use bitexact::{Mode, arith, bf16, convert};
use heapless::Vec;

/// A block of sensor samples as bf16 and the shared E8M0 scale of the largest of them.
///
/// The samples are rounded to nearest, saturating. The scale is that of the largest magnitude
/// that is a number, rounded up, and 2^-127 for a block of zeros; NaN samples stay NaN.
///
/// ```
/// let (scale, samples) = firmware::pack(&[0.1, -3.0, 2.5]);
/// assert_eq!(scale.to_bits(), 127 + 2); // 3 needs 2^2
/// assert_eq!(samples[1].to_bits(), 0xC040);
/// ```
#[must_use]
pub fn pack<const N: usize>(block: &[f32; N]) -> (E8M0, Vec<bf16, N>) {
    let mode = Mode::TIES_TO_EVEN.saturating();
    let largest = block
        .iter()
        .copied()
        .fold(0.0, arith::maximum_magnitude_number);
    let samples = Vec::from_array(block.map(|x| convert::convert(x, mode)));
    (scale::encode(largest, &ScalePolicy::CEIL), samples)
}
