//! Multiplication by a power of two.

use crate::convert::Integer;
use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Rule, Status};

/// Beyond this, every non-zero value of every format has overflowed or vanished.
const FAR: i32 = 1 << 12;

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, n: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    let n = n as u32 as i32;
    let n = if n > FAR {
        FAR
    } else if n < -FAR {
        -FAR
    } else {
        n
    };
    if x.is_finite_nonzero() {
        x.scale(n).to_format::<F>(rule)
    } else {
        x.to_format::<F>(rule)
    }
}

rounded! {
    /// `x * 2^n`, correctly rounded (IEEE 754-2019 `scaleB`).
    ///
    /// Zeros, infinities and NaNs behave as in a multiplication by a finite power of two. Every `n`
    /// is allowed, the extreme ones included.
    ///
    /// ```
    /// use bitexact::{arith::scalbn, bf16, Mode};
    /// let x = bf16::from_bits(0x3FC0); // 1.5
    /// assert_eq!(scalbn(x, -133, Mode::TIES_TO_EVEN).to_bits(), 0x0002); // a tie
    /// ```
    scalbn, scalbn_status, scalbn_stochastic, scalbn_stochastic_status,
    scalbn_bits, scalbn_stochastic_bits: round;
    <F: Arithmetic>(x: F, n: i32) -> F
}
