//! P3109's projection: from an exact value to a code of a format that is itself a value.
//!
//! The rounding is `direction`'s decision, to which the report adds three stochastic modes, on the
//! neighbours' codes: a tie looks at the parity of the code. What lies beyond the range is one
//! table, [`Projection::beyond`].
//!
//! With a literal format and a literal projection little code remains, as with a literal mode
//! elsewhere.

use super::direction::Direction;
use super::exact::{Exact, Kind};
use super::{Rounding, shift_right_jam};
use crate::format::FormatSpec;

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

/// How a result becomes a code: a rounding mode, a saturation mode, and the text that they are
/// from.
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

impl RoundingMode {
    /// The report's names.
    pub const NAMES: [&'static str; 9] = [
        "NearestTiesToEven",
        "NearestTiesToAway",
        "TowardPositive",
        "TowardNegative",
        "TowardZero",
        "ToOdd",
        "StochasticA",
        "StochasticB",
        "StochasticC",
    ];

    /// The mode of this name. N and R are a stochastic mode's; the others do not have them.
    #[must_use]
    pub fn from_name(name: &str, bits: u8, random: u32) -> Option<Self> {
        let index = Self::NAMES.iter().position(|known| *known == name)?;
        Some(Self::of_index(index as u8, bits, random))
    }

    /// Its index among [`NAMES`](Self::NAMES), then N and R.
    #[inline(always)]
    const fn index(self) -> (u8, u8, u32) {
        match self {
            Self::NearestTiesToEven => (0, 0, 0),
            Self::NearestTiesToAway => (1, 0, 0),
            Self::TowardPositive => (2, 0, 0),
            Self::TowardNegative => (3, 0, 0),
            Self::TowardZero => (4, 0, 0),
            Self::ToOdd => (5, 0, 0),
            Self::StochasticA { bits, random } => (6, bits, random),
            Self::StochasticB { bits, random } => (7, bits, random),
            Self::StochasticC { bits, random } => (8, bits, random),
        }
    }

    /// The inverse of [`index`](Self::index); beyond the list, StochasticC.
    #[inline(always)]
    const fn of_index(index: u8, bits: u8, random: u32) -> Self {
        match index {
            0 => Self::NearestTiesToEven,
            1 => Self::NearestTiesToAway,
            2 => Self::TowardPositive,
            3 => Self::TowardNegative,
            4 => Self::TowardZero,
            5 => Self::ToOdd,
            6 => Self::StochasticA { bits, random },
            7 => Self::StochasticB { bits, random },
            _ => Self::StochasticC { bits, random },
        }
    }
}

impl SaturationMode {
    /// All three.
    pub const ALL: [Self; 3] = [Self::SatFinite, Self::SatPropagate, Self::SatNone];
    /// The report's names, in the order of [`ALL`](Self::ALL).
    pub const NAMES: [&'static str; 3] = ["SatFinite", "SatPropagate", "SatNone"];

    /// The mode of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().zip(Self::NAMES);
        all.find(|(_, known)| *known == name).map(|(mode, _)| mode)
    }
}

impl Revision {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Interim4, Self::July2026];
    /// Their names on a command line, in the order of [`ALL`](Self::ALL).
    pub const NAMES: [&'static str; 2] = ["4.0", "2026-07"];

    /// The text of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().zip(Self::NAMES);
        all.find(|(_, known)| *known == name).map(|(text, _)| text)
    }
}

impl Projection {
    /// Everything but R in one word, then R.
    #[inline(always)]
    const fn words(self) -> (u32, u32) {
        let (rounding, bits, random) = self.rounding.index();
        let (saturation, revision) = (self.saturation as u8, self.revision as u8);
        (
            u32::from_le_bytes([rounding, bits, saturation, revision]),
            random,
        )
    }

    /// From [`Projection::words`].
    const fn of_words(word: u32, random: u32) -> Self {
        let [rounding, bits, saturation, revision] = word.to_le_bytes();
        Self {
            rounding: RoundingMode::of_index(rounding, bits, random),
            saturation: match saturation {
                0 => SaturationMode::SatFinite,
                1 => SaturationMode::SatPropagate,
                _ => SaturationMode::SatNone,
            },
            revision: match revision {
                0 => Revision::Interim4,
                _ => Revision::July2026,
            },
        }
    }

    /// The projection as a word: from low to high a byte each for the rounding's index in
    /// [`RoundingMode::NAMES`], N, the saturation's and the revision's index, then 32 bits of R. N
    /// and R are 0 where the rounding has none.
    #[must_use]
    pub const fn to_word(self) -> u64 {
        let (word, random) = self.words();
        word as u64 | (random as u64) << 32
    }

    /// The projection of such a word; none if an index is in no list, if N is not from 1 to 16, or
    /// if R is not below 2^N.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Self> {
        let [rounding, bits, saturation, revision, ..] = word.to_le_bytes();
        let random = word >> 32;
        let known = rounding < 9 && saturation < 3 && revision < 2;
        let in_range = if rounding < 6 {
            bits == 0 && random == 0
        } else {
            1 <= bits && bits <= 16 && random >> bits == 0
        };
        if known && in_range {
            Some(Self::of_words(word as u32, random as u32))
        } else {
            None
        }
    }
}

impl RoundingMode {
    /// The direction, if it is not a stochastic mode.
    #[inline(always)]
    const fn direction(self) -> Option<Direction> {
        Some(Direction::fixed(match self {
            Self::NearestTiesToEven => Rounding::TiesToEven,
            Self::NearestTiesToAway => Rounding::TiesToAway,
            Self::TowardPositive => Rounding::TowardPositive,
            Self::TowardNegative => Rounding::TowardNegative,
            Self::TowardZero => Rounding::TowardZero,
            Self::ToOdd => Rounding::ToOdd,
            Self::StochasticA { .. } | Self::StochasticB { .. } | Self::StochasticC { .. } => {
                return None;
            }
        }))
    }

    /// How many bits below a significand's last one decide, the sticky bit not among them.
    #[inline(always)]
    pub(crate) const fn deciding_bits(self) -> u32 {
        match self {
            Self::StochasticA { bits, .. } => bits as u32,
            Self::StochasticB { bits, .. } | Self::StochasticC { bits, .. } => bits as u32 + 1,
            _ => 1,
        }
    }
}

/// N and R of a stochastic mode: N at most 32, R below 2^N, whatever the caller gives.
const fn random_bits(bits: u8, random: u32) -> (u32, u64) {
    let bits = if bits > 32 { 32 } else { bits as u32 };
    (bits, random as u64 & ((1 << bits) - 1))
}

macro_rules! impl_projection {
    ($w:ty, $rounds_up:ident, $goes_up:ident, $project:ident, $round:ident) => {
        impl RoundingMode {
            /// Whether a magnitude goes to its upper neighbour. `odd` is the parity of its lower
            /// neighbour's code, `rest` the discarded bits as a fraction of 2^BITS.
            #[inline(always)]
            const fn $goes_up(self, negative: bool, odd: bool, rest: $w) -> bool {
                if let Some(direction) = self.direction() {
                    return direction.$rounds_up(negative, odd, rest);
                }
                // The fraction's first bits, as an integer.
                const fn first(rest: $w, bits: u32) -> u64 {
                    match rest.checked_shr(<$w>::BITS - bits) {
                        Some(kept) => kept as u64,
                        None => 0,
                    }
                }
                match self {
                    Self::StochasticA { bits, random } => {
                        let (bits, random) = random_bits(bits, random);
                        first(rest, bits) + random >= 1 << bits
                    }
                    Self::StochasticB { bits, random } => {
                        let (bits, random) = random_bits(bits, random);
                        first(rest, bits + 1) + 2 * random + 1 >= 2 << bits
                    }
                    Self::StochasticC { bits, random } => {
                        let (bits, random) = random_bits(bits, random);
                        let kept = first(rest, bits);
                        let half: $w = 1 << (<$w>::BITS - 1);
                        // Without the bits that are kept.
                        let below = rest << bits;
                        let up = below > half || (below == half && kept & 1 != 0);
                        kept + up as u64 + random >= 1 << bits
                    }
                    _ => false,
                }
            }
        }

        /// The code of a finite value that is not zero, projected. `significand` has its top bit
        /// set; its lowest bit may be a sticky bit, if the format's precision and the rounding's
        /// deciding bits leave it free.
        #[inline(always)]
        pub(crate) const fn $project(
            format: FormatSpec,
            projection: Projection,
            negative: bool,
            exponent: i32,
            significand: $w,
        ) -> u64 {
            let below = format.least_exponent() - exponent;
            let (field, significand) = if below > 0 {
                (0, shift_right_jam!(significand, below as u32, $w))
            } else if exponent > format.largest_exponent() {
                return saturate(format, negative, projection.beyond(format, negative, false));
            } else {
                (below.unsigned_abs(), significand)
            };
            $round(format, projection, negative, field, significand)
        }

        /// The same, of a significand in units of the format's: the exponent's field, less the one
        /// that the significand's top bit counts.
        #[inline(always)]
        const fn $round(
            format: FormatSpec,
            projection: Projection,
            negative: bool,
            field: u32,
            significand: $w,
        ) -> u64 {
            let precision = format.precision();
            let truncated =
                ((field as $w) << (precision - 1)) + (significand >> (<$w>::BITS - precision));
            let (odd, rest) = (truncated & 1 != 0, significand << precision);
            let code = truncated + projection.rounding.$goes_up(negative, odd, rest) as $w;
            let lost = negative && !format.is_signed() && code != 0;
            if lost || code > format.max_finite() as $w {
                saturate(format, negative, projection.beyond(format, negative, false))
            } else if negative && code != 0 {
                code as u64 | format.sign()
            } else {
                code as u64
            }
        }
    };
}

impl_projection!(u32, rounds_up_u32, goes_up_u32, project_u32, round_u32);
impl_projection!(u64, rounds_up_u64, goes_up_u64, project_u64, round_u64);
impl_projection!(u128, rounds_up_u128, goes_up_u128, project_u128, round_u128);

macro_rules! impl_exact {
    ($w:ty, $project:ident, $round:ident) => {
        impl Exact<$w> {
            /// The value of a code of a format of at most this width. There is one zero, and no NaN
            /// signals.
            #[inline(always)]
            pub(crate) const fn decode_spec(format: FormatSpec, code: $w) -> Self {
                let code = code & format.mask() as $w;
                let sign = code & format.sign() as $w != 0;
                let magnitude = code & !(format.sign() as $w);
                let precision = format.precision();
                let least = 1 << (precision - 1);
                if magnitude.wrapping_sub(least) > (format.max_finite() as $w).wrapping_sub(least) {
                    return Self::decode_spec_rare(format, sign, magnitude);
                }
                let exponent =
                    (magnitude >> (precision - 1)) as i32 - format.exponent_bias() as i32;
                let significand = (magnitude << (<$w>::BITS - precision)) | Self::TOP;
                Self::normalised(sign, exponent, significand)
            }

            /// The value of a code that is not a normal number's.
            #[cold]
            const fn decode_spec_rare(format: FormatSpec, sign: bool, magnitude: $w) -> Self {
                if magnitude > format.max_finite() as $w {
                    return match format.infinity() {
                        Some(infinity) if magnitude == infinity as $w => Self::infinity(sign),
                        _ => Self::nan(false),
                    };
                }
                if magnitude == 0 {
                    return if sign && !format.is_external() {
                        Self::nan(false)
                    } else {
                        Self::zero(false)
                    };
                }
                let unit = format.least_exponent() + 1 - format.precision() as i32;
                Self::from_integer(sign, magnitude, unit)
            }

            /// The code of the projected value. A quotient by zero is NaN.
            #[inline(always)]
            pub(crate) const fn project(self, format: FormatSpec, projection: Projection) -> u64 {
                if !self.is_between(format.least_exponent(), format.largest_exponent()) {
                    let (word, random) = projection.words();
                    return self.project_rare(format, word, random);
                }
                let field = (self.exponent() - format.least_exponent()) as u32;
                // The top bit is set; setting it again shows the compiler that the code is not 0.
                let significand = self.significand() | Self::TOP;
                $round(format, projection, self.sign(), field, significand)
            }

            /// The same of a value without a normal number's exponent. Out of line, because this is
            /// rare, and in words, so that the other path stores nothing.
            #[cold]
            #[inline(never)]
            const fn project_rare(self, format: FormatSpec, word: u32, random: u32) -> u64 {
                let projection = Projection::of_words(word, random);
                let sign = self.sign();
                match self.kind() {
                    Kind::Finite => {
                        let (exponent, significand) = (self.exponent(), self.significand());
                        $project(format, projection, sign, exponent, significand)
                    }
                    Kind::Zero => 0,
                    Kind::Infinite if !self.payload_flag() => {
                        saturate(format, sign, projection.beyond(format, sign, true))
                    }
                    _ => format.nan(),
                }
            }
        }
    };
}

impl_exact!(u32, project_u32, round_u32);
impl_exact!(u64, project_u64, round_u64);

/// What a value beyond the range becomes.
#[derive(Clone, Copy)]
pub(crate) enum Beyond {
    /// An infinity; in a finite format the limit.
    Infinity,
    /// An infinity; in a finite format NaN.
    InfinityOrNan,
    /// The largest or the least finite value.
    Limit,
}

impl Projection {
    /// The one table of saturation: a value above or (`negative`) below the format's finite values.
    #[inline(always)]
    pub(crate) const fn beyond(self, format: FormatSpec, negative: bool, infinite: bool) -> Beyond {
        let revised = matches!(self.revision, Revision::July2026);
        let lost = negative && !format.is_signed();
        let infinity = if revised {
            Beyond::InfinityOrNan
        } else {
            Beyond::Infinity
        };
        match self.saturation {
            SaturationMode::SatFinite => Beyond::Limit,
            SaturationMode::SatPropagate if !infinite || lost => Beyond::Limit,
            SaturationMode::SatPropagate => Beyond::Infinity,
            SaturationMode::SatNone if infinite => infinity,
            SaturationMode::SatNone => match self.rounding {
                RoundingMode::TowardZero => Beyond::Limit,
                RoundingMode::TowardPositive if negative => Beyond::Limit,
                RoundingMode::TowardNegative if !negative => Beyond::Limit,
                // The largest finite code of an unsigned extended format is odd.
                RoundingMode::ToOdd if !negative && !format.is_signed() && !revised => {
                    Beyond::Limit
                }
                _ => infinity,
            },
        }
    }
}

/// The code of a value above or (`negative`) below the format's finite values.
#[cold]
#[inline(never)]
pub(crate) const fn saturate(format: FormatSpec, negative: bool, beyond: Beyond) -> u64 {
    let limit = if negative {
        format.min_finite()
    } else {
        format.max_finite()
    };
    match (beyond, format.infinity()) {
        (Beyond::Limit, _) => limit,
        _ if negative && !format.is_signed() => format.nan(),
        (_, Some(code)) => code | if negative { format.sign() } else { 0 },
        (Beyond::InfinityOrNan, None) => format.nan(),
        (Beyond::Infinity, None) => limit,
    }
}
