//! The driver of products in the sequential order: panels, tiles, threads.
//!
//! Both operands are packed whole (in parts where they are huge). The result is cut into jobs of
//! some tiles; a job processes k in pieces that stay in the caches, and keeps its sums in memory in
//! between, rounded only by the declared steps. So every output has all its steps in order, on one
//! thread.

use super::finish::{Ending, Finish, Part, Results};
use super::matrix::Matrix;
use super::pack::Panels;
use super::tile::{Number, Step, add_by_integers, height};
use super::{How, each};
use crate::environment;
use crate::level::Task;
use crate::simd::Float;

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
}

impl Product<'_> {
    /// `out` = what `finish` makes of `a * b`; no dim is 0.
    pub(super) fn run<T: Float, E: Ending>(
        &self,
        a: Matrix<'_, T>,
        b: Matrix<'_, T>,
        finish: Finish<'_, E>,
        mut out: Results<'_, E>,
    ) {
        let (rows, columns) = f32::tile(self.how.level);
        let ([m, depth], [_, n]) = (a.shape, b.shape);
        let most = |unit: usize| (PACKED / depth / unit).max(1) * unit;
        let most_rows = most(rows);
        let most_columns = most(columns * panels_of_blocks(out.block, columns));
        for left in (0..n).step_by(most_columns) {
            let count = most_columns.min(n - left);
            let right = b.transposed().rows(left, count);
            let right = Panels::new(self.how, right, columns);
            let mut out = out.columns(left, count);
            let finish = finish.columns(left, count);
            let product = Self {
                starts: self.starts.get(left..).unwrap_or_default(),
                ..*self
            };
            for top in (0..m).step_by(most_rows) {
                let count = most_rows.min(m - top);
                let rows = height(rows, count);
                let left_panels = Panels::new(self.how, a.rows(top, count), rows);
                let (finish, out) = (finish.rows(top, count), out.rows(top, count));
                product.jobs(&left_panels, &right, finish, out);
            }
        }
    }

    fn jobs<E: Ending>(
        &self,
        a: &Panels<f32>,
        b: &Panels<f32>,
        finish: Finish<'_, E>,
        out: Results<'_, E>,
    ) {
        let [m, n] = out.shape();
        // As large as possible with four jobs per thread, of whole blocks.
        let enough = 4 * self.how.threads();
        let unit = panels_of_blocks(out.block, b.width);
        let [high, wide] = MOST;
        let mut broad = (wide / unit).max(1);
        let mut tall = (high * wide / (broad * unit)).clamp(1, high);
        while tall * broad > 1
            && m.div_ceil(tall * a.width) * n.div_ceil(broad * unit * b.width) < enough
        {
            if broad > tall {
                broad /= 2;
            } else {
                tall /= 2;
            }
        }
        let broad = broad * unit;
        let [high, wide] = [tall * a.width, broad * b.width];
        let across = n.div_ceil(wide);
        let job = |index: usize| Job {
            product: *self,
            panels: [a, b],
            first: [index / across * tall, index % across * broad],
            columns: wide.min(n - index % across * wide),
            finish,
            stride: out.stride(),
            rows: Vec::with_capacity(high),
        };
        let mut jobs: Vec<_> = (0..m.div_ceil(high) * across).map(job).collect();
        for (i, parts) in out.parts(wide).enumerate() {
            for (job, part) in jobs.iter_mut().skip(i / high * across).zip(parts) {
                job.rows.push(part);
            }
        }
        each(self.how, jobs, |job| self.how.level.run(job));
    }
}

/// The least number of panels that whole blocks fill.
const fn panels_of_blocks(block: usize, width: usize) -> usize {
    let (mut common, mut rest) = (block, width);
    while rest != 0 {
        (common, rest) = (rest, common % rest);
    }
    block / common
}

/// Some tiles side by side.
struct Job<'a, E: Ending> {
    product: Product<'a>,
    panels: [&'a Panels<f32>; 2],
    /// The first panels.
    first: [usize; 2],
    columns: usize,
    finish: Finish<'a, E>,
    /// The distance from a result to the next one in its row.
    stride: usize,
    /// The rows of results.
    rows: Vec<Part<'a, E>>,
}

impl<E: Ending> Task for Job<'_, E> {
    #[inline(always)]
    fn run(self) {
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

impl<E: Ending> Job<'_, E> {
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

    /// Makes results of the sums, row by row.
    #[inline(always)]
    fn finish(self, sums: &[f32], high: usize) {
        let [a, b] = self.panels;
        let [top, left] = [self.first[0] * a.width, self.first[1] * b.width];
        let mut row = vec![0f32; self.columns];
        for (i, part) in self.rows.into_iter().enumerate() {
            let tiles = sums.chunks_exact(b.width).skip(i).step_by(high * a.width);
            for (to, from) in row.chunks_mut(b.width).zip(tiles) {
                for (to, from) in to.iter_mut().zip(from) {
                    *to = *from;
                }
            }
            let (level, at) = (self.product.how.level, [top + i, left]);
            self.finish.row(level, at, &mut row, self.stride, part);
        }
    }
}
