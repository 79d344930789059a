//! tanhshrink: `x - tanh(x)`.
//!
//! Method: below 1/2 in magnitude `x^3 q(x^2)` with tanh's polynomial q, so that nothing cancels;
//! above it the difference from tanh (`fixed/tanh.rs`) in fixed point.
//!
//! Why it is correctly rounded: the result's relative error is at most 2^-25.5 of its binade where
//! it is not deliberately perturbed from a representable value. Where `x^3 / 3` is a number or a
//! midpoint itself, the value is below it, and so is the result, since the polynomial's 1/3 is
//! rounded down. Every f16 and bf16 operand has been compared with MPFR.
//!
//! The derivative is the square of tanh in 31 bits. Below 2^-11 it is less than `x^2`, which may be
//! a rounding boundary, by less than 2^-22 of it, while the next rounding boundary is at least
//! 2^-22 away; elsewhere its minimum distance to a rounding boundary is 2^-28.5 (at 0.85 in f16),
//! so it is verified by the run of all operands.
//!
//! Tables: `fixed/tanh.rs`'s 408 bytes, shared by the family.

use super::gradient::backward;
use super::logistic::times;
use crate::fixed::{tanh_rest_over_cube, tanh_upper};
use crate::format::Narrow;
use crate::math::{square, tanh_lower};
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const fn tanhshrink_core(x: Exact<u32>) -> Exact<u32> {
    if !x.is_finite_nonzero() {
        return x;
    }
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    if exponent < -1 {
        let digits = significand >> 16;
        let cube = (digits * digits) as u64 * digits as u64;
        let zeros = cube.leading_zeros();
        let upper = cube << zeros >> 32;
        let product = upper * tanh_rest_over_cube(square(significand, exponent)) as u64;
        Exact::<u32>::inexact(sign, product, 3 * (exponent - 15) - zeros as i32)
    } else if exponent < 30 {
        // From 8 on tanh is slightly less than 1.
        let tanh = if exponent < 3 {
            tanh_upper(significand, exponent)
        } else {
            u32::MAX
        };
        let x = (significand as u64) << (exponent + 1);
        Exact::<u32>::inexact(sign, x - tanh as u64, -32)
    } else {
        x.inward()
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    tanhshrink_core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x - tanh(x)`, correctly rounded.
    ///
    /// A zero or an infinity gives itself. Everything else is inexact; near 0 the result is near
    /// `x^3 / 3`, and underflows where it is subnormal. NaN gives the canonical NaN; a signalling
    /// NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::tanhshrink, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(tanhshrink(one, Mode::TIES_TO_EVEN).to_bits(), 0x3E74); // 0.23828125
    /// ```
    tanhshrink, tanhshrink_status, tanhshrink_bits: round;
    <F: Narrow>(x: F) -> F
}

const fn derivative(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => x,
        Kind::Zero => Exact::<u32>::zero(false),
        Kind::Infinite => Exact::<u32>::ONE,
        Kind::Finite => {
            let (exponent, significand) = (x.exponent(), x.significand());
            let tanh = if exponent < -11 {
                x.inward()
            } else if exponent < -1 {
                let digits = tanh_lower(significand, exponent);
                Exact::<u32>::inexact_word(false, digits, exponent - 31)
            } else if exponent < 3 {
                Exact::<u32>::inexact_word(false, tanh_upper(significand, exponent), -32)
            } else {
                Exact::<u32>::BELOW_ONE
            };
            times(tanh, tanh)
        }
    }
}

backward! {
    /// The gradient of [`tanhshrink`](super::tanhshrink()): its derivative at `x`, `tanh(x)^2`,
    /// rounded; the product with `grad` is rounded again, in the same mode.
    ///
    /// The derivative is +0 at either zero and 1 at an infinity. A NaN in either operand gives the
    /// canonical NaN, and raises invalid if it signals. An infinite `grad` gives NaN and raises
    /// invalid where the derivative rounds to zero.
    ///
    /// ```
    /// use bitexact::{Mode, activation::tanhshrink_backward, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// let y = tanhshrink_backward(one, one, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3F14); // 0.578125
    /// ```
    tanhshrink_backward, tanhshrink_backward_status, tanhshrink_backward_bits: derivative;
    ()
}
