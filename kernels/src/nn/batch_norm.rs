//! Batch normalisation at inference, as a stated sequence of roundings.

use super::single::{Single, canonical, square_root};
use super::{NnError, check_length};

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
/// A channel's factor and shift are made in these steps, each rounded to f32, ties to even:
/// `factor = weight / sqrt(variance + epsilon)` (three) and `shift = bias - mean * factor` (two).
/// An element becomes `x * factor + shift` (two). NaNs are canonical.
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
        let factor = weight.over(square_root(variance.plus(epsilon)));
        let shift = bias.minus(mean.times(factor));
        for x in plane {
            *x = canonical(x.times(factor).plus(shift));
        }
    }
    Ok(())
}
