//! Sums, dot products and functions built on them, exact until their one rounding; and products of
//! the first elements.
//!
//! Method: an [`Accumulator`], whose documentation says why it is exact. No result depends on the
//! order of the elements.

use core::num::NonZeroU32;

use super::accumulator::square_root;
use super::fixed_point::finish;
use super::{Accumulable, Accumulator, ReduceError, Variance};
use crate::arith::mul;
use crate::convert::convert;
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
    Ok(products_of(a, b))
}

/// The same of slices of one length.
fn products_of<T: Accumulable>(a: &[T], b: &[T]) -> Accumulator<T> {
    let mut sum = Accumulator::new();
    for (&a, &b) in a.iter().zip(b) {
        sum.add_product(a, b);
    }
    sum
}

/// Checks that two operands have the same number of elements.
pub(super) fn check_lengths<T, U>(a: &[T], b: &[U]) -> Result<(), ReduceError> {
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

/// The sums of the first one, two, ... elements, exact, each rounded once to `R`: `out[i]` is
/// [`sum_exact`] of `values[..=i]`.
///
/// ```
/// use bitexact::{Mode, reduce::cumsum_exact};
/// let mut out = [0.0; 3];
/// cumsum_exact(&[1e30f32, 1.0, -1e30], Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out, [1e30, 1e30, 1.0f32]);
/// # Ok::<(), bitexact::reduce::ReduceError>(())
/// ```
///
/// # Errors
///
/// [`ReduceError::LengthMismatch`] for `out`; nothing has been written then.
pub fn cumsum_exact<T: Accumulable, R: Format>(
    values: &[T],
    mode: Mode,
    out: &mut [R],
) -> Result<(), ReduceError> {
    check_lengths(values, out)?;
    let mut sum = Accumulator::new();
    for (out, &value) in out.iter_mut().zip(values) {
        sum.add(value);
        *out = sum.round(mode);
    }
    Ok(())
}

/// The products of the first one, two, ... elements, one after the other: `out[0]` is the first
/// element, rounded to `R`, and `out[i]` is `out[i - 1] * values[i]`, rounded to `R`.
///
/// ```
/// use bitexact::{Mode, reduce::cumprod};
/// let mut out = [0.0f32; 3];
/// cumprod(&[3.0f32, 0.5, -2.0], Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out, [3.0, 1.5, -3.0]);
/// # Ok::<(), bitexact::reduce::ReduceError>(())
/// ```
///
/// # Errors
///
/// [`ReduceError::LengthMismatch`] for `out`; nothing has been written then.
pub fn cumprod<T: Arithmetic, R: Arithmetic>(
    values: &[T],
    mode: Mode,
    out: &mut [R],
) -> Result<(), ReduceError> {
    check_lengths(values, out)?;
    let mut last = None;
    for (out, &value) in out.iter_mut().zip(values) {
        let product = match last {
            Some(last) => mul::<R, T, R>(last, value, mode),
            None => convert(value, mode),
        };
        *out = product;
        last = Some(product);
    }
    Ok(())
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

/// [`dot_exact`] of arrays, whose lengths the compiler compares.
///
/// ```
/// use bitexact::{Mode, reduce::dot_exact_arrays};
/// let dot: f32 = dot_exact_arrays(&[1.0f32, 2.0], &[3.0, 4.0], Mode::TIES_TO_EVEN);
/// assert_eq!(dot, 11.0);
/// ```
#[must_use]
pub fn dot_exact_arrays<T: Accumulable, R: Format, const N: usize>(
    a: &[T; N],
    b: &[T; N],
    mode: Mode,
) -> R {
    dot_exact_arrays_status(a, b, mode).0
}

/// [`dot_exact_arrays`] with its status.
pub fn dot_exact_arrays_status<T: Accumulable, R: Format, const N: usize>(
    a: &[T; N],
    b: &[T; N],
    mode: Mode,
) -> (R, Status) {
    products_of(a, b).round_status(mode)
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

/// The exact sums of the elements and of their squares, as a variance.
fn variance_of<T: Accumulable>(
    values: &[T],
    missing: u32,
) -> Result<(Variance, NonZeroU32), ReduceError> {
    let (count, divisor) = (divisor(values.len(), 0), divisor(values.len(), missing)?);
    let (mut sum, mut squares) = (Accumulator::new(), Accumulator::new());
    for &x in values {
        sum.add(x);
        squares.add_product(x, x);
    }
    Ok((Variance::new(count?, Some(&sum), &squares), divisor))
}

/// The variance about the exact mean: the sum of the squared deviations divided by the number of
/// elements minus `missing` (0, or 1 for Bessel's correction), rounded once to `R`.
///
/// The result does not depend on the order. It is +0 where all elements are equal, in every mode.
/// An infinite element makes it NaN, with invalid; a quiet NaN makes it NaN.
///
/// ```
/// use bitexact::{Mode, f16, reduce::variance};
/// assert_eq!(variance(&[1.0f32, 2.0, 3.0, 6.0], 0, Mode::TIES_TO_EVEN), Ok(3.5f32));
/// let x = [0x63D0, 0x63D1].map(f16::from_bits); // 1000 and 1000.5; f16 has no 1000.25
/// assert_eq!(variance(&x, 0, Mode::TIES_TO_EVEN), Ok(0.0625f32));
/// ```
///
/// # Errors
///
/// [`ReduceError::TooFew`] for at most `missing` elements; [`ReduceError::TooManyTerms`] for 2^32
/// or more.
pub fn variance<T: Accumulable, R: Format>(
    values: &[T],
    missing: u32,
    mode: Mode,
) -> Result<R, ReduceError> {
    Ok(variance_status(values, missing, mode)?.0)
}

/// [`variance`] with its status.
///
/// # Errors
///
/// As [`variance`].
pub fn variance_status<T: Accumulable, R: Format>(
    values: &[T],
    missing: u32,
    mode: Mode,
) -> Result<(R, Status), ReduceError> {
    let (variance, divisor) = variance_of(values, missing)?;
    Ok(variance.round_status(divisor, mode))
}

/// The standard deviation: the square root of the exact [`variance`], rounded once to `R`.
///
/// ```
/// use bitexact::{Mode, reduce::standard_deviation};
/// let x = [1.0f32, 2.0, 3.0, 6.0, 8.0];
/// assert_eq!(standard_deviation(&x, 1, Mode::TIES_TO_EVEN), Ok(2.9154758f32)); // sqrt(8.5)
/// ```
///
/// # Errors
///
/// As [`variance`].
pub fn standard_deviation<T: Accumulable, R: Arithmetic>(
    values: &[T],
    missing: u32,
    mode: Mode,
) -> Result<R, ReduceError> {
    Ok(standard_deviation_status(values, missing, mode)?.0)
}

/// [`standard_deviation`] with its status.
///
/// # Errors
///
/// As [`variance`].
pub fn standard_deviation_status<T: Accumulable, R: Arithmetic>(
    values: &[T],
    missing: u32,
    mode: Mode,
) -> Result<(R, Status), ReduceError> {
    let (variance, divisor) = variance_of(values, missing)?;
    Ok(variance.round_square_root_status(divisor, mode))
}

/// The mean of the squares: their exact sum divided by the number of elements, rounded once to `R`.
///
/// Nothing overflows or is lost before that. It is +0 for zeros; infinite elements give infinity
/// unless there is a NaN.
///
/// ```
/// use bitexact::{Mode, f16, reduce::mean_square};
/// let x = [0x5C00, 0x5C01].map(f16::from_bits); // 256 and 256.25: their squares overflow f16
/// assert_eq!(mean_square(&x, Mode::TIES_TO_EVEN), Ok(65600.03f32));
/// ```
///
/// # Errors
///
/// As [`mean`].
pub fn mean_square<T: Accumulable, R: Format>(values: &[T], mode: Mode) -> Result<R, ReduceError> {
    Ok(mean_square_status(values, mode)?.0)
}

/// [`mean_square`] with its status.
///
/// # Errors
///
/// As [`mean`].
pub fn mean_square_status<T: Accumulable, R: Format>(
    values: &[T],
    mode: Mode,
) -> Result<(R, Status), ReduceError> {
    let count = divisor(values.len(), 0)?;
    Ok(products_of(values, values).round_quotient_status(count, mode))
}

/// The root mean square (RMS): the square root of the exact [`mean_square`], rounded once to `R`.
///
/// ```
/// use bitexact::{Mode, bf16, reduce::root_mean_square};
/// let x = [0x3F80, 0x40E0].map(bf16::from_bits); // 1 and 7: the root of 25
/// assert_eq!(root_mean_square(&x, Mode::TIES_TO_EVEN), Ok(5f32));
/// ```
///
/// # Errors
///
/// As [`mean`].
pub fn root_mean_square<T: Accumulable, R: Arithmetic>(
    values: &[T],
    mode: Mode,
) -> Result<R, ReduceError> {
    Ok(root_mean_square_status(values, mode)?.0)
}

/// [`root_mean_square`] with its status.
///
/// # Errors
///
/// As [`mean`].
pub fn root_mean_square_status<T: Accumulable, R: Arithmetic>(
    values: &[T],
    mode: Mode,
) -> Result<(R, Status), ReduceError> {
    let mean_square = products_of(values, values).value(divisor(values.len(), 0)?);
    Ok(finish(square_root(mean_square), mode.rule()))
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
    products_of(values, values).round_square_root_status(mode)
}
