//! What an operation is specialised to, as a value that callers without types give in two words.

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
    operands: [FormatSpec; 3],
    result: FormatSpec,
    projection: Projection,
}

/// The largest width of a code.
const WIDTH: u32 = 32;

impl Specialisation {
    /// From the operands' formats, one for each operand, of which the last one also holds for those that are not given;
    /// none if there is no format, if one is wider than 32 bits, or if N is not from 1 to 16.
    #[must_use]
    pub const fn new(
        operands: &[FormatSpec],
        result: FormatSpec,
        projection: Projection,
    ) -> Option<Self> {
        let operands = match *operands {
            [x] => [x, x, x],
            [x, y] => [x, y, y],
            [x, y, z] => [x, y, z],
            _ => return None,
        };
        let [x, y, z] = operands;
        let narrow = x.bitwidth() <= WIDTH && y.bitwidth() <= WIDTH && z.bitwidth() <= WIDTH;
        let stochastic = match projection.rounding {
            RoundingMode::StochasticA { bits, .. }
            | RoundingMode::StochasticB { bits, .. }
            | RoundingMode::StochasticC { bits, .. } => 1 <= bits && bits <= 16,
            _ => true,
        };
        if !narrow || result.bitwidth() > WIDTH || !stochastic {
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
        self.operands
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

    /// As two words: the formats, 16 bits each as in [`FormatSpec::to_word`], the operands' from low to high and the
    /// result's in the highest bits; and [`Projection::to_word`].
    #[must_use]
    pub const fn to_words(self) -> [u64; 2] {
        let [x, y, z] = self.operands;
        let formats = x.to_word() as u64
            | (y.to_word() as u64) << 16
            | (z.to_word() as u64) << 32
            | (self.result.to_word() as u64) << 48;
        [formats, self.projection.to_word()]
    }

    /// The specialisation of two words, in which a format of 0 is the operand's before it; none if there is none.
    #[must_use]
    pub const fn from_words([formats, projection]: [u64; 2]) -> Option<Self> {
        const fn or(format: u64, other: u16) -> u16 {
            match format as u16 {
                0 => other,
                format => format,
            }
        }
        let x = formats as u16;
        let y = or(formats >> 16, x);
        let z = or(formats >> 32, y);
        match (
            FormatSpec::from_word(x),
            FormatSpec::from_word(y),
            FormatSpec::from_word(z),
            FormatSpec::from_word((formats >> 48) as u16),
            Projection::from_word(projection),
        ) {
            (Some(x), Some(y), Some(z), Some(result), Some(projection)) => {
                Self::new(&[x, y, z], result, projection)
            }
            _ => None,
        }
    }
}
