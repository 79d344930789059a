//! logsigmoid: `-ln(1 + e^-x)`, the logarithm of the logistic function.
//!
//! Method: `ln(1 + e^y)` of `y = -x`: with `E = e^-|y|` (`fixed/exp2.rs`), `ln(1 + E)`
//! (`fixed/log/log1p_exp.rs`), plus y where that is positive.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-25.9 of its binade where
//! it is not deliberately perturbed from a representable value. Every f16 and bf16 operand has been
//! compared with MPFR.
//!
//! The derivative is [`sigmoid`](super::sigmoid())'s core at `-x`.
//!
//! Tables: `fixed/log/log1p_exp.rs`'s 180 bytes, which softplus shares, and `fixed/exp2.rs`'s 140.
//! Constants: `constants/exp.py`.

use super::gradient::backward;
use super::log_one_plus_exp::log_one_plus_exp;
use super::sigmoid::sigmoid_core;
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

const fn logsigmoid_core(x: Exact<u32>) -> Exact<u32> {
    log_one_plus_exp(x.negate_if(true)).negate_if(true)
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    logsigmoid_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `-ln(1 + e^-x)`, correctly rounded.
    ///
    /// +infinity gives -0 and -infinity itself, exactly. Everything else is inexact, `-ln 2` at
    /// either zero, and underflows where it is subnormal. NaN gives the canonical NaN; a signalling
    /// NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::logsigmoid, f16};
    /// let zero = f16::from_bits(0x0000);
    /// assert_eq!(logsigmoid(zero, Mode::TIES_TO_EVEN).to_bits(), 0xB98C); // -0.693359375
    /// ```
    logsigmoid, logsigmoid_status, logsigmoid_bits: round;
    <F: Narrow>(x: F) -> F
}

const fn derivative(x: Exact<u32>) -> Exact<u32> {
    sigmoid_core(x.negate_if(true))
}

backward! {
    /// The gradient of [`logsigmoid`](super::logsigmoid()): its derivative at `x`, `1 / (1 + e^x)`,
    /// rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is 1/2 at either zero, +0 at +infinity and 1 at -infinity. A NaN in either
    /// operand gives the canonical NaN, and raises invalid if it signals. An infinite `grad` gives
    /// NaN and raises invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::logsigmoid_backward, f16};
    /// let (zero, two) = (f16::from_bits(0x0000), f16::from_bits(0x4000));
    /// assert_eq!(logsigmoid_backward(zero, two, Mode::TIES_TO_EVEN).to_bits(), 0x3C00); // 1
    /// ```
    logsigmoid_backward, logsigmoid_backward_status, logsigmoid_backward_bits: derivative;
    ()
}
