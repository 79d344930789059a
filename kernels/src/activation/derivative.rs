//! The derivatives alone, by the cores of f32.

/// A derivative of a number of at most 24 bits, by its core.
macro_rules! derivatives {
    ($($(#[$doc:meta])* $name:ident, $status:ident, $bits:ident: $core:ident;)*) => {$(
        mod $name {
            use crate::format::Arithmetic;
            use crate::public_api::{round_to, rounded_by_mode};

            round_to! { crate::single::$core }

            #[inline(always)]
            const fn round<F: Arithmetic>(
                x: u64,
                rule: crate::round::Rule,
            ) -> (u64, crate::Status) {
                round_to::<F, F>(x, rule)
            }

            rounded_by_mode! {
                $(#[$doc])*
                $name, $status, $bits: round;
                <F: Arithmetic>(x: F) -> F
            }
        }

        pub use $name::*;
    )*};
}

derivatives! {
    /// The derivative of [`sigmoid`](crate::activation::sigmoid()), `s (1 - s)` with
    /// `s = sigmoid(x)`, correctly rounded.
    ///
    /// Either zero gives 1/4, and an infinity +0, exactly. Everything else is inexact, and
    /// underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN also raises
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::sigmoid_derivative};
    /// assert_eq!(sigmoid_derivative(1.0f32, Mode::TIES_TO_EVEN), 0.19661193);
    /// ```
    sigmoid_derivative, sigmoid_derivative_status, sigmoid_derivative_bits: sigmoid_slope;

    /// The derivative of [`tanh`](crate::activation::tanh()), `1 - tanh(x)^2`, correctly rounded.
    ///
    /// Either zero gives 1, and an infinity +0, exactly. Everything else is inexact, and underflows
    /// where it is subnormal. NaN gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::tanh_derivative};
    /// assert_eq!(tanh_derivative(1.0f32, Mode::TIES_TO_EVEN), 0.41997433);
    /// ```
    tanh_derivative, tanh_derivative_status, tanh_derivative_bits: tanh_slope;

    /// The derivative of [`silu`](crate::activation::silu()), `s (1 + x (1 - s))` with
    /// `s = sigmoid(x)`, correctly rounded.
    ///
    /// Either zero gives 1/2, +infinity 1 and -infinity -0, exactly. Everything else is inexact,
    /// and underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN also
    /// raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::silu_derivative};
    /// assert_eq!(silu_derivative(1.0f32, Mode::TIES_TO_EVEN), 0.92767054);
    /// ```
    silu_derivative, silu_derivative_status, silu_derivative_bits: silu_slope;

    /// The derivative of [`gelu`](crate::activation::gelu()), the normal distribution function plus
    /// `x` times its density, correctly rounded.
    ///
    /// Either zero gives 1/2, +infinity 1 and -infinity -0, exactly. Everything else is inexact,
    /// and underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN also
    /// raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::gelu_derivative};
    /// assert_eq!(gelu_derivative(1.0f32, Mode::TIES_TO_EVEN), 1.0833155);
    /// ```
    gelu_derivative, gelu_derivative_status, gelu_derivative_bits: gelu_slope;

    /// The derivative of [`gelu_tanh`](crate::activation::gelu_tanh()), with its exact constants,
    /// correctly rounded.
    ///
    /// Either zero gives 1/2, +infinity 1 and -infinity -0, exactly. Everything else is inexact,
    /// and underflows where it is subnormal. NaN gives the canonical NaN; a signalling NaN also
    /// raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::gelu_tanh_derivative};
    /// assert_eq!(gelu_tanh_derivative(1.0f32, Mode::TIES_TO_EVEN), 1.0829641);
    /// ```
    gelu_tanh_derivative, gelu_tanh_derivative_status, gelu_tanh_derivative_bits: gelu_tanh_slope;
}
