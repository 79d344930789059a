//! Products of matrices in the order of a matrix unit, in vector code.
//!
//! Method: the lanes of a vector are neighbouring columns, and each output has its steps in order.
//! A step finds the largest exponent E of its products and its accumulator in integers, multiplies
//! each product by 2^(F - E), and truncates it to an integer, which is what the unit does. The
//! integers are split at 2^10 and both parts added in f32; the total is truncated to the unit's
//! bits in f64. The exponents are those of the operands' own format, so that a subnormal keeps the
//! lowest one; zeros have one far below.
//!
//! (A conversion to i32 would be a single instruction, but Rust's saturates, and LLVM has no vector
//! code for that.)
//!
//! Why no step rounds, with F <= 25 and E from F - 126 to 119:
//!
//! - A product of two elements of at most 11 bits has 22 bits: exact in f32 unless it is below
//!   2^-126, and then below the window's last bit 2^(E - F), truncated to 0 in any case.
//! - 2^(F - E) is a normal f32. A scaled product is below 2^(F + 2) <= 2^27, and an integer of at
//!   most 24 bits once truncated. Its upper part is the multiple of 2^10 closest to it; 65 of those
//!   are below 2^24 units of 2^10. The lower parts are at most 2^9, 65 of them below 2^16.
//! - The total is below 2^34: exact in f64. Cut to at most 24 bits and multiplied by 2^(E - F), it
//!   is at least 2^-126 and below 65 * 2^(E + 2) < 2^128: a normal f32.
//!
//! Outputs with a step whose E is outside (infinities and NaNs have one above) are computed again
//! by the kernel. So are all outputs of units that differ in more than numbers, all at a level that
//! has no instruction to truncate, and all if the processor's arithmetic is not in its default
//! state.

use super::matrix::Matrix;
use super::tile::Number;
use super::{How, Operand, each};
use crate::environment;
use crate::level::{Level, Task};
use bitexact::Mode;
use bitexact::format::Format;
use bitexact::reduce::{Unit, UnitParameters, WideOperands};

/// Columns side by side: so many that the loops over them are not unrolled, but vectorised.
const COLUMNS: usize = 64;
/// Terms that are taken together: a step is padded to a multiple.
const TOGETHER: usize = 4;
/// The exponent of a zero, below any other product's with it.
const ZERO: i32 = -(1 << 12);
/// The exponent of an infinity or a NaN.
const SPECIAL: i32 = 1 << 16;
/// The largest E of a step.
const MOST: i32 = 119;
/// Elements of a column that stay in the cache, about.
const DEPTH: usize = 64;
/// Elements of a packed left operand.
const PACKED: usize = 1 << 23;

/// Whether these loops have the unit, of operands of this format.
pub(super) fn has<T: Operand>(level: Level, unit: &Unit) -> bool {
    let UnitParameters {
        fraction_bits,
        least_exponent,
        wide,
        ..
    } = unit.parameters();
    // Steps whose E is below this are the kernel's.
    let lowest = i32::from(fraction_bits) - 126;
    let floored = least_exponent.is_some_and(|least| i32::from(least) > lowest);
    let tf32 = matches!(
        wide,
        WideOperands::Tf32Truncated | WideOperands::Tf32Nearest
    );
    // That of SSE 4.1 and NEON.
    let truncates = level.has_fma();
    truncates && unit.is_plain() && !floored && fraction_bits <= 25 && (T::PRECISION <= 11 || tf32)
}

/// The sums of a product; `has` is true, and no dim is 0. `write` gets the row, the first column,
/// and the sums of some columns.
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
    mut write: impl FnMut(usize, usize, &[f32]),
) {
    let ([m, _], [_, n]) = (a.shape, b.shape);
    let columns = b.transposed();
    let rows = Lines::<1>::new(how.level, unit, a);
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
        let UnitParameters { terms, wide, .. } = unit.parameters();
        let terms = usize::from(terms);
        let depth = depth.div_ceil(terms) * terms.next_multiple_of(TOGETHER);
        let count = rows.div_ceil(W) * depth;
        let mut lines = Self {
            values: vec![[0.0; W]; count],
            exponents: vec![[ZERO; W]; count],
            depth,
        };
        level.run(Pack {
            matrix,
            wide,
            terms,
            to: &mut lines,
        });
        lines
    }
}

struct Pack<'a, 'b, T, const W: usize> {
    matrix: Matrix<'a, T>,
    wide: WideOperands,
    terms: usize,
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
        let padded = self.terms.next_multiple_of(TOGETHER);
        let panels = values
            .chunks_exact_mut(*depth)
            .zip(exponents.chunks_exact_mut(*depth));
        for (panel, (values, exponents)) in panels.enumerate() {
            for line in 0..W.min(self.matrix.shape[0] - panel * W) {
                let row = self.matrix.contiguous_row(panel * W + line);
                let steps = values.chunks_mut(padded).zip(exponents.chunks_mut(padded));
                for ((values, exponents), row) in steps.zip(row.chunks(self.terms)) {
                    for ((value, exponent), x) in values.iter_mut().zip(exponents).zip(row) {
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
struct Job<'a, 'b, T> {
    unit: &'a Unit,
    a: Matrix<'a, T>,
    columns: Matrix<'a, T>,
    rows: &'a Lines<1>,
    right: &'a Lines<COLUMNS>,
    sums: &'b mut [Row<f32>],
}

/// A number for each column.
type Row<N> = [N; COLUMNS];

impl<T: Operand> Task for Job<'_, '_, T> {
    #[inline(always)]
    fn run(self) {
        let k = self.a.shape[1];
        let mut outside = vec![[0i32; COLUMNS]; self.sums.len()];
        if environment::is_default() {
            steps(self.unit, self.rows, self.right, self.sums, &mut outside);
        } else {
            outside.fill([1; COLUMNS]);
        }
        let count = self.columns.shape[0];
        for (row, (sums, outside)) in self.sums.iter_mut().zip(outside).enumerate() {
            for (column, (sum, outside)) in sums.iter_mut().zip(outside).enumerate().take(count) {
                if outside != 0 {
                    let pairs = self.a.row(row).zip(self.columns.row(column));
                    *sum = self.unit.dot_by(pairs, k, Mode::TIES_TO_EVEN);
                }
            }
        }
    }
}

/// All steps of all rows; says for each output whether a step was outside the bounds.
#[inline(always)]
fn steps(
    unit: &Unit,
    rows: &Lines<1>,
    right: &Lines<COLUMNS>,
    sums: &mut [Row<f32>],
    outside: &mut [Row<i32>],
) {
    let UnitParameters {
        terms,
        fraction_bits,
        precision,
        ..
    } = unit.parameters();
    let step = Step {
        terms: usize::from(terms).next_multiple_of(TOGETHER),
        fraction: fraction_bits.into(),
        mask: u64::MAX << (53 - u32::from(precision)),
    };
    let piece = (DEPTH / step.terms).max(1) * step.terms;
    for first in (0..rows.depth).step_by(piece) {
        let count = piece.min(rows.depth - first);
        let right = right.part(0, first, count);
        for (row, (sums, outside)) in sums.iter_mut().zip(outside.iter_mut()).enumerate() {
            step.all(rows.part(row, first, count), right, sums, outside);
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
    /// The bits of an f64 that a result keeps.
    mask: u64,
}

impl Step {
    #[inline(always)]
    fn all(
        &self,
        (a, a_exponents): Part<'_, 1>,
        (b, b_exponents): Part<'_, COLUMNS>,
        c: &mut Row<f32>,
        outside: &mut Row<i32>,
    ) {
        let left = a
            .chunks_exact(self.terms)
            .zip(a_exponents.chunks_exact(self.terms));
        let right = b
            .chunks_exact(self.terms)
            .zip(b_exponents.chunks_exact(self.terms));
        let (mut top, mut scale) = ([0i32; COLUMNS], [0f32; COLUMNS]);
        let (mut high, mut low) = ([0f32; COLUMNS], [0f32; COLUMNS]);
        for ((a, a_exponents), (b, b_exponents)) in left.zip(right) {
            begin(c, &mut top);
            let (x, _) = a_exponents.as_flattened().as_chunks::<TOGETHER>();
            let (y, _) = b_exponents.as_chunks::<TOGETHER>();
            for (x, y) in x.iter().zip(y) {
                raise(&mut top, x, y);
            }
            self.scales(&mut top, outside, &mut scale);
            for ((c, scale), (high, low)) in c.iter().zip(&scale).zip(high.iter_mut().zip(&mut low))
            {
                (*high, *low) = split((*c * *scale).trunc());
            }
            let (a, _) = a.as_flattened().as_chunks::<TOGETHER>();
            let (b, _) = b.as_chunks::<TOGETHER>();
            for (x, y) in a.iter().zip(b) {
                add(&mut high, &mut low, &scale, x, y);
            }
            for (((c, high), low), top) in c.iter_mut().zip(&high).zip(&low).zip(&top) {
                let total = f64::from(*high) + f64::from(*low);
                let kept = f64::from_bits(total.to_bits() & self.mask);
                *c = (kept * f64::from(power(*top - self.fraction))) as f32;
            }
        }
    }

    /// Powers of two for the largest exponents.
    #[inline(always)]
    fn scales(&self, top: &mut Row<i32>, outside: &mut Row<i32>, scale: &mut Row<f32>) {
        let least = self.fraction - 126;
        for ((top, outside), scale) in top.iter_mut().zip(outside).zip(scale) {
            let e = *top;
            *top = e.clamp(least, MOST);
            // Zeros alone are below all other exponents.
            *outside |= i32::from(e != *top) & i32::from(e > ZERO / 2);
            *scale = power(self.fraction - *top);
        }
    }
}

/// The exponents of accumulators.
#[inline(always)]
fn begin(c: &Row<f32>, top: &mut Row<i32>) {
    for (top, c) in top.iter_mut().zip(c) {
        let magnitude = (c.to_bits() & 0x7FFF_FFFF) as i32;
        let exponent = (magnitude >> 23).max(1) - 127;
        *top = if magnitude == 0 { ZERO } else { exponent };
    }
}

/// The largest exponents with some more products.
#[inline(always)]
fn raise(top: &mut Row<i32>, x: &[i32; TOGETHER], y: &[Row<i32>; TOGETHER]) {
    let ([a, b, c, d], [p, q, r, s]) = (x, y);
    for ((top, (p, q)), (r, s)) in top.iter_mut().zip(p.iter().zip(q)).zip(r.iter().zip(s)) {
        let first = (a + p).max(b + q);
        *top = (*top).max(first).max((c + r).max(d + s));
    }
}

/// The multiple of 2^10 closest to an integer, and what is left.
#[inline(always)]
fn split(x: f32) -> (f32, f32) {
    const CONSTANT: f32 = 1.5 * (1u64 << 33) as f32;
    let high = (x + CONSTANT) - CONSTANT;
    (high, x - high)
}

/// The sums with some more products.
#[inline(always)]
fn add(
    high: &mut Row<f32>,
    low: &mut Row<f32>,
    scale: &Row<f32>,
    x: &[f32; TOGETHER],
    y: &[Row<f32>; TOGETHER],
) {
    let ([a, b, c, d], [p, q, r, s]) = (x, y);
    let terms = p.iter().zip(q).zip(r.iter().zip(s));
    let sums = high.iter_mut().zip(low).zip(scale);
    for (((high, low), scale), ((p, q), (r, s))) in sums.zip(terms) {
        let scaled = |x: &f32, y: &f32| split(((x * y) * scale).trunc());
        let [a, b, c, d] = [scaled(a, p), scaled(b, q), scaled(c, r), scaled(d, s)];
        *high += (a.0 + b.0) + (c.0 + d.0);
        *low += (a.1 + b.1) + (c.1 + d.1);
    }
}

/// 2^`exponent`, a normal f32.
#[inline(always)]
const fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}
