//! Functions of the elements of slices, in loops that a microcontroller's compiler keeps short: a
//! literal mode is folded into the loop, and there are no bounds to check.

use super::TensorError;
use crate::Mode;
use crate::arith::{fma, mul};
use crate::format::Arithmetic;

fn check(expected: usize, found: usize) -> Result<(), TensorError> {
    if expected == found {
        Ok(())
    } else {
        Err(TensorError::LengthMismatch { expected, found })
    }
}

/// `out[i] = function(x[i])`: any kernel or closure, such as
/// `|x| math::exp(x, Mode::TIES_TO_EVEN)`.
///
/// ```
/// use bitexact::{Mode, bf16, math, tensor::map};
/// let (x, mut out) = ([bf16::ZERO, bf16::ONE], [bf16::ZERO; 2]);
/// map(&x, |x| math::exp(x, Mode::TIES_TO_EVEN), &mut out)?;
/// assert_eq!(out.map(bf16::to_bits), [0x3F80, 0x402E]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
///
/// [`TensorError::LengthMismatch`]; nothing has been written then.
#[inline]
pub fn map<T: Copy, R>(
    x: &[T],
    mut function: impl FnMut(T) -> R,
    out: &mut [R],
) -> Result<(), TensorError> {
    check(x.len(), out.len())?;
    for (out, &x) in out.iter_mut().zip(x) {
        *out = function(x);
    }
    Ok(())
}

/// `x[i] = function(x[i])`.
///
/// ```
/// use bitexact::{activation, bf16, tensor::map_in_place};
/// let mut x = [bf16::NEG_ONE, bf16::ONE];
/// map_in_place(&mut x, activation::relu);
/// assert_eq!(x, [bf16::ZERO, bf16::ONE]);
/// ```
#[inline]
pub fn map_in_place<T: Copy>(x: &mut [T], mut function: impl FnMut(T) -> T) {
    for x in x {
        *x = function(*x);
    }
}

/// `x[i] = x[i] * factors[i]`, rounded once ([`mul`]): by a window, for example.
///
/// ```
/// use bitexact::{Mode, bf16, tensor::multiply};
/// let mut x = [3.0, 5.0].map(bf16::from_f32);
/// multiply(&mut x, &[bf16::ONE, bf16::NEG_ONE], Mode::TIES_TO_EVEN)?;
/// assert_eq!(x.map(bf16::to_f32), [3.0, -5.0]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
///
/// [`TensorError::LengthMismatch`]; nothing has been written then.
#[inline]
pub fn multiply<T: Arithmetic, W: Arithmetic>(
    x: &mut [T],
    factors: &[W],
    mode: Mode,
) -> Result<(), TensorError> {
    check(x.len(), factors.len())?;
    for (x, &factor) in x.iter_mut().zip(factors) {
        *x = mul(*x, factor, mode);
    }
    Ok(())
}

/// `x[i] = x[i] * factor`, rounded once ([`mul`]).
///
/// ```
/// use bitexact::{Mode, bf16, tensor::scale};
/// let mut x = [3.0, 5.0].map(bf16::from_f32);
/// scale(&mut x, 0.5f32, Mode::TIES_TO_EVEN);
/// assert_eq!(x.map(bf16::to_f32), [1.5, 2.5]);
/// ```
#[inline]
pub fn scale<T: Arithmetic, W: Arithmetic>(x: &mut [T], factor: W, mode: Mode) {
    for x in x {
        *x = mul(*x, factor, mode);
    }
}

/// `sums[i] = x[i] * factor + sums[i]`, rounded once ([`fma`]).
///
/// ```
/// use bitexact::{Mode, bf16, tensor::accumulate};
/// let mut sums = [bf16::ONE; 2];
/// accumulate(&mut sums, &[3.0, 5.0].map(bf16::from_f32), 2.0f32, Mode::TIES_TO_EVEN)?;
/// assert_eq!(sums.map(bf16::to_f32), [7.0, 11.0]);
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
///
/// # Errors
///
/// [`TensorError::LengthMismatch`]; nothing has been written then.
#[inline]
pub fn accumulate<S: Arithmetic, T: Arithmetic, W: Arithmetic>(
    sums: &mut [S],
    x: &[T],
    factor: W,
    mode: Mode,
) -> Result<(), TensorError> {
    check(sums.len(), x.len())?;
    for (sum, &x) in sums.iter_mut().zip(x) {
        *sum = fma(x, factor, *sum, mode);
    }
    Ok(())
}
