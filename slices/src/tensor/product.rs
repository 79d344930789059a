//! The driver of products in the sequential order: panels, tiles, threads.
//!
//! Both operands are packed whole (in parts where they are huge). The result is cut into jobs of
//! some tiles; a job processes k in pieces that stay in the caches, and keeps its sums in memory in
//! between, rounded only by the declared steps. So every output has all its steps in order, on one
//! thread.

use super::matrix::{Matrix, Target, write};
use super::pack::Panels;
use super::tile::{Number, Step, add_by_integers, height};
use super::{How, Output, each};
use crate::environment;
use crate::level::Task;
use crate::simd::{Float, Lane};
use bitexact::Mode;

/// Columns of a panel that are processed together: 256 rows of the widest tile are 32 KiB.
const DEPTH: usize = 256;
/// The most panels of a job, in rows and in columns.
const MOST: [usize; 2] = [8, 8];
/// Elements of a packed operand.
const PACKED: usize = 1 << 24;

/// A product by steps.
#[derive(Clone, Copy)]
pub(super) struct Product<'a> {
    pub(super) how: How,
    pub(super) step: Step,
    /// The initial value of the sums of each column, if not -0, which is neutral.
    pub(super) starts: &'a [f32],
    /// The mode of the conversion of sums to results.
    pub(super) mode: Mode,
}

impl Product<'_> {
    /// `out = a * b`; no dim is 0.
    pub(super) fn run<T: Float, R: Output>(
        &self,
        a: Matrix<'_, T>,
        b: Matrix<'_, T>,
        mut out: Target<'_, R>,
    ) {
        let (rows, columns) = f32::tile(self.how.level);
        let ([m, depth], [_, n]) = (a.shape, b.shape);
        let most = |unit: usize| (PACKED / depth / unit).max(1) * unit;
        let (most_rows, most_columns) = (most(rows), most(columns));
        for left in (0..n).step_by(most_columns) {
            let count = most_columns.min(n - left);
            let right = b.transposed().rows(left, count);
            let right = Panels::new(self.how, right, columns);
            let mut out = out.columns(left, count);
            let product = Self {
                starts: self.starts.get(left..).unwrap_or_default(),
                ..*self
            };
            for top in (0..m).step_by(most_rows) {
                let count = most_rows.min(m - top);
                let rows = height(rows, count);
                let left_panels = Panels::new(self.how, a.rows(top, count), rows);
                product.jobs(&left_panels, &right, out.rows(top, count));
            }
        }
    }

    fn jobs<R: Output>(&self, a: &Panels<f32>, b: &Panels<f32>, out: Target<'_, R>) {
        let [m, n] = out.shape;
        // As large as possible with four jobs per thread.
        let enough = 4 * self.how.threads();
        let [mut tall, mut broad] = MOST;
        while tall * broad > 1 && m.div_ceil(tall * a.width) * n.div_ceil(broad * b.width) < enough
        {
            if broad > tall {
                broad /= 2;
            } else {
                tall /= 2;
            }
        }
        let [high, wide] = [tall * a.width, broad * b.width];
        let across = n.div_ceil(wide);
        let job = |index: usize| Job {
            product: *self,
            panels: [a, b],
            first: [index / across * tall, index % across * broad],
            columns: wide.min(n - index % across * wide),
            stride: out.across,
            rows: Vec::with_capacity(high),
        };
        let mut jobs: Vec<_> = (0..m.div_ceil(high) * across).map(job).collect();
        for (i, row) in out.data.chunks_mut(out.down).take(m).enumerate() {
            let parts = row.chunks_mut(wide * out.across).take(across);
            for (job, part) in jobs.iter_mut().skip(i / high * across).zip(parts) {
                job.rows.push(part);
            }
        }
        each(self.how, jobs, |job| self.how.level.run(job));
    }
}

/// Some tiles side by side.
struct Job<'a, R> {
    product: Product<'a>,
    panels: [&'a Panels<f32>; 2],
    /// The first panels.
    first: [usize; 2],
    columns: usize,
    /// The distance from a result to the next one in its row.
    stride: usize,
    /// The rows of results.
    rows: Vec<&'a mut [R]>,
}

impl<R: Output> Task for Job<'_, R> {
    #[inline(always)]
    fn run(mut self) {
        let [a, b] = self.panels;
        let Product { how, step, .. } = self.product;
        let high = self.rows.len().div_ceil(a.width);
        let wide = self.columns.div_ceil(b.width);
        let area = a.width * b.width;
        let by_integers = !environment::is_default();
        let mut sums = vec![-0f32; high * wide * area];
        self.begin(&mut sums);
        for first in (0..a.depth).step_by(DEPTH) {
            let count = DEPTH.min(a.depth - first);
            for (column, sums) in sums.chunks_exact_mut(high * area).enumerate() {
                let b = b.part(self.first[1] + column, first, count);
                for (row, sums) in sums.chunks_exact_mut(area).enumerate() {
                    let left = a.part(self.first[0] + row, first, count);
                    if by_integers {
                        add_by_integers(step, a.width, left, b, sums);
                    } else {
                        f32::add(how.level, step, a.width, left, b, sums);
                    }
                }
            }
        }
        self.finish(&sums, high);
    }
}

impl<R: Output> Job<'_, R> {
    /// The initial values of the sums.
    #[inline(always)]
    fn begin(&self, sums: &mut [f32]) {
        let [a, b] = self.panels;
        let of_job = self.product.starts.get(self.first[1] * b.width..);
        let high = self.rows.len().div_ceil(a.width);
        let columns = sums.chunks_exact_mut(high * a.width * b.width);
        for (sums, starts) in columns.zip(of_job.unwrap_or_default().chunks(b.width)) {
            for row in sums.chunks_exact_mut(b.width) {
                for (sum, start) in row.iter_mut().zip(starts) {
                    *sum = *start;
                }
            }
        }
    }

    /// Rounds the sums, and writes them.
    #[inline(always)]
    fn finish(&mut self, sums: &[f32], high: usize) {
        let [a, b] = self.panels;
        let Some(lane) = R::Rounding::new(self.product.mode) else {
            return;
        };
        for (at, sums) in sums.chunks_exact(b.width).enumerate() {
            let (column, i) = (at / (high * a.width), at % (high * a.width));
            let first = column * b.width;
            let count = b.width.min(self.columns - first);
            let row = self.rows.get_mut(i);
            let Some(row) = row.and_then(|row| row.get_mut(first * self.stride..)) else {
                continue;
            };
            let sums = sums.get(..count).unwrap_or_default();
            write(row, self.stride, sums, |sum| lane.call((sum,)));
        }
    }
}
