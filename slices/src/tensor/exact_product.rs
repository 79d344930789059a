//! The driver of exact products, rounded once.
//!
//! Method: sums in f64 with a bound. A *line* is a row of the left operand or a column of the right
//! one. A product of two elements has at most 48 bits and is exact in f64; tiles add up k of them.
//! Where both ends of the interval that the bound leaves around the sum round to one result, this
//! is the result. The others are separate dot products, by [`sums`](super::sums): results that lie
//! too near a rounding boundary; those of lines with infinities and NaNs; sums that are 0, whose
//! sign depends on the terms; and all if the processor's arithmetic is not in its default state.
//!
//! The bound. Let u = 2^-53, and N the product of both lines' norms, which is at least the sum of
//! the magnitudes of the products (Cauchy and Schwarz).
//!
//! - k additions to nearest, in any order, are off by at most 1.01 k u N for k up to [`DEEPEST`]. A
//!   norm as it is computed is off by less than k u of it. So `(k + 8) 2^-52` times the computed
//!   norms is at least 1.99 (k + 8) u N, and what remains covers the roundings of both ends, at
//!   most 3 u N.
//! - The bound is 0 where no addition rounds. That is so if each line's elements are multiples of
//!   2^(t - w), where 2^t is at most the largest magnitude and 2 w + 2 + log2(k) is at most 53:
//!   then all partial sums are integers below 2^53 times a unit. FP8, FP6 and FP4 nearly always
//!   have such lines, and bf16 for some thousand terms, so that sums which cancel, and those that
//!   directed modes do not round, are found here too.
//! - Subnormal elements are numbers like others: the least product of two f32 is 2^-298.

use super::matrix::{Matrix, Target, write};
use super::pack::Panels;
use super::sums::{Scratch, Terms};
use super::tile::{Number, Step, height};
use super::{How, each};
use crate::element::Element;
use crate::environment;
use crate::level::Task;
use crate::simd::Float;
use bitexact::catalog::Type;
use bitexact::format::Arithmetic;
use bitexact::reduce::Accumulator;
use bitexact::{Mode, convert};

/// Columns of a panel that are processed together.
const PIECE: usize = 1 << 9;
/// The largest k for which sums have a bound.
const DEEPEST: usize = 1 << 24;
/// The most panels of a job, in rows and in columns.
const MOST: [usize; 2] = [8, 4];
/// The most lines of a panel.
const LINES: usize = 16;

/// `out = a * b`, exact, rounded once; no dim is 0.
pub(super) fn run<T: Float, A: Arithmetic + Element>(
    how: How,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    mode: Mode,
    out: Target<'_, A>,
) {
    let (rows, columns) = f64::tile(how.level);
    let [m, n] = out.shape;
    let a = Operand::new(how, a, height(rows, m));
    let b = Operand::new(how, b.transposed(), columns);
    let [tall, broad] = MOST;
    let [high, wide] = [tall * a.panels.width, broad * b.panels.width];
    let across = n.div_ceil(wide);
    let job = |index: usize| Job {
        how,
        mode,
        operands: [&a, &b],
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
    each(how, jobs, |job| how.level.run(job));
}

/// Lines, and what is known of them.
struct Operand<'a, T> {
    lines: Matrix<'a, T>,
    panels: Panels<f64>,
    known: Vec<Known>,
}

/// What bounds need of a panel's lines.
#[derive(Clone)]
struct Known {
    /// The norms; infinite or NaN if an element is.
    norms: [f64; LINES],
    /// 0 for lines of which products are exact if the other line is one too, otherwise 1.
    inexact: [f64; LINES],
}

impl<'a, T: Float> Operand<'a, T> {
    fn new(how: How, lines: Matrix<'a, T>, width: usize) -> Self {
        let panels = Panels::<f64>::new(how, lines, width);
        let none = Known {
            norms: [0.0; LINES],
            inexact: [0.0; LINES],
        };
        let depth = panels.depth;
        let mut known = vec![none; lines.shape[0].div_ceil(width)];
        let parts = panels.elements.chunks(width * depth);
        each(
            how,
            known.iter_mut().zip(parts).collect(),
            |(known, panel)| {
                how.level.run(Survey {
                    known,
                    panel,
                    width,
                    depth,
                });
            },
        );
        Self {
            lines,
            panels,
            known,
        }
    }
}

/// Finding what is known of a panel.
struct Survey<'a> {
    known: &'a mut Known,
    panel: &'a [f64],
    width: usize,
    depth: usize,
}

impl Task for Survey<'_> {
    #[inline(always)]
    fn run(self) {
        let Known { norms, inexact } = self.known;
        let mut top = [0f64; LINES];
        for column in self.panel.chunks_exact(self.width) {
            for ((norm, top), x) in norms.iter_mut().zip(&mut top).zip(column) {
                *norm += x * x;
                *top = if x.abs() > *top { x.abs() } else { *top };
            }
        }
        // ceil(log2(k)) + 2 w + 2 <= 53.
        let width = (51 - self.depth.next_power_of_two().trailing_zeros() as i32) / 2;
        // 1.5 * 2^52 units of 2^(t - w).
        let constants = top.map(|top| 1.5 * power(exponent(top) - width + 52));
        for column in self.panel.chunks_exact(self.width) {
            for ((inexact, constant), x) in inexact.iter_mut().zip(constants).zip(column) {
                let fits = (x + constant) - constant == *x;
                *inexact = if fits { *inexact } else { 1.0 };
            }
        }
        for norm in &mut *norms {
            *norm = norm.sqrt();
        }
        if self.depth > DEEPEST {
            *norms = [f64::NAN; LINES];
        }
    }
}

/// The exponent of an f32's leading bit, for 0 that of the least one.
#[inline(always)]
const fn exponent(x: f64) -> i32 {
    let field = (x.to_bits() >> 52) as i32 & 0x7FF;
    if field == 0 { -149 } else { field - 1023 }
}

/// 2^`exponent`, a normal f64.
#[inline(always)]
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Some tiles side by side.
struct Job<'a, T, A> {
    how: How,
    mode: Mode,
    operands: [&'a Operand<'a, T>; 2],
    /// The first panels.
    first: [usize; 2],
    columns: usize,
    /// The distance from a result to the next one in its row.
    stride: usize,
    /// The rows of results.
    rows: Vec<&'a mut [A]>,
}

impl<T: Float, A: Arithmetic + Element> Task for Job<'_, T, A> {
    #[inline(always)]
    fn run(mut self) {
        let [a, b] = self.operands.map(|operand| &operand.panels);
        let by_bounds = environment::is_default();
        let high = self.rows.len().div_ceil(a.width);
        let wide = self.columns.div_ceil(b.width);
        let (mut sums, mut scratch) = (vec![0.0; a.width * b.width], Scratch::new());
        for j in (self.first[1]..).take(wide) {
            for i in (self.first[0]..).take(high) {
                sums.fill(0.0);
                for first in (0..a.depth).step_by(PIECE) {
                    let count = PIECE.min(a.depth - first);
                    let (left, right) = (a.part(i, first, count), b.part(j, first, count));
                    f64::add(self.how.level, Step::Fused, a.width, left, right, &mut sums);
                }
                self.finish(&sums, by_bounds, &mut scratch, i, j);
            }
        }
    }
}

impl<T: Float, A: Arithmetic + Element> Job<'_, T, A> {
    /// Rounds a tile's sums, and writes them.
    #[inline(always)]
    fn finish(&mut self, sums: &[f64], by_bounds: bool, scratch: &mut Scratch, i: usize, j: usize) {
        let [a, b] = self.operands;
        let [height, width] = [a.panels.width, b.panels.width];
        let (Some(left), Some(right)) = (a.known.get(i), b.known.get(j)) else {
            return;
        };
        let (mode, how, stride) = (self.mode, self.how, self.stride);
        let first = (j - self.first[1]) * width;
        let count = width.min(self.columns - first);
        // The processor's conversion is to nearest.
        let nearest = mode == Mode::TIES_TO_EVEN && A::TYPE == Type::F32;
        let share = (a.panels.depth + 8) as f64 / (1u64 << 52) as f64;
        let rows = self.rows.iter_mut().skip((i - self.first[0]) * height);
        let lines = left.norms.iter().zip(&left.inexact).enumerate();
        for ((out, sums), (row, (norm, inexact))) in rows.zip(sums.chunks_exact(width)).zip(lines) {
            let out = out.get_mut(first * stride..).unwrap_or_default();
            // The ends; NaN where there is no result.
            let mut ends = [[f64::NAN; 2]; LINES];
            let others = right.norms.iter().zip(&right.inexact);
            for ((ends, sum), (other, with)) in ends.iter_mut().zip(sums).zip(others) {
                let rounds = if inexact + with == 0.0 { 0.0 } else { share };
                // Infinite or NaN if a line is, even where nothing rounds.
                let bound = rounds * (norm * other) + 0.0 * (norm + other);
                *ends = [sum - bound, sum + bound];
                let sure = if nearest {
                    (ends[0] as f32).to_bits() == (ends[1] as f32).to_bits()
                } else {
                    true
                };
                let known = sure & (*sum != 0.0) & by_bounds & (ends[0] <= ends[1]);
                *ends = if known { *ends } else { [f64::NAN; 2] };
            }
            let ends = ends.get(..count).unwrap_or_default();
            if nearest {
                let round = |ends: [f64; 2]| A::of_code((ends[0] as f32).to_bits().into());
                write(out, stride, ends, round);
            }
            if nearest && ends.iter().all(|[low, high]| low <= high) {
                continue;
            }
            let out = out.iter_mut().step_by(stride);
            for (column, (out, [low, high])) in out.zip(ends).enumerate() {
                let known = low <= high;
                if nearest && known {
                    continue;
                }
                let [low, high]: [A; 2] = [low, high].map(|end| convert::convert(*end, mode));
                *out = if known && low.to_bits() == high.to_bits() {
                    low
                } else {
                    let at = [i * height + row, j * width + column];
                    dot(how, a, b, at, scratch, mode)
                };
            }
        }
    }
}

/// An output as a separate dot product.
#[inline(never)]
fn dot<T: Float, A: Arithmetic>(
    how: How,
    a: &Operand<'_, T>,
    b: &Operand<'_, T>,
    [row, column]: [usize; 2],
    scratch: &mut Scratch,
    mode: Mode,
) -> A {
    let (a, b) = (a.lines.contiguous_row(row), b.lines.contiguous_row(column));
    let (total, b) = (&mut Accumulator::new(), Some(&*b));
    how.level.run(Terms {
        a: &a,
        b,
        total,
        scratch,
    });
    total.round(mode)
}
