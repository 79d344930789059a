//! Reading the text of a number from left to right, for decimal and hexadecimal text.

use crate::round::Exact;

/// Why a text is not a number, and at which byte, counted from 0. If the text ends too early, that
/// is its length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ParseError {
    /// The text is empty.
    Empty,
    /// Hexadecimal text lacks its `0x`.
    NoPrefix {
        /// Where it is missing.
        at: usize,
    },
    /// The text has neither a digit nor a word.
    NoDigits {
        /// Where a digit is missing.
        at: usize,
    },
    /// The exponent has no digits, or is missing where it is required.
    NoExponent {
        /// Where it is missing.
        at: usize,
    },
    /// A number ends before the text does.
    Trailing {
        /// The first byte after the number.
        at: usize,
    },
}

impl ParseError {
    /// The byte.
    #[must_use]
    pub const fn at(self) -> usize {
        match self {
            Self::Empty => 0,
            Self::NoPrefix { at }
            | Self::NoDigits { at }
            | Self::NoExponent { at }
            | Self::Trailing { at } => at,
        }
    }
}

impl core::fmt::Display for ParseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let what = match self {
            Self::Empty => return f.write_str("the text is empty"),
            Self::NoPrefix { .. } => "no `0x`",
            Self::NoDigits { .. } => "no digit",
            Self::NoExponent { .. } => "no exponent",
            Self::Trailing { .. } => "the number has ended",
        };
        write!(f, "{what} at byte {}", self.at())
    }
}

impl core::error::Error for ParseError {}

/// An exponent so large that no number of digits can compensate for it.
const FAR: i64 = 1 << 50;

/// A text, and how much of it has been read.
pub(super) struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

/// The digits of a number, possibly with a point among them.
pub(super) struct Digits<'a> {
    text: &'a [u8],
    radix: u8,
    /// The number of digits before the point.
    pub(super) whole: i64,
}

impl Digits<'_> {
    pub(super) fn iter(&self) -> impl Iterator<Item = u8> {
        self.text.iter().filter_map(|byte| digit(*byte, self.radix))
    }
}

fn digit(byte: u8, radix: u8) -> Option<u8> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        _ => (byte | 0x20).wrapping_sub(b'a').saturating_add(10),
    };
    (value < radix).then_some(value)
}

impl<'a> Scan<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Skips a word, if it is there in upper or lower case.
    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let found = rest
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word));
        if found {
            self.at += word.len();
        }
        found
    }

    /// Skips a sign, if there is one; returns whether it is minus.
    pub(super) fn sign(&mut self) -> bool {
        let minus = self.word(b"-");
        if !minus {
            self.word(b"+");
        }
        minus
    }

    /// Reads an infinity or a NaN, if there is one.
    pub(super) fn special(&mut self, sign: bool) -> Option<Exact<u64>> {
        if self.word(b"inf") {
            self.word(b"inity");
            Some(Exact::<u64>::infinity(sign))
        } else if self.word(b"nan") {
            Some(Exact::<u64>::nan(false))
        } else {
            None
        }
    }

    fn next_digit(&mut self, radix: u8) -> Option<u8> {
        let digit = self.text.get(self.at).and_then(|byte| digit(*byte, radix));
        self.at += usize::from(digit.is_some());
        digit
    }

    /// Reads digits with at most one point before, among or after them.
    pub(super) fn digits(&mut self, radix: u8) -> Result<Digits<'a>, ParseError> {
        let start = self.at;
        while self.next_digit(radix).is_some() {}
        let mut count = self.at - start;
        let whole = count as i64;
        if self.word(b".") {
            let start = self.at;
            while self.next_digit(radix).is_some() {}
            count += self.at - start;
        }
        if count == 0 {
            return Err(if self.text.is_empty() {
                ParseError::Empty
            } else {
                ParseError::NoDigits { at: self.at }
            });
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Ok(Digits { text, radix, whole })
    }

    /// Reads an exponent in decimal digits, if its letter is there.
    pub(super) fn exponent(&mut self, letter: &[u8]) -> Result<Option<i64>, ParseError> {
        if !self.word(letter) {
            return Ok(None);
        }
        let negative = self.sign();
        let no_exponent = self.no_exponent();
        let mut exponent = i64::from(self.next_digit(10).ok_or(no_exponent)?);
        while let Some(digit) = self.next_digit(10) {
            exponent = FAR.min(exponent * 10 + i64::from(digit));
        }
        Ok(Some(if negative { -exponent } else { exponent }))
    }

    pub(super) const fn no_exponent(&self) -> ParseError {
        ParseError::NoExponent { at: self.at }
    }

    pub(super) const fn no_prefix(&self) -> ParseError {
        if self.text.is_empty() {
            ParseError::Empty
        } else {
            ParseError::NoPrefix { at: self.at }
        }
    }

    /// Checks that the text ends here.
    pub(super) fn end(&self) -> Result<(), ParseError> {
        if self.at < self.text.len() {
            return Err(ParseError::Trailing { at: self.at });
        }
        Ok(())
    }
}
