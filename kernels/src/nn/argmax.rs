//! The place of the greatest element.

use crate::arith::{compare_quiet_greater, is_nan};
use crate::format::Arithmetic;

/// The index of the greatest element: of the first one, where several are equal (+0 equals -0), and
/// of the first NaN, where there is one, as in NumPy and PyTorch. `None` for no elements.
///
/// ```
/// use bitexact::{bf16, nn::argmax};
/// assert_eq!(argmax(&[bf16::ZERO, bf16::ONE, bf16::ONE]), Some(1));
/// assert_eq!(argmax(&[bf16::INFINITY, bf16::NAN]), Some(1));
/// assert_eq!(argmax::<bf16>(&[]), None);
/// ```
#[must_use]
pub fn argmax<T: Arithmetic>(x: &[T]) -> Option<usize> {
    let (&first, others) = x.split_first()?;
    let mut best = (0, first);
    for (i, &x) in others.iter().enumerate() {
        if is_nan(best.1) {
            break;
        }
        if is_nan(x) || compare_quiet_greater(x, best.1) {
            best = (i.wrapping_add(1), x);
        }
    }
    Some(best.0)
}
