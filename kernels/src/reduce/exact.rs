//! Sums, dot products and functions built on them, exact until their one rounding.
//!
//! Method: an [`Accumulator`], whose documentation says why it is exact. No result depends on the
//! order of the elements.

use core::num::NonZeroU32;

use super::{Accumulable, Accumulator, ReduceError};
use crate::arith::sub_status;
use crate::format::{Arithmetic, Format};
use crate::{Mode, Overflow, Status};

fn accumulate<T: Accumulable>(values: &[T]) -> Accumulator<T> {
    let mut sum = Accumulator::new();
    for &x in values {
        sum.add(x);
    }
    sum
}

fn accumulate_products<T: Accumulable>(a: &[T], b: &[T]) -> Result<Accumulator<T>, ReduceError> {
    check_lengths(a, b)?;
    let mut sum = Accumulator::new();
    for (&a, &b) in a.iter().zip(b) {
        sum.add_product(a, b);
    }
    Ok(sum)
}

/// Checks that two operands have the same number of elements.
pub(super) fn check_lengths<T>(a: &[T], b: &[T]) -> Result<(), ReduceError> {
    if a.len() == b.len() {
        Ok(())
    } else {
        Err(ReduceError::LengthMismatch {
            expected: a.len(),
            found: b.len(),
        })
    }
}

/// The sum of the elements, rounded once to `R`, independent of their order.
///
/// [`Accumulator`] has the rules for zeros, infinities and NaNs; an empty sum is +0.
///
/// ```
/// use bitexact::{Mode, f16, reduce::sum_exact};
/// let [large, one] = [0x7BFF, 0x3C00].map(f16::from_bits);
/// let sum: f16 = sum_exact(&[large, large, one, -large, -large], Mode::TIES_TO_EVEN);
/// assert_eq!(sum, one);
/// ```
#[must_use]
pub fn sum_exact<T: Accumulable, R: Format>(values: &[T], mode: Mode) -> R {
    sum_exact_status(values, mode).0
}

/// [`sum_exact`] with its status.
pub fn sum_exact_status<T: Accumulable, R: Format>(values: &[T], mode: Mode) -> (R, Status) {
    accumulate(values).round_status(mode)
}

/// [`sum_exact`] with stochastic rounding by 16 random bits, for its one rounding.
#[must_use]
pub fn sum_exact_stochastic<T: Accumulable, R: Arithmetic>(
    values: &[T],
    random: u16,
    overflow: Overflow,
) -> R {
    sum_exact_stochastic_status(values, random, overflow).0
}

/// [`sum_exact_stochastic`] with its status.
pub fn sum_exact_stochastic_status<T: Accumulable, R: Arithmetic>(
    values: &[T],
    random: u16,
    overflow: Overflow,
) -> (R, Status) {
    accumulate(values).round_stochastic_status(random, overflow)
}

/// The sum of the products of the elements, rounded once to `R`, independent of their order.
///
/// [`Accumulator`] has the rules for zeros, infinities and NaNs; an empty sum is +0. For operands
/// of two formats, convert both to a format that contains both
/// ([`convert`](crate::convert::convert) is then exact).
///
/// ```
/// use bitexact::{Mode, reduce::dot_exact};
/// let a = [1e30f32, 1.0, -1e30];
/// let dot: f32 = dot_exact(&a, &[1e8, 0.5, 1e8], Mode::TIES_TO_EVEN)?;
/// assert_eq!(dot, 0.5);
/// # Ok::<(), bitexact::reduce::ReduceError>(())
/// ```
///
/// # Errors
///
/// [`ReduceError::LengthMismatch`].
pub fn dot_exact<T: Accumulable, R: Format>(
    a: &[T],
    b: &[T],
    mode: Mode,
) -> Result<R, ReduceError> {
    Ok(dot_exact_status(a, b, mode)?.0)
}

/// [`dot_exact`] with its status.
///
/// # Errors
///
/// [`ReduceError::LengthMismatch`].
pub fn dot_exact_status<T: Accumulable, R: Format>(
    a: &[T],
    b: &[T],
    mode: Mode,
) -> Result<(R, Status), ReduceError> {
    Ok(accumulate_products(a, b)?.round_status(mode))
}

/// The divisor of a sum: the number of elements minus `missing`.
fn divisor(length: usize, missing: u32) -> Result<NonZeroU32, ReduceError> {
    let count = u32::try_from(length).map_err(|_| ReduceError::TooManyTerms {
        terms: length as u64,
    })?;
    count
        .checked_sub(missing)
        .and_then(NonZeroU32::new)
        .ok_or(ReduceError::TooFew {
            needed: missing.saturating_add(1),
            found: count,
        })
}

/// The arithmetic mean: the exact sum divided by the number of elements, rounded once to `R`.
///
/// Zeros, infinities and NaNs as in the sum.
///
/// ```
/// use bitexact::{Mode, bf16, reduce::mean};
/// let x = [bf16::MAX; 3]; // their sum overflows bf16, and f32 too
/// assert_eq!(mean(&x, Mode::TIES_TO_EVEN), Ok(bf16::MAX));
/// ```
///
/// # Errors
///
/// [`ReduceError::TooFew`] for no elements; [`ReduceError::TooManyTerms`] for 2^32 or more.
pub fn mean<T: Accumulable, R: Format>(values: &[T], mode: Mode) -> Result<R, ReduceError> {
    Ok(mean_status(values, mode)?.0)
}

/// [`mean`] with its status.
///
/// # Errors
///
/// As [`mean`].
pub fn mean_status<T: Accumulable, R: Format>(
    values: &[T],
    mode: Mode,
) -> Result<(R, Status), ReduceError> {
    let divisor = divisor(values.len(), 0)?;
    Ok(accumulate(values).round_quotient_status(divisor, mode))
}

/// The variance about the mean, in format `A`: the exact sum of the squared deviations, divided by
/// the number of elements minus `missing` (0, or 1 for Bessel's correction).
///
/// The roundings, all in `mode`: [`mean`] to `A`; each element minus that mean, to `A`; and one to
/// `A` for the squares of the deviations, their sum and the quotient together. The result does not
/// depend on the order. An infinite element makes it NaN, with invalid.
///
/// ```
/// use bitexact::{Mode, reduce::variance};
/// assert_eq!(variance(&[1.0f32, 2.0, 3.0, 6.0], 0, Mode::TIES_TO_EVEN), Ok(3.5f32));
/// ```
///
/// # Errors
///
/// [`ReduceError::TooFew`] for at most `missing` elements; [`ReduceError::TooManyTerms`] for 2^32
/// or more.
pub fn variance<T: Accumulable, A: Accumulable>(
    values: &[T],
    missing: u32,
    mode: Mode,
) -> Result<A, ReduceError> {
    Ok(variance_status(values, missing, mode)?.0)
}

/// [`variance`] with the union of its steps' status.
///
/// # Errors
///
/// As [`variance`].
pub fn variance_status<T: Accumulable, A: Accumulable>(
    values: &[T],
    missing: u32,
    mode: Mode,
) -> Result<(A, Status), ReduceError> {
    let divisor = divisor(values.len(), missing)?;
    let (mean, mut union) = mean_status::<T, A>(values, mode)?;
    let mut squares = Accumulator::<A>::new();
    for &x in values {
        let (deviation, status) = sub_status::<T, A, A>(x, mean, mode);
        union |= status;
        squares.add_product(deviation, deviation);
    }
    let (variance, status) = squares.round_quotient_status(divisor, mode);
    Ok((variance, union | status))
}

/// The Euclidean norm: the square root of the exact sum of the squares, rounded once to `R`.
///
/// Nothing overflows or is lost before that. It is +0 for no elements and for zeros; infinite
/// elements give infinity unless there is a NaN.
///
/// ```
/// use bitexact::{Mode, f16, reduce::norm};
/// let x = [0x7300, 0xF400].map(f16::from_bits); // 14336 and -16384: their squares overflow f16
/// let norm: f16 = norm(&x, Mode::TIES_TO_EVEN);
/// assert_eq!(norm.to_bits(), 0x7551);
/// ```
#[must_use]
pub fn norm<T: Accumulable, R: Arithmetic>(values: &[T], mode: Mode) -> R {
    norm_status(values, mode).0
}

/// [`norm`] with its status.
pub fn norm_status<T: Accumulable, R: Arithmetic>(values: &[T], mode: Mode) -> (R, Status) {
    let mut squares = Accumulator::new();
    for &x in values {
        squares.add_product(x, x);
    }
    squares.round_square_root_status(mode)
}
