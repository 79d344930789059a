//! Lines of hex numbers from standard input, numbered and limited in length.

use super::{Failure, Outcome};
use crate::number;
use crate::row::Ty;
use std::io::{BufRead, Read};

/// Longer lines are not vectors.
const LONGEST: u64 = 4096;

/// The lines of a reader, with their numbers.
pub struct Lines<'a> {
    pub reader: &'a mut dyn BufRead,
    pub number: u64,
}

impl Lines<'_> {
    /// The next line that is neither empty nor a comment (`#`); `None` at the end.
    pub fn next(&mut self) -> Outcome<Option<String>> {
        loop {
            let mut bytes = Vec::new();
            self.number += 1;
            (&mut *self.reader)
                .take(LONGEST + 1)
                .read_until(b'\n', &mut bytes)
                .map_err(|error| self.fail(&format!("cannot read standard input: {error}")))?;
            if bytes.is_empty() {
                return Ok(None);
            }
            if bytes.len() as u64 > LONGEST {
                return Err(self.fail(&format!("longer than {LONGEST} bytes")));
            }
            let line = String::from_utf8(bytes).map_err(|_| self.fail("not text (UTF-8)"))?;
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some(line.to_owned()));
            }
        }
    }

    /// A failure in the current line.
    pub fn fail(&self, why: &str) -> Failure {
        Failure::Usage(format!("line {} of standard input: {why}", self.number))
    }
}

/// One number of each type.
pub fn numbers(fields: &[&str], types: &[Ty]) -> Result<Vec<u64>, String> {
    fields
        .iter()
        .zip(types)
        .map(|(field, ty)| number::parse_hex(field, *ty))
        .collect()
}

/// TestFloat's flags, two hex digits.
pub fn flags(field: &str) -> Result<u8, String> {
    match u8::from_str_radix(field, 16) {
        Ok(flags) if field.len() == 2 && flags <= 0x1F && !field.starts_with('+') => Ok(flags),
        _ => Err(format!(
            "`{field}` is not two hex digits of flags, 00 to 1F"
        )),
    }
}

/// `1 operand`, `2 operands`.
pub fn count(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
