//! What backward kernels share: the chain rule, and what a gradient does at NaN.

use crate::format::{Format, Narrow};
use crate::round::{Exact, Mode, Rule, Status};

/// What an activation's backward kernel returns where the activation's operand is NaN.
///
/// Frameworks differ, and the result of one of them depends on the position in the tensor, so the
/// caller chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NanGradient {
    /// The upstream gradient's bits, as if the activation passed its operand through.
    Pass,
    /// +0, as if the activation were constant.
    Zero,
    /// The canonical NaN.
    Propagate,
}

impl NanGradient {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Pass, Self::Zero, Self::Propagate];

    /// The result for a NaN operand `x`. A signalling `x` raises invalid, whatever the result is.
    #[inline]
    pub(super) const fn deliver<F: Format>(self, x: Exact<u64>, grad: u64) -> (u64, Status) {
        let status = Status::INVALID.when(x.is_signaling());
        match self {
            Self::Pass => (grad, status),
            Self::Zero => (0, status),
            Self::Propagate => {
                let (nan, no_nan) =
                    Exact::<u32>::nan(false).to_format::<F>(Mode::TOWARD_ZERO.rule());
                (nan, status.union(no_nan))
            }
        }
    }
}

/// The backward kernel of a smooth activation, from its derivative: a function
/// `(x, parameters..) -> Exact<u32>` in scope.
macro_rules! backward {
    (
        $(#[$doc:meta])*
        $name:ident, $status:ident, $bits:ident: $derivative:ident;
        ($($parameter:ident: $generic:ident),*)
    ) => {
        mod backward {
            use super::$derivative;
            #[allow(unused_imports, reason = "for parameters")]
            use crate::format::{Arithmetic, Narrow};
            use crate::round::{Exact, Rule, Status};

            #[inline(always)]
            const fn round<F: Narrow $(, $generic: Arithmetic)*>(
                x: u64,
                grad: u64,
                $($parameter: u64,)*
                rule: Rule,
            ) -> (u64, Status) {
                let derivative = $derivative(
                    Exact::<u32>::decode::<F>(x as u32)
                    $(, Exact::<u32>::decode::<$generic>($parameter as u32))*
                );
                $crate::activation::gradient::times_gradient::<F>(derivative, grad, rule)
            }

            $crate::public_api::rounded_by_mode! {
                $(#[$doc])*
                $name, $status, $bits: round;
                <F: Narrow $(, $generic: Arithmetic)*>(x: F, grad: F $(, $parameter: $generic)*) -> F
            }
        }

        pub use backward::*;
    };
}
pub(super) use backward;

/// A derivative, rounded, times an upstream gradient, rounded again: the product of two codes. The
/// status is the union of both steps'.
#[inline]
pub(super) const fn times_gradient<F: Narrow>(
    derivative: Exact<u32>,
    grad: u64,
    rule: Rule,
) -> (u64, Status) {
    let (slope, first) = derivative.to_format::<F>(rule);
    let slope = Exact::<u32>::decode::<F>(slope as u32);
    let grad = Exact::<u32>::decode::<F>(grad as u32);
    let (product, second) = grad.mul_short(slope).to_format::<F>(rule);
    (product, first.union(second))
}
