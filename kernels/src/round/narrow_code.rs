//! Rounding a code to a narrower format without unpacking it.
//!
//! The exponent and fraction of an IEEE-like code form one integer, which grows with the magnitude.
//! For a number that is normal in both formats, the two codes differ by the discarded bits and by a
//! constant, the difference of the biases. So a carry runs into the exponent's field, and beyond
//! the largest number into infinity's code. If both formats have the same range of exponents, this
//! holds for all subnormals and infinities too.

use super::{Exact, Overflow, Rule, Status};
use crate::format::{Format, Specials};

/// Whether [`narrow_code`] applies: `A` is at most 32 bits wide, and has more precision than `B`
/// and all of its exponents.
pub(crate) const fn is_narrower<A: Format, B: Format>() -> bool {
    matches!((A::SPECIALS, B::SPECIALS), (Specials::Ieee, Specials::Ieee))
        && A::BITS <= 32
        && A::PRECISION > B::PRECISION
        && A::EMIN <= B::EMIN
        && A::EMAX >= B::EMAX
}

/// Rounds a code of `A` to `B`, once.
#[inline]
pub(crate) const fn narrow_code<A: Format, B: Format>(code: u32, rule: Rule) -> (u32, Status) {
    let cut = A::PRECISION - B::PRECISION;
    let same_exponents = A::EMIN == B::EMIN && A::EMAX == B::EMAX;
    let magnitude = code & (A::SIGN - 1) as u32;
    // The codes in `A` of the least normal number of `B` and of the first value beyond its finite
    // numbers.
    let least = ((B::EMIN + A::BIAS) as u32) << (A::PRECISION - 1);
    let beyond = ((B::EMAX + 1 + A::BIAS) as u32) << (A::PRECISION - 1);
    let is_served = if same_exponents {
        magnitude <= beyond
    } else {
        magnitude.wrapping_sub(least) < beyond - least
    };
    if !is_served {
        return unpack::<A, B>(code, rule);
    }

    let odd = (code >> cut) & 1 != 0;
    let sign = (code >> (A::BITS - 1)) & 1;
    let increment = rule.direction.increment_u32(sign != 0, odd, cut);
    let rebias = ((A::BIAS - B::BIAS) as u32) << (A::PRECISION - 1);
    let rounded = (magnitude - rebias + increment) >> cut;
    let is_ordinary = magnitude >= least && rounded <= B::MAX_FINITE as u32;
    if !is_ordinary && !matches!(rule.overflow, Overflow::Ieee) {
        return unpack::<A, B>(code, rule);
    }
    let status = if is_ordinary {
        Status::INEXACT.when(code << (32 - cut) != 0)
    } else {
        // Dropped together with the status.
        unpack::<A, B>(code, rule).1
    };
    (rounded | sign << (B::BITS - 1), status)
}

/// The same through [`Exact`].
#[cold]
#[inline(never)]
const fn unpack<A: Format, B: Format>(code: u32, rule: Rule) -> (u32, Status) {
    let (code, status) = Exact::<u32>::decode::<A>(code).to_format::<B>(rule);
    (code as u32, status)
}
