//! Products of matrices in the order of a matrix unit, in vector code.
//!
//! Method: the lanes of a vector are neighbouring columns, and each output has its steps in order.
//! A step finds the largest exponent E of its products and its accumulator in integers, multiplies
//! each product by 2^(F - E), and truncates it to an integer, which is what the unit does; the sums
//! are exact integers, and the total is truncated to the unit's bits in f64. The exponents are those
//! of the operands' own format, so that a subnormal keeps the lowest one; zeros have one far below.
//!
//! Why no step rounds, with F <= 25 and E from F - 126 to 119:
//!
//! - A product of two elements of at most 11 bits has 22 bits: exact in f32 unless it is below
//!   2^-126, and then below the window's last bit 2^(E - F), truncated to 0 in any case.
//! - 2^(F - E) is a normal f32. A scaled product is below 2^(F + 2) <= 2^27, so eight of them are
//!   below 2^30, and 64 are where F <= 22.
//! - Sums of those are below 2^34: exact in f64. Cut to 24 bits and multiplied by 2^(E - F), the
//!   total is at least 2^-126 and below 65 * 2^(E + 2) < 2^128: a normal f32.
//!
//! Outputs with a step whose E is outside (infinities and NaNs have one above) are computed again
//! by the kernel. So are all outputs of units that differ in more than numbers, and all if the
//! processor's arithmetic is not in its default state.

use super::matrix::Matrix;
use super::tile::Number;
use super::{How, Operand, each};
use crate::environment;
use crate::level::{Level, Task};
use bitexact::Mode;
use bitexact::format::Format;
use bitexact::reduce::{Unit, UnitParameters, WideOperands};

/// Columns side by side.
const COLUMNS: usize = 16;
/// The exponent of a zero, below any other product's with it.
const ZERO: i32 = -(1 << 12);
/// The exponent of an infinity or a NaN.
const SPECIAL: i32 = 1 << 16;
/// The largest E of a step.
const MOST: i32 = 119;
/// Elements of a row or column that stay in the cache, about.
const DEPTH: usize = 128;
/// Elements of a packed left operand.
const PACKED: usize = 1 << 23;

/// Whether these loops have the unit, of operands of this format.
pub(super) fn has<T: Operand>(unit: &Unit) -> bool {
    let UnitParameters {
        fraction_bits,
        wide,
        ..
    } = unit.parameters();
    let tf32 = matches!(
        wide,
        WideOperands::Tf32Truncated | WideOperands::Tf32Nearest
    );
    unit.is_plain() && fraction_bits <= 25 && (T::PRECISION <= 11 || tf32)
}

/// The sums of a product; `has` is true, and no dim is 0. `write` gets the row, the first column,
/// and the sums of up to 16 columns.
pub(super) fn product<T: Operand>(
    how: How,
    unit: &Unit,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    mut write: impl FnMut(usize, usize, &[f32]),
) {
    let ([m, k], [_, n]) = (a.shape, b.shape);
    if n < COLUMNS && n < m {
        // More columns than rows: the products are the same.
        let turned = |row: usize, first: usize, sums: &[f32]| {
            for (column, sum) in (first..).zip(sums) {
                write(column, row, core::slice::from_ref(sum));
            }
        };
        return panels(how, unit, b.transposed(), a.transposed(), turned);
    }
    let most = (PACKED / k.max(1)).max(1);
    for top in (0..m).step_by(most) {
        let a = a.rows(top, most.min(m - top));
        panels(how, unit, a, b, |row, first, sums| {
            write(top + row, first, sums);
        });
    }
}

fn panels<T: Operand>(
    how: How,
    unit: &Unit,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    write: impl FnMut(usize, usize, &[f32]),
) {
    if how.level.name() == "avx512" {
        panels_of::<T, 4>(how, unit, a, b, write);
    } else {
        panels_of::<T, 2>(how, unit, a, b, write);
    }
}

fn panels_of<T: Operand, const R: usize>(
    how: How,
    unit: &Unit,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    mut write: impl FnMut(usize, usize, &[f32]),
) {
    let ([m, _], [_, n]) = (a.shape, b.shape);
    let columns = b.transposed();
    let rows = Lines::<R>::new(how.level, unit, a);
    let mut sums = vec![[0f32; COLUMNS]; n.div_ceil(COLUMNS) * m];
    let jobs: Vec<_> = sums.chunks_mut(m).enumerate().collect();
    each(how, jobs, |(panel, sums)| {
        let first = panel * COLUMNS;
        let columns = columns.rows(first, COLUMNS.min(n - first));
        let job = Job {
            unit,
            a,
            columns,
            rows: &rows,
            right: &Lines::new(how.level, unit, columns),
            sums,
        };
        how.level.run(job);
    });
    for (panel, sums) in sums.chunks(m).enumerate() {
        let first = panel * COLUMNS;
        for (row, sums) in sums.iter().enumerate() {
            let sums = sums.get(..COLUMNS.min(n - first)).unwrap_or_default();
            write(row, first, sums);
        }
    }
}

/// Rows of a matrix as values and exponents, `W` rows side by side, zeros below the matrix and
/// after the last step.
struct Lines<const W: usize> {
    values: Vec<[f32; W]>,
    exponents: Vec<[i32; W]>,
    /// Elements of a row: whole steps.
    depth: usize,
}

impl<const W: usize> Lines<W> {
    fn new<T: Operand>(level: Level, unit: &Unit, matrix: Matrix<'_, T>) -> Self {
        let [rows, depth] = matrix.shape;
        let depth = depth.next_multiple_of(unit.parameters().terms.into());
        let count = rows.div_ceil(W) * depth;
        let mut lines = Self {
            values: vec![[0.0; W]; count],
            exponents: vec![[ZERO; W]; count],
            depth,
        };
        level.run(Pack {
            matrix,
            wide: unit.parameters().wide,
            to: &mut lines,
        });
        lines
    }
}

struct Pack<'a, 'b, T, const W: usize> {
    matrix: Matrix<'a, T>,
    wide: WideOperands,
    to: &'b mut Lines<W>,
}

impl<T: Operand, const W: usize> Task for Pack<'_, '_, T, W> {
    #[inline(always)]
    fn run(self) {
        let Lines {
            values,
            exponents,
            depth,
        } = self.to;
        let panels = values
            .chunks_exact_mut(*depth)
            .zip(exponents.chunks_exact_mut(*depth));
        for (panel, (values, exponents)) in panels.enumerate() {
            for line in 0..W.min(self.matrix.shape[0] - panel * W) {
                let row = self.matrix.contiguous_row(panel * W + line);
                let to = values.iter_mut().zip(exponents.iter_mut());
                for ((value, exponent), x) in to.zip(row.iter()) {
                    if let (Some(value), Some(exponent)) =
                        (value.get_mut(line), exponent.get_mut(line))
                    {
                        (*value, *exponent) = element(self.wide, *x);
                    }
                }
            }
        }
    }
}

/// An element's value and exponent.
#[inline(always)]
fn element<T: Operand>(wide: WideOperands, x: T) -> (f32, i32) {
    let code = x.to_bits();
    let magnitude = code & (T::SIGN - 1);
    if magnitude > T::MAX_FINITE || !T::NEGATIVE_ZERO && code == T::SIGN {
        return (0.0, SPECIAL);
    }
    if T::PRECISION <= 11 {
        let exponent = ((magnitude >> (T::PRECISION - 1)) as i32).max(1) - T::BIAS;
        return (f32::of(x), if magnitude == 0 { ZERO } else { exponent });
    }
    // f32, as TF32.
    let bits = code as u32;
    let bits = match wide {
        WideOperands::Tf32Nearest => bits.wrapping_add(0xFFF + (bits >> 13 & 1)),
        _ => bits,
    } & !0x1FFF;
    let (value, field) = (f32::from_bits(bits), (bits >> 23 & 0xFF) as i32);
    let exponent = match field {
        0xFF => return (0.0, SPECIAL),
        _ if value == 0.0 => ZERO,
        _ => field.max(1) - f32::BIAS,
    };
    (value, exponent)
}

/// A panel of columns and all rows.
struct Job<'a, 'b, T, const R: usize> {
    unit: &'a Unit,
    a: Matrix<'a, T>,
    columns: Matrix<'a, T>,
    rows: &'a Lines<R>,
    right: &'a Lines<COLUMNS>,
    sums: &'b mut [[f32; COLUMNS]],
}

impl<T: Operand, const R: usize> Task for Job<'_, '_, T, R> {
    #[inline(always)]
    fn run(self) {
        let k = self.a.shape[1];
        let groups = self.sums.len().div_ceil(R);
        let mut sums = vec![[[0f32; COLUMNS]; R]; groups];
        let mut bad = vec![[[false; COLUMNS]; R]; groups];
        if environment::is_default() {
            self.steps(&mut sums, &mut bad);
        } else {
            bad.fill([[true; COLUMNS]; R]);
        }
        let count = self.columns.shape[0];
        let results = sums.as_flattened().iter().zip(bad.as_flattened());
        for (row, (to, (sums, bad))) in self.sums.iter_mut().zip(results).enumerate() {
            *to = *sums;
            for (column, (to, bad)) in to.iter_mut().zip(bad).enumerate().take(count) {
                if *bad {
                    let pairs = self.a.row(row).zip(self.columns.row(column));
                    *to = self.unit.dot_by(pairs, k, Mode::TIES_TO_EVEN);
                }
            }
        }
    }
}

impl<T, const R: usize> Job<'_, '_, T, R> {
    /// All steps of all rows; says for each output whether a step was outside the bounds.
    #[inline(always)]
    fn steps(&self, sums: &mut [[[f32; COLUMNS]; R]], bad: &mut [[[bool; COLUMNS]; R]]) {
        let UnitParameters {
            terms,
            fraction_bits,
            precision,
            ..
        } = self.unit.parameters();
        let step = Step {
            terms: terms.into(),
            fraction: fraction_bits.into(),
            chunk: if fraction_bits <= 22 { 64 } else { 8 },
            mask: u64::MAX << (53 - u32::from(precision)),
        };
        let depth = self.rows.depth;
        let piece = (DEPTH / step.terms).max(1) * step.terms;
        for first in (0..depth).step_by(piece) {
            let count = piece.min(depth - first);
            let right = self.right.part(0, first, count);
            for (group, (sums, bad)) in sums.iter_mut().zip(bad.iter_mut()).enumerate() {
                let left = self.rows.part(group, first, count);
                step.all(left, right, sums, bad);
            }
        }
    }
}

/// Values and exponents.
type Part<'a, const W: usize> = (&'a [[f32; W]], &'a [[i32; W]]);

impl<const W: usize> Lines<W> {
    /// Some elements of a panel.
    #[inline(always)]
    fn part(&self, panel: usize, first: usize, count: usize) -> Part<'_, W> {
        let begin = panel * self.depth + first;
        let range = begin..begin + count;
        (
            self.values.get(range.clone()).unwrap_or_default(),
            self.exponents.get(range).unwrap_or_default(),
        )
    }
}

/// The numbers of a step.
struct Step {
    terms: usize,
    fraction: i32,
    /// Terms whose sum fits 32 bits.
    chunk: usize,
    /// The bits of an f64 that a result keeps.
    mask: u64,
}

impl Step {
    #[inline(always)]
    fn all<const R: usize>(
        &self,
        (a, a_exponents): Part<'_, R>,
        (b, b_exponents): Part<'_, COLUMNS>,
        sums: &mut [[f32; COLUMNS]; R],
        bad: &mut [[bool; COLUMNS]; R],
    ) {
        let mut c = *sums;
        let mut outside = [[0i32; COLUMNS]; R];
        let least = self.fraction - 126;
        let left = a
            .chunks_exact(self.terms)
            .zip(a_exponents.chunks_exact(self.terms));
        let right = b
            .chunks_exact(self.terms)
            .zip(b_exponents.chunks_exact(self.terms));
        for ((a, a_exponents), (b, b_exponents)) in left.zip(right) {
            let mut top = [[0i32; COLUMNS]; R];
            for (top, c) in top.iter_mut().zip(&c) {
                for (top, c) in top.iter_mut().zip(c) {
                    let magnitude = (c.to_bits() & 0x7FFF_FFFF) as i32;
                    let exponent = (magnitude >> 23).max(1) - 127;
                    *top = if magnitude == 0 { ZERO } else { exponent };
                }
            }
            for (x, y) in a_exponents.iter().zip(b_exponents) {
                for (top, x) in top.iter_mut().zip(x) {
                    for (top, y) in top.iter_mut().zip(y) {
                        *top = (*top).max(x + y);
                    }
                }
            }
            let mut scale = [[0f32; COLUMNS]; R];
            let mut total = [[0f64; COLUMNS]; R];
            let rows = top.iter_mut().zip(&mut outside).zip(&c);
            let rows = rows.zip(scale.iter_mut().zip(&mut total));
            for (((top, outside), c), (scale, total)) in rows {
                let lanes = top.iter_mut().zip(outside).zip(c);
                let lanes = lanes.zip(scale.iter_mut().zip(total));
                for (((top, outside), c), (scale, total)) in lanes {
                    let e = *top;
                    *top = e.clamp(least, MOST);
                    // Zeros alone are below all other exponents.
                    *outside |= i32::from(e != *top) & i32::from(e > ZERO / 2);
                    *scale = power(self.fraction - *top);
                    *total = f64::from((*c * *scale) as i32);
                }
            }
            for (a, b) in a.chunks(self.chunk).zip(b.chunks(self.chunk)) {
                let mut sum = [[0i32; COLUMNS]; R];
                for (x, y) in a.iter().zip(b) {
                    for ((sum, scale), x) in sum.iter_mut().zip(&scale).zip(x) {
                        for ((sum, scale), y) in sum.iter_mut().zip(scale).zip(y) {
                            *sum = sum.wrapping_add(((x * y) * scale) as i32);
                        }
                    }
                }
                for (total, sum) in total.iter_mut().zip(&sum) {
                    for (total, sum) in total.iter_mut().zip(sum) {
                        *total += f64::from(*sum);
                    }
                }
            }
            for ((c, total), top) in c.iter_mut().zip(&total).zip(&top) {
                for ((c, total), top) in c.iter_mut().zip(total).zip(top) {
                    let kept = f64::from_bits(total.to_bits() & self.mask);
                    *c = (kept * f64::from(power(*top - self.fraction))) as f32;
                }
            }
        }
        *sums = c;
        for (bad, outside) in bad
            .as_flattened_mut()
            .iter_mut()
            .zip(outside.as_flattened())
        {
            *bad |= *outside != 0;
        }
    }
}

/// 2^`exponent`, a normal f32.
#[inline(always)]
const fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}
