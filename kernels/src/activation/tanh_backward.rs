//! The gradient of tanh: its derivative `1 - tanh(x)^2`, a function of x rounded once, times the
//! gradient that comes in, rounded again.
//!
//! Method: `slope.rs`. Why it is exact enough: the derivative of every f16 and bf16 operand has
//! been run against MPFR; the product is exact before its rounding.
//!
//! Tables: `fixed/exp2.rs`'s 140 bytes.

use super::gradient::times_gradient;
use super::slope::slope_of_tanh;
use crate::format::Narrow;
use crate::round::{Exact, Rule, Status};
use crate::wrappers::rounded_by_mode;

const fn round<F: Narrow>(x: u64, grad: u64, rule: Rule) -> (u64, Status) {
    let slope = slope_of_tanh(Exact::<u32>::decode::<F>(x as u32));
    times_gradient::<F>(slope, grad, rule)
}

rounded_by_mode! {
    /// The gradient of [`tanh`](crate::math::tanh()): its derivative at `x`, `1 - tanh(x)^2`, rounded, and
    /// the product with `grad` rounded again, both in the one mode.
    ///
    /// The derivative is 1 at either zero and +0 at an infinity. A NaN of either gives the
    /// canonical NaN, and invalid where one signals; so does an infinite `grad` where the
    /// derivative rounds to zero, with invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::tanh_backward, bf16};
    /// let (x, grad) = (bf16::from_bits(0x0000), bf16::from_bits(0x4000));
    /// assert_eq!(tanh_backward(x, grad, Mode::TIES_TO_EVEN).to_bits(), 0x4000);
    /// ```
    tanh_backward, tanh_backward_status, tanh_backward_bits;
    <F: Narrow>(x: F, grad: F) -> F
}
