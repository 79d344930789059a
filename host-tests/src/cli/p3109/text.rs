//! The words of a line, and what they stand for.

use super::super::Failure;
use bitexact::p3109::{FormatSpec, Projection, Revision, RoundingMode, SaturationMode};
use sweep_row::p3109::{ROUNDINGS, SATURATIONS};

/// What is wrong, and the column where.
#[derive(Debug)]
pub struct Error {
    pub column: usize,
    pub why: String,
}

impl Error {
    pub fn at(self, line: u64) -> Failure {
        Failure::Usage(format!(
            "line {line} of standard input, column {}: {}",
            self.column, self.why
        ))
    }
}

pub type Parsed<T> = Result<T, Error>;

/// A word, and the line up to it.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    pub text: &'a str,
    before: &'a str,
}

impl<'a> Word<'a> {
    pub fn fail<T>(self, why: &str) -> Parsed<T> {
        Err(Error {
            column: self.before.chars().count() + 1,
            why: format!("`{}` is {why}", self.text),
        })
    }

    pub fn format(self) -> Parsed<FormatSpec> {
        match FormatSpec::from_name(self.text) {
            Some(format) => Ok(format),
            None => self.fail(
                "no format: they are Binary{K}p{P}{s or u}{e or f} with K from 3 to 16 and P from 1 to K (signed: K - 1), as in \
                 Binary8p4se, and binary16, BFloat16, binary32, binary64",
            ),
        }
    }

    pub fn hex(self) -> Parsed<u64> {
        match u64::from_str_radix(self.text, 16) {
            Ok(number) if !self.text.starts_with('+') => Ok(number),
            _ => self.fail("no hexadecimal number of 64 bits without prefix"),
        }
    }

    pub fn decimal(self) -> Parsed<usize> {
        match self.text.parse() {
            Ok(number) if !self.text.starts_with('+') => Ok(number),
            _ => self.fail("no decimal number in range"),
        }
    }

    pub fn code(self, format: FormatSpec) -> Parsed<u64> {
        let code = self.hex()?;
        if code.checked_shr(format.bitwidth()).unwrap_or(0) != 0 {
            let bits = format.bitwidth();
            return self.fail(&format!(
                "no code of {format}, whose codes have {bits} bits"
            ));
        }
        Ok(code)
    }

    fn saturation(self) -> Parsed<SaturationMode> {
        match SaturationMode::from_name(self.text) {
            Some(saturation) => Ok(saturation),
            None => self.fail(&format!(
                "no saturation mode; one of: {}",
                SATURATIONS.join(", ")
            )),
        }
    }

    /// N from 1 to 16, and R below 2^N.
    fn random(self) -> Parsed<(u8, u32)> {
        let part = |text: &'a str| Word { text, ..self };
        let parts = self.text.split_once('/');
        let numbers = parts.and_then(|(bits, random)| {
            Some((part(bits).decimal().ok()?, part(random).hex().ok()?))
        });
        match numbers {
            Some((bits @ 1..=16, random)) if random >> bits == 0 => Ok((bits as u8, random as u32)),
            _ => self.fail("not N/R with N from 1 to 16 (decimal) and R below 2^N (hexadecimal)"),
        }
    }
}

/// Words of one part of the line, read one by one.
#[derive(Clone)]
pub struct Words<'a> {
    words: Vec<Word<'a>>,
    next: usize,
    /// The column behind the part.
    end: usize,
}

impl<'a> Words<'a> {
    /// The words of the part that begins at this byte of the line. With `slashes`, a slash is a
    /// word by itself.
    pub fn new(line: &'a str, from: usize, to: usize, slashes: bool) -> Self {
        let mut words = Vec::new();
        let mut start = None;
        let mut end_word = |start: &mut Option<usize>, end: usize| {
            if let Some(from) = start.take() {
                words.push((from, end));
            }
        };
        for (index, char) in line[from..to].char_indices() {
            let index = from + index;
            if char.is_whitespace() {
                end_word(&mut start, index);
            } else if char == '/' && slashes {
                end_word(&mut start, index);
                start = Some(index);
                end_word(&mut start, index + 1);
            } else if start.is_none() {
                start = Some(index);
            }
        }
        end_word(&mut start, to);
        let words = words.into_iter().map(|(from, to)| Word {
            text: &line[from..to],
            before: &line[..from],
        });
        Self {
            words: words.collect(),
            next: 0,
            end: line[..to].chars().count() + 1,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.next == self.words.len()
    }

    /// The question mark, if that is the next word.
    pub fn asks(&self) -> Option<Word<'a>> {
        let word = self.words.get(self.next).copied();
        word.filter(|word| word.text == "?")
    }

    pub fn next(&mut self, what: &str) -> Parsed<Word<'a>> {
        let word = self.words.get(self.next).copied().ok_or_else(|| Error {
            column: self.end,
            why: format!("{what} is missing"),
        })?;
        self.next += 1;
        Ok(word)
    }

    pub fn end(&self, what: &str) -> Parsed<()> {
        match self.words.get(self.next) {
            Some(word) => word.fail(&format!("more than {what}")),
            None => Ok(()),
        }
    }

    pub fn format(&mut self) -> Parsed<FormatSpec> {
        self.next("a format")?.format()
    }

    pub fn code(&mut self, format: FormatSpec) -> Parsed<u64> {
        self.next("a code")?.code(format)
    }

    pub fn codes(&mut self, format: FormatSpec, count: usize) -> Parsed<Vec<u64>> {
        (1..=count)
            .map(|at| match self.words.get(self.next) {
                Some(word) if word.text == "/" => {
                    word.fail(&format!("in the place of element {at} of {count}"))
                }
                _ => self.code(format),
            })
            .collect()
    }

    pub fn slash(&mut self) -> Parsed<()> {
        let word = self.next("`/`")?;
        if word.text == "/" {
            Ok(())
        } else {
            word.fail("not `/`")
        }
    }

    /// Three dashes, in the place of format, rounding and saturation.
    pub fn dashes(&mut self) -> Parsed<()> {
        for _ in 0..3 {
            let word = self.next("`-`")?;
            if word.text != "-" {
                return word.fail("not `-`");
            }
        }
        Ok(())
    }

    /// A rounding and a saturation, and N/R if the rounding is stochastic.
    pub fn projection(&mut self, revision: Revision) -> Parsed<Projection> {
        let modes = self.modes()?;
        let random = match self.words.get(self.next) {
            _ if modes.is_stochastic() => self.next("N/R")?.random()?,
            Some(word) if word.text.contains('/') => {
                return word.fail("too much: only a stochastic rounding takes N/R");
            }
            _ => (0, 0),
        };
        modes.projection(random, revision)
    }

    /// Two projections. The first one's N/R may also stand before the second one's.
    pub fn projections(&mut self, revision: Revision) -> Parsed<[Projection; 2]> {
        let first = self.modes()?;
        let early = match self.words.get(self.next) {
            Some(word) if first.is_stochastic() && word.text.contains('/') => {
                Some(self.next("N/R")?.random()?)
            }
            _ => None,
        };
        let second = self.modes()?;
        let mut random = |modes: &Modes| {
            if modes.is_stochastic() {
                self.next("N/R")?.random()
            } else {
                Ok((0, 0))
            }
        };
        let of_first = match early {
            Some(random) => random,
            None => random(&first)?,
        };
        let of_second = random(&second)?;
        Ok([
            first.projection(of_first, revision)?,
            second.projection(of_second, revision)?,
        ])
    }

    fn modes(&mut self) -> Parsed<Modes<'a>> {
        let rounding = self.next("a rounding mode")?;
        if RoundingMode::from_name(rounding.text, 1, 0).is_none() {
            let known = ROUNDINGS.join(", ");
            return rounding.fail(&format!("no rounding mode; one of: {known}"));
        }
        let saturation = self.next("a saturation mode")?.saturation()?;
        Ok(Modes {
            rounding,
            saturation,
        })
    }
}

/// The names of a rounding, which may need N/R, and a saturation.
struct Modes<'a> {
    rounding: Word<'a>,
    saturation: SaturationMode,
}

impl Modes<'_> {
    fn is_stochastic(&self) -> bool {
        self.rounding.text.starts_with("Stochastic")
    }

    fn projection(&self, (bits, random): (u8, u32), revision: Revision) -> Parsed<Projection> {
        let Some(rounding) = RoundingMode::from_name(self.rounding.text, bits, random) else {
            return self.rounding.fail("no rounding mode");
        };
        Ok(Projection::new(rounding, self.saturation).with_revision(revision))
    }
}
