//! Projection: the only code of this module that rounds to a format.

use super::format::FormatSpec;
use super::number::Number;
use super::wide::Wide;

/// A rounding mode of the report (4.7.4).
///
/// A tie, and ToOdd, look at the parity of the code of the neighbour towards zero. For P > 1 that
/// is the significand's. At P = 1 the tie between 2^e and 2^(e+1) is 1.5 * 2^e, and the exponent
/// decides.
///
/// The stochastic modes add a number `random` of `bits` bits to the discarded fraction, of which
/// they keep `bits` bits (A), one more (B), or `bits` after rounding to nearest even (C). The
/// report's N is from 1 to 16; here it may be up to 32. Bits of `random` above the lowest `bits`
/// are ignored. Exact values never move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RoundingMode {
    /// To the nearer value; a tie to the one with the even code.
    NearestTiesToEven,
    /// To the nearer value; a tie away from zero.
    NearestTiesToAway,
    /// Up.
    TowardPositive,
    /// Down.
    TowardNegative,
    /// To the value of the smaller magnitude.
    TowardZero,
    /// Of the two neighbours of a value that is inexact, to the one with the odd code.
    ToOdd,
    /// The fraction's first N bits plus R, truncated.
    StochasticA {
        /// N.
        bits: u8,
        /// R.
        random: u32,
    },
    /// The fraction's first N + 1 bits plus 2R + 1, truncated.
    StochasticB {
        /// N.
        bits: u8,
        /// R.
        random: u32,
    },
    /// The fraction to the nearest of N bits, ties to even, plus R, truncated.
    StochasticC {
        /// N.
        bits: u8,
        /// R.
        random: u32,
    },
}

/// A saturation mode of the report (4.7.5): what a value beyond the format's range becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SaturationMode {
    /// The nearest finite value, for infinities too.
    SatFinite,
    /// The nearest finite value; infinities stay, where the format has them.
    SatPropagate,
    /// An infinity, or a finite value where the rounding's direction asks for it or the format has
    /// no infinities; NaN for what is below zero in an unsigned format.
    SatNone,
}

/// Which text of the standard: drafts change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Revision {
    /// Interim Report 4.0 of 26 June 2026.
    #[default]
    Interim4,
    /// The working group's formal specification of 14 July 2026, where it changed four rules:
    ///
    /// - SatNone in a finite domain gives NaN beyond the range, for infinities too, unless the
    ///   rounding's direction is towards the range.
    /// - ToOdd overflows to infinity in unsigned extended formats too.
    /// - ArcTan2 of a negative number and -Inf is -pi (ArcTan2Pi: -1).
    /// - TanPi at its poles is the infinity with the sign of the sine.
    July2026,
}

/// How a result becomes a code: a rounding mode, a saturation mode, and the text that they are from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Projection {
    /// The rounding mode.
    pub rounding: RoundingMode,
    /// The saturation mode.
    pub saturation: SaturationMode,
    /// The text of the standard. It also decides ArcTan2 and TanPi.
    pub revision: Revision,
}

impl Projection {
    /// (NearestTiesToEven, SatNone), which the report's required operations use.
    pub const REQUIRED: Self = Self::new(RoundingMode::NearestTiesToEven, SaturationMode::SatNone);

    /// The modes, by Interim Report 4.0.
    #[must_use]
    pub const fn new(rounding: RoundingMode, saturation: SaturationMode) -> Self {
        Self {
            rounding,
            saturation,
            revision: Revision::Interim4,
        }
    }

    /// The same modes by another text.
    #[must_use]
    pub const fn with_revision(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }
}

/// What is between a number and its neighbour towards zero, as a fraction of the step to the other
/// neighbour: 64 bits, and whether there are more.
#[derive(Clone, Copy)]
struct Fraction {
    bits: u64,
    more: bool,
}

const HALF: u64 = 1 << 63;

impl Fraction {
    const fn is_zero(self) -> bool {
        self.bits == 0 && !self.more
    }

    /// Its first bits, as an integer.
    const fn first(self, bits: u32) -> u64 {
        if bits == 0 {
            0
        } else {
            self.bits >> (64 - bits)
        }
    }

    /// To the nearest integer in units of 2^-bits, ties to even.
    const fn nearest(self, bits: u32) -> u64 {
        let kept = self.first(bits);
        let rest = self.bits << bits;
        let up = rest > HALF || (rest == HALF && (self.more || kept & 1 != 0));
        kept + up as u64
    }
}

/// The code of the magnitude truncated, as if the format had no largest value, and what was
/// discarded. A magnitude beyond the format's range may have any code beyond it.
fn truncate(format: FormatSpec, x: &Wide) -> (u64, Fraction) {
    let fraction_bits = format.trailing_significand_bitwidth();
    let least = format.least_exponent();
    // The number of the significand's bits above the format's last digit.
    let kept = (x.exponent.min(least) - least + i64::from(format.precision())).max(-64);
    let (top, mut more) = (x.top(), x.has_more_than_top());
    let (significand, bits) = if kept > 0 {
        let kept = kept as u32;
        let rest = top << kept;
        more |= rest as u64 != 0;
        ((top >> (128 - kept)) as u64, (rest >> 64) as u64)
    } else {
        let places = (64 - kept) as u32;
        let bits = top.checked_shr(places).unwrap_or(0);
        more |= bits.checked_shl(places).unwrap_or(0) != top;
        (0, bits as u64)
    };
    // The significand's first bit counts one in the exponent's field.
    // Not `clamp`, which can panic.
    let field = (x.exponent - least)
        .max(0)
        .min(1 << format.exponent_bitwidth()) as u64;
    (
        (field << fraction_bits) + significand,
        Fraction { bits, more },
    )
}

/// Whether the magnitude is rounded away from zero.
fn away(rounding: RoundingMode, negative: bool, code: u64, fraction: Fraction) -> bool {
    let odd = code & 1 != 0;
    // R below 2^N, whatever the caller gives.
    let random = |bits: u8, random: u32| {
        let bits = u32::from(bits.min(32));
        (bits, u64::from(random) & ((1 << bits) - 1))
    };
    match rounding {
        RoundingMode::TowardZero => false,
        RoundingMode::TowardPositive => !negative && !fraction.is_zero(),
        RoundingMode::TowardNegative => negative && !fraction.is_zero(),
        RoundingMode::ToOdd => !odd && !fraction.is_zero(),
        RoundingMode::NearestTiesToAway => fraction.bits >= HALF,
        RoundingMode::NearestTiesToEven => {
            fraction.bits > HALF || (fraction.bits == HALF && (fraction.more || odd))
        }
        RoundingMode::StochasticA { bits, random: r } => {
            let (bits, r) = random(bits, r);
            fraction.first(bits) + r >= 1 << bits
        }
        RoundingMode::StochasticB { bits, random: r } => {
            let (bits, r) = random(bits, r);
            fraction.first(bits + 1) + 2 * r + 1 >= 2 << bits
        }
        RoundingMode::StochasticC { bits, random: r } => {
            let (bits, r) = random(bits, r);
            fraction.nearest(bits) + r >= 1 << bits
        }
    }
}

/// What a value beyond the range becomes.
enum Beyond {
    Infinity,
    /// The largest or the least finite value.
    Limit,
}

/// The one table of saturation: a value above or (`negative`) below the format's finite values.
fn saturate(format: FormatSpec, negative: bool, infinite: bool, projection: Projection) -> u64 {
    let revised = matches!(projection.revision, Revision::July2026);
    let lost = negative && !format.is_signed();
    let beyond = match projection.saturation {
        SaturationMode::SatFinite => Beyond::Limit,
        SaturationMode::SatPropagate if !infinite || lost || !format.is_extended() => Beyond::Limit,
        SaturationMode::SatPropagate => Beyond::Infinity,
        SaturationMode::SatNone if infinite => Beyond::Infinity,
        SaturationMode::SatNone => match projection.rounding {
            RoundingMode::TowardZero => Beyond::Limit,
            RoundingMode::TowardPositive if negative => Beyond::Limit,
            RoundingMode::TowardNegative if !negative => Beyond::Limit,
            // The largest finite code of an unsigned extended format is odd.
            RoundingMode::ToOdd if !negative && !format.is_signed() && !revised => Beyond::Limit,
            _ => Beyond::Infinity,
        },
    };
    let limit = if negative {
        format.min_finite()
    } else {
        format.max_finite()
    };
    match (beyond, format.infinity()) {
        (Beyond::Limit, _) => limit,
        (Beyond::Infinity, _) if lost => format.nan(),
        (Beyond::Infinity, Some(code)) => code | if negative { format.sign() } else { 0 },
        (Beyond::Infinity, None) if revised => format.nan(),
        (Beyond::Infinity, None) => limit,
    }
}

impl Number {
    /// The code of the projected value.
    pub(super) fn project(self, format: FormatSpec, projection: Projection) -> u64 {
        let x = match self {
            Number::Nan => return format.nan(),
            Number::Infinite(negative) => return saturate(format, negative, true, projection),
            Number::Finite(x) => x,
        };
        if x.is_zero() {
            return 0;
        }
        let (truncated, fraction) = truncate(format, &x);
        let code =
            truncated + u64::from(away(projection.rounding, x.negative, truncated, fraction));
        let limit = if x.negative {
            format.min_finite() & !format.sign()
        } else {
            format.max_finite()
        };
        if code > limit {
            saturate(format, x.negative, false, projection)
        } else if x.negative && code != 0 {
            code | format.sign()
        } else {
            code
        }
    }
}
