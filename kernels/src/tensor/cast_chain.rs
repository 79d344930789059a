//! Chains of conversions, none of which is skipped.

use super::view::{check_shape, for_each_index};
use super::{TensorError, View, ViewMut};
use crate::convert::convert_status;
use crate::format::{Format, Sealed};
use crate::{Mode, Status};

/// A sequence of formats, as a tuple of two to six: `(f32, f16, f32)`.
pub trait Chain: Sealed {
    /// The format that the chain starts from.
    type First: Format;
    /// The format that it ends in.
    type Last: Format;

    /// Converts step by step; the union of the steps' status.
    fn cast(x: Self::First, mode: Mode) -> (Self::Last, Status);
}

impl<A: Format, B: Format> Sealed for (A, B) {}
impl<A: Format, B: Format> Chain for (A, B) {
    type First = A;
    type Last = B;

    #[inline]
    fn cast(x: A, mode: Mode) -> (B, Status) {
        convert_status(x, mode)
    }
}

/// A longer chain is its first step and the remaining chain.
macro_rules! chain {
    ($first:ident, $second:ident, $($rest:ident),+ => $last:ident) => {
        impl<$first: Format, $second: Format, $($rest: Format),+> Sealed
            for ($first, $second, $($rest),+) {}
        impl<$first: Format, $second: Format, $($rest: Format),+> Chain
            for ($first, $second, $($rest),+)
        {
            type First = $first;
            type Last = $last;

            #[inline]
            fn cast(x: $first, mode: Mode) -> ($last, Status) {
                let (x, status) = convert_status::<$first, $second>(x, mode);
                let (x, rest) = <($second, $($rest),+)>::cast(x, mode);
                (x, status | rest)
            }
        }
    };
}

chain!(A, B, C => C);
chain!(A, B, C, D => D);
chain!(A, B, C, D, E => E);
chain!(A, B, C, D, E, F => F);

/// `x` through every format of the chain `C`, rounded at each step.
///
/// No step is dropped because a later one is wider: every rounding that is written is done, at
/// every optimisation level. All steps use one mode; for others, chain
/// [`convert`](crate::convert::convert) calls.
///
/// ```
/// use bitexact::{Mode, tensor::cast_chain, f16};
/// let through: f32 = cast_chain::<(f32, f16, f32)>(1.0 / 7.0, Mode::TIES_TO_EVEN);
/// assert_eq!(through.to_bits(), 0x3E12_4000);
/// ```
#[inline]
#[must_use]
pub fn cast_chain<C: Chain>(x: C::First, mode: Mode) -> C::Last {
    C::cast(x, mode).0
}

/// [`cast_chain`] with the union of its steps' status.
#[inline]
pub fn cast_chain_status<C: Chain>(x: C::First, mode: Mode) -> (C::Last, Status) {
    C::cast(x, mode)
}

/// [`cast_chain`] of every element of a view. Returns the union of all steps' status.
///
/// # Errors
///
/// [`TensorError::ShapeMismatch`] for `out`; nothing has been written then.
pub fn cast_chain_view<C: Chain, const N: usize>(
    x: &View<'_, C::First, N>,
    mode: Mode,
    out: &mut ViewMut<'_, C::Last, N>,
) -> Result<Status, TensorError> {
    check_shape("out", out.shape(), x.shape())?;
    let mut result = Ok(Status::NONE);
    for_each_index(x.shape(), |at| {
        let Some(element) = x.get(at) else { return };
        let (element, status) = C::cast(element, mode);
        let step = out.set(at, element);
        result = result.and_then(|union| step.map(|()| union | status));
    });
    result
}
