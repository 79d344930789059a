//! Dot products whose order of steps is declared, each step rounded once.

use super::ReduceError;
use super::exact::check_lengths;
use super::lanes::in_lanes;
use super::pairwise::pairwise;
use super::steps::{plus, plus_product, times};
use super::sum::{Order, most, neumaier, sequential};
use crate::format::Arithmetic;
use crate::{Mode, Status};

/// The dot product in accumulator format `A`, its steps in a declared order.
///
/// - [`Order::Sequential`]: the first product is rounded to `A`; then each step is one fused
///   multiply-add, `a * b + sum` rounded once to `A`.
/// - [`Order::Pairwise`], [`Order::Neumaier`]: every product is rounded to `A`, and the products
///   are summed as by [`sum`](super::sum).
///
/// - [`Order::Lanes`]: pair `i` belongs to lane `i mod L`. Each lane is computed as by
///   `Sequential`: its first product is rounded to `A`, then each step is one fused multiply-add.
///   The lanes' sums are added as by `Pairwise`, each addition rounded to `A`.
/// - [`Order::Unit`]: the steps of the matrix unit; its accumulator is rounded to `A`.
///
/// An empty product is +0. NaN and infinities as in [`fma`](crate::arith::fma).
///
/// ```
/// use bitexact::{Mode, bf16, reduce::{Order, dot}};
/// let x = [bf16::from_bits(0x3F81); 3]; // 1 + 2^-7: its square has 15 bits
/// let wide: f32 = dot(&x, &x, Order::Sequential, Mode::TIES_TO_EVEN)?;
/// let narrow: bf16 = dot(&x, &x, Order::Sequential, Mode::TIES_TO_EVEN)?;
/// assert_eq!((wide, narrow.to_f32()), (3.0 + 6.0 / 128.0 + 3.0 / 16384.0, 3.046875));
/// # Ok::<(), bitexact::reduce::ReduceError>(())
/// ```
///
/// # Errors
///
/// [`ReduceError::LengthMismatch`]; [`ReduceError::OperandsTooWide`] for `f32` in the order of a
/// matrix unit that does not take it.
pub fn dot<T: Arithmetic, A: Arithmetic>(
    a: &[T],
    b: &[T],
    order: Order,
    mode: Mode,
) -> Result<A, ReduceError> {
    Ok(dot_status(a, b, order, mode)?.0)
}

/// [`dot`] with the union of its steps' status.
///
/// # Errors
///
/// As [`dot`].
pub fn dot_status<T: Arithmetic, A: Arithmetic>(
    a: &[T],
    b: &[T],
    order: Order,
    mode: Mode,
) -> Result<(A, Status), ReduceError> {
    check_lengths(a, b)?;
    if let Order::Unit(unit) = order {
        unit.check::<T>()?;
    }
    let pairs = a.iter().copied().zip(b.iter().copied());
    Ok(dot_by(pairs, order, mode))
}

/// [`dot_status`] of the pairs of an iterator, in its order, for example of two strided lanes.
pub fn dot_by<T: Arithmetic, A: Arithmetic>(
    pairs: impl Iterator<Item = (T, T)>,
    order: Order,
    mode: Mode,
) -> (A, Status) {
    let product = |(a, b): (T, T)| times::<T, A>(a, b, mode);
    let add = |a: A, b: A| plus(a, b, mode);
    let step = |sum: A, (a, b): (T, T)| plus_product(sum, a, b, mode);
    match order {
        Order::Sequential => sequential(pairs, product, step),
        Order::Pairwise => pairwise(pairs, product, add),
        Order::Neumaier => neumaier(pairs, product, add),
        Order::Lanes(lanes) => in_lanes(pairs, lanes, product, step, add),
        Order::Unit(unit) => {
            let count = most(&pairs);
            (unit.dot_by(pairs, count, mode), Status::NONE)
        }
    }
}
