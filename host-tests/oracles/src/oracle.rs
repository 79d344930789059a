//! The type of an oracle.

use crate::answer::Answer;
use sweep_row::Operands;

/// One operation at one choice of formats and parameters.
pub trait Oracle: Send + Sync {
    /// Locates the exact result for these operands. With `fractions`, the answer can also be
    /// finished stochastically; that costs more.
    fn locate(&self, operands: &Operands, fractions: bool) -> Answer;

    /// How far the exact value is from the nearest rounding boundary, a number or a midpoint, in
    /// gaps between two numbers of the result's format. From enclosures in f64 it is a lower bound.
    /// `None` on a boundary, for results that are no finite numbers, and where it is not computed.
    fn distance(&self, _operands: &Operands) -> Option<f64> {
        None
    }

    /// The answer for the six fixed roundings.
    fn answer(&self, operands: &Operands) -> Answer {
        self.locate(operands, false)
    }

    /// The answer for the six fixed roundings and the stochastic one.
    fn answer_stochastic(&self, operands: &Operands) -> Answer {
        self.locate(operands, true)
    }

    /// [`Oracle::locate`] on each element, with one dynamic call for the whole batch. `answers`
    /// is cleared first.
    fn locate_all(&self, operands: &[Operands], fractions: bool, answers: &mut Vec<Answer>) {
        answers.clear();
        answers.extend(
            operands
                .iter()
                .map(|operands| self.locate(operands, fractions)),
        );
    }
}

/// An oracle that is a function of the operands and of whether fractions are requested.
pub(crate) struct ByRule<F>(pub F);

impl<F: Fn(&Operands, bool) -> Answer + Send + Sync> Oracle for ByRule<F> {
    fn locate(&self, operands: &Operands, fractions: bool) -> Answer {
        self.0(operands, fractions)
    }
}
