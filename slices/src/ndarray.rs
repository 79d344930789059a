//! Kernels over arrays of the crate `ndarray`, of any shape and any strides (feature `ndarray`).
//!
//! ```
//! use bitexact_slices::ndarray::{ArrayKernel, tensor_view};
//! use bitexact_slices::{Mode, bf16, kernel, tensor};
//! use ndarray::{Array2, array};
//!
//! let x = array![[0.5f32, 1.0], [2.0, -1.0]];
//! let x: Array2<bf16> = x.kernel::<kernel::convert, _, _>(Mode::TIES_TO_EVEN);
//! let y: Array2<bf16> = x.t().kernel::<kernel::exp, _, _>(Mode::TOWARD_ZERO);
//! assert_eq!(y[[1, 0]].to_bits(), 0x402D);
//! let product: Array2<bf16> = x.kernel_with::<kernel::mul, _, _, _, _>(&y, Mode::TIES_TO_EVEN)?;
//!
//! // The functions of `tensor` take views of the same memory.
//! let view = tensor_view(product.t()).unwrap();
//! assert_eq!(view.get([1, 0]), Some(product[[0, 1]]));
//! # Ok::<(), ndarray::ShapeError>(())
//! ```

use crate::args::Args;
use crate::element::{Element, Value};
use crate::rows::Kernel;
use crate::vec;
use bitexact::tensor::View;
use ndarray::{Array, ArrayBase, ArrayView, Data, Dim, Dimension, ErrorKind, Ix, ShapeError};
use std::borrow::Cow;

/// Kernels over arrays.
///
/// The elements of an array that is not in standard layout are first copied in order; the result is
/// in standard layout.
pub trait ArrayKernel<X, D> {
    /// The kernel's result for each element.
    fn kernel<K, R, A>(&self, args: A) -> Array<R, D>
    where
        X: Element,
        R: Value,
        A: Args,
        K: Kernel<(X,), R, A>;

    /// The kernel's result for each element and that of another array at the same place.
    ///
    /// # Errors
    ///
    /// The shapes differ. (`broadcast` of `ndarray` makes a view of another shape.)
    fn kernel_with<K, Y, R, A, S>(
        &self,
        other: &ArrayBase<S, D>,
        args: A,
    ) -> Result<Array<R, D>, ShapeError>
    where
        X: Element,
        Y: Element,
        R: Value,
        A: Args,
        S: Data<Elem = Y>,
        K: Kernel<(X, Y), R, A>;
}

/// The elements in order.
fn elements<X: Copy, S: Data<Elem = X>, D: Dimension>(array: &ArrayBase<S, D>) -> Cow<'_, [X]> {
    array
        .as_slice()
        .map_or_else(|| array.iter().copied().collect(), Cow::Borrowed)
}

impl<X, T: Data<Elem = X>, D: Dimension> ArrayKernel<X, D> for ArrayBase<T, D> {
    fn kernel<K, R, A>(&self, args: A) -> Array<R, D>
    where
        X: Element,
        R: Value,
        A: Args,
        K: Kernel<(X,), R, A>,
    {
        let x = elements(self);
        let results: Vec<R> = vec::results::<K, _, Vec<R>, _>((&*x,), args).unwrap_or_default();
        let mut results = results.into_iter();
        Array::from_shape_simple_fn(self.raw_dim(), || results.next().unwrap_or(R::BLANK))
    }

    fn kernel_with<K, Y, R, A, S>(
        &self,
        other: &ArrayBase<S, D>,
        args: A,
    ) -> Result<Array<R, D>, ShapeError>
    where
        X: Element,
        Y: Element,
        R: Value,
        A: Args,
        S: Data<Elem = Y>,
        K: Kernel<(X, Y), R, A>,
    {
        if self.raw_dim() != other.raw_dim() {
            return Err(ShapeError::from_kind(ErrorKind::IncompatibleShape));
        }
        let (x, y) = (elements(self), elements(other));
        let results = vec::results::<K, _, Vec<R>, _>((&*x, &*y), args)
            .map_err(|_| ShapeError::from_kind(ErrorKind::IncompatibleShape))?;
        Array::from_shape_vec(self.raw_dim(), results)
    }
}

/// An array as a view for [`tensor`](mod@crate::tensor) and [`bitexact::tensor`]; nothing is
/// copied.
///
/// `None` if the array's memory has gaps, as a slice with a step does, or repeats elements, as
/// `broadcast` does: [`View::slice`] and [`View::expand`] make such views of a whole one.
pub fn tensor_view<'a, T: Copy, const N: usize>(
    array: ArrayView<'a, T, Dim<[Ix; N]>>,
) -> Option<View<'a, T, N>>
where
    Dim<[Ix; N]>: Dimension,
{
    let shape: [usize; N] = array.shape().try_into().ok()?;
    let strides: [isize; N] = array.strides().try_into().ok()?;
    // The first element is the last in memory along an axis whose stride is negative.
    let offset = shape.iter().zip(strides).map(|(length, stride)| {
        if stride < 0 {
            length.saturating_sub(1) * stride.unsigned_abs()
        } else {
            0
        }
    });
    let offset = offset.sum();
    View::new(array.to_slice_memory_order()?, shape, strides, offset).ok()
}
