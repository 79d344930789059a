//! Layer norm and RMS norm of a slice, as stated sequences of roundings, with exact sums.

use core::num::NonZeroU32;

use super::{NnError, check_length};
use crate::Mode;
use crate::arith::{fma, mul, sub};
use crate::format::{Arithmetic, Binary32};
use crate::reduce::{Accumulable, Accumulator, Variance};

/// Of the steps before the last.
const MODE: Mode = Mode::TIES_TO_EVEN;

/// The number of elements, as a divisor.
fn count(length: usize) -> Result<NonZeroU32, NnError> {
    if length == 0 {
        return Err(NnError::Zero { which: "x" });
    }
    u32::try_from(length)
        .ok()
        .and_then(NonZeroU32::new)
        .ok_or(NnError::Length {
            which: "x",
            expected: u32::MAX as usize,
            found: length,
        })
}

/// `(x - mean) / sqrt(variance + epsilon) * weight + bias`, element by element.
///
/// The roundings, to f32 and ties to even except the last: the exact mean as two numbers,
/// `m1 = mean` and `m2 = mean - m1` ([`Accumulator::quotient_in_two`]); `r = 1 / sqrt(variance + epsilon)` of the
/// exact variance, rounded once ([`Variance::reciprocal_root`]); `q[i] = ((x[i] - m1) - m2) * r`
/// (three); `out[i] = q[i] * weight[i] + bias[i]`, rounded once to `R` in `mode`. The result does
/// not depend on the order of the elements. Where an element is infinite or NaN, all results are
/// NaN; so they are where all elements are equal and `epsilon` is 0.
///
/// ```
/// use bitexact::{Mode, bf16, format::Binary32, nn::layer_norm};
/// let (x, mut out) = ([1.0, 3.0].map(bf16::from_f32), [bf16::ZERO; 2]);
/// let epsilon = Binary32::from_bits(1e-5f32.to_bits());
/// layer_norm(&x, &[bf16::ONE; 2], &[bf16::ONE; 2], epsilon, Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out.map(bf16::to_f32), [0.0000050067902, 2.0]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Zero`] for no elements; [`NnError::Length`] for the other slices, and for 2^32
/// elements and more. Nothing has been written then.
pub fn layer_norm<T: Accumulable, W: Arithmetic, R: Arithmetic>(
    x: &[T],
    weight: &[W],
    bias: &[W],
    epsilon: Binary32,
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    count(x.len())?;
    check_length("weight", weight.len(), &[x.len()])?;
    check_length("bias", bias.len(), &[x.len()])?;
    check_length("out", out.len(), &[x.len()])?;
    let quotients = layer_quotients(x, epsilon)?;
    let parameters = weight.iter().zip(bias);
    for ((out, quotient), (&weight, &bias)) in out.iter_mut().zip(quotients).zip(parameters) {
        *out = fma(quotient, weight, bias, mode);
    }
    Ok(())
}

/// The `q[i]` of [`layer_norm`], in order.
#[doc(hidden)]
#[inline]
pub fn layer_quotients<T: Accumulable>(
    x: &[T],
    epsilon: Binary32,
) -> Result<impl Iterator<Item = Binary32>, NnError> {
    let count = count(x.len())?;
    let (mut sum, mut squares) = (Accumulator::new(), Accumulator::new());
    for &x in x {
        sum.add(x);
        squares.add_product(x, x);
    }
    let [first, second] = sum.quotient_in_two(count);
    let root = Variance::new(count, Some(&sum), &squares).reciprocal_root(epsilon);
    Ok(x.iter().map(move |&x| {
        let distance: Binary32 = sub(x, first, MODE);
        let distance: Binary32 = sub(distance, second, MODE);
        mul(distance, root, MODE)
    }))
}

/// `x / sqrt(mean of squares + epsilon) * weight`, element by element.
///
/// The roundings, to f32 and ties to even except the last: `r = 1 / sqrt(m + epsilon)` of the exact
/// mean `m` of the squares, rounded once ([`Variance::reciprocal_root`]); `q[i] = x[i] * r` (one);
/// `out[i] = q[i] * weight[i]`, rounded once to `R` in `mode`. The result does not depend on the
/// order of the elements. Where an element is NaN, all results are; where one is infinite, the
/// finite ones give zeros, and the infinite ones NaN.
///
/// ```
/// use bitexact::{Mode, bf16, nn::rms_norm};
/// use bitexact::format::Binary32;
/// let (x, mut out) = ([3.0, -3.0].map(bf16::from_f32), [bf16::ZERO; 2]);
/// rms_norm(&x, &[bf16::ONE; 2], Binary32::from_bits(0), Mode::TIES_TO_EVEN, &mut out)?;
/// assert_eq!(out, [bf16::ONE, bf16::NEG_ONE]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// As [`layer_norm`].
pub fn rms_norm<T: Accumulable, W: Arithmetic, R: Arithmetic>(
    x: &[T],
    weight: &[W],
    epsilon: Binary32,
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    count(x.len())?;
    check_length("weight", weight.len(), &[x.len()])?;
    check_length("out", out.len(), &[x.len()])?;
    let quotients = rms_quotients(x, epsilon)?;
    for ((out, quotient), &weight) in out.iter_mut().zip(quotients).zip(weight) {
        *out = mul(quotient, weight, mode);
    }
    Ok(())
}

/// The `q[i]` of [`rms_norm`], in order.
#[doc(hidden)]
#[inline]
pub fn rms_quotients<T: Accumulable>(
    x: &[T],
    epsilon: Binary32,
) -> Result<impl Iterator<Item = Binary32>, NnError> {
    let count = count(x.len())?;
    let mut squares = Accumulator::new();
    for &x in x {
        squares.add_product(x, x);
    }
    let root = Variance::new(count, None, &squares).reciprocal_root(epsilon);
    Ok(x.iter().map(move |&x| mul(x, root, MODE)))
}
