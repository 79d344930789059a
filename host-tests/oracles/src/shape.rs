//! The description of a row in a request for an oracle: only names and types.

use super::format::Format;
use sweep_row::Ty;

/// The value of a row's own parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamValue<'a> {
    /// The name of the choice.
    Name(&'a str),
    /// A number: its format and its bits.
    Bits(Ty, u64),
}

pub(super) struct Shape<'a> {
    pub op: &'a str,
    pub operands: &'a [Ty],
    pub results: &'a [Ty],
    pub params: &'a [(&'a str, ParamValue<'a>)],
}

impl Shape<'_> {
    /// The float format of an operand.
    pub fn operand(&self, index: usize) -> Option<&'static Format> {
        self.operands.get(index).and_then(|&ty| Format::of(ty))
    }

    /// The float format of a result.
    pub fn result(&self, index: usize) -> Option<&'static Format> {
        self.results.get(index).and_then(|&ty| Format::of(ty))
    }

    /// The numbers of operands and results.
    pub fn arity(&self) -> (usize, usize) {
        (self.operands.len(), self.results.len())
    }

    /// The common format of all operands and results.
    pub fn homogeneous(&self) -> Option<&'static Format> {
        let first = *self.operands.first()?;
        let all = self
            .operands
            .iter()
            .chain(self.results)
            .all(|&ty| ty == first);
        if all { Format::of(first) } else { None }
    }

    /// The name of a choice parameter's value.
    pub fn choice(&self, name: &str) -> Option<&str> {
        self.params.iter().find_map(|&(key, value)| match value {
            ParamValue::Name(choice) if key == name => Some(choice),
            _ => None,
        })
    }

    /// The format and the bits of a number parameter's value.
    pub fn number(&self, name: &str) -> Option<(&'static Format, u64)> {
        self.params.iter().find_map(|&(key, value)| match value {
            ParamValue::Bits(ty, bits) if key == name => Some((Format::of(ty)?, bits)),
            _ => None,
        })
    }
}
