//! reciprocal: `1 / x`.
//!
//! Method: one 32-bit integer division of 2^30 by the 11-bit significand; the sticky bit says
//! whether there is a remainder. Exact results: powers of two. No table.

use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};
use crate::single;

const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, 1 << 31);

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        return ONE.div_long(x).to_format::<F>(rule);
    }
    ONE.div_short(x).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `1 / x`, correctly rounded.
    ///
    /// A zero gives the infinity of its sign and raises divide by zero; an infinity gives the zero
    /// of its sign. Small subnormals overflow, normal numbers do not; the reciprocals of the
    /// largest numbers are subnormal. NaN gives the canonical NaN; a signalling NaN also raises
    /// invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::reciprocal};
    /// let third = reciprocal(bf16::from_bits(0x4040), Mode::TIES_TO_EVEN);
    /// assert_eq!(third.to_bits(), 0x3EAB);
    /// ```
    reciprocal, reciprocal_status, reciprocal_bits: round;
    <F: Arithmetic>(x: F) -> F
}
