//! Sums and dot products, exact and in a declared order; exact means and norms.

use super::forms::forms;
use super::{How, Operand, lanes, sums};
use crate::element::Element;
use crate::environment;
use bitexact::catalog::Type;
use bitexact::format::{Arithmetic, Format};
use bitexact::reduce::{self, Lanes, Order, ReduceError};
use bitexact::{Mode, Status};
use core::num::NonZeroU32;

/// The sum of the elements in a declared order, as in [`bitexact::reduce::sum()`].
///
/// ```
/// use bitexact_slices::tensor::{Lanes, Order, sum};
/// use bitexact_slices::{Mode, bf16};
/// let ones = [bf16::ONE; 1000];
/// let lanes = Order::Lanes(Lanes::new(16).unwrap());
/// assert_eq!(sum::<_, f32>(&ones, lanes, Mode::TIES_TO_EVEN), 1000.0);
/// ```
#[inline]
pub fn sum<T: Operand, A: Arithmetic + Element>(values: &[T], order: Order, mode: Mode) -> A {
    by::sum(How::best(), values, order, mode)
}

/// The sum of the products of the elements in a declared order, as in [`bitexact::reduce::dot()`].
///
/// # Errors
///
/// [`ReduceError::LengthMismatch`].
#[inline]
pub fn dot<T: Operand, A: Arithmetic + Element>(
    a: &[T],
    b: &[T],
    order: Order,
    mode: Mode,
) -> Result<A, ReduceError> {
    by::dot(How::best(), a, b, order, mode)
}

forms! {
    /// The sum of the elements, rounded once, as in [`bitexact::reduce::sum_exact`].
    ///
    /// ```
    /// use bitexact_slices::{Mode, tensor::sum_exact};
    /// let sum: f32 = sum_exact(&[f32::MAX, f32::MAX, 1.0, f32::MIN, f32::MIN], Mode::TIES_TO_EVEN);
    /// assert_eq!(sum, 1.0);
    /// ```
    fn sum_exact[T: Operand, R: Format](values: &[T], mode: Mode) -> R;

    /// [`sum_exact`] with its status.
    fn sum_exact_status[T: Operand, R: Format](values: &[T], mode: Mode) -> (R, Status);

    /// The sum of the products of the elements, rounded once, as in
    /// [`bitexact::reduce::dot_exact`].
    ///
    /// # Errors
    ///
    /// [`ReduceError::LengthMismatch`].
    fn dot_exact[T: Operand, R: Format](a: &[T], b: &[T], mode: Mode) -> Result<R, ReduceError>;

    /// [`dot_exact`] with its status.
    ///
    /// # Errors
    ///
    /// [`ReduceError::LengthMismatch`].
    fn dot_exact_status[T: Operand, R: Format](
        a: &[T],
        b: &[T],
        mode: Mode,
    ) -> Result<(R, Status), ReduceError>;

    /// The arithmetic mean, rounded once, and its status, as in [`bitexact::reduce::mean_status`].
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooFew`] for no elements; [`ReduceError::TooManyTerms`] for 2^32 or more.
    fn mean_status[T: Operand, R: Format](values: &[T], mode: Mode) -> Result<(R, Status), ReduceError>;

    /// The Euclidean norm, rounded once, and its status, as in [`bitexact::reduce::norm_status`].
    fn norm_status[T: Operand, R: Arithmetic](values: &[T], mode: Mode) -> (R, Status);
}

/// The number of elements without so many, as a divisor.
pub(super) fn divisor(length: usize, missing: u32) -> Result<NonZeroU32, ReduceError> {
    let terms = length as u64;
    let count = u32::try_from(terms).map_err(|_| ReduceError::TooManyTerms { terms })?;
    let divisor = count.checked_sub(missing).and_then(NonZeroU32::new);
    divisor.ok_or(ReduceError::TooFew {
        needed: missing.saturating_add(1),
        found: count,
    })
}

/// Checks that there is a result for each row.
pub(super) const fn check_results<R>(out: &[R], rows: usize) -> Result<(), ReduceError> {
    let (expected, found) = (rows, out.len());
    if expected == found {
        return Ok(());
    }
    Err(ReduceError::LengthMismatch { expected, found })
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    /// The lanes of an order that has vector code, where it is that of this thread.
    fn fast<A: Element>(order: Order, mode: Mode) -> Option<Lanes> {
        match order {
            Order::Lanes(lanes)
                if A::TYPE == Type::F32
                    && mode == Mode::TIES_TO_EVEN
                    && environment::is_default() =>
            {
                Some(lanes)
            }
            _ => None,
        }
    }

    pub fn sum<T: Operand, A: Arithmetic + Element>(
        how: How,
        values: &[T],
        order: Order,
        mode: Mode,
    ) -> A {
        match fast::<A>(order, mode) {
            Some(lanes) => {
                let sum = lanes::sum(how.level, lanes, values, None);
                A::of_code(sum.to_bits().into())
            }
            None => reduce::sum(values, order, mode),
        }
    }

    pub fn dot<T: Operand, A: Arithmetic + Element>(
        how: How,
        a: &[T],
        b: &[T],
        order: Order,
        mode: Mode,
    ) -> Result<A, ReduceError> {
        match fast::<A>(order, mode) {
            Some(lanes) if a.len() == b.len() => {
                let sum = lanes::sum(how.level, lanes, a, Some(b));
                Ok(A::of_code(sum.to_bits().into()))
            }
            _ => reduce::dot(a, b, order, mode),
        }
    }

    pub fn sum_exact<T: Operand, R: Format>(how: How, values: &[T], mode: Mode) -> R {
        sum_exact_status(how, values, mode).0
    }

    pub fn sum_exact_status<T: Operand, R: Format>(
        how: How,
        values: &[T],
        mode: Mode,
    ) -> (R, Status) {
        sums::sum(how, values, None).round_status(mode)
    }

    pub fn dot_exact<T: Operand, R: Format>(
        how: How,
        a: &[T],
        b: &[T],
        mode: Mode,
    ) -> Result<R, ReduceError> {
        Ok(dot_exact_status(how, a, b, mode)?.0)
    }

    pub fn dot_exact_status<T: Operand, R: Format>(
        how: How,
        a: &[T],
        b: &[T],
        mode: Mode,
    ) -> Result<(R, Status), ReduceError> {
        if a.len() != b.len() {
            return Err(ReduceError::LengthMismatch {
                expected: a.len(),
                found: b.len(),
            });
        }
        Ok(sums::sum(how, a, Some(b)).round_status(mode))
    }

    pub fn mean_status<T: Operand, R: Format>(
        how: How,
        values: &[T],
        mode: Mode,
    ) -> Result<(R, Status), ReduceError> {
        let divisor = divisor(values.len(), 0)?;
        Ok(sums::sum(how, values, None).round_quotient_status(divisor, mode))
    }

    pub fn norm_status<T: Operand, R: Arithmetic>(
        how: How,
        values: &[T],
        mode: Mode,
    ) -> (R, Status) {
        sums::sum(how, values, Some(values)).round_square_root_status(mode)
    }
}
