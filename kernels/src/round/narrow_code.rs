//! Rounding a code to a narrower format as it stands.
//!
//! An IEEE-like code's exponent and fraction are one number, which grows with the magnitude; a normal
//! number of both formats differs in the two codes by its cut digits and by a constant, that of the
//! biases. So neither is unpacked: digits that carry run into the exponent's field, and beyond the
//! largest number into infinity's code. Where the exponents' ranges are the same, that is so of all
//! subnormals and infinities too.

use super::{Exact, Overflow, Rule, Status};
use crate::format::{Format, Specials};

/// Whether [`narrow_code`] serves: `A` of at most 32 bits has more digits than `B`, and all its exponents.
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
    // The codes in `A` of the least normal number of `B` and of what is beyond all its numbers.
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

/// The same by way of [`Exact`].
#[cold]
#[inline(never)]
const fn unpack<A: Format, B: Format>(code: u32, rule: Rule) -> (u32, Status) {
    let (code, status) = Exact::<u32>::decode::<A>(code).to_format::<B>(rule);
    (code as u32, status)
}
