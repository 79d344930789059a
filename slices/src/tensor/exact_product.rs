//! The driver of exact products, rounded once.
//!
//! Method: f64 windows. A *line* is a row of the left operand or a column of the right one. k is
//! processed in pieces of 2^9. In each piece, the elements of a line that are multiples of 2^u,
//! where u is 21 below the exponent of the largest one there, are in its window, and a tile adds up
//! their products in f64. The few others (two in 10,000 for N(0, 1) in bf16) are *outside*: their
//! products with all elements of the other line are added one by one. Both kinds are added to the
//! output's two sums, split as in [`sums`]: at 2^q with q = e - 32, where 2^e is above the product
//! of the largest magnitudes of both lines; the unit of the lower sum is 2^(e - 64).
//!
//! Other outputs are computed as separate dot products, by [`sums`]: outputs of lines with
//! infinities, NaNs, subnormals of f32 or too many elements outside; outputs to which a number was
//! added that is not a multiple of their unit (detected when it happens: the lower sum becomes
//! NaN); outputs that are 0, whose sign depends on the terms; and all outputs if the processor's
//! arithmetic is not in its default state.
//!
//! Why no step rounds:
//!
//! - In a window elements are integers below 2^22 times 2^u. A piece's 2^9 products are integers
//!   below 2^44 times a unit, all partial sums below 2^53.
//! - A product with an element outside has at most 24 + 24 bits.
//! - A number x that is added to an output is below 2^9 * 2^e. `c = 1.5 * 2^(52 + q)`;
//!   `high = (x + c) - c` is the multiple of 2^q closest to x, since |x| < 2^(q + 41), and
//!   `low = x - high`, at most 2^q in magnitude and a multiple of x's last bit, is exact. It is a
//!   multiple of the lower unit if the same operation with that unit leaves it unchanged. Then both
//!   sums are exact as long as they are below 2^53 units. For n additions the upper one is at most
//!   k * 2^e + n * 2^q, the lower one n * 2^q. n is at most k (each product is added once) plus one
//!   per piece. So both are exact for k up to [`DEEPEST`] = 2^20.
//! - The exponents of all these are between -330 and 350.
//!
//! The last step adds both sums, rounded to odd, and rounds that to the result: one rounding, since
//! no format here has more than 24 bits.

use super::fma::to_odd;
use super::matrix::{Matrix, Target, write};
use super::pack::Panels;
use super::sums::{Scratch, Terms};
use super::tile::{Number, Step, height};
use super::{How, each};
use crate::element::Element;
use crate::environment;
use crate::level::{Level, Task};
use crate::simd::{Float, INFINITY, SIGN};
use bitexact::catalog::Type;
use bitexact::format::Arithmetic;
use bitexact::reduce::Accumulator;
use bitexact::{Mode, convert};

/// Columns of a panel that are processed together.
const PIECE: usize = 1 << 9;
/// The distance from the exponent of a window's unit to that of the largest element's leading bit.
const WINDOW: i32 = 21;
/// The largest k for which windows are used.
const DEEPEST: usize = 1 << 20;
/// The most panels of a job, in rows and in columns.
const MOST: [usize; 2] = [8, 4];
/// 2^-32: the ratio of the upper sum's unit to the bound of products, and of the lower sum's unit
/// to the upper one's.
const STEP: f64 = 1.0 / (1u64 << 32) as f64;

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
    let [high, wide] = [tall * a.width, broad * b.width];
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

/// Lines: their elements in windows, as panels, and the others.
struct Operand {
    /// The elements in the order of k, line after line.
    lines: Panels<f32>,
    width: usize,
    panels: Vec<Panel>,
}

/// Lines side by side.
struct Panel {
    /// The elements in windows: all of one k, then those of the next.
    window: Vec<f64>,
    /// The elements outside, for each piece.
    outside: Vec<Vec<Outside>>,
    /// For each line a power of two above all its magnitudes; 0 if it does not use windows.
    bounds: Vec<f64>,
}

/// An element of a line that is in no window.
struct Outside {
    line: usize,
    /// Its index in the piece.
    k: usize,
    value: f64,
}

impl Operand {
    fn new<T: Float>(how: How, matrix: Matrix<'_, T>, width: usize) -> Self {
        let [count, depth] = matrix.shape;
        let lines = Panels::<f32>::new(how, matrix, 1);
        let mut panels: Vec<_> = (0..count.div_ceil(width)).map(|_| Panel::EMPTY).collect();
        let work: Vec<_> = panels
            .iter_mut()
            .zip(lines.elements.chunks(width * depth))
            .collect();
        each(how, work, |(panel, lines)| {
            how.level.run(Windows {
                panel,
                lines,
                depth,
                width,
            });
        });
        Self {
            lines,
            width,
            panels,
        }
    }

    fn line(&self, at: usize) -> &[f32] {
        self.lines.part(at, 0, self.lines.depth)
    }
}

impl Panel {
    const EMPTY: Self = Self {
        window: Vec::new(),
        outside: Vec::new(),
        bounds: Vec::new(),
    };

    /// A piece of the elements in windows.
    #[inline(always)]
    fn piece(&self, piece: usize, width: usize) -> &[f64] {
        let mut pieces = self.window.chunks(PIECE * width);
        pieces.nth(piece).unwrap_or_default()
    }

    #[inline(always)]
    fn outside(&self, piece: usize) -> &[Outside] {
        self.outside.get(piece).map_or(&[], |outside| outside)
    }
}

/// Finding the windows of a panel's lines.
struct Windows<'a> {
    panel: &'a mut Panel,
    lines: &'a [f32],
    depth: usize,
    width: usize,
}

impl Task for Windows<'_> {
    #[inline(always)]
    fn run(self) {
        let Self {
            panel,
            lines,
            depth,
            width,
        } = self;
        panel.window = vec![0.0; depth * width];
        panel.bounds = vec![0.0; width];
        panel.outside.resize_with(depth.div_ceil(PIECE), Vec::new);
        // An element outside costs as much as a few in a window.
        let most = depth / 16 + 1;
        for (at, line) in lines.chunks_exact(depth).enumerate() {
            let (mut greatest, mut least) = (0, u32::MAX);
            for x in line {
                let magnitude = x.to_bits() & !SIGN;
                greatest = magnitude.max(greatest);
                least = magnitude.wrapping_sub(1).min(least);
            }
            if greatest >= INFINITY
                || least.wrapping_add(1) >> 23 == 0 && greatest != 0
                || depth > DEEPEST
            {
                continue;
            }
            let mut count = 0;
            let pieces = panel
                .window
                .chunks_mut(PIECE * width)
                .zip(&mut panel.outside);
            for ((window, outside), line) in pieces.zip(line.chunks(PIECE)) {
                let top = line.iter().fold(0, |top, x| (x.to_bits() & !SIGN).max(top)) >> 23;
                // 1.5 * 2^52 units.
                let constant = 1.5 * power(top as i32 - 127 - WINDOW + 52);
                for ((k, to), x) in window.chunks_exact_mut(width).enumerate().zip(line) {
                    let x = f64::from(*x);
                    let fits = (x + constant) - constant == x;
                    if let Some(to) = to.get_mut(at) {
                        *to = if fits { x } else { 0.0 };
                    }
                    if !fits {
                        outside.push(Outside {
                            line: at,
                            k,
                            value: x,
                        });
                        count += 1;
                    }
                }
            }
            if count > most {
                for outside in &mut panel.outside {
                    outside.retain(|outside| outside.line != at);
                }
            } else if let Some(bound) = panel.bounds.get_mut(at) {
                *bound = power((greatest >> 23) as i32 - 126);
            }
        }
    }
}

/// 2^`exponent`, a normal f64.
#[inline(always)]
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Some tiles side by side.
struct Job<'a, A> {
    how: How,
    mode: Mode,
    operands: [&'a Operand; 2],
    /// The first panels.
    first: [usize; 2],
    columns: usize,
    /// The distance from a result to the next one in its row.
    stride: usize,
    /// The rows of results.
    rows: Vec<&'a mut [A]>,
}

impl<A: Arithmetic + Element> Task for Job<'_, A> {
    #[inline(always)]
    fn run(mut self) {
        let [a, b] = self.operands;
        let by_windows = environment::is_default();
        let high = self.rows.len().div_ceil(a.width);
        let wide = self.columns.div_ceil(b.width);
        let mut tile = Tile::new(a.width * b.width);
        let mut scratch = Scratch::new();
        for j in (self.first[1]..).take(wide) {
            for i in (self.first[0]..).take(high) {
                if let (true, Some(a), Some(b)) = (by_windows, a.panels.get(i), b.panels.get(j)) {
                    self.windows(&mut tile, a, b);
                } else {
                    tile.low.fill(f64::NAN);
                }
                self.finish(&mut tile, &mut scratch, i, j);
            }
        }
    }
}

/// Sums of a tile's outputs, and the numbers to add to them.
struct Tile {
    /// Powers of two above all products of each output.
    bounds: Vec<f64>,
    next: Vec<f64>,
    high: Vec<f64>,
    low: Vec<f64>,
}

impl Tile {
    fn new(area: usize) -> Self {
        let zeros = || vec![0.0; area];
        Self {
            bounds: zeros(),
            next: zeros(),
            high: zeros(),
            low: zeros(),
        }
    }
}

/// Adds numbers to two sums each, split by a bound of products.
#[inline(always)]
fn split_add<'a>(
    next: impl Iterator<Item = f64>,
    high: impl Iterator<Item = &'a mut f64>,
    low: impl Iterator<Item = &'a mut f64>,
    bounds: impl Iterator<Item = f64>,
) {
    for (((x, high), low), bound) in next.zip(high).zip(low).zip(bounds) {
        let upper = bound * (STEP * 1.5 * (1u64 << 52) as f64);
        let lower = upper * STEP;
        let split = (x + upper) - upper;
        let left = x - split;
        let fits = (left + lower) - lower == left;
        *high += split;
        *low += if fits { left } else { f64::NAN };
    }
}

impl<A: Arithmetic + Element> Job<'_, A> {
    /// All products of a tile.
    #[inline(always)]
    fn windows(&self, tile: &mut Tile, a: &Panel, b: &Panel) {
        let [rows, columns] = [self.operands[0].width, self.operands[1].width];
        tile.high.fill(0.0);
        tile.low.fill(0.0);
        let none = |bounds: &[f64]| bounds.iter().all(|bound| *bound == 0.0);
        if none(&a.bounds) || none(&b.bounds) {
            return;
        }
        for (row, a) in tile.bounds.chunks_exact_mut(columns).zip(&a.bounds) {
            for (bound, b) in row.iter_mut().zip(&b.bounds) {
                *bound = a * b;
            }
        }
        let pieces = self.operands[0].lines.depth.div_ceil(PIECE);
        for piece in 0..pieces {
            let (left, right) = (a.piece(piece, rows), b.piece(piece, columns));
            tile.next.fill(0.0);
            f64::add(
                self.how.level,
                Step::Fused,
                rows,
                left,
                right,
                &mut tile.next,
            );
            let next = tile.next.iter().copied();
            let (high, low) = (tile.high.iter_mut(), tile.low.iter_mut());
            split_add(next, high, low, tile.bounds.iter().copied());
            self.outside(tile, [a, b], piece);
        }
    }

    /// The products of a piece with elements that are in no window.
    #[inline(always)]
    fn outside(&self, tile: &mut Tile, [a, b]: [&Panel; 2], piece: usize) {
        let [rows, columns] = [self.operands[0].width, self.operands[1].width];
        let (left, right) = (a.piece(piece, rows), b.piece(piece, columns));
        for x in a.outside(piece) {
            let begin = x.line * columns;
            let range = begin..begin + columns;
            let row = right.chunks_exact(columns).nth(x.k).unwrap_or_default();
            let bound = a.bounds.get(x.line).copied().unwrap_or_default();
            split_add(
                row.iter().map(|y| x.value * y),
                tile.high
                    .get_mut(range.clone())
                    .unwrap_or_default()
                    .iter_mut(),
                tile.low.get_mut(range).unwrap_or_default().iter_mut(),
                b.bounds.iter().map(|b| b * bound),
            );
        }
        for y in b.outside(piece) {
            let column = left.chunks_exact(rows).nth(y.k).unwrap_or_default();
            let bound = b.bounds.get(y.line).copied().unwrap_or_default();
            // Including products with elements of the same k that are in no window either.
            let others = a.outside(piece).iter().filter(|x| x.k == y.k);
            let mut column: [f64; 16] =
                core::array::from_fn(|row| column.get(row).copied().unwrap_or_default());
            for x in others {
                if let Some(to) = column.get_mut(x.line) {
                    *to = x.value;
                }
            }
            split_add(
                column.iter().take(rows).map(|x| x * y.value),
                tile.high.iter_mut().skip(y.line).step_by(columns),
                tile.low.iter_mut().skip(y.line).step_by(columns),
                a.bounds.iter().map(|a| a * bound),
            );
        }
    }

    /// Rounds a tile's sums, and writes them.
    #[inline(always)]
    fn finish(&mut self, tile: &mut Tile, scratch: &mut Scratch, i: usize, j: usize) {
        let [a, b] = self.operands;
        let mode = self.mode;
        let sums = tile.high.iter().zip(&tile.low).zip(&tile.bounds);
        for (to, ((high, low), bound)) in tile.next.iter_mut().zip(sums) {
            let sum = to_odd(*high, *low);
            let known = (sum != 0.0) & (*bound != 0.0);
            *to = if known { sum } else { f64::NAN };
        }
        let first = (j - self.first[1]) * b.width;
        let count = b.width.min(self.columns - first);
        // The processor's conversion is to nearest.
        let nearest = mode == Mode::TIES_TO_EVEN && A::TYPE == Type::F32;
        let rows = self.rows.iter_mut().skip((i - self.first[0]) * a.width);
        for (row, (out, sums)) in rows.zip(tile.next.chunks_exact(b.width)).enumerate() {
            let out = out.get_mut(first * self.stride..).unwrap_or_default();
            let sums = sums.get(..count).unwrap_or_default();
            if nearest {
                let round = |sum: f64| A::of_code((sum as f32).to_bits().into());
                write(out, self.stride, sums, round);
            } else {
                write(out, self.stride, sums, |sum| convert::convert(sum, mode));
            }
            if sums.iter().fold(false, |any, sum| any | sum.is_nan()) {
                let out = out.iter_mut().step_by(self.stride);
                for (column, (out, sum)) in out.zip(sums).enumerate() {
                    if sum.is_nan() {
                        let (i, j) = (i * a.width + row, j * b.width + column);
                        *out = dot(self.how.level, a.line(i), b.line(j), scratch, mode);
                    }
                }
            }
        }
    }
}

/// An output as a separate dot product.
#[inline(never)]
fn dot<A: Arithmetic>(level: Level, a: &[f32], b: &[f32], scratch: &mut Scratch, mode: Mode) -> A {
    let (total, b) = (&mut Accumulator::new(), Some(b));
    level.run(Terms {
        a,
        b,
        total,
        scratch,
    });
    total.round(mode)
}
