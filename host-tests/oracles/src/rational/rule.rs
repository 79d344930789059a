//! Operations as oracles.

use crate::answer::Answer;
use crate::datum::Datum;
use crate::finish::{self, flag, output};
use crate::format::Format;
use crate::oracle::{ByRule, Oracle};
use sweep_row::{Operands, Output};

/// An operation that rounds.
pub(super) fn rounding(
    rule: impl Fn(&Operands, bool) -> Answer + Send + Sync + 'static,
) -> Option<Box<dyn Oracle>> {
    Some(Box::new(ByRule(rule)))
}

/// An operation whose result is the same in every mode.
pub(super) fn fixed(
    rule: impl Fn(&Operands) -> Output + Send + Sync + 'static,
) -> Option<Box<dyn Oracle>> {
    rounding(move |operands, _| Answer::Fixed(rule(operands)))
}

/// The canonical NaN, with invalid or without.
pub(super) fn nan(format: &Format, invalid: bool) -> Output {
    finish::nan(format, invalid)
}

/// Two results without flags.
pub(super) const fn pair(first: u64, second: u64) -> Output {
    Output {
        results: [first, second],
        flags: 0,
    }
}

/// One result without flags.
pub(super) const fn plain(bits: u64) -> Output {
    output(bits, 0)
}

pub(super) fn boolean(value: bool) -> Output {
    plain(value.into())
}

/// Invalid if any operand is a signalling NaN.
pub(super) fn signalling(data: &[Datum]) -> u8 {
    if data.iter().any(|datum| datum.is_signalling()) {
        flag::INVALID
    } else {
        0
    }
}
