//! Fused multiply-add.
//!
//! Method: the exact product (`mul`), then the exact sum (`add`), then one rounding. The product
//! keeps all its bits (22 of 32, or 48 of 64), so that `add` gets an exact operand. The argument of
//! `add` holds for the product's bits too: where bits of the addend or the product are lost, the
//! exponents differ by at least 2, since 31 bits are kept for 22, or 63 for 48.

use super::mul::are_short;
use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

#[inline(always)]
const fn round<A: Arithmetic, B: Arithmetic, C: Arithmetic, R: Arithmetic>(
    a: u64,
    b: u64,
    c: u64,
    rule: Rule,
) -> (u64, Status) {
    let a = Exact::<u32>::decode::<A>(a as u32);
    let b = Exact::<u32>::decode::<B>(b as u32);
    let c = Exact::<u32>::decode::<C>(c as u32);
    if are_short::<A, B>() && !rule.direction.needs_more_than(30 - R::PRECISION) {
        a.mul_short(b).add(c).to_format::<R>(rule)
    } else {
        a.mul_long(b).add(c.widen()).to_format::<R>(rule)
    }
}

rounded! {
    /// `a * b + c`, rounded once to `R` (IEEE 754-2019 `formatOf-fusedMultiplyAdd`).
    ///
    /// The sign of an exact zero is that of `add` on the exact product. Zero times infinity gives
    /// NaN and raises invalid, also where `c` is a quiet NaN (as in RISC-V). A computation in f64
    /// is not wide enough even for the 16-bit formats, and differs:
    ///
    /// ```
    /// use bitexact::{arith::fma, bf16, Mode};
    /// let [a, b, c] = [0x7208, 0x42D8, 0x84B5].map(bf16::from_bits);
    /// let fused: bf16 = fma(a, b, c, Mode::TIES_TO_EVEN);
    /// assert_eq!(fused.to_bits(), 0x7565);
    /// let in_f64 = a.to_f64() * b.to_f64() + c.to_f64();
    /// assert_eq!(bf16::from_f64(in_f64).to_bits(), 0x7566);
    /// ```
    fma, fma_status, fma_stochastic, fma_stochastic_status,
    fma_bits, fma_stochastic_bits: round;
    <A: Arithmetic, B: Arithmetic, C: Arithmetic, R: Arithmetic>(a: A, b: B, c: C) -> R
}
