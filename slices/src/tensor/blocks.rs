//! Products of matrices in MX blocks.
//!
//! - *Exact* products are those of the scaled elements, which are f32 numbers for scales from
//!   2^-100 to 2^100: see [`exact_product`].
//! - In the *sequential order* of blocks, the dot product of each pair of blocks is rounded to f32,
//!   and then added. Elements without their scales are integers times a power of two: tiles add up
//!   a block's products exactly, since a sum of n products of integers of p and q bits has at most
//!   p + q + log2(n) bits; in f32 where these are 24 at most (elements of 4 to 6 bits and MXINT8),
//!   in f64 up to 53. Its product in f64 with the power of two of both scales is exact too: its
//!   exponent is between -330 and 330. So the conversion to f32 is the one rounding.
//!
//! E5M2 by E5M2 or E4M3 in the sequential order, other scales and orders, other results than f32 in
//! a declared order, and directed modes there, are the kernel's.

use super::matrix::{Matrix, Target};
use super::pack::Panels;
use super::tile::{Number, Step, height};
use super::{How, each, exact_product};
use crate::element::Element as Code;
use crate::environment;
use crate::level::Task;
use crate::simd::BlockElement;
use crate::typed;
use bitexact::format::Arithmetic;
use bitexact::reduce::Order;
use bitexact::scale::{self, BlockError, BlockMatrix, E8M0};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Status};

type Outcome = Result<(), BlockError>;

super::forms::forms! {
    /// `out[i, j]` = the sum over k of `a[i, k] * b[j, k]`, as in [`bitexact::scale::gemm`], which
    /// also returns the exceptions: rows of `b` are the columns of the second operand.
    ///
    /// ```
    /// use bitexact_slices::mx::E8M0;
    /// use bitexact_slices::tensor::{Accumulation, BlockMatrix, Order, gemm_blocks};
    /// use bitexact_slices::Mode;
    /// use bitexact::format::E2M1;
    /// let a = [0x2, 0x4, 0x5, 0x6].map(E2M1::from_bits); // 1 2, 3 4
    /// let scales = [127, 128].map(E8M0::from_bits); // the second row twice as much
    /// let a = BlockMatrix::new(&a, &scales, [2, 2], 32)?;
    /// let mut c = [0.0f32; 4];
    /// let order = Accumulation::Declared(Order::Sequential);
    /// gemm_blocks(&a, &a, order, Mode::TIES_TO_EVEN, &mut c)?; // a times its transpose
    /// assert_eq!(c, [5.0, 22.0, 22.0, 100.0]);
    /// # Ok::<(), bitexact_slices::mx::BlockError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BlockError::OperandMismatch`] where the operands differ in columns or in block size,
    /// [`BlockError::LengthMismatch`] for `out`; nothing is written then.
    fn gemm_blocks[A: BlockElement, B: BlockElement, R: Arithmetic + Code](
        a: &BlockMatrix<'_, A>,
        b: &BlockMatrix<'_, B>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut [R],
    ) -> Outcome;

    /// The product of a matrix and a vector in blocks, as in [`bitexact::scale::gemv`], which also
    /// returns the exceptions: [`gemm_blocks`] with a `b` of one row.
    ///
    /// # Errors
    ///
    /// [`BlockError::LengthMismatch`] for `x`, `x_scales` and `out`; nothing is written then.
    fn gemv_blocks[A: BlockElement, B: BlockElement, R: Arithmetic + Code](
        a: &BlockMatrix<'_, A>,
        x: &[B],
        x_scales: &[E8M0],
        accumulation: Accumulation,
        mode: Mode,
        out: &mut [R],
    ) -> Outcome;
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn gemm_blocks<A: BlockElement, B: BlockElement, R: Arithmetic + Code>(
        how: How,
        a: &BlockMatrix<'_, A>,
        b: &BlockMatrix<'_, B>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut [R],
    ) -> Outcome {
        let ([m, k], [n, columns]) = (a.shape(), b.shape());
        let same = (k, a.block()) == (columns, b.block()) && out.len() == m.saturating_mul(n);
        if same && k > 0 && !out.is_empty() {
            match accumulation {
                Accumulation::Exact => {
                    if let (Some(left), Some(right)) = (scaled(a), scaled(b)) {
                        let out = Target {
                            data: out,
                            down: n,
                            across: 1,
                            shape: [m, n],
                        };
                        let right = dense(&right, [n, k]).transposed();
                        exact_product::run(how, dense(&left, [m, k]), right, mode, out);
                        return Ok(());
                    }
                }
                Accumulation::Declared(Order::Sequential) if mode == Mode::TIES_TO_EVEN => {
                    let bits = bits::<A, B>(a.block().min(k));
                    if let (0..=f64::MANTISSA_DIGITS, Some(out)) =
                        (bits, typed::of_type_mut::<R, f32>(out))
                    {
                        // A vector's results are divided among the threads as a column.
                        return match (bits <= f32::MANTISSA_DIGITS, m) {
                            (true, 1) => sequential::<f32, _, _>(how, b, a, out),
                            (true, _) => sequential::<f32, _, _>(how, a, b, out),
                            (false, 1) => sequential::<f64, _, _>(how, b, a, out),
                            (false, _) => sequential::<f64, _, _>(how, a, b, out),
                        };
                    }
                }
                Accumulation::Declared(_) => {}
            }
        }
        scale::gemm(a, b, accumulation, mode, out).map(drop)
    }

    pub fn gemv_blocks<A: BlockElement, B: BlockElement, R: Arithmetic + Code>(
        how: How,
        a: &BlockMatrix<'_, A>,
        x: &[B],
        x_scales: &[E8M0],
        accumulation: Accumulation,
        mode: Mode,
        out: &mut [R],
    ) -> Outcome {
        let [m, k] = a.shape();
        if let (Ok(row), true) = (
            BlockMatrix::new(x, x_scales, [1, k], a.block()),
            out.len() == m,
        ) {
            return gemm_blocks(how, a, &row, accumulation, mode, out);
        }
        // Of wrong lengths: the error is the kernel's.
        scale::gemv(a, x, x_scales, accumulation, mode, out).map(drop)
    }
}

/// Bits of a sum of so many products, at most.
const fn bits<A: BlockElement, B: BlockElement>(block: usize) -> u32 {
    A::DIGITS + B::DIGITS + usize::BITS - block.leading_zeros()
}

/// A row-major matrix.
fn dense(data: &[f32], shape: [usize; 2]) -> Matrix<'_, f32> {
    Matrix {
        data,
        offset: 0,
        strides: [shape[1], 1],
        shape,
    }
}

/// The exponent of a scale that is a number.
fn exponent(scale: E8M0) -> i32 {
    i32::from(scale.to_bits()) - 127
}

/// 2^e, or NaN.
fn power(scale: E8M0) -> f64 {
    if scale.is_nan() {
        f64::NAN
    } else {
        f64::from_bits((u64::from(scale.to_bits()) + 1023 - 127) << 52)
    }
}

/// The elements without their scales.
fn plain<E: BlockElement>(matrix: &BlockMatrix<'_, E>) -> Vec<f32> {
    let elements = matrix.elements().iter();
    elements.map(|x| f32::from_bits(x.wide())).collect()
}

/// The elements times their scales, if f32 numbers are sure to hold them.
fn scaled<E: BlockElement>(matrix: &BlockMatrix<'_, E>) -> Option<Vec<f32>> {
    const FARTHEST: i32 = 100;
    let near = |scale: &E8M0| scale.is_nan() || (exponent(*scale).abs() <= FARTHEST);
    if !matrix.scales().iter().all(near) {
        return None;
    }
    let [_, columns] = matrix.shape();
    let mut values = plain(matrix);
    let rows = values.chunks_mut(columns);
    for (row, scales) in rows.zip(matrix.scales().chunks(columns.div_ceil(matrix.block()))) {
        for (block, scale) in row.chunks_mut(matrix.block()).zip(scales) {
            // In integers, which no state of the processor's arithmetic changes.
            for x in block {
                let code = x.to_bits();
                let field = code >> 23 & 0xFF;
                *x = match field {
                    _ if scale.is_nan() => f32::NAN,
                    0 | 0xFF => *x,
                    _ => f32::from_bits(code.wrapping_add((exponent(*scale) as u32) << 23)),
                };
            }
        }
    }
    Some(values)
}

/// An operand's panels, and the scales of each panel's rows, block after block.
struct Side<N> {
    panels: Panels<N>,
    scales: Vec<f64>,
    blocks: usize,
}

impl<N: Number> Side<N> {
    fn new<E: BlockElement>(how: How, matrix: &BlockMatrix<'_, E>, width: usize) -> Self {
        let [rows, columns] = matrix.shape();
        let blocks = columns.div_ceil(matrix.block());
        let mut scales = vec![1.0; rows.div_ceil(width) * width * blocks];
        for (row, from) in matrix.scales().chunks(blocks).enumerate() {
            let first = row / width * width * blocks + row % width;
            let to = scales.iter_mut().skip(first).step_by(width);
            for (to, from) in to.zip(from) {
                *to = power(*from);
            }
        }
        Self {
            panels: Panels::new(how, dense(&plain(matrix), [rows, columns]), width),
            scales,
            blocks,
        }
    }

    /// The scales of a panel's block.
    fn scales(&self, panel: usize, block: usize) -> &[f64] {
        let width = self.panels.width;
        let begin = (panel * self.blocks + block) * width;
        self.scales.get(begin..begin + width).unwrap_or_default()
    }
}

/// Some rows of the result.
struct Job<'a, N> {
    how: How,
    sides: [&'a Side<N>; 2],
    panel: usize,
    block: usize,
    /// Of each row.
    columns: usize,
    out: &'a mut [f32],
    /// Whether the processor's arithmetic is in another state than its default.
    failed: bool,
}

/// The product in the sequential order of blocks.
fn sequential<N: Number + Into<f64>, A: BlockElement, B: BlockElement>(
    how: How,
    a: &BlockMatrix<'_, A>,
    b: &BlockMatrix<'_, B>,
    out: &mut [f32],
) -> Outcome {
    let ([m, _], [n, _]) = (a.shape(), b.shape());
    let (rows, columns) = N::tile(how.level);
    let left = Side::<N>::new(how, a, height(rows, m));
    let right = Side::<N>::new(how, b, columns);
    let parts = out.chunks_mut(left.panels.width * n).enumerate();
    let mut jobs: Vec<_> = parts
        .map(|(panel, out)| Job {
            how,
            sides: [&left, &right],
            panel,
            block: a.block(),
            columns: n,
            out,
            failed: false,
        })
        .collect();
    each(how, jobs.iter_mut().collect(), |job| {
        job.failed = !environment::is_default();
        if !job.failed {
            how.level.run(job);
        }
    });
    if jobs.iter().any(|job| job.failed) {
        let sequential = Accumulation::Declared(Order::Sequential);
        let _: Status = scale::gemm(a, b, sequential, Mode::TIES_TO_EVEN, out)?;
    }
    Ok(())
}

impl<N: Number + Into<f64>> Task for &mut Job<'_, N> {
    #[inline(always)]
    fn run(self) {
        let [left, right] = self.sides;
        let [high, wide] = [left.panels.width, right.panels.width];
        let mut sums = vec![0f32; high * wide];
        let mut next = vec![N::ZERO; high * wide];
        for column in 0..self.columns.div_ceil(wide) {
            sums.fill(-0.0);
            for block in 0..left.blocks {
                let first = block * self.block;
                let count = self.block.min(left.panels.depth - first);
                let a = left.panels.part(self.panel, first, count);
                let b = right.panels.part(column, first, count);
                next.fill(N::of(-0f32));
                N::add(self.how.level, Step::Fused, high, a, b, &mut next);
                let rows = sums.chunks_exact_mut(wide).zip(next.chunks_exact(wide));
                for ((sums, next), x) in rows.zip(left.scales(self.panel, block)) {
                    let scales = right.scales(column, block);
                    for ((sum, next), y) in sums.iter_mut().zip(next).zip(scales) {
                        let dot: f64 = (*next).into();
                        *sum += (dot * (x * y)) as f32;
                    }
                }
            }
            let first = column * wide;
            let rows = self.out.chunks_mut(self.columns);
            for (row, sums) in rows.zip(sums.chunks_exact(wide)) {
                for (to, sum) in row.iter_mut().skip(first).zip(sums) {
                    *to = if sum.is_nan() { f32::NAN } else { *sum };
                }
            }
        }
    }
}
