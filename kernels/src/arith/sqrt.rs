//! Square root.
//!
//! Method: the integer square root of the significand times an even power of two; the sticky bit
//! says whether there is a remainder. The short path's 16 bits serve the fixed roundings to narrow
//! formats, the long one's 42 bits everything (stochastic rounding to f32 needs 40). Table: the 128
//! bytes of `fixed/sqrt.rs`.

use crate::fixed::{square_root_long, square_root_normal};
use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Kind, Rule, Status};

const SHORT: u32 = 16;
const LONG: u32 = 42;

impl Exact<u32> {
    /// The radicand, whose unit is an even power of two, and the root's exponent, for a finite
    /// positive value. An odd unit costs the lowest bit, which is zero, since there are at most 24.
    #[inline]
    const fn radicand(self) -> (u32, i32) {
        // The unit is the exponent less 31.
        let odd_unit = (self.exponent() & 1) ^ 1;
        (self.significand() >> odd_unit, self.exponent() >> 1)
    }

    /// The root of a value that is not finite and positive.
    #[cold]
    const fn sqrt_special(self) -> Self {
        match self.kind() {
            Kind::Nan => self,
            Kind::Zero => Self::zero(self.sign()),
            Kind::Infinite if !self.sign() => self,
            _ => Self::nan(true),
        }
    }

    /// The square root, exact except for the sticky bit.
    const fn sqrt_short(self) -> Self {
        if !self.is_finite_nonzero() || self.sign() {
            return self.sqrt_special();
        }
        let (radicand, exponent) = self.radicand();
        let (root, inexact) = square_root_normal(radicand);
        Self::normalised(false, exponent, (root << SHORT) | inexact as u32)
    }

    /// The same with more bits.
    pub(crate) const fn sqrt_long(self) -> Exact<u64> {
        if !self.is_finite_nonzero() || self.sign() {
            return self.sqrt_special().widen();
        }
        let (radicand, exponent) = self.radicand();
        let (root, inexact) = square_root_long(radicand, LONG);
        let significand = (root << (u64::BITS - LONG)) | inexact as u64;
        Exact::<u64>::normalised(false, exponent, significand)
    }
}

#[inline(always)]
const fn round<A: Arithmetic, R: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<A>(x as u32);
    if rule
        .direction
        .needs_more_than(SHORT.saturating_sub(R::PRECISION))
    {
        x.sqrt_long().to_format::<R>(rule)
    } else {
        x.sqrt_short().to_format::<R>(rule)
    }
}

rounded! {
    /// The square root of `x`, rounded once to `R` (IEEE 754-2019 `formatOf-squareRoot`).
    ///
    /// -0 gives -0. Any other negative operand, -infinity included, gives NaN and raises invalid.
    ///
    /// ```
    /// use bitexact::{arith::sqrt, bf16, Mode};
    /// let root: bf16 = sqrt(bf16::from_bits(0x4000), Mode::TIES_TO_EVEN); // sqrt(2)
    /// assert_eq!(root.to_bits(), 0x3FB5);
    /// ```
    sqrt, sqrt_status, sqrt_stochastic, sqrt_stochastic_status,
    sqrt_bits, sqrt_stochastic_bits: round;
    <A: Arithmetic, R: Arithmetic>(x: A) -> R
}
