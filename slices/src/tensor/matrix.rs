//! Matrices as slices with strides, in a common form.

use crate::element::Element;
use bitexact::tensor::{TensorError, View, ViewMut};
use std::borrow::Cow;

/// A read-only matrix: element `[i, k]` is at `offset + i * strides[0] + k * strides[1]`, modulo
/// 2^word.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a, T> {
    pub(super) data: &'a [T],
    pub(super) offset: usize,
    pub(super) strides: [usize; 2],
    pub(super) shape: [usize; 2],
}

impl<'a, T: Copy> Matrix<'a, T> {
    pub(super) fn of(view: &View<'a, T, 2>) -> Self {
        Self {
            data: view.data(),
            offset: view.offset(),
            strides: view.strides().map(|stride| stride as usize),
            shape: view.shape(),
        }
    }

    /// A row-major matrix without gaps.
    pub(super) const fn dense(data: &'a [T], shape: [usize; 2]) -> Self {
        Self {
            data,
            offset: 0,
            strides: [shape[1], 1],
            shape,
        }
    }

    /// The elements of a row, in order.
    #[inline(always)]
    pub(super) fn row(self, row: usize) -> impl Iterator<Item = T> + 'a {
        let [down, across] = self.strides;
        let begin = self.offset.wrapping_add(row.wrapping_mul(down));
        let at = move |k: usize| begin.wrapping_add(k.wrapping_mul(across));
        (0..self.shape[1]).filter_map(move |k| self.data.get(at(k)).copied())
    }

    /// The elements of a row that lie side by side.
    #[inline(always)]
    pub(super) fn dense_row(&self, row: usize) -> Option<&'a [T]> {
        let [down, across] = self.strides;
        let begin = self.offset.wrapping_add(row.wrapping_mul(down));
        let end = begin.wrapping_add(self.shape[1]);
        (across == 1).then(|| self.data.get(begin..end)).flatten()
    }

    /// The elements of a row as a slice, copied if they do not lie side by side.
    #[inline(always)]
    pub(super) fn contiguous_row(&self, row: usize) -> Cow<'a, [T]> {
        match self.dense_row(row) {
            Some(row) => Cow::Borrowed(row),
            None => Cow::Owned(self.row(row).collect()),
        }
    }

    pub(super) const fn transposed(self) -> Self {
        let ([rows, columns], [down, across]) = (self.shape, self.strides);
        Self {
            shape: [columns, rows],
            strides: [across, down],
            ..self
        }
    }

    /// The matrix with its rows from the last to the first.
    pub(super) const fn upside_down(self) -> Self {
        let ([rows, _], [down, across]) = (self.shape, self.strides);
        let last = rows.wrapping_sub(1).wrapping_mul(down);
        Self {
            offset: self.offset.wrapping_add(last),
            strides: [down.wrapping_neg(), across],
            ..self
        }
    }

    /// Some of its columns.
    pub(super) const fn columns(self, first: usize, count: usize) -> Self {
        self.transposed().rows(first, count).transposed()
    }

    /// Some of its rows.
    pub(super) const fn rows(self, first: usize, count: usize) -> Self {
        let ([_, columns], [down, _]) = (self.shape, self.strides);
        Self {
            offset: self.offset.wrapping_add(first.wrapping_mul(down)),
            shape: [count, columns],
            ..self
        }
    }
}

/// A matrix to write, whose rows lie one after the other in the slice: `data[0]` is its first
/// element, its strides are positive, and row i ends before row i + 1 begins.
pub(super) struct Target<'a, R> {
    pub(super) data: &'a mut [R],
    pub(super) down: usize,
    pub(super) across: usize,
    pub(super) shape: [usize; 2],
}

impl<'a, R> Target<'a, R> {
    /// A row-major matrix without gaps.
    pub(super) const fn dense(data: &'a mut [R], shape: [usize; 2]) -> Self {
        Self {
            data,
            down: shape[1],
            across: 1,
            shape,
        }
    }

    /// Some of its columns.
    pub(super) fn columns(&mut self, first: usize, count: usize) -> Target<'_, R> {
        let begin = first.wrapping_mul(self.across);
        Target {
            data: self.data.get_mut(begin..).unwrap_or_default(),
            shape: [self.shape[0], count],
            ..*self
        }
    }

    /// Some of its rows.
    pub(super) fn rows(&mut self, first: usize, count: usize) -> Target<'_, R> {
        let begin = first.wrapping_mul(self.down);
        Target {
            data: self.data.get_mut(begin..).unwrap_or_default(),
            shape: [count, self.shape[1]],
            ..*self
        }
    }
}

/// Writes results to a part of a row.
#[inline(always)]
pub(super) fn write<S: Copy, R>(row: &mut [R], stride: usize, from: &[S], of: impl Fn(S) -> R) {
    if stride == 1 {
        for (to, x) in row.iter_mut().zip(from) {
            *to = of(*x);
        }
    } else {
        for (to, x) in row.iter_mut().step_by(stride).zip(from) {
            *to = of(*x);
        }
    }
}

/// How a matrix is arranged so that it can be written as a [`Target`].
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// Its rows and its columns are reversed.
    reversed: [bool; 2],
    /// Then it is transposed.
    transposed: bool,
}

impl Turn {
    /// As it is.
    pub(super) const NONE: Self = Self {
        reversed: [false; 2],
        transposed: false,
    };

    /// That of a matrix with elements.
    fn of<T: Copy>(matrix: Matrix<'_, T>) -> Self {
        let turn = Self {
            reversed: matrix.strides.map(|stride| (stride as isize) < 0),
            ..Self::NONE
        };
        let Matrix {
            strides: [down, across],
            shape: [rows, columns],
            ..
        } = turn.apply(matrix);
        Self {
            transposed: rows > 1 && (columns == 1 || down < across),
            ..turn
        }
    }

    /// Another matrix of the same shape, arranged in this way.
    pub(super) const fn apply<T: Copy>(self, matrix: Matrix<'_, T>) -> Matrix<'_, T> {
        let matrix = if_reversed(matrix, self.reversed[0]);
        let matrix = if_reversed(matrix.transposed(), self.reversed[1]);
        if self.transposed {
            matrix
        } else {
            matrix.transposed()
        }
    }

    /// The operands of a product that is arranged in this way.
    pub(super) const fn operands<'a, T: Copy>(
        self,
        a: Matrix<'a, T>,
        b: Matrix<'a, T>,
    ) -> (Matrix<'a, T>, Matrix<'a, T>) {
        let a = if_reversed(a, self.reversed[0]);
        let b = if_reversed(b.transposed(), self.reversed[1]);
        if self.transposed {
            (b, a.transposed())
        } else {
            (a, b.transposed())
        }
    }
}

const fn if_reversed<T: Copy>(matrix: Matrix<'_, T>, reversed: bool) -> Matrix<'_, T> {
    if reversed {
        matrix.upside_down()
    } else {
        matrix
    }
}

/// A matrix with elements as a target.
pub(super) fn target<'a, R: Element>(out: &'a mut ViewMut<'_, R, 2>) -> (Turn, Target<'a, R>) {
    let to = Matrix::of(&out.as_view());
    let turn = Turn::of(to);
    let Matrix {
        offset,
        shape,
        strides: [down, across],
        ..
    } = turn.apply(to);
    let [rows, columns] = shape;
    let data = out.data_mut().get_mut(offset..).unwrap_or_default();
    let target = Target {
        // The strides of dims of length 1 have no meaning.
        down: if rows == 1 { data.len().max(1) } else { down },
        across: if columns == 1 { 1 } else { across },
        data,
        shape,
    };
    (turn, target)
}

/// The operands and the result of a product, arranged so that the result is a [`Target`], and a row
/// if it is a vector. Not for results without elements.
///
/// The product of the transposed matrices, in the other order, is the transposed product: since
/// `a * b` is `b * a` to the bit where every NaN becomes the canonical one.
pub(super) fn normalised<'a, T: Copy, R: Element>(
    a: &View<'a, T, 2>,
    b: &View<'a, T, 2>,
    out: &'a mut ViewMut<'_, R, 2>,
) -> (Matrix<'a, T>, Matrix<'a, T>, Target<'a, R>) {
    let (turn, target) = target(out);
    let (a, b) = turn.operands(Matrix::of(a), Matrix::of(b));
    (a, b, target)
}

/// The first dim along which the operand called `which` does not have the expected length.
pub(super) fn check_shape<const N: usize>(
    which: &'static str,
    found: [usize; N],
    expected: [usize; N],
) -> Result<(), TensorError> {
    let mut dims = found.into_iter().zip(expected).enumerate();
    match dims.find(|(_, (found, expected))| found != expected) {
        None => Ok(()),
        Some((dim, (found, expected))) => Err(TensorError::ShapeMismatch {
            which,
            dim,
            expected,
            found,
        }),
    }
}

/// Checks that the shapes of a product and its factors match.
pub(super) fn check<T: Copy, R: Copy>(
    a: &View<'_, T, 2>,
    b: &View<'_, T, 2>,
    out: &ViewMut<'_, R, 2>,
) -> Result<(), TensorError> {
    let ([m, k], [_, n]) = (a.shape(), b.shape());
    check_shape("b", b.shape(), [k, n])?;
    check_shape("out", out.shape(), [m, n])
}
