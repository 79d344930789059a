//! From a located value to result bits and flags, for any rounding and overflow rule.

use super::format::{Format, Specials};
use super::located::{Located, Place, Tiny, goes_up};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Output, RoundingArg};

/// The flag bits, which are those of `TestFloat`.
pub(super) mod flag {
    pub const INEXACT: u8 = 0x01;
    pub const UNDERFLOW: u8 = 0x02;
    pub const OVERFLOW: u8 = 0x04;
    pub const DIVIDE_BY_ZERO: u8 = 0x08;
    pub const INVALID: u8 = 0x10;
}

/// One result with its flags.
pub(super) const fn output(bits: u64, flags: u8) -> Output {
    Output {
        results: [bits, 0],
        flags,
    }
}

/// A value that is finite and not zero.
#[inline]
pub(super) fn finite(located: &Located, rounding: RoundingArg, overflow: Overflow) -> Output {
    let Located {
        format,
        negative,
        code,
        place,
        tiny,
        fractions,
    } = *located;
    let fractions = || fractions.expect("stochastic rounding needs `answer_stochastic`");
    let Some(place) = place else {
        return overflowed(format, negative, rounding, overflow);
    };
    let up = goes_up(place, negative, code % 2 == 1, rounding, || fractions().gap);
    if up && code == format.largest {
        return overflowed(format, negative, rounding, overflow);
    }
    let bits = format.signed(negative, code + u64::from(up));
    let tiny = match tiny {
        Tiny::No => false,
        Tiny::Yes => true,
        Tiny::Edge(edge) => !goes_up(edge, negative, true, rounding, || fractions().edge),
    };
    // Underflow is for inexact results only, so both flags go together.
    let inexact = u8::from(place != Place::Exact);
    output(
        bits,
        inexact * (flag::INEXACT + u8::from(tiny) * flag::UNDERFLOW),
    )
}

/// A finite value whose rounding exceeds the largest finite number.
#[cold]
pub(super) fn overflowed(
    format: &Format,
    negative: bool,
    rounding: RoundingArg,
    overflow: Overflow,
) -> Output {
    let to_infinity = match rounding {
        _ if overflow != Overflow::Ieee => false,
        RoundingArg::Stochastic(_)
        | RoundingArg::Fixed(Rounding::TiesToEven | Rounding::TiesToAway) => true,
        RoundingArg::Fixed(Rounding::TowardZero | Rounding::ToOdd) => false,
        RoundingArg::Fixed(Rounding::TowardPositive) => !negative,
        RoundingArg::Fixed(Rounding::TowardNegative) => negative,
    };
    let largest = format.signed(negative, format.largest);
    let bits = match (to_infinity, format.infinity(), format.nan()) {
        (true, Some(infinity), _) => format.signed(negative, infinity),
        (true, None, Some(nan)) => nan,
        _ => largest,
    };
    output(bits, flag::OVERFLOW | flag::INEXACT)
}

/// An exact infinity, from an operand or from a division by zero.
pub(super) fn infinite(
    format: &Format,
    negative: bool,
    by_zero: bool,
    overflow: Overflow,
) -> Output {
    let largest = format.signed(negative, format.largest);
    let (bits, flags) = match (format.specials, overflow) {
        (Specials::FiniteOnly, _) | (_, Overflow::SaturateAll) => {
            (largest, flag::OVERFLOW | flag::INEXACT)
        }
        (Specials::Ieee, _) => (format.signed(negative, format.largest + 1), 0),
        (Specials::FiniteNan | Specials::Fnuz, _) => {
            (format.nan().expect("has a NaN"), flag::INVALID)
        }
    };
    output(
        bits,
        if by_zero {
            flags | flag::DIVIDE_BY_ZERO
        } else {
            flags
        },
    )
}

/// A NaN result. A format without NaN raises invalid and gives its largest number.
pub(super) fn nan(format: &Format, invalid: bool) -> Output {
    match format.nan() {
        Some(bits) => output(bits, if invalid { flag::INVALID } else { 0 }),
        None => output(format.largest, flag::INVALID),
    }
}

/// A zero whose sign the rounding gives: minus only toward negative.
pub(super) fn cancelled(format: &Format, rounding: RoundingArg) -> Output {
    let negative = rounding == RoundingArg::Fixed(Rounding::TowardNegative);
    output(format.signed(negative, 0), 0)
}
