//! Convolution of an image in two dims, in a declared order.
//!
//! Method: a row of the output, or a part of one, is the running sum; each tap of the filter adds
//! its multiple of a row of the image. The sums of a row are independent, so that a compiler may
//! compute several at once, or a GPU each in its own thread, and no bit changes. No table, no
//! buffer.

use super::single::{Single, canonical, number};
use super::{NnError, check_index, check_length};

/// The sizes of a convolution: of one image, row-major with the channels outermost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Conv2d {
    /// Channels, rows and columns of the image.
    pub input: [usize; 3],
    /// Channels of the result.
    pub channels: usize,
    /// Rows and columns of the filters.
    pub kernel: [usize; 2],
    /// The distance from one position of a filter to the next, down and across.
    pub stride: [usize; 2],
    /// Rows added above and below, columns added left and right; less than the filter's.
    pub padding: [usize; 2],
}

impl Conv2d {
    /// Channels, rows and columns of the result.
    ///
    /// # Errors
    ///
    /// [`NnError::Zero`], [`NnError::Window`], [`NnError::Padding`].
    pub fn output(&self) -> Result<[usize; 3], NnError> {
        let Self {
            input: [channels, height, width],
            kernel,
            stride,
            padding,
            ..
        } = *self;
        for (which, size) in [("input", channels), ("channels", self.channels)] {
            if size == 0 {
                return Err(NnError::Zero { which });
            }
        }
        let mut lengths = [height, width];
        let sizes = kernel.into_iter().zip(stride).zip(padding);
        for (dim, (length, ((window, step), padding))) in lengths.iter_mut().zip(sizes).enumerate()
        {
            for (which, size) in [("input", *length), ("kernel", window), ("stride", step)] {
                if size == 0 {
                    return Err(NnError::Zero { which });
                }
            }
            if padding >= window {
                return Err(NnError::Padding {
                    dim,
                    padding,
                    window,
                });
            }
            *length = positions(
                dim,
                length.saturating_add(padding.saturating_mul(2)),
                window,
                step,
            )?;
        }
        let [rows, columns] = lengths;
        Ok([self.channels, rows, columns])
    }
}

/// How many windows fit, each a step after the one before.
pub(super) fn positions(
    dim: usize,
    length: usize,
    window: usize,
    step: usize,
) -> Result<usize, NnError> {
    length
        .checked_sub(window)
        .and_then(|steps| steps.checked_div(step))
        .map(|steps| steps.saturating_add(1))
        .ok_or(NnError::Window {
            dim,
            window,
            length,
        })
}

/// Adds a multiple of each element.
#[inline]
fn add_multiple<'a, F: Single + 'a>(
    sums: &mut [F],
    elements: impl Iterator<Item = &'a F>,
    factor: F,
) {
    for (sum, &x) in sums.iter_mut().zip(elements) {
        *sum = sum.plus(x.times(factor));
    }
}

/// `out[o, y, x]` = `bias[o]` plus the products of the filter `weights[o]` with the image's window
/// at `(y, x)`: the cross-correlation that networks call a convolution.
///
/// The order: the bias, where there is one; then channel by channel, in each row by row, in each
/// column by column. The sum starts from its first term; every product and every sum is rounded to
/// f32, ties to even. Padding adds no term. NaNs are canonical.
///
/// `x` is `input`, `weights` is channels by the image's channels by `kernel`, `out` is
/// [`output`](Conv2d::output), all row-major.
///
/// ```
/// use bitexact::nn::{Conv2d, conv2d};
/// let sizes = Conv2d { input: [1, 2, 3], channels: 1, kernel: [1, 2], stride: [1, 1], padding: [0, 0] };
/// let mut out = [0.0f32; 4];
/// conv2d(&[1.0, 2.0, 4.0, 3.0, 5.0, 9.0], &[-1.0, 1.0], Some(&[0.5]), &sizes, &mut out)?;
/// assert_eq!(out, [1.5, 2.5, 2.5, 4.5]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// Those of [`Conv2d::output`]; [`NnError::Length`] for a slice that is not as long as the sizes
/// say. Nothing has been written then.
pub fn conv2d<F: Single>(
    x: &[F],
    weights: &[F],
    bias: Option<&[F]>,
    sizes: &Conv2d,
    out: &mut [F],
) -> Result<(), NnError> {
    let [filters, rows, columns] = check(x, weights, bias, sizes)?;
    check_length("out", out.len(), &[filters, rows, columns])?;
    let planes = out.chunks_exact_mut((rows * columns).max(1));
    for (o, plane) in planes.enumerate() {
        for (y, sums) in plane.chunks_exact_mut(columns.max(1)).enumerate() {
            row(x, weights, bias, sizes, [o, y, 0], sums);
        }
    }
    Ok(())
}

/// One element of [`conv2d`]'s result, at this channel, row and column, for computing each element
/// in its own thread.
///
/// # Errors
///
/// Those of [`conv2d`]; [`NnError::Index`] for an element that the result does not have.
pub fn conv2d_element<F: Single>(
    x: &[F],
    weights: &[F],
    bias: Option<&[F]>,
    sizes: &Conv2d,
    at: [usize; 3],
) -> Result<F, NnError> {
    check_index(at, check(x, weights, bias, sizes)?)?;
    let mut sum = number(0);
    row(x, weights, bias, sizes, at, core::slice::from_mut(&mut sum));
    Ok(sum)
}

/// The sizes of the result, if all slices have the required lengths.
fn check<F>(
    x: &[F],
    weights: &[F],
    bias: Option<&[F]>,
    sizes: &Conv2d,
) -> Result<[usize; 3], NnError> {
    let output = sizes.output()?;
    let ([channels, ..], [filters, ..]) = (sizes.input, output);
    let [taps_down, taps_across] = sizes.kernel;
    check_length("x", x.len(), &sizes.input)?;
    check_length(
        "weights",
        weights.len(),
        &[filters, channels, taps_down, taps_across],
    )?;
    if let Some(bias) = bias {
        check_length("bias", bias.len(), &[filters])?;
    }
    Ok(output)
}

/// The elements of channel `o`, row `y`, from column `from` on, as many as there are `sums`. The
/// slices have been checked.
#[inline]
fn row<F: Single>(
    x: &[F],
    weights: &[F],
    bias: Option<&[F]>,
    sizes: &Conv2d,
    [o, y, from]: [usize; 3],
    sums: &mut [F],
) {
    let [channels, height, width] = sizes.input;
    let ([taps_down, taps_across], [down, across]) = (sizes.kernel, sizes.stride);
    let [above, left] = sizes.padding;
    let taps = taps_down * taps_across;
    // -0 is neutral: the sum starts from its first term, and there is one.
    let nothing = number(1 << 31);
    sums.fill(
        bias.and_then(|bias| bias.get(o))
            .copied()
            .unwrap_or(nothing),
    );
    let mut filters = weights.chunks_exact((channels * taps).max(1));
    let Some(filter) = filters.nth(o) else {
        return;
    };
    // Not zipped: zip divides to count them, and not every build sees that no divisor is 0.
    let mut images = x.chunks_exact((height * width).max(1));
    for taps in filter.chunks_exact(taps.max(1)) {
        let Some(image) = images.next() else { break };
        for (i, taps) in taps.chunks_exact(taps_across.max(1)).enumerate() {
            let line = (y * down + i).checked_sub(above);
            let line = line.and_then(|line| image.chunks_exact(width.max(1)).nth(line));
            let Some(line) = line else { continue };
            for (j, &factor) in taps.iter().enumerate() {
                // The first position whose column is not left of the image.
                let first = left.saturating_sub(j).div_ceil(across.max(1)).max(from);
                let column = first.saturating_mul(across).saturating_add(j);
                let column = column.saturating_sub(left);
                let (Some(sums), Some(line)) = (
                    sums.get_mut(first.saturating_sub(from)..),
                    line.get(column..),
                ) else {
                    continue;
                };
                if across == 1 {
                    add_multiple(sums, line.iter(), factor);
                } else {
                    add_multiple(sums, line.iter().step_by(across.max(1)), factor);
                }
            }
        }
    }
    for sum in sums {
        *sum = canonical(*sum);
    }
}
