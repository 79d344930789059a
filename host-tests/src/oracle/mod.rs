//! The oracle: what every operation must give, found without any of the kernels' arithmetic.
//!
//! **An oracle is a comparison.** Nothing here rounds by shifting, and there is no guard or sticky
//! bit anywhere. The finite codes of a format, in order of magnitude, are a monotone list of
//! dyadic rationals ([`format`]). An operation supplies the sign of its exact value and can say
//! whether the exact magnitude is less than, equal to or greater than a given dyadic rational
//! (`a*b` against `d`, `a` against `d*b` for a quotient, `a` against `d*d` for a square root).
//! A search finds the two neighbouring codes and the place between them (`located`), which does
//! not depend on a mode; the results and flags of every rounding and overflow rule then follow
//! from a table (`finish`). So an input is located once and finished as often as there are
//! modes.
//!
//! There are comparators that share no code with each other beyond the formats and the table:
//!
//! - [`OracleKind::Rational`], in `rational/`: integers of any length. The reference; it covers
//!   every operation.
//! - [`OracleKind::Eft`], in `eft/`: the host's f64, each use with the argument why it is exact.
//!   It covers the operations whose sweeps have 2^32 inputs.
//! - [`OracleKind::Real`], in `real/`: enclosures of values that are not rational, on integers of
//!   any length. The reference for the elementary functions and the smooth activations.
//! - [`OracleKind::Filter`], there too: the same by enclosures in f64, which decide almost always;
//!   where they do not, as `Real`.
//!
//! Operations that do not round are answered from the standard's text on exact values.
//!
//! The contract that both implement is the catalog's documentation; nothing here reads the
//! kernels' source, and only the names of roundings and overflow rules come from `bitexact`.

mod answer;
mod dyadic;
mod eft;
mod encoder;
mod finish;
mod format;
mod located;
#[cfg(feature = "mpfr")]
mod mpfr;
mod policy;
mod rational;
mod real;
mod shape;

pub use answer::{Answer, Factor, Scaled};
pub use dyadic::Dyadic;
pub use eft::columns;
pub use format::{Datum, Format, Specials};
pub use located::{Fractions, Located, Place, Tiny};
pub use policy::{OverflowTest, Policy, ScaleRounding, policies, policy};
pub use rational::{quotient, reduce};
pub use shape::ParamValue;

use crate::row::{Operands, Ty};
use shape::Shape;

/// Which comparator answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OracleKind {
    /// Integers of any length; covers every operation.
    Rational,
    /// Error-free transformations in f64; covers the operations with 2^32 inputs.
    Eft,
    /// Enclosures on integers of any length; covers the functions that are not rational.
    Real,
    /// The same functions by enclosures in f64, and by `Real` where these do not decide.
    Filter,
    /// The same functions by MPFR, but for the piecewise ones.
    #[cfg(feature = "mpfr")]
    Mpfr,
}

impl OracleKind {
    /// All, each reference before the faster one.
    pub const ALL: &[Self] = &[
        Self::Rational,
        Self::Eft,
        Self::Real,
        Self::Filter,
        #[cfg(feature = "mpfr")]
        Self::Mpfr,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rational => "rational",
            Self::Eft => "eft",
            Self::Real => "real",
            Self::Filter => "filter",
            #[cfg(feature = "mpfr")]
            Self::Mpfr => "mpfr",
        }
    }
}

/// One operation at one choice of formats and parameters.
pub trait Oracle: Send + Sync {
    /// Locates the exact result for these operands. With `fractions`, the answer can also be
    /// finished stochastically; that costs more.
    fn locate(&self, operands: &Operands, fractions: bool) -> Answer;

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

/// The oracle of this kind for a row, or `None` where it does not cover the row.
///
/// `params` are the row's own parameters by name: a choice by the name chosen, a number with the
/// format that its bits are in.
#[must_use]
pub fn for_row(
    kind: OracleKind,
    op: &str,
    operands: &[Ty],
    results: &[Ty],
    params: &[(&str, ParamValue)],
) -> Option<Box<dyn Oracle>> {
    let shape = Shape {
        op,
        operands,
        results,
        params,
    };
    match kind {
        OracleKind::Rational => rational::for_shape(&shape),
        OracleKind::Eft => eft::for_shape(&shape),
        OracleKind::Real => real::for_shape(&shape, false),
        OracleKind::Filter => real::for_shape(&shape, true),
        #[cfg(feature = "mpfr")]
        OracleKind::Mpfr => mpfr::for_shape(&shape),
    }
}
