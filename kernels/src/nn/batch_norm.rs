//! Batch normalisation at inference, as a stated sequence of roundings.

use core::num::NonZeroU32;

use super::single::{Single, number};
use super::{NnError, check_length};
use crate::Mode;
use crate::arith::fma;
use crate::format::Binary32;
use crate::reduce::{Accumulator, Variance};

/// The parameters of a batch normalisation, one element per channel.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchNorm<'a, F> {
    /// The running mean.
    pub mean: &'a [F],
    /// The running variance.
    pub variance: &'a [F],
    /// The scale.
    pub weight: &'a [F],
    /// The shift.
    pub bias: &'a [F],
    /// The number that is added to the variance.
    pub epsilon: F,
}

/// Normalises `x`, channel by channel, in place.
///
/// Each element becomes `((x - mean) * r) * weight + bias` with `r = 1 / sqrt(variance + epsilon)` of
/// its channel. `r` is rounded once to f32 ([`Variance::reciprocal_root`]); so are the difference,
/// the product with `r`, and the product with `weight` together with the sum: all ties to even. An
/// `r` of infinity (both are 0) gives infinities, and NaN for an element that is the mean. NaNs are
/// canonical.
///
/// `x` is channels by any number of elements, row-major.
///
/// ```
/// use bitexact::nn::{BatchNorm, batch_norm};
/// let mut x = [1.0f32, 3.0, 5.0, 8.0];
/// let parameters =
///     BatchNorm { mean: &[1.0, 2.0], variance: &[4.0, 1.0], weight: &[1.0, 3.0], bias: &[0.5, 0.0], epsilon: 0.0 };
/// batch_norm(&mut x, &parameters)?;
/// assert_eq!(x, [0.5, 1.5, 9.0, 18.0]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Zero`] for no channels; [`NnError::Length`] for parameters of different lengths and
/// for an `x` whose length is not a multiple of theirs. Nothing has been written then.
pub fn batch_norm<F: Single>(x: &mut [F], parameters: &BatchNorm<'_, F>) -> Result<(), NnError> {
    let BatchNorm {
        mean,
        variance,
        weight,
        bias,
        epsilon,
    } = *parameters;
    let channels = mean.len();
    check_length("variance", variance.len(), &[channels])?;
    check_length("weight", weight.len(), &[channels])?;
    check_length("bias", bias.len(), &[channels])?;
    let elements = x
        .len()
        .checked_div(channels)
        .ok_or(NnError::Zero { which: "mean" })?;
    check_length("x", x.len(), &[channels, elements])?;
    let statistics = mean.iter().zip(variance);
    let scales = weight.iter().zip(bias);
    let planes = x.chunks_exact_mut(elements.max(1));
    for (plane, ((&mean, &variance), (&weight, &bias))) in planes.zip(statistics.zip(scales)) {
        let mut sum = Accumulator::new();
        sum.add(variance);
        sum.add(epsilon);
        let sum = Variance::new(NonZeroU32::MIN, None, &sum);
        let root = number(sum.reciprocal_root(Binary32::from_bits(0)).to_bits());
        for x in plane {
            *x = fma(x.minus(mean).times(root), weight, bias, Mode::TIES_TO_EVEN);
        }
    }
    Ok(())
}
