//! Products of a matrix with a matrix or a vector, exact or in a declared order.
//!
//! Method: one dot product per element, by `reduce/`. The elements are independent: each depends
//! only on the lanes of its own row and column.

use super::view::{check_shape, for_each_index};
use super::{Lane, TensorError, View, ViewMut};
use crate::format::Arithmetic;
use crate::reduce::{Accumulable, Accumulation};
use crate::{Mode, Status};

fn product<T: Accumulable, A: Arithmetic>(
    a: Lane<'_, T>,
    b: Lane<'_, T>,
    accumulation: Accumulation,
    mode: Mode,
) -> (A, Status) {
    let pairs = (0..a.len()).map_while(|i| a.get(i).zip(b.get(i)));
    accumulation.dot(pairs, mode)
}

/// `out[i, j]` = the sum over k of `a[i, k] * b[k, j]`, in format `A`.
///
/// `a` is m by k, `b` is k by n, `out` is m by n, with any strides (a transposed operand is a
/// transposed view). If k is 0, every element is +0. For a result in a format other than the
/// accumulator's, apply [`cast_chain_view`](super::cast_chain_view). Returns the union of all
/// elements' status.
///
/// ```
/// use bitexact::{Mode, f16, tensor::{Accumulation, View, ViewMut, gemm}};
/// let a = [0x3C00, 0x4000, 0x4200, 0x4400].map(f16::from_bits); // 1 2, 3 4
/// let a = View::contiguous(&a, [2, 2])?;
/// let mut c = [0.0f32; 4];
/// let mut out = ViewMut::contiguous(&mut c, [2, 2])?;
/// gemm(&a, &a.transpose(0, 1)?, Accumulation::Exact, Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(c, [5.0, 11.0, 11.0, 25.0]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
///
/// [`TensorError::ShapeMismatch`] for `b` or `out`; nothing has been written then.
pub fn gemm<T: Accumulable, A: Arithmetic>(
    a: &View<'_, T, 2>,
    b: &View<'_, T, 2>,
    accumulation: Accumulation,
    mode: Mode,
    out: &mut ViewMut<'_, A, 2>,
) -> Result<Status, TensorError> {
    let ([m, k], [_, n]) = (a.shape(), b.shape());
    check_shape("b", b.shape(), [k, n])?;
    check_shape("out", out.shape(), [m, n])?;
    let mut result = Ok(Status::NONE);
    for_each_index([m, n], |at| {
        let step = a.lane(1, at).and_then(|row| {
            let (sum, status) = product(row, b.lane(0, at)?, accumulation, mode);
            out.set(at, sum)?;
            Ok(status)
        });
        result = result.and_then(|union| Ok(union | step?));
    });
    result
}

/// `out[i]` = the sum over k of `a[i, k] * x[k]`, in format `A`: [`gemm`] with a vector.
///
/// # Errors
///
/// [`TensorError::ShapeMismatch`] for `x` or `out`; nothing has been written then.
pub fn gemv<T: Accumulable, A: Arithmetic>(
    a: &View<'_, T, 2>,
    x: &View<'_, T, 1>,
    accumulation: Accumulation,
    mode: Mode,
    out: &mut ViewMut<'_, A, 1>,
) -> Result<Status, TensorError> {
    let [m, k] = a.shape();
    check_shape("x", x.shape(), [k])?;
    check_shape("out", out.shape(), [m])?;
    let mut result = Ok(Status::NONE);
    for_each_index([m], |[i]| {
        let step = a.lane(1, [i, 0]).and_then(|row| {
            let (sum, status) = product(row, x.lane(0, [0])?, accumulation, mode);
            out.set([i], sum)?;
            Ok(status)
        });
        result = result.and_then(|union| Ok(union | step?));
    });
    result
}
