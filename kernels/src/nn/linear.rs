//! A fully connected layer, in a declared order.

use super::single::{Single, canonical, number};
use super::{NnError, check_length};

/// `out[o]` = `bias[o]` plus the products of `weights[o]` with `x`.
///
/// The order: the bias, where there is one; then element by element. The sum starts from its first
/// term; every product and every sum is rounded to f32, ties to even. NaNs are canonical.
///
/// `weights` is `out` by `x`, row-major.
///
/// ```
/// use bitexact::nn::linear;
/// let mut out = [0.0f32; 2];
/// linear(&[1.0, 2.0], &[3.0, 4.0, 5.0, 6.0], Some(&[0.5, -1.0]), &mut out)?;
/// assert_eq!(out, [11.5, 16.0]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Zero`] for an empty `x`; [`NnError::Length`] for `weights` and `bias`. Nothing has
/// been written then.
pub fn linear<F: Single>(
    x: &[F],
    weights: &[F],
    bias: Option<&[F]>,
    out: &mut [F],
) -> Result<(), NnError> {
    if x.is_empty() {
        return Err(NnError::Zero { which: "x" });
    }
    check_length("weights", weights.len(), &[out.len(), x.len()])?;
    if let Some(bias) = bias {
        check_length("bias", bias.len(), &[out.len()])?;
    }
    // -0 is neutral: the sum starts from its first term.
    let nothing = number(1 << 31);
    let rows = weights.chunks_exact(x.len().max(1));
    for (o, (sum, row)) in out.iter_mut().zip(rows).enumerate() {
        let first = bias.and_then(|bias| bias.get(o)).copied();
        let products = x.iter().zip(row).map(|(&x, &weight)| x.times(weight));
        *sum = canonical(products.fold(first.unwrap_or(nothing), F::plus));
    }
    Ok(())
}
