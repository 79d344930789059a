//! The gradient of tanh, which is itself a function of [`math`](crate::math::tanh()).
//!
//! Method: the derivative is `4 E / (1 + E)^2` with `E = e^(-2 |x|)`; see `slope.rs`. Below 2^-7 in
//! magnitude it is slightly less than 1.
//!
//! Why it is correctly rounded: the derivative has 32 bits, and its minimum distance to a rounding
//! boundary is 2^-29.5 (at 0.85 in f16). So it is verified by comparing every f16 and bf16 operand
//! with MPFR; repeat that after any change of a constant.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes. Constants: `constants/exp.py`.

use super::gradient::backward;
use super::slope::bell;
use crate::fixed::LOG2_OF_E;
use crate::round::Exact;

const fn derivative(x: Exact<u32>) -> Exact<u32> {
    let twice = if x.is_finite_nonzero() { x.scale(1) } else { x };
    bell(twice, LOG2_OF_E)
}

backward! {
    /// The gradient of [`tanh`](crate::math::tanh()): its derivative at `x`, `1 - tanh(x)^2`,
    /// rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1 at either zero and +0 at an infinity. A NaN in either operand gives the
    /// canonical NaN, and raises invalid if it signals. An infinite `grad` gives NaN and raises
    /// invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::tanh_backward, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// let y = tanh_backward(one, one, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3ED7); // 0.419921875
    /// ```
    tanh_backward, tanh_backward_status, tanh_backward_bits: derivative;
    ()
}
