//! softmax, log_softmax, logsumexp and logcumsumexp over a slice, as stated sequences of roundings.
//!
//! Method: the usual one, with the greatest element subtracted. The sum is exact, so no result
//! depends on the order of the elements. The exponentials are computed twice, which saves a buffer.

use super::single::{Single, widen};
use super::{NnError, check_length};
use crate::Mode;
use crate::arith::{add, div, is_infinite, maximum, sub};
use crate::format::Arithmetic;
use crate::math::{exp, log};
use crate::reduce::Accumulator;

/// The greatest element, and the sum of the exponentials of all elements minus it.
fn greatest_and_sum<T: Arithmetic, F: Single>(x: &[T]) -> Option<(F, F)> {
    let greatest = widen(x.iter().copied().reduce(maximum)?);
    let mut sum = Accumulator::<F>::new();
    for &x in x {
        sum.add(exp(widen::<T, F>(x).minus(greatest), Mode::TIES_TO_EVEN));
    }
    Some((greatest, sum.round(Mode::TIES_TO_EVEN)))
}

/// `e^x[i]` divided by the sum of all `e^x[j]`, computed in `F`, which is `f32` or `Binary32`.
///
/// The roundings, to f32 and ties to even except the last: `m` is the greatest element
/// ([`maximum`]); `d[i] = x[i] - m`; `e[i] =` [`exp`](crate::math::exp())`(d[i])`; `s` is the exact sum of all `e`,
/// rounded once; `out[i] = e[i] / s`, rounded once to `R` in `mode`.
///
/// Every result is NaN if any element is NaN or plus infinity, or if all are minus infinity. An
/// empty slice has an empty result.
///
/// ```
/// use bitexact::{Mode, bf16, nn::softmax};
/// let mut out = [bf16::ZERO; 3];
/// softmax::<bf16, f32, bf16>(&[bf16::ONE; 3], Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out, [bf16::from_bits(0x3EAB); 3]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Length`] for `out`; nothing has been written then.
pub fn softmax<T: Arithmetic, F: Single, R: Arithmetic>(
    x: &[T],
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    check_length("out", out.len(), &[x.len()])?;
    let Some((greatest, sum)) = greatest_and_sum::<T, F>(x) else {
        return Ok(());
    };
    for (out, &x) in out.iter_mut().zip(x) {
        let e = exp(widen::<T, F>(x).minus(greatest), Mode::TIES_TO_EVEN);
        *out = div(e, sum, mode);
    }
    Ok(())
}

/// The logarithm of [`softmax`], computed in `F`, which is `f32` or `Binary32`.
///
/// The roundings: `d` and `s` as there; `l =` [`log`](crate::math::log())`(s)`; `out[i] = d[i] - l`, rounded once to `R`
/// in `mode`. NaNs and infinities as there.
///
/// ```
/// use bitexact::{Mode, nn::log_softmax};
/// let mut out = [0.0f32; 2];
/// log_softmax::<f32, f32, f32>(&[3.0, 3.0], Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out, [-core::f32::consts::LN_2; 2]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Length`] for `out`; nothing has been written then.
pub fn log_softmax<T: Arithmetic, F: Single, R: Arithmetic>(
    x: &[T],
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    check_length("out", out.len(), &[x.len()])?;
    let Some((greatest, sum)) = greatest_and_sum::<T, F>(x) else {
        return Ok(());
    };
    let logarithm = log(sum, Mode::TIES_TO_EVEN);
    for (out, &x) in out.iter_mut().zip(x) {
        *out = sub(widen::<T, F>(x).minus(greatest), logarithm, mode);
    }
    Ok(())
}

/// What is subtracted from the elements: the greatest one, or 0 if that is infinite.
fn subtracted<F: Single>(greatest: F) -> F {
    if is_infinite(greatest) {
        F::from_bits(0)
    } else {
        greatest
    }
}

/// `log(sum) + m`, rounded once.
fn logarithm_of<F: Single, R: Arithmetic>(sum: &Accumulator<F>, m: F, mode: Mode) -> R {
    let even = Mode::TIES_TO_EVEN;
    add(log(sum.round::<F>(even), even), m, mode)
}

/// The logarithm of the sum of all `e^x[j]`, computed in `F`, which is `f32` or `Binary32`.
///
/// The roundings, to f32 and ties to even except the last: `m` is the greatest element
/// ([`maximum`]), or 0 if that is infinite; `e[i] =` [`exp`](crate::math::exp())`(x[i] - m)`, the
/// difference rounded too; `s` is the exact sum of all `e`, rounded once; the result is
/// [`log`](crate::math::log())`(s) + m`, rounded once to `R` in `mode`.
///
/// NaN if an element is NaN; otherwise plus infinity if one is that, and minus infinity if all are
/// that or the slice is empty: the largest finite numbers under
/// [`Overflow::SaturateAll`](crate::Overflow::SaturateAll).
///
/// ```
/// use bitexact::{Mode, bf16, nn::logsumexp};
/// let sum: bf16 = logsumexp::<bf16, f32, bf16>(&[bf16::ONE; 2], Mode::TIES_TO_EVEN);
/// assert_eq!(sum.to_bits(), 0x3FD9); // 1 + ln 2 = 1.6931
/// ```
#[must_use]
pub fn logsumexp<T: Arithmetic, F: Single, R: Arithmetic>(x: &[T], mode: Mode) -> R {
    let greatest = x.iter().copied().reduce(maximum).map(widen);
    let m = subtracted::<F>(greatest.unwrap_or(F::from_bits(0)));
    let mut sum = Accumulator::<F>::new();
    for &x in x {
        sum.add(exp(widen::<T, F>(x).minus(m), Mode::TIES_TO_EVEN));
    }
    logarithm_of(&sum, m, mode)
}

/// [`logsumexp`] of the first one, two, ... elements: `out[i]` is that of `x[..=i]`.
///
/// An element that is greater than all before it makes the sum begin anew, so that a slice that
/// rises throughout takes a time that grows with the square of its length.
///
/// ```
/// use bitexact::{Mode, nn::logcumsumexp};
/// let mut out = [0.0f32; 2];
/// logcumsumexp::<f32, f32, f32>(&[3.0, 3.0], Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out, [3.0, 3.0 + core::f32::consts::LN_2]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Length`] for `out`; nothing has been written then.
pub fn logcumsumexp<T: Arithmetic, F: Single, R: Arithmetic>(
    x: &[T],
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    check_length("out", out.len(), &[x.len()])?;
    let mut sum = Accumulator::<F>::new();
    let (mut greatest, mut begun) = (None, 0);
    for (i, (out, &value)) in out.iter_mut().zip(x).enumerate() {
        let next = match greatest {
            Some(greatest) => maximum(greatest, value),
            None => value,
        };
        if greatest.is_none_or(|greatest: T| greatest.to_bits() != next.to_bits()) {
            sum = Accumulator::new();
            begun = 0;
        }
        greatest = Some(next);
        let m = subtracted::<F>(widen(next));
        for &x in x.get(begun..=i).unwrap_or_default() {
            sum.add(exp(widen::<T, F>(x).minus(m), Mode::TIES_TO_EVEN));
        }
        begun = i + 1;
        *out = logarithm_of(&sum, m, mode);
    }
    Ok(())
}
