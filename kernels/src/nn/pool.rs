//! Pooling of an image: averages in a declared order in f32; exact averages and greatest elements
//! in any format.

use super::conv2d::positions;
use super::single::{Single, canonical, integer, number};
use super::{NnError, check_index, check_length};
use crate::Mode;
use crate::arith::maximum;
use crate::format::Arithmetic;
use crate::reduce::{Accumulable, Accumulator};
use core::num::NonZeroU32;
use core::ops::Range;

/// The elements of a window, row by row.
fn elements<T: Copy>(
    plane: &[T],
    width: usize,
    rows: Range<usize>,
    columns: Range<usize>,
) -> impl Iterator<Item = T> {
    let lines = plane
        .chunks_exact(width.max(1))
        .skip(rows.start)
        .take(rows.len());
    lines.flat_map(move |line| line.get(columns.clone()).unwrap_or(&[]).iter().copied())
}

/// The mean of a window: the elements row by row, from the first on, then one division.
fn mean<F: Single>(plane: &[F], width: usize, rows: Range<usize>, columns: Range<usize>) -> F {
    let count = rows.len().saturating_mul(columns.len());
    // -0 is neutral: the sum starts from its first term, and there is one.
    let sum = elements(plane, width, rows, columns).fold(number::<F>(1 << 31), F::plus);
    canonical(sum.over(integer(i32::try_from(count).unwrap_or(i32::MAX))))
}

/// Pools every plane of `x` with these windows, a range of rows and one of columns each, by a
/// function of a plane, its width and a window.
fn pool<T, R>(
    x: &[T],
    input: [usize; 3],
    [rows, columns]: [usize; 2],
    window: impl Fn(usize, usize) -> (Range<usize>, Range<usize>),
    function: impl Fn(&[T], usize, Range<usize>, Range<usize>) -> R,
    out: &mut [R],
) -> Result<(), NnError> {
    let [channels, height, width] = input;
    check_length("x", x.len(), &input)?;
    check_length("out", out.len(), &[channels, rows, columns])?;
    // Not zipped: zip divides to count them, and not every build sees that no divisor is 0.
    let mut planes = x.chunks_exact(height.saturating_mul(width).max(1));
    for means in out.chunks_exact_mut(rows.saturating_mul(columns).max(1)) {
        let Some(plane) = planes.next() else { break };
        for (i, line) in means.chunks_exact_mut(columns.max(1)).enumerate() {
            for (j, out) in line.iter_mut().enumerate() {
                let (rows, columns) = window(i, j);
                *out = function(plane, width, rows, columns);
            }
        }
    }
    Ok(())
}

/// One element of the result of [`pool`].
fn pool_element<F: Single>(
    x: &[F],
    input: [usize; 3],
    [rows, columns]: [usize; 2],
    window: impl Fn(usize, usize) -> (Range<usize>, Range<usize>),
    at: [usize; 3],
) -> Result<F, NnError> {
    let [channels, height, width] = input;
    check_length("x", x.len(), &input)?;
    check_index(at, [channels, rows, columns])?;
    let [channel, i, j] = at;
    let mut planes = x.chunks_exact(height.saturating_mul(width).max(1));
    let (rows, columns) = window(i, j);
    Ok(mean(
        planes.nth(channel).unwrap_or(&[]),
        width,
        rows,
        columns,
    ))
}

fn check_sizes(sizes: &[(&'static str, &[usize])]) -> Result<(), NnError> {
    for &(which, sizes) in sizes {
        if sizes.contains(&0) {
            return Err(NnError::Zero { which });
        }
    }
    Ok(())
}

/// The means of the windows of `kernel` rows and columns of every channel, each `stride` after the
/// one before.
///
/// A mean is the sum of the window row by row, from the first element on, divided by the number of
/// elements (below 2^31); every step is rounded to f32, ties to even. There is no padding, and
/// elements outside of every whole window are ignored. NaNs are canonical.
///
/// `input` is the channels, rows and columns of `x`; `out` has as many channels, and the rows and
/// columns that windows fit in.
///
/// ```
/// use bitexact::nn::avg_pool2d;
/// let mut out = [0.0f32; 2];
/// avg_pool2d(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3], [2, 2], [1, 1], &mut out)?;
/// assert_eq!(out, [3.0, 4.0]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Zero`], [`NnError::Window`] for the sizes, [`NnError::Length`] for the slices.
/// Nothing has been written then.
pub fn avg_pool2d<F: Single>(
    x: &[F],
    input: [usize; 3],
    kernel: [usize; 2],
    stride: [usize; 2],
    out: &mut [F],
) -> Result<(), NnError> {
    let output = windows(input, kernel, stride)?;
    let window = |i, j| window(kernel, stride, [i, j]);
    pool(x, input, output, window, mean, out)
}

/// One element of [`avg_pool2d`]'s result, at this channel, row and column.
///
/// # Errors
///
/// Those of [`avg_pool2d`]; [`NnError::Index`] for an element that the result does not have.
pub fn avg_pool2d_element<F: Single>(
    x: &[F],
    input: [usize; 3],
    kernel: [usize; 2],
    stride: [usize; 2],
    at: [usize; 3],
) -> Result<F, NnError> {
    let output = windows(input, kernel, stride)?;
    pool_element(x, input, output, |i, j| window(kernel, stride, [i, j]), at)
}

/// The greatest elements ([`maximum`]) of the windows of `kernel` rows and columns of every
/// channel, each `stride` after the one before.
///
/// A window with a NaN gives the canonical one; +0 is greater than -0. There is no padding, and
/// elements outside of every whole window are ignored. Sizes are as in [`avg_pool2d`].
///
/// ```
/// use bitexact::{bf16, nn::max_pool2d};
/// let mut out = [bf16::ZERO; 1];
/// let x = [1.0, 4.0, -3.0, 2.0].map(bf16::from_f32);
/// max_pool2d(&x, [1, 2, 2], [2, 2], [2, 2], &mut out)?;
/// assert_eq!(out[0].to_f32(), 4.0);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// As [`avg_pool2d`].
pub fn max_pool2d<T: Arithmetic>(
    x: &[T],
    input: [usize; 3],
    kernel: [usize; 2],
    stride: [usize; 2],
    out: &mut [T],
) -> Result<(), NnError> {
    let output = windows(input, kernel, stride)?;
    let window = |i, j| window(kernel, stride, [i, j]);
    pool(x, input, output, window, greatest, out)
}

/// The greatest element of a window.
///
/// Without a NaN it has the greatest code, as a number of sign and magnitude: -0 is below +0.
fn greatest<T: Arithmetic>(
    plane: &[T],
    width: usize,
    rows: Range<usize>,
    columns: Range<usize>,
) -> T {
    let finite = T::MAX_FINITE + u64::from(T::INFINITY.is_some());
    let (mut most, mut has_nan) = (i32::MIN, false);
    let mut rest = plane.get(rows.start.wrapping_mul(width)..).unwrap_or(&[]);
    for _ in 0..rows.len() {
        for x in rest.get(columns.clone()).unwrap_or(&[]) {
            let bits = x.to_bits() as u32;
            let magnitude = bits & (T::SIGN - 1) as u32;
            has_nan |=
                magnitude > finite as u32 || (magnitude == 0 && bits != 0 && !T::NEGATIVE_ZERO);
            most = most.max(ordered((bits << (32 - T::BITS)) as i32));
        }
        rest = rest.get(width..).unwrap_or(&[]);
    }
    if has_nan || most == i32::MIN {
        return greatest_or_nan(plane, width, rows, columns);
    }
    T::from_bits(u64::from(ordered(most) as u32 >> (32 - T::BITS)))
}

/// A number of sign and magnitude as one in two's complement less 1 where it is negative, and back.
const fn ordered(bits: i32) -> i32 {
    bits ^ (bits >> 31) & i32::MAX
}

/// The greatest element of a window by its definition: what windows with a NaN take.
#[cold]
#[inline(never)]
fn greatest_or_nan<T: Arithmetic>(
    plane: &[T],
    width: usize,
    rows: Range<usize>,
    columns: Range<usize>,
) -> T {
    let mut window = elements(plane, width, rows, columns);
    let first = window.next().unwrap_or(T::from_bits(0));
    // A NaN of one element becomes the canonical one too.
    window.fold(maximum(first, first), maximum)
}

/// The exact means of the windows of `kernel` rows and columns of every channel, each `stride`
/// after the one before.
///
/// A mean is the exact sum of the window divided by the number of elements (below 2^32), rounded
/// once to `R` in `mode`: [`mean`](crate::reduce::mean) of these elements. There is no padding, and
/// elements outside of every whole window are ignored. Sizes are as in [`avg_pool2d`], whose means
/// are rounded at every step.
///
/// ```
/// use bitexact::{Mode, bf16, nn::mean_pool2d};
/// let mut out = [bf16::ZERO; 1];
/// let x = [1.0, 4.0, -3.0, 2.0].map(bf16::from_f32);
/// mean_pool2d(&x, [1, 2, 2], [2, 2], [2, 2], Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out[0], bf16::ONE);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// As [`avg_pool2d`].
pub fn mean_pool2d<T: Accumulable, R: Arithmetic>(
    x: &[T],
    input: [usize; 3],
    kernel: [usize; 2],
    stride: [usize; 2],
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    let output = windows(input, kernel, stride)?;
    let window = |i, j| window(kernel, stride, [i, j]);
    let mean = |plane: &[T], width, rows: Range<usize>, columns: Range<usize>| {
        let count = rows.len().saturating_mul(columns.len());
        let count = u32::try_from(count).ok().and_then(NonZeroU32::new);
        let mut sum = Accumulator::new();
        elements(plane, width, rows, columns).for_each(|x| sum.add(x));
        let (mean, _) = sum.round_quotient_status(count.unwrap_or(NonZeroU32::MAX), mode);
        mean
    };
    pool(x, input, output, window, mean, out)
}

/// How many windows there are, down and across.
fn windows(
    input: [usize; 3],
    kernel: [usize; 2],
    stride: [usize; 2],
) -> Result<[usize; 2], NnError> {
    check_sizes(&[("input", &input), ("kernel", &kernel), ("stride", &stride)])?;
    let ([_, height, width], [down, across]) = (input, stride);
    let [taps_down, taps_across] = kernel;
    let rows = positions(0, height, taps_down, down)?;
    let columns = positions(1, width, taps_across, across)?;
    Ok([rows, columns])
}

/// The rows and columns of one; within the image, so that nothing overflows.
fn window(
    [taps_down, taps_across]: [usize; 2],
    [down, across]: [usize; 2],
    [i, j]: [usize; 2],
) -> (Range<usize>, Range<usize>) {
    let (top, left) = (i.wrapping_mul(down), j.wrapping_mul(across));
    (
        top..top.wrapping_add(taps_down),
        left..left.wrapping_add(taps_across),
    )
}

/// The means of windows that divide every channel into `output` rows and columns.
///
/// Window i of m has, out of n rows (and likewise columns), those from `floor(i n / m)` up to, but
/// not including, `ceil((i + 1) n / m)`. Windows may overlap where m does not divide n. A mean is
/// as in [`avg_pool2d`]. With `output` of 1 by 1 it is the mean of the whole channel.
///
/// ```
/// use bitexact::nn::adaptive_avg_pool2d;
/// let mut out = [0.0f32; 2];
/// adaptive_avg_pool2d(&[1.0, 2.0, 6.0], [1, 1, 3], [1, 2], &mut out)?;
/// assert_eq!(out, [1.5, 4.0]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Zero`] for the sizes, [`NnError::Length`] for the slices. Nothing has been written
/// then.
pub fn adaptive_avg_pool2d<F: Single>(
    x: &[F],
    input: [usize; 3],
    output: [usize; 2],
    out: &mut [F],
) -> Result<(), NnError> {
    check_sizes(&[("input", &input), ("output", &output)])?;
    let window = |i, j| parts(input, output, [i, j]);
    pool(x, input, output, window, mean, out)
}

/// One element of [`adaptive_avg_pool2d`]'s result, at this channel, row and column.
///
/// # Errors
///
/// Those of [`adaptive_avg_pool2d`]; [`NnError::Index`] for an element that the result does not
/// have.
pub fn adaptive_avg_pool2d_element<F: Single>(
    x: &[F],
    input: [usize; 3],
    output: [usize; 2],
    at: [usize; 3],
) -> Result<F, NnError> {
    check_sizes(&[("input", &input), ("output", &output)])?;
    pool_element(x, input, output, |i, j| parts(input, output, [i, j]), at)
}

/// The rows and columns of window `(i, j)`.
fn parts(
    [_, height, width]: [usize; 3],
    [rows, columns]: [usize; 2],
    [i, j]: [usize; 2],
) -> (Range<usize>, Range<usize>) {
    (part(i, height, rows), part(j, width, columns))
}

/// Part `i` of `m` of n elements.
fn part(i: usize, n: usize, m: usize) -> Range<usize> {
    let before = |i: usize| (i as u128).wrapping_mul(n as u128);
    let start = before(i).checked_div(m as u128).unwrap_or(0);
    let end = before(i.wrapping_add(1)).div_ceil((m as u128).max(1));
    start as usize..end as usize
}
