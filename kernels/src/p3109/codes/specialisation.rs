//! What an operation is specialised to, as a value that callers without types give in two words.

use super::super::functions;
use super::OperandFormats;
use crate::format::FormatSpec;
use crate::round::{Projection, RoundingMode};

/// The formats of an operation's operands and of its result, and its projection.
///
/// The formats have at most 32 bits, and N of a stochastic rounding is from 1 to 16.
///
/// ```
/// use bitexact::p3109::{FormatSpec, Projection, codes::{self, Specialisation}};
/// let [e4, e3] = ["Binary8p4se", "Binary8p3se"].map(|name| FormatSpec::from_name(name).unwrap());
/// let specialisation = Specialisation::new(&[e4, e3], e4, Projection::REQUIRED).unwrap();
/// assert_eq!(codes::add(0x41, 0x40, specialisation), 0x48); // 1.125 + 1 = 2.125, a tie to 2
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Specialisation {
    operands: OperandFormats,
    result: FormatSpec,
    projection: Projection,
}

impl Specialisation {
    /// From the operands' formats, one for each operand, of which the last one also holds for those
    /// that are not given; none if there is no format, if one is wider than 32 bits, or if N is not
    /// from 1 to 16.
    #[must_use]
    pub const fn new(
        operands: &[FormatSpec],
        result: FormatSpec,
        projection: Projection,
    ) -> Option<Self> {
        match OperandFormats::new(operands) {
            Some(operands) => Self::of(operands, result, projection),
            None => None,
        }
    }

    const fn of(
        operands: OperandFormats,
        result: FormatSpec,
        projection: Projection,
    ) -> Option<Self> {
        let stochastic = match projection.rounding {
            RoundingMode::StochasticA { bits, .. }
            | RoundingMode::StochasticB { bits, .. }
            | RoundingMode::StochasticC { bits, .. } => 1 <= bits && bits <= 16,
            _ => true,
        };
        if OperandFormats::new(&[result]).is_none() || !stochastic {
            return None;
        }
        Some(Self {
            operands,
            result,
            projection,
        })
    }

    /// The operands' formats.
    #[inline(always)]
    #[must_use]
    pub const fn operands(self) -> [FormatSpec; 3] {
        self.operands.formats()
    }

    /// The result's format.
    #[inline(always)]
    #[must_use]
    pub const fn result(self) -> FormatSpec {
        self.result
    }

    /// The projection.
    #[inline(always)]
    #[must_use]
    pub const fn projection(self) -> Projection {
        self.projection
    }

    /// As two words: the formats, the operands' as in [`OperandFormats::to_word`] and the result's
    /// in the highest 16 bits; and [`Projection::to_word`].
    #[must_use]
    pub const fn to_words(self) -> [u64; 2] {
        let formats = self.operands.to_word() | (self.result.to_word() as u64) << 48;
        [formats, self.projection.to_word()]
    }

    /// The specialisation of two words, in which a format of 0 is the operand's before it; none if
    /// there is none.
    #[must_use]
    pub const fn from_words([formats, projection]: [u64; 2]) -> Option<Self> {
        match (
            OperandFormats::from_word(formats << 16 >> 16),
            FormatSpec::from_word((formats >> 48) as u16),
            Projection::from_word(projection),
        ) {
            (Some(operands), Some(result), Some(projection)) => {
                Self::of(operands, result, projection)
            }
            _ => None,
        }
    }
}

/// What a function is specialised to: operands of formats with K up to 8, and a result of such a
/// format, of binary16 or of BFloat16.
///
/// The report's functions of other formats are [`Operation`](super::super::Operation)s for
/// [`evaluate`](super::super::evaluate()).
///
/// ```
/// use bitexact::p3109::{FormatSpec, Projection, codes::{self, FunctionSpecialisation, Specialisation}};
/// let e4 = FormatSpec::from_name("Binary8p4se").unwrap();
/// let specialisation = Specialisation::new(&[e4], e4, Projection::REQUIRED).unwrap();
/// let specialisation = FunctionSpecialisation::new(specialisation).unwrap();
/// assert_eq!(codes::exp(0x50, specialisation), 0x6E); // e^4 = 54.6, and 56 is the nearest value
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FunctionSpecialisation(Specialisation);

impl FunctionSpecialisation {
    /// None if an operand's or the result's format is another one.
    #[must_use]
    pub const fn new(specialisation: Specialisation) -> Option<Self> {
        match Self::refused(specialisation) {
            Some(_) => None,
            None => Some(Self(specialisation)),
        }
    }

    /// The first of the formats, the operands' and the result's, that functions do not take.
    #[must_use]
    pub const fn refused(specialisation: Specialisation) -> Option<FormatSpec> {
        let [x, y, z] = specialisation.operands();
        let result = specialisation.result();
        match (
            functions::takes(x),
            functions::takes(y),
            functions::takes(z),
        ) {
            (false, ..) => Some(x),
            (_, false, _) => Some(y),
            (.., false) => Some(z),
            _ if !functions::gives(result) => Some(result),
            _ => None,
        }
    }

    /// The formats and the projection.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> Specialisation {
        self.0
    }
}
