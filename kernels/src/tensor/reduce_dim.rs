//! Reductions along one dim: a function from a lane to a value, applied to every lane.
//!
//! The order inside a lane is the function's own (`reduce/` declares it); the lanes are
//! independent, so neither the strides of `x` nor the order of the lanes can change a result.

use super::view::{check_shape, for_each_index};
use super::{Lane, TensorError, View, ViewMut};

/// `out[c] = reduce(the lane of x along dim through c)`.
///
/// `out` has the shape of `x` with `dim` of length 1. Every lane holds `x`'s elements in the order
/// of the coordinate along `dim`, once each, also with stride 0; a dim of length 0 gives empty
/// lanes. Lanes are visited in row-major order.
///
/// ```
/// use bitexact::tensor::{View, ViewMut, reduce_dim};
/// let x = View::contiguous(&[1, 2, 3, 4, 5, 6], [2, 3])?;
/// let mut sums = [0; 2];
/// let mut out = ViewMut::contiguous(&mut sums, [2, 1])?;
/// reduce_dim(&x, 1, &mut out, |lane| (0..lane.len()).filter_map(|i| lane.get(i)).sum())?;
/// assert_eq!(sums, [6, 15]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
/// [`TensorError::DimOutOfRange`]; [`TensorError::ShapeMismatch`] for `out`. `reduce` has not been
/// called then.
pub fn reduce_dim<T: Copy, U: Copy, const N: usize>(
    x: &View<'_, T, N>,
    dim: usize,
    out: &mut ViewMut<'_, U, N>,
    mut reduce: impl FnMut(Lane<'_, T>) -> U,
) -> Result<(), TensorError> {
    let mut shape = x.shape();
    *shape
        .get_mut(dim)
        .ok_or(TensorError::DimOutOfRange { dim, rank: N })? = 1;
    check_shape("out", out.shape(), shape)?;
    let mut result = Ok(());
    for_each_index(shape, |at| {
        let step = x.lane(dim, at).and_then(|lane| out.set(at, reduce(lane)));
        result = result.and(step);
    });
    result
}
