//! Convolutions as products of matrices.
//!
//! The order of [`nn::conv2d`](bitexact::nn::conv2d()) is that of a product whose k runs over the
//! channels, rows and columns of a filter. Padding adds no term there, so positions are grouped by
//! the rows and columns of a filter that lie on the image: a group is a product over these alone.
//! The image's windows are copied as rows of a matrix, some positions at a time.

use super::How;
use super::epilogue::Sums;
use super::finish::{Finish, Results};
use super::forms::forms;
use super::matrix::{Matrix, Target};
use super::product::Product;
use super::tile::Step;
use bitexact::nn::{Conv2d, NnError};
use core::ops::Range;

type Outcome = Result<(), NnError>;

/// Elements of windows that are copied at a time.
const COPIED: usize = 1 << 20;

forms! {
    /// `out[o, y, x]` = `bias[o]` plus the products of the filter `weights[o]` with the image's
    /// window at `(y, x)`: [`bitexact::nn::conv2d`] in its order (the bias first; every product and
    /// every sum is rounded; padding adds no term).
    ///
    /// ```
    /// use bitexact_slices::tensor::{Conv2d, conv2d};
    /// let sizes = Conv2d { input: [1, 2, 3], channels: 1, kernel: [1, 2], stride: [1, 1], padding: [0, 0] };
    /// let mut out = [0.0f32; 4];
    /// conv2d(&[1.0, 2.0, 4.0, 3.0, 5.0, 9.0], &[-1.0, 1.0], Some(&[0.5]), &sizes, &mut out)?;
    /// assert_eq!(out, [1.5, 2.5, 2.5, 4.5]);
    /// # Ok::<(), bitexact::nn::NnError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Conv2d::output`]; [`NnError::Length`] for a slice that is not as long as the
    /// sizes say. Nothing has been written then.
    fn conv2d[](
        x: &[f32],
        weights: &[f32],
        bias: Option<&[f32]>,
        sizes: &Conv2d,
        out: &mut [f32],
    ) -> Outcome;
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn conv2d(
        how: How,
        x: &[f32],
        weights: &[f32],
        bias: Option<&[f32]>,
        sizes: &Conv2d,
        out: &mut [f32],
    ) -> Outcome {
        let [filters, rows, columns] = sizes.output()?;
        let length = |lengths: &[usize]| lengths.iter().fold(1, |a: usize, b| a.saturating_mul(*b));
        let due = [
            length(&sizes.input),
            length(&[filters, sizes.input[0], sizes.kernel[0], sizes.kernel[1]]),
            bias.map_or(0, |_| filters),
            length(&[filters, rows, columns]),
        ];
        let found = [
            x.len(),
            weights.len(),
            bias.map_or(0, <[f32]>::len),
            out.len(),
        ];
        if due != found {
            // The kernel returns the error.
            return bitexact::nn::conv2d(x, weights, bias, sizes, out);
        }
        let ([_, height, width], [tall, wide]) = (sizes.input, sizes.kernel);
        let ([above, left], [step_down, step_across]) = (sizes.padding, sizes.stride);
        let down = groups(height, tall, step_down, above, rows);
        let across = groups(width, wide, step_across, left, columns);
        for tall in &down {
            for wide in &across {
                let group = Group {
                    sizes,
                    positions: [tall.0.clone(), wide.0.clone()],
                    taps: [tall.1.clone(), wide.1.clone()],
                    plane: [rows, columns],
                };
                group.run(how, x, weights, bias, out);
            }
        }
        Ok(())
    }
}

/// Positions along a dim whose windows have the same rows (or columns) on the image: these, and
/// those.
fn groups(
    length: usize,
    window: usize,
    stride: usize,
    padding: usize,
    count: usize,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut all: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for at in 0..count {
        let begin = at * stride;
        let taps = padding.saturating_sub(begin)..window.min(length + padding - begin);
        match all.last_mut() {
            Some((positions, last)) if *last == taps => positions.end = at + 1,
            _ => all.push((at..at + 1, taps)),
        }
    }
    all
}

/// Positions with the same taps.
struct Group<'a> {
    sizes: &'a Conv2d,
    /// Rows and columns of the result.
    positions: [Range<usize>; 2],
    /// Rows and columns of a filter.
    taps: [Range<usize>; 2],
    /// Rows and columns of the whole result.
    plane: [usize; 2],
}

impl Group<'_> {
    fn run(&self, how: How, x: &[f32], weights: &[f32], bias: Option<&[f32]>, out: &mut [f32]) {
        let [_, height, width] = self.sizes.input;
        let [window, across] = self.sizes.kernel;
        let [rows, columns] = &self.positions;
        let [tall, wide] = &self.taps;
        // The group's taps of all filters, in their order.
        let mut filters = Vec::new();
        for tap in weights.chunks_exact(window * across) {
            for line in tap.chunks_exact(across).take(tall.end).skip(tall.start) {
                filters.extend_from_slice(line.get(wide.clone()).unwrap_or_default());
            }
        }
        let (count, total) = (self.sizes.channels, rows.len() * columns.len());
        let depth = filters.len() / count;
        let most = (COPIED / depth).clamp(1, total);
        let (mut windows, mut sums) = (Vec::new(), Vec::new());
        for first in (0..total).step_by(most) {
            let part = most.min(total - first);
            windows.clear();
            for at in first..first + part {
                let row = rows.start + at / columns.len();
                let column = columns.start + at % columns.len();
                let top = row * self.sizes.stride[0] + tall.start - self.sizes.padding[0];
                let left = column * self.sizes.stride[1] + wide.start - self.sizes.padding[1];
                for image in x.chunks_exact(height * width) {
                    for line in image.chunks_exact(width).skip(top).take(tall.len()) {
                        let taps = line.get(left..left + wide.len());
                        windows.extend_from_slice(taps.unwrap_or_default());
                    }
                }
            }
            sums.clear();
            sums.resize(part * count, 0.0);
            let product = Product {
                how,
                step: Step::Separate,
                starts: bias.unwrap_or_default(),
            };
            let matrix = |data, rows| Matrix {
                data,
                offset: 0,
                strides: [depth, 1],
                shape: [rows, depth],
            };
            let target = Target {
                data: &mut sums,
                down: count,
                across: 1,
                shape: [part, count],
            };
            product.run(
                matrix(&windows, part),
                matrix(&filters, count).transposed(),
                Finish::by(&Sums),
                Results::without_blocks(target, &mut vec![(); part * count]),
            );
            let [_, length] = self.plane;
            let planes = out.chunks_exact_mut(self.plane[0] * length);
            for (filter, plane) in planes.enumerate() {
                for (at, sum) in sums.iter().skip(filter).step_by(count).enumerate() {
                    let at = first + at;
                    let place = (rows.start + at / columns.len()) * length
                        + columns.start
                        + at % columns.len();
                    if let Some(to) = plane.get_mut(place) {
                        *to = *sum;
                    }
                }
            }
        }
    }
}
