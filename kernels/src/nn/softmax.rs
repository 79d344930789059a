//! softmax and log_softmax over a slice, as a stated sequence of roundings.
//!
//! Method: the usual one, with the greatest element subtracted. The sum is exact, so no result
//! depends on the order of the elements. The exponentials are computed twice, which saves a buffer.

use super::single::{Single, widen};
use super::{NnError, check_length};
use crate::Mode;
use crate::arith::{div, maximum, sub};
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
