//! Matrices as slices with strides, in a common form.

use crate::element::Element;
use bitexact::tensor::{TensorError, View, ViewMut};

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

impl<R> Target<'_, R> {
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
    let (mut a, mut b) = (Matrix::of(a), Matrix::of(b));
    let mut to = Matrix::of(&out.as_view());
    let (offset, shape, strides) = {
        if (to.strides[0] as isize) < 0 {
            (a, to) = (a.upside_down(), to.upside_down());
        }
        (b, to) = (b.transposed(), to.transposed());
        if (to.strides[0] as isize) < 0 {
            (b, to) = (b.upside_down(), to.upside_down());
        }
        (b, to) = (b.transposed(), to.transposed());
        let [rows, columns] = to.shape;
        let steep = rows > 1 && (columns == 1 || to.strides[0] < to.strides[1]);
        if steep {
            (a, b, to) = (b.transposed(), a.transposed(), to.transposed());
        }
        (to.offset, to.shape, to.strides)
    };
    let data = out.data_mut().get_mut(offset..).unwrap_or_default();
    let [rows, columns] = shape;
    let [down, across] = strides;
    let target = Target {
        // The strides of dims of length 1 have no meaning.
        down: if rows == 1 { data.len().max(1) } else { down },
        across: if columns == 1 { 1 } else { across },
        data,
        shape,
    };
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
