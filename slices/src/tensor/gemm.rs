//! Products of a matrix with a matrix or a vector.

use super::epilogue::Epilogue;
use super::forms::forms;
use super::matrix::{Matrix, check, check_shape, normalised};
use super::{How, Operand, Output, exact_product, lanes, units};
use crate::element::Element;
use crate::typed;
use bitexact::catalog::Type;
use bitexact::format::Arithmetic;
use bitexact::reduce::Order;
use bitexact::tensor::{Accumulation, TensorError, View, ViewMut};
use bitexact::{Mode, convert, tensor};

type Outcome = Result<(), TensorError>;

forms! {
    /// `out[i, j]` = the sum over k of `a[i, k] * b[k, j]`, as in [`bitexact::tensor::gemm`], which
    /// also returns the exceptions.
    ///
    /// ```
    /// use bitexact_slices::tensor::{Accumulation, Order, View, ViewMut, gemm};
    /// use bitexact_slices::{Mode, bf16};
    /// let a: Vec<_> = (0..6).map(|i| bf16::from_f32(i as f32)).collect();
    /// let a = View::contiguous(&a, [2, 3])?;
    /// let mut c = [0f32; 4];
    /// let mut out = ViewMut::contiguous(&mut c, [2, 2])?;
    /// let order = Accumulation::Declared(Order::Sequential);
    /// gemm(&a, &a.transpose(0, 1)?, order, Mode::TIES_TO_EVEN, &mut out)?;
    /// assert_eq!(c, [5.0, 14.0, 14.0, 50.0]);
    /// # Ok::<(), bitexact_slices::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TensorError::ShapeMismatch`] for `b` or `out`; nothing has been written then.
    fn gemm[T: Operand, A: Arithmetic + Element](
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, 2>,
    ) -> Outcome;

    /// `out[i]` = the sum over k of `a[i, k] * x[k]`: [`gemm`] with a vector.
    ///
    /// # Errors
    ///
    /// [`TensorError::ShapeMismatch`] for `x` or `out`; nothing has been written then.
    fn gemv[T: Operand, A: Arithmetic + Element](
        a: &View<'_, T, 2>,
        x: &View<'_, T, 1>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, 1>,
    ) -> Outcome;

    /// [`gemm`] for each coordinate along the first dim. An operand that is the same for all has
    /// stride 0 there ([`View::expand`]).
    ///
    /// # Errors
    ///
    /// [`TensorError::ShapeMismatch`] for `b` or `out`; nothing has been written then.
    fn gemm_batched[T: Operand, A: Arithmetic + Element](
        a: &View<'_, T, 3>,
        b: &View<'_, T, 3>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, 3>,
    ) -> Outcome;

    /// [`gemm`] in f32, sequentially and to nearest, each sum then rounded once more to `R` in
    /// `mode`: the bits of that function and [`convert`](bitexact::convert::convert()), in one
    /// pass.
    ///
    /// # Errors
    ///
    /// [`TensorError::ShapeMismatch`] for `b` or `out`; nothing has been written then.
    fn gemm_cast[T: Operand, R: Output](
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        mode: Mode,
        out: &mut ViewMut<'_, R, 2>,
    ) -> Outcome;
}

/// Matrix `i` of a batch.
fn matrix<'a, T: Copy>(batch: &View<'a, T, 3>, i: usize) -> Result<View<'a, T, 2>, TensorError> {
    let ([_, rows, columns], [far, down, across]) = (batch.shape(), batch.strides());
    let offset = batch.offset().wrapping_add(i.wrapping_mul(far as usize));
    View::new(batch.data(), [rows, columns], [down, across], offset)
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::super::epilogue::by::gemm_epilogue;
    use super::*;

    pub fn gemm<T: Operand, A: Arithmetic + Element>(
        how: How,
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, 2>,
    ) -> Outcome {
        const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);
        if let Accumulation::Declared(Order::Lanes(count)) = accumulation
            && mode == Mode::TIES_TO_EVEN
            && !a.is_empty()
            && !b.is_empty()
        {
            check(a, b, out)?;
            let (shape, strides, offset) = {
                let out = out.as_view();
                (out.shape(), out.strides(), out.offset())
            };
            if let Some(data) = typed::of_type_mut::<A, f32>(out.data_mut()) {
                let mut out = ViewMut::new(data, shape, strides, offset)?;
                let (a, b, out) = normalised(a, b, &mut out);
                lanes::product(how, count, a, b, out);
                return Ok(());
            }
        }
        if accumulation == SEQUENTIAL && mode == Mode::TIES_TO_EVEN {
            let (shape, strides, offset) = {
                let out = out.as_view();
                (out.shape(), out.strides(), out.offset())
            };
            if let Some(data) = typed::of_type_mut::<A, f32>(out.data_mut()) {
                let mut out = ViewMut::new(data, shape, strides, offset)?;
                let sums = Epilogue::new();
                return gemm_epilogue(how, a, b, accumulation, mode, &sums, &mut out);
            }
        }
        if accumulation == Accumulation::Exact && !a.is_empty() && !b.is_empty() {
            check(a, b, out)?;
            let (a, b, out) = normalised(a, b, out);
            exact_product::run(how, a, b, mode, out);
            return Ok(());
        }
        if let Accumulation::Declared(Order::Unit(unit)) = accumulation
            && units::has::<T>(how.level, &unit)
            && !a.is_empty()
            && !b.is_empty()
        {
            check(a, b, out)?;
            units::product(
                how,
                &unit,
                Matrix::of(a),
                Matrix::of(b),
                |row, first, sums| {
                    for (column, sum) in (first..).zip(sums) {
                        let result = if A::TYPE == Type::F32 {
                            A::of_code(sum.to_bits().into())
                        } else {
                            convert::convert(*sum, mode)
                        };
                        // In `out`, which has this shape.
                        let _ = out.set([row, column], result);
                    }
                },
            );
            return Ok(());
        }
        tensor::gemm(a, b, accumulation, mode, out).map(drop)
    }

    pub fn gemv<T: Operand, A: Arithmetic + Element>(
        how: How,
        a: &View<'_, T, 2>,
        x: &View<'_, T, 1>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, 1>,
    ) -> Outcome {
        let ([m, k], [depth], [rows]) = (a.shape(), x.shape(), out.shape());
        if depth != k || rows != m {
            return tensor::gemv(a, x, accumulation, mode, out).map(drop);
        }
        let [stride] = x.strides();
        let b = View::new(x.data(), [k, 1], [stride, 0], x.offset())?;
        let (strides, offset) = (out.as_view().strides(), out.as_view().offset());
        let mut out = ViewMut::new(out.data_mut(), [m, 1], [strides[0], 0], offset)?;
        gemm(how, a, &b, accumulation, mode, &mut out)
    }

    pub fn gemm_batched<T: Operand, A: Arithmetic + Element>(
        how: How,
        a: &View<'_, T, 3>,
        b: &View<'_, T, 3>,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, 3>,
    ) -> Outcome {
        let ([batch, m, k], [batch_b, depth, n]) = (a.shape(), b.shape());
        check_shape("b", [batch_b, depth, n], [batch, k, n])?;
        check_shape("out", out.shape(), [batch, m, n])?;
        let (strides, offset) = (out.as_view().strides(), out.as_view().offset());
        if out.shape().contains(&0) {
            return Ok(());
        }
        for i in 0..batch {
            let (a, b) = (matrix(a, i)?, matrix(b, i)?);
            let at = offset.wrapping_add(i.wrapping_mul(strides[0] as usize));
            let mut out = ViewMut::new(out.data_mut(), [m, n], [strides[1], strides[2]], at)?;
            gemm(how, &a, &b, accumulation, mode, &mut out)?;
        }
        Ok(())
    }

    pub fn gemm_cast<T: Operand, R: Output>(
        how: How,
        a: &View<'_, T, 2>,
        b: &View<'_, T, 2>,
        mode: Mode,
        out: &mut ViewMut<'_, R, 2>,
    ) -> Outcome {
        let order = Accumulation::Declared(Order::Sequential);
        let cast = Epilogue::new().cast(mode);
        gemm_epilogue(how, a, b, order, Mode::TIES_TO_EVEN, &cast, out)
    }
}
