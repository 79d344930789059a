//! `slice_scatter`: a copy of a tensor in which one slice is replaced, and its two gradients.
//!
//! `out[c] = src[c with c[dim] -> (c[dim] - start) / step]` where `c[dim]` is in the slice, `x[c]`
//! elsewhere. The slice of the output is itself a view, so each function is a sequence of copies
//! between views. Nothing is computed from a linear position: the layout of an input cannot affect
//! the layout of an output. (A compiler that mixed them once lost the coordinate along an expanded
//! dim: `x.grad` was 0, or `n / (n - slice)` times too large.)
//!
//! Bits are moved, so every NaN keeps its payload; there is no arithmetic, rounding or table. All
//! checks precede the first write.

use super::view::check_shape;
use super::{Slice, TensorError, View, ViewMut};

/// `out = x`, then `out[slice along dim] = src`.
///
/// `x` and `out` have the same shape; `src` has it too, except along `dim`, where it is as long as
/// the slice (0 for an empty slice). Inputs may have stride 0 and negative strides and may overlap
/// each other. Bits are kept, including those of NaNs.
///
/// ```
/// use bitexact::tensor::{Slice, View, ViewMut, slice_scatter};
/// let x = View::contiguous(&[1, 2, 3, 4, 5, 6], [2, 3])?;
/// let src = View::contiguous(&[9], [1, 1])?.expand(0, 2)?; // one element, twice
/// let mut data = [0; 6];
/// let mut out = ViewMut::contiguous(&mut data, [2, 3])?;
/// slice_scatter(&x, &src, 1, Slice::new(1, 2), &mut out)?;
/// assert_eq!(data, [1, 9, 3, 4, 9, 6]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
/// [`TensorError::ShapeMismatch`] for `out` or `src`, [`TensorError::DimOutOfRange`], or what
/// [`View::slice`] returns for the slice. `out` is then untouched.
pub fn slice_scatter<T: Copy, const N: usize>(
    x: &View<'_, T, N>,
    src: &View<'_, T, N>,
    dim: usize,
    slice: Slice,
    out: &mut ViewMut<'_, T, N>,
) -> Result<(), TensorError> {
    let part = x.slice(dim, slice)?.shape();
    check_shape("src", src.shape(), part)?;
    check_shape("out", out.shape(), x.shape())?;
    out.copy_from(x)?;
    out.slice(dim, slice)?.copy_from(src)
}

/// Both gradients of [`slice_scatter`]: [`slice_scatter_backward_input`] into `grad_x` and
/// [`slice_scatter_backward_src`] into `grad_src`.
///
/// `grad`, the gradient of `out`, is often expanded (stride 0), as when `out` was summed:
///
/// ```
/// use bitexact::tensor::{Slice, View, ViewMut, slice_scatter_backward};
/// let grad = View::contiguous(&[5.0, 7.0], [1, 2])?.expand(0, 3)?;
/// let (mut x, mut src) = ([f32::NAN; 6], [f32::NAN; 2]);
/// slice_scatter_backward(
///     &grad,
///     0,
///     Slice::new(0, 1),
///     0.0,
///     &mut ViewMut::contiguous(&mut x, [3, 2])?,
///     &mut ViewMut::contiguous(&mut src, [1, 2])?,
/// )?;
/// assert_eq!(x, [0.0, 0.0, 5.0, 7.0, 5.0, 7.0]);
/// assert_eq!(src, [5.0, 7.0]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
/// As the two; neither gradient is written then.
pub fn slice_scatter_backward<T: Copy, const N: usize>(
    grad: &View<'_, T, N>,
    dim: usize,
    slice: Slice,
    zero: T,
    grad_x: &mut ViewMut<'_, T, N>,
    grad_src: &mut ViewMut<'_, T, N>,
) -> Result<(), TensorError> {
    let part = grad.slice(dim, slice)?.shape();
    check_shape("grad_src", grad_src.shape(), part)?;
    slice_scatter_backward_input(grad, dim, slice, zero, grad_x)?;
    slice_scatter_backward_src(grad, dim, slice, grad_src)
}

/// The gradient of [`slice_scatter`] for `x`: `zero` where the coordinate along `dim` is in the
/// slice, `grad` elsewhere.
///
/// `grad` and `grad_x` have the shape of `x`. `zero` is an argument because bits are moved, not
/// computed: pass +0, in whatever type holds the bits. The bits of `grad` are kept, including those
/// of NaNs, and a NaN of `grad` inside the slice becomes `zero` like any other value.
///
/// # Errors
/// [`TensorError::ShapeMismatch`] for `grad_x`, [`TensorError::DimOutOfRange`], or what
/// [`View::slice`] returns for the slice. `grad_x` is then untouched.
pub fn slice_scatter_backward_input<T: Copy, const N: usize>(
    grad: &View<'_, T, N>,
    dim: usize,
    slice: Slice,
    zero: T,
    grad_x: &mut ViewMut<'_, T, N>,
) -> Result<(), TensorError> {
    grad.slice(dim, slice)?;
    check_shape("grad_x", grad_x.shape(), grad.shape())?;
    grad_x.copy_from(grad)?;
    grad_x.slice(dim, slice)?.fill(zero);
    Ok(())
}

/// The gradient of [`slice_scatter`] for `src`: the slice of `grad`.
///
/// `grad` has the shape of `x`, `grad_src` that of `src`. The bits of `grad` are kept, including
/// those of NaNs.
///
/// # Errors
/// [`TensorError::ShapeMismatch`] for `grad_src`, [`TensorError::DimOutOfRange`], or what
/// [`View::slice`] returns for the slice. `grad_src` is then untouched.
pub fn slice_scatter_backward_src<T: Copy, const N: usize>(
    grad: &View<'_, T, N>,
    dim: usize,
    slice: Slice,
    grad_src: &mut ViewMut<'_, T, N>,
) -> Result<(), TensorError> {
    let part = grad.slice(dim, slice)?;
    check_shape("grad_src", grad_src.shape(), part.shape())?;
    grad_src.copy_from(&part)
}
