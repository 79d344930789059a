//! Products of matrices in MX blocks, exact or in a declared order.
//!
//! Method: one [`dot_general`](super::dot_general) per element. The elements are independent: each
//! depends only on its own row and column.

use super::block::{blocks_of, check, check_order};
use super::dot_general::{Blocks, dot_of};
use super::element::Element;
use super::{BlockError, E8M0};
use crate::format::Arithmetic;
use crate::reduce::Accumulation;
use crate::{Mode, Status};

/// A read-only matrix whose rows are MX blocks.
///
/// The elements are row-major. Blocks lie along the rows and do not cross them: each row has
/// `columns / block` scales, rounded up, and its last block may be shorter. The scales are
/// row-major too.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BlockMatrix<'a, E> {
    elements: &'a [E],
    scales: &'a [E8M0],
    shape: [usize; 2],
    block: usize,
    /// Blocks of a row.
    blocks: usize,
}

impl<'a, E: Element> BlockMatrix<'a, E> {
    /// A matrix of this shape (rows and columns) in blocks of `block` elements.
    ///
    /// # Errors
    ///
    /// A block size of 0; [`BlockError::LengthMismatch`] unless there is an element for each
    /// position and a scale for each block.
    pub fn new(
        elements: &'a [E],
        scales: &'a [E8M0],
        shape: [usize; 2],
        block: usize,
    ) -> Result<Self, BlockError> {
        let [rows, columns] = shape;
        let blocks = blocks_of(columns, block)?;
        // No slice is as long as a product that overflows.
        check("elements", rows.saturating_mul(columns), elements.len())?;
        check("scales", rows.saturating_mul(blocks), scales.len())?;
        Ok(Self {
            elements,
            scales,
            shape,
            block,
            blocks,
        })
    }

    /// Rows and columns.
    #[must_use]
    pub const fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// Elements of a block, except the last one of a row.
    #[must_use]
    pub const fn block(&self) -> usize {
        self.block
    }

    /// All elements.
    #[must_use]
    pub const fn elements(&self) -> &'a [E] {
        self.elements
    }

    /// All scales.
    #[must_use]
    pub const fn scales(&self) -> &'a [E8M0] {
        self.scales
    }

    /// The blocks of a row.
    fn row(&self, i: usize) -> Blocks<'a, E> {
        let [_, columns] = self.shape;
        Blocks {
            elements: part(self.elements, i, columns),
            scales: part(self.scales, i, self.blocks),
            block: self.block,
        }
    }
}

/// The i-th part of a slice that is divided into parts of this length.
fn part<T>(slice: &[T], i: usize, length: usize) -> &[T] {
    let from = i * length;
    slice.get(from..from + length).unwrap_or(&[])
}

/// `out[i, j]` = the sum over k of `a[i, k] * b[j, k]`, in format `R`: the
/// [`dot_general`](super::dot_general) of a row of `a` and a row of `b`, with its accumulation.
///
/// The blocks of both operands lie along k, so `b` is given by its columns: for a right operand of
/// k by n elements, `b` is its transpose, n by k. `a` is m by k, `out` m by n, row-major. With k of
/// 0 every element is +0. Returns the union of all elements' status.
///
/// # Errors
///
/// [`BlockError::OperandMismatch`] where the operands differ in columns or in block size,
/// [`BlockError::LengthMismatch`] for `out`, [`BlockError::UnitOrder`] for the order of a matrix
/// unit; nothing is written then.
///
/// ```
/// use bitexact::Mode;
/// use bitexact::format::E2M1;
/// use bitexact::reduce::Accumulation;
/// use bitexact::scale::{BlockMatrix, E8M0, gemm};
/// let a = [0x2, 0x4, 0x5, 0x6].map(E2M1::from_bits); // 1 2, 3 4
/// let scales = [127, 128].map(E8M0::from_bits); // the second row twice as much
/// let a = BlockMatrix::new(&a, &scales, [2, 2], 32)?;
/// let mut c = [0.0f32; 4];
/// gemm(&a, &a, Accumulation::Exact, Mode::TIES_TO_EVEN, &mut c)?; // a times its transpose
/// assert_eq!(c, [5.0, 22.0, 22.0, 100.0]);
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn gemm<A: Element, B: Element, R: Arithmetic>(
    a: &BlockMatrix<'_, A>,
    b: &BlockMatrix<'_, B>,
    accumulation: Accumulation,
    mode: Mode,
    out: &mut [R],
) -> Result<Status, BlockError> {
    let ([m, k], [n, columns]) = (a.shape, b.shape);
    check_operand("columns", k, columns)?;
    check_operand("block size", a.block, b.block)?;
    check("out", m.saturating_mul(n), out.len())?;
    check_order(accumulation)?;
    let mut union = Status::NONE;
    let (mut i, mut j) = (0, 0);
    for element in out {
        let status;
        (*element, status) = dot_of(a.row(i), b.row(j), accumulation, mode);
        union |= status;
        j += 1;
        if j == n {
            (i, j) = (i + 1, 0);
        }
    }
    Ok(union)
}

/// `out[i]` = the sum over k of `a[i, k] * x[k]`, in format `R`: [`gemm`] with a vector in blocks.
///
/// `x` is k elements in blocks of the length of `a`'s, with a scale for each block, the shorter one
/// at its end included. `out` has an element for each row of `a`. Returns the union of all
/// elements' status.
///
/// # Errors
///
/// [`BlockError::LengthMismatch`] for `x`, `x_scales` and `out`; nothing is written then.
///
/// ```
/// use bitexact::Mode;
/// use bitexact::format::E2M1;
/// use bitexact::reduce::Accumulation;
/// use bitexact::scale::{BlockMatrix, E8M0, gemv};
/// let a = [0x2, 0x4, 0x5, 0x6].map(E2M1::from_bits); // 1 2, 3 4
/// let a = BlockMatrix::new(&a, &[E8M0::ONE; 2], [2, 2], 32)?;
/// let x = [0x4, 0x2].map(E2M1::from_bits); // 2 1
/// let mut y = [0.0f32; 2];
/// gemv(&a, &x, &[E8M0::from_bits(130)], Accumulation::Exact, Mode::TIES_TO_EVEN, &mut y)?; // x times 8
/// assert_eq!(y, [32.0, 80.0]);
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn gemv<A: Element, B: Element, R: Arithmetic>(
    a: &BlockMatrix<'_, A>,
    x: &[B],
    x_scales: &[E8M0],
    accumulation: Accumulation,
    mode: Mode,
    out: &mut [R],
) -> Result<Status, BlockError> {
    let [_, k] = a.shape;
    check("x", k, x.len())?;
    check("x_scales", a.blocks, x_scales.len())?;
    let row = BlockMatrix {
        elements: x,
        scales: x_scales,
        shape: [1, k],
        block: a.block,
        blocks: a.blocks,
    };
    gemm(a, &row, accumulation, mode, out)
}

fn check_operand(what: &'static str, expected: usize, found: usize) -> Result<(), BlockError> {
    if expected == found {
        Ok(())
    } else {
        Err(BlockError::OperandMismatch {
            what,
            expected,
            found,
        })
    }
}
