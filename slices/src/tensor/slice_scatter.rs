//! `slice_scatter` and its gradients as copies of runs, the bits of
//! [`bitexact::tensor::slice_scatter()`].
//!
//! As in the kernel, each is a sequence of copies between views; these are cut for threads.

use super::How;
use super::forms::forms;
use super::matrix::check_shape;
use super::strided::copy;
use bitexact::tensor::{Slice, TensorError, View, ViewMut};

forms! {
    /// `out = x`, then `out[slice along dim] = src`, as in [`bitexact::tensor::slice_scatter()`].
    /// Bits are moved.
    ///
    /// ```
    /// use bitexact_slices::tensor::{Slice, View, ViewMut, slice_scatter};
    /// let x = View::contiguous(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let src = View::contiguous(&[9], [1, 1])?.expand(0, 2)?; // one element, twice
    /// let mut data = [0; 6];
    /// let mut out = ViewMut::contiguous(&mut data, [2, 3])?;
    /// slice_scatter(&x, &src, 1, Slice::new(1, 2), &mut out)?;
    /// assert_eq!(data, [1, 9, 3, 4, 9, 6]);
    /// # Ok::<(), bitexact_slices::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As there; nothing has been written then.
    fn slice_scatter[T: Copy + Send + Sync, const N: usize](
        x: &View<'_, T, N>,
        src: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        out: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;

    /// Both gradients of [`slice_scatter`], as in [`bitexact::tensor::slice_scatter_backward`]:
    /// `zero` is +0 in whatever type holds the bits.
    ///
    /// # Errors
    ///
    /// As there; neither gradient has been written then.
    fn slice_scatter_backward[T: Copy + Send + Sync, const N: usize](
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;

    /// The gradient of [`slice_scatter`] for `x`, as in
    /// [`bitexact::tensor::slice_scatter_backward_input`]: `zero` in the slice, `grad` elsewhere.
    ///
    /// # Errors
    ///
    /// As there; nothing has been written then.
    fn slice_scatter_backward_input[T: Copy + Send + Sync, const N: usize](
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;

    /// The gradient of [`slice_scatter`] for `src`, as in
    /// [`bitexact::tensor::slice_scatter_backward_src`]: the slice of `grad`.
    ///
    /// # Errors
    ///
    /// As there; nothing has been written then.
    fn slice_scatter_backward_src[T: Copy + Send + Sync, const N: usize](
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;
}

/// With threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn slice_scatter<T: Copy + Send + Sync, const N: usize>(
        how: How,
        x: &View<'_, T, N>,
        src: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        out: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = x.slice(dim, slice)?.shape();
        check_shape("src", src.shape(), part)?;
        check_shape("out", out.shape(), x.shape())?;
        copy(how, x, out);
        copy(how, src, &mut out.slice(dim, slice)?);
        Ok(())
    }

    pub fn slice_scatter_backward<T: Copy + Send + Sync, const N: usize>(
        how: How,
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = grad.slice(dim, slice)?.shape();
        check_shape("grad_src", grad_src.shape(), part)?;
        slice_scatter_backward_input(how, grad, dim, slice, zero, grad_x)?;
        slice_scatter_backward_src(how, grad, dim, slice, grad_src)
    }

    pub fn slice_scatter_backward_input<T: Copy + Send + Sync, const N: usize>(
        how: How,
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = grad.slice(dim, slice)?.shape();
        check_shape("grad_x", grad_x.shape(), grad.shape())?;
        copy(how, grad, grad_x);
        let zeros = View::new(core::slice::from_ref(&zero), part, [0; N], 0)?;
        copy(how, &zeros, &mut grad_x.slice(dim, slice)?);
        Ok(())
    }

    pub fn slice_scatter_backward_src<T: Copy + Send + Sync, const N: usize>(
        how: How,
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = grad.slice(dim, slice)?;
        check_shape("grad_src", grad_src.shape(), part.shape())?;
        copy(how, &part, grad_src);
        Ok(())
    }
}
