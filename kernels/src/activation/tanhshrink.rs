//! tanhshrink: `x - tanh(x)`.
//!
//! Method: below 1/2 in magnitude `x^3 q(x^2)` with tanh's polynomial q, so that nothing cancels;
//! above it the difference from tanh (`fixed/tanh.rs`) in fixed point.
//!
//! Why it is exact enough: the result's relative error is at most 2^-25.5 of its binade where it is
//! not beside a number on purpose. Where `x^3 / 3` is a number or a midpoint itself, the value is
//! below it, and so is the result, since the polynomial's 1/3 is rounded down. Every f16 and bf16
//! operand has been run against MPFR.
//!
//! The derivative is the square of tanh in 31 digits. Below 2^-11 that is less than `x^2`, which may
//! be a cut, by less than 2^-22 of it, where the next cut is 2^-22 away or more; elsewhere it comes
//! within 2^-28.5 of a cut (at 0.85 in f16), so that it rests on the run of all operands.
//!
//! Tables: `fixed/tanh.rs`'s 408 bytes, shared by the family.

use super::gradient::backward;
use super::logistic::times;
use crate::fixed::{tanh_rest_over_cube, tanh_upper};
use crate::format::Narrow;
use crate::math::{square, tanh_lower};
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded_by_mode;

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
        // From 8 on tanh is 1 less a little.
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
    /// `x - tanh(x)`, rounded once.
    ///
    /// A zero or an infinity gives itself. Everything else is inexact; near 0 the result is near
    /// `x^3 / 3`, and underflows where it is subnormal. NaN gives the canonical NaN, and invalid
    /// where it signals.
    ///
    /// ```
    /// use bitexact::{Mode, activation::tanhshrink, bf16};
    /// let one = bf16::from_bits(0x3F80);
    /// assert_eq!(tanhshrink(one, Mode::TIES_TO_EVEN).to_bits(), 0x3E74); // 0.23828125
    /// ```
    tanhshrink, tanhshrink_status, tanhshrink_bits;
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
    /// The gradient of [`tanhshrink`](super::tanhshrink()): its derivative at `x`, `tanh(x)^2`, rounded, and the
    /// product with `grad` rounded again, both in the one mode.
    ///
    /// The derivative is +0 at either zero and 1 at an infinity. A NaN of either gives the canonical
    /// NaN, and invalid where one signals; so does an infinite `grad` where the derivative rounds to
    /// zero, with invalid.
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
