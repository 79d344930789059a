//! Products of a matrix with a matrix or a vector, exact or in a declared order.
//!
//! Method: one dot product per element, by `reduce/`. The elements are independent: each depends
//! only on the lanes of its own row and column.

use super::view::{check_shape, for_each_index};
use super::{Lane, TensorError, View, ViewMut};
use crate::format::Arithmetic;
use crate::reduce::{Accumulable, Accumulation, Order};
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

/// Checks that the order takes operands of this format.
fn check_operands<T: Accumulable>(accumulation: Accumulation) -> Result<(), TensorError> {
    match accumulation {
        Accumulation::Declared(Order::Unit(unit)) if !unit.takes::<T>() => {
            Err(TensorError::OperandsTooWide { format: T::NAME })
        }
        _ => Ok(()),
    }
}

/// `out[i, j]` = the sum over k of `a[i, k] * b[k, j]`, in format `A`.
///
/// `a` is m by k, `b` is k by n, `out` is m by n, with any strides (a transposed operand is a
/// transposed view). If k is 0, every element is +0. For a result in a format other than the
/// accumulator's, apply [`cast_chain_view`](super::cast_chain_view). Returns the union of all
/// elements' status, which is empty in the order of a matrix [unit](crate::reduce::Unit).
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
/// [`TensorError::ShapeMismatch`] for `b` or `out`, [`TensorError::OperandsTooWide`] for `f32` in
/// the order of a matrix unit that does not take it; nothing has been written then.
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
    check_operands::<T>(accumulation)?;
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
/// [`TensorError::ShapeMismatch`] for `x` or `out`, [`TensorError::OperandsTooWide`] as [`gemm`];
/// nothing has been written then.
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
    check_operands::<T>(accumulation)?;
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

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a panic is how a test fails")]
mod tests {
    use super::*;
    use crate::bf16;
    use crate::reduce::Unit;

    /// An element is the dot product of its row and column, whatever the shape and the strides.
    #[test]
    fn only_k_is_part_of_a_units_order() -> Result<(), TensorError> {
        const EVEN: Mode = Mode::TIES_TO_EVEN;
        let data: [bf16; 5 * 40] =
            core::array::from_fn(|i| bf16::from_bits((i * 2_654_435 % 0x7000 + 0x2000) as u16));
        let order = Accumulation::Declared(Order::Unit(Unit::HOPPER_BF16));
        let a = View::contiguous(&data, [5, 40])?;
        let b = View::contiguous(&data, [40, 5])?;
        // 5 by 40 and 40 by 5, and their transposes, in the other order.
        let (mut product, mut turned) = ([0f32; 25], [0f32; 25]);
        let mut out = ViewMut::contiguous(&mut product, [5, 5])?;
        gemm(&a, &b, order, EVEN, &mut out)?;
        let mut out = ViewMut::contiguous(&mut turned, [5, 5])?;
        let (left, right) = (b.transpose(0, 1)?, a.transpose(0, 1)?);
        gemm(&left, &right, order, EVEN, &mut out)?;
        for i in 0..5 {
            for j in 0..5 {
                let column: [bf16; 40] = core::array::from_fn(|k| data[k * 5 + j]);
                let dot = Unit::HOPPER_BF16.dot(&data[i * 40..][..40], &column, EVEN);
                let dot = dot.map(f32::to_bits);
                assert_eq!(dot, Ok(product[i * 5 + j].to_bits()));
                assert_eq!(dot, Ok(turned[j * 5 + i].to_bits()));
            }
        }
        // A vector, and operands that the unit does not take.
        let mut out = [0f32; 5];
        let x = View::contiguous(&data[..40], [40])?;
        gemv(
            &a,
            &x,
            order,
            EVEN,
            &mut ViewMut::contiguous(&mut out, [5])?,
        )?;
        let dot = Unit::HOPPER_BF16.dot(&data[..40], &data[..40], EVEN);
        assert_eq!(dot.map(f32::to_bits), Ok(out[0].to_bits()));
        let wide = View::contiguous(&[1f32], [1, 1])?;
        let mut one = [0f32];
        let mut one = ViewMut::contiguous(&mut one, [1, 1])?;
        let refused = gemm(&wide, &wide, order, EVEN, &mut one);
        assert_eq!(refused, Err(TensorError::OperandsTooWide { format: "f32" }));
        Ok(())
    }
}
