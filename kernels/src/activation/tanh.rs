//! The gradient of tanh, which is itself a function of [`math`](crate::math::tanh()).
//!
//! Method: the derivative is `4 E / (1 + E)^2` with `E = e^(-2 |x|)`; see `slope.rs`. Below 2^-7 in magnitude
//! it is 1 less a little.
//!
//! Why it is exact enough: the derivative has 32 digits, and comes within 2^-29.5 of a cut (at 0.85 in
//! f16), so that it is the run of every f16 and bf16 operand against MPFR that shows it, to be repeated
//! with any change of a constant.
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
    /// The gradient of [`tanh`](crate::math::tanh()): its derivative at `x`, `1 - tanh(x)^2`, rounded, and
    /// the product with `grad` rounded again, both in the one mode.
    ///
    /// The derivative is 1 at either zero and +0 at an infinity. A NaN of either gives the
    /// canonical NaN, and invalid where one signals; so does an infinite `grad` where the
    /// derivative rounds to zero, with invalid.
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
