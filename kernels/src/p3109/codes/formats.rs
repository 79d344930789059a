//! The formats of operands, as a value that callers without types give in one word.

use crate::format::FormatSpec;

/// The largest width of a code.
const WIDTH: u32 = 32;

/// The formats of an operation's operands, of at most 32 bits.
///
/// ```
/// use bitexact::p3109::{FormatSpec, codes::{self, OperandFormats}};
/// let [e4, e3] = ["Binary8p4se", "Binary8p3se"].map(|name| FormatSpec::from_name(name).unwrap());
/// let formats = OperandFormats::new(&[e4, e3]).unwrap();
/// assert!(codes::compare_less(0x40, 0x41, formats)); // 1 < 1.25
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OperandFormats([FormatSpec; 3]);

impl OperandFormats {
    /// One for each operand, of which the last one also holds for those that are not given; none if
    /// there is no format, or if one is wider than 32 bits.
    #[must_use]
    pub const fn new(formats: &[FormatSpec]) -> Option<Self> {
        let all = match *formats {
            [x] => [x, x, x],
            [x, y] => [x, y, y],
            [x, y, z] => [x, y, z],
            _ => return None,
        };
        let [x, y, z] = all;
        if x.bitwidth() <= WIDTH && y.bitwidth() <= WIDTH && z.bitwidth() <= WIDTH {
            Some(Self(all))
        } else {
            None
        }
    }

    /// The formats.
    #[inline(always)]
    #[must_use]
    pub const fn formats(self) -> [FormatSpec; 3] {
        self.0
    }

    /// As a word: 16 bits each as in [`FormatSpec::to_word`], from low to high; the highest 16 are 0.
    #[must_use]
    pub const fn to_word(self) -> u64 {
        let [x, y, z] = self.0;
        x.to_word() as u64 | (y.to_word() as u64) << 16 | (z.to_word() as u64) << 32
    }

    /// The formats of a word, in which 0 is the format of the operand before; none if there are
    /// none, or if the highest 16 bits are not 0.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Self> {
        const fn or(format: u64, other: u16) -> u16 {
            match format as u16 {
                0 => other,
                format => format,
            }
        }
        let x = word as u16;
        let y = or(word >> 16, x);
        let z = or(word >> 32, y);
        match (
            word >> 48,
            FormatSpec::from_word(x),
            FormatSpec::from_word(y),
            FormatSpec::from_word(z),
        ) {
            (0, Some(x), Some(y), Some(z)) => Self::new(&[x, y, z]),
            _ => None,
        }
    }
}
