//! Sums along one dim, in a declared order.

use super::{TensorError, View, ViewMut, reduce_dim};
use crate::format::Arithmetic;
use crate::reduce::{Order, sum_by};
use crate::{Mode, Status};

/// `out[c]` = the sum of the lane of `x` along `dim` through `c`, in accumulator format `A`.
///
/// The steps are those of [`reduce::sum`](crate::reduce::sum), in the order of the coordinate along
/// `dim` for any strides: every conversion and addition is rounded once to `A`. `out` has the shape
/// of `x` with `dim` of length 1; a dim of length 0 gives +0. Returns the union of all steps'
/// status.
///
/// ```
/// use bitexact::{Mode, reduce::Order, tensor::{View, ViewMut, sum_dim}};
/// let x = View::contiguous(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
/// let mut sums = [0.0f32; 2];
/// let mut out = ViewMut::contiguous(&mut sums, [2, 1])?;
/// sum_dim(&x, 1, Order::Sequential, Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(sums, [6.0, 15.0]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
///
/// Those of [`reduce_dim`]; nothing has been written then.
pub fn sum_dim<T: Arithmetic, A: Arithmetic, const N: usize>(
    x: &View<'_, T, N>,
    dim: usize,
    order: Order,
    mode: Mode,
    out: &mut ViewMut<'_, A, N>,
) -> Result<Status, TensorError> {
    let mut union = Status::NONE;
    reduce_dim(x, dim, out, |lane| {
        let elements = (0..lane.len()).map_while(|i| lane.get(i));
        let (sum, status) = sum_by(elements, order, mode);
        union |= status;
        sum
    })?;
    Ok(union)
}
