//! Products of matrices, sums along a dim, chains of casts, slice_scatter and its gradients.

use crate::code::{Code, Typed};
use crate::reductions::{in_lanes, order};
use crate::{Done, Item, LENGTH, Outputs};
use bitexact::format::{Arithmetic, Format};
use bitexact::reduce::{Accumulable, sum_by};
use bitexact::tensor::{
    self, Accumulation, Slice, TensorError, View, ViewMut, cast_chain_status, cast_chain_view,
};

/// 0 for exact, otherwise an order's number plus 1.
pub fn accumulation(choice: usize) -> Accumulation {
    match choice.checked_sub(1) {
        None => Accumulation::Exact,
        Some(choice) => Accumulation::Declared(order(choice)),
    }
}

/// m by k, row-major or column-major.
fn matrix<T: Copy>(
    data: &[T],
    [m, k]: [usize; 2],
    transposed: usize,
) -> Result<View<'_, T, 2>, TensorError> {
    if transposed == 0 {
        View::contiguous(data, [m, k])
    } else {
        View::contiguous(data, [k, m])?.transpose(0, 1)
    }
}

pub fn gemm<T: Accumulable + Code, R: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [m, k, n, how, transposed, ..] = item.sizes;
    let (a, b) = (item.a.typed::<T>(), item.b.typed::<T>());
    let a = matrix(a.get(), [m, k], transposed)?;
    let b = View::contiguous(b.get(), [k, n])?;
    let mut product = Typed::<R>::zeros(m * n);
    let mut result = ViewMut::contiguous(product.get_mut(), [m, n])?;
    let status = tensor::gemm(&a, &b, accumulation(how), item.mode, &mut result)?;
    out.values(product.get());
    out.status(status);
    Ok(())
}

pub fn gemm_lanes<T, R>(item: &Item, out: &mut Outputs) -> Done
where
    T: Accumulable + Code,
    R: Arithmetic + Code,
{
    gemm::<T, R>(&in_lanes(item, 3, 4), out)
}

/// With the first k elements of `b` as the vector, backwards in memory.
pub fn gemv<T: Accumulable + Code, R: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [m, k, _, how, transposed, ..] = item.sizes;
    let (a, b) = (item.a.typed::<T>(), item.b.typed::<T>());
    let a = matrix(a.get(), [m, k], transposed)?;
    let x = View::new(b.get(), [k], [-1], k.saturating_sub(1))?;
    let mut product = Typed::<R>::zeros(m);
    let mut result = ViewMut::contiguous(product.get_mut(), [m])?;
    let status = tensor::gemv(&a, &x, accumulation(how), item.mode, &mut result)?;
    out.values(product.get());
    out.status(status);
    Ok(())
}

/// The shape, the dim and the slice.
fn shape(item: &Item) -> ([usize; 3], usize, Slice) {
    let [x, y, z, dim, start, end, step, _] = item.sizes;
    ([x, y, z], dim, Slice::new(start, end).step_by(step))
}

/// The shape with another length along the dim.
fn with(shape: [usize; 3], dim: usize, length: usize) -> [usize; 3] {
    let mut shape = shape;
    if let Some(along) = shape.get_mut(dim) {
        *along = length;
    }
    shape
}

pub fn sum_dim<T: Arithmetic + Code, R: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let (shape, dim, _) = shape(item);
    let [.., choice] = item.sizes;
    let a = item.a.typed::<T>();
    let x = View::contiguous(a.get(), shape)?;
    let shape = with(shape, dim, 1);
    let mut sums = Typed::<R>::zeros(shape.iter().product());
    let mut result = ViewMut::contiguous(sums.get_mut(), shape)?;
    let status = tensor::sum_dim(&x, dim, order(choice), item.mode, &mut result)?;
    out.values(sums.get());
    out.status(status);
    Ok(())
}

pub fn sum_dim_lanes<T, R>(item: &Item, out: &mut Outputs) -> Done
where
    T: Arithmetic + Code,
    R: Arithmetic + Code,
{
    sum_dim::<T, R>(&in_lanes(item, 7, 3), out)
}

/// The sum of every lane, starting from its end.
pub fn reduce_dim<T: Arithmetic + Code, R: Arithmetic + Code>(
    item: &Item,
    out: &mut Outputs,
) -> Done {
    let (shape, dim, _) = shape(item);
    let [.., choice] = item.sizes;
    let a = item.a.typed::<T>();
    let x = View::contiguous(a.get(), shape)?;
    let shape = with(shape, dim, 1);
    let mut sums = Typed::<R>::zeros(shape.iter().product());
    let mut result = ViewMut::contiguous(sums.get_mut(), shape)?;
    tensor::reduce_dim(&x, dim, &mut result, |lane| {
        let elements = (0..lane.len()).rev().map_while(|i| lane.get(i));
        sum_by::<T, R>(elements, order(choice), item.mode).0
    })?;
    out.values(sums.get());
    Ok(())
}

pub fn cast_chain<A, B, C>(item: &Item, out: &mut Outputs) -> Done
where
    A: Format + Code,
    B: Format + Code,
    C: Format + Code,
{
    for &x in item.a.typed::<A>().get() {
        let (x, status) = cast_chain_status::<(A, B, C)>(x, item.mode);
        out.values(&[x]);
        out.status(status);
    }
    Ok(())
}

/// The same for the tensor with its first two dims swapped.
pub fn chain_view<A, B, C>(item: &Item, out: &mut Outputs) -> Done
where
    A: Format + Code,
    B: Format + Code,
    C: Format + Code,
{
    let (shape, ..) = shape(item);
    let a = item.a.typed::<A>();
    let x = View::contiguous(a.get(), shape)?.transpose(0, 1)?;
    let mut through = Typed::<C>::zeros(shape.iter().product());
    let mut result = ViewMut::contiguous(through.get_mut(), x.shape())?;
    let status = cast_chain_view::<(A, B, C), 3>(&x, item.mode, &mut result)?;
    out.values(through.get());
    out.status(status);
    Ok(())
}

pub fn slice_scatter<T: Code>(item: &Item, out: &mut Outputs) -> Done {
    let (shape, dim, slice) = shape(item);
    let (a, b) = (item.a.typed::<T>(), item.b.typed::<T>());
    let x = View::contiguous(a.get(), shape)?;
    let src = View::contiguous(b.get(), x.slice(dim, slice)?.shape())?;
    let mut data = Typed::<T>::zeros(shape.iter().product());
    let mut result = ViewMut::contiguous(data.get_mut(), shape)?;
    tensor::slice_scatter(&x, &src, dim, slice, &mut result)?;
    out.values(data.get());
    Ok(())
}

/// The gradient as after a sum along the dim: its first coordinate there, for all.
fn expanded<T: Code>(
    data: &[T; LENGTH],
    shape: [usize; 3],
    dim: usize,
) -> Result<View<'_, T, 3>, TensorError> {
    let one = with(shape, dim, 1);
    let data = data.get(..one.iter().product()).unwrap_or(&[]);
    let along = shape.get(dim).copied().unwrap_or(1);
    View::contiguous(data, one)?.expand(dim, along)
}

pub fn slice_scatter_backward<T: Code>(item: &Item, out: &mut Outputs) -> Done {
    let (shape, dim, slice) = shape(item);
    let a = item.a.typed::<T>();
    let grad = expanded(&a.values, shape, dim)?;
    let part = grad.slice(dim, slice)?.shape();
    let mut x = Typed::<T>::zeros(shape.iter().product());
    let mut src = Typed::<T>::zeros(part.iter().product());
    tensor::slice_scatter_backward(
        &grad,
        dim,
        slice,
        T::of(0),
        &mut ViewMut::contiguous(x.get_mut(), shape)?,
        &mut ViewMut::contiguous(src.get_mut(), part)?,
    )?;
    out.values(x.get());
    out.values(src.get());
    Ok(())
}

pub fn slice_scatter_backward_input<T: Code>(item: &Item, out: &mut Outputs) -> Done {
    let (shape, dim, slice) = shape(item);
    let a = item.a.typed::<T>();
    let grad = View::contiguous(a.get(), shape)?;
    let mut x = Typed::<T>::zeros(shape.iter().product());
    let mut result = ViewMut::contiguous(x.get_mut(), shape)?;
    tensor::slice_scatter_backward_input(&grad, dim, slice, T::of(0), &mut result)?;
    out.values(x.get());
    Ok(())
}

pub fn slice_scatter_backward_src<T: Code>(item: &Item, out: &mut Outputs) -> Done {
    let (shape, dim, slice) = shape(item);
    let a = item.a.typed::<T>();
    let grad = View::contiguous(a.get(), shape)?;
    let part = grad.slice(dim, slice)?.shape();
    let mut src = Typed::<T>::zeros(part.iter().product());
    let mut result = ViewMut::contiguous(src.get_mut(), part)?;
    tensor::slice_scatter_backward_src(&grad, dim, slice, &mut result)?;
    out.values(src.get());
    Ok(())
}
