//! The oracle: the correct result of every operation, found without any of the kernels' arithmetic.
//!
//! **An oracle is a comparison.** Nothing here rounds by shifting, and there is no guard or sticky
//! bit anywhere. The finite codes of a format, in order of magnitude, are a monotone list of dyadic
//! rationals ([`format`]). An operation supplies the sign of its exact value and can say whether
//! the exact magnitude is less than, equal to or greater than a given dyadic rational (`a*b`
//! against `d`, `a` against `d*b` for a quotient, `a` against `d*d` for a square root). A search
//! finds the two neighbouring codes and the position between them (`located`), which does not
//! depend on a mode; the results and flags of every rounding and overflow rule then follow from a
//! table (`finish`). So an input is located once, and finished once per mode.
//!
//! The comparators:
//!
//! - [`OracleKind::Rational`], in `rational/`: integers of any length. The reference; it covers
//!   every operation whose results are rational.
//! - [`OracleKind::Eft`], in `eft/`: the host's f64, each use with the argument why it is exact.
//!   It covers the operations whose sweeps have 2^32 inputs.
//! - [`OracleKind::Real`], in `enclosure/`: enclosures of values that are not rational, on integers
//!   of any length. The reference for the elementary functions and the smooth activations.
//! - [`OracleKind::Filter`], also there: the same by enclosures in f64, which decide almost always;
//!   otherwise as `Real`.
//! - `OracleKind::Mpfr` (cargo feature `mpfr`), in `mpfr/`: the functions that are not rational by
//!   MPFR.
//!
//! Operations that do not round follow the standard's text on exact values.
//!
//! **What they share.** All of them share the meaning of the codes of a format (`format`, `datum`),
//! the table from a position to results and flags (`located`, `finish`, `answer`), and E8M0's
//! policies with their comparisons (`policy`, `encoder`). A gradient's second step, the product
//! with the upstream gradient, is one function of machine integers (`Located::product`).
//! `Rational`, and `Real` and `Filter` in their exact cases (perfect powers, square and cube roots,
//! quotients), use the same comparisons of integers (`exact/`). `Real` and `Filter` share the
//! definitions of the functions with their special values, and the tables of `Filter` hold values
//! of `Real`; they share no other arithmetic. `Eft` and `Mpfr` share nothing with another
//! comparator beyond the first list; each has its own special values (the host's IEEE arithmetic;
//! MPFR's, and `mpfr/special.rs`).
//!
//! All implement the contract in the catalog's documentation. Nothing here reads the kernels'
//! source or depends on their crate.

mod answer;
mod datum;
mod dyadic;
mod eft;
mod enclosure;
mod encoder;
mod exact;
mod finish;
mod format;
mod located;
#[cfg(feature = "mpfr")]
mod mpfr;
mod oracle;
mod policy;
mod rational;
mod shape;
pub mod singles;

pub use answer::{Answer, Factor, Scaled};
pub use datum::Datum;
pub use dyadic::Dyadic;
pub use eft::columns;
pub use format::{Format, Specials};
pub use located::{Fractions, Located, Place, Tiny};
pub use oracle::Oracle;
pub use policy::{OverflowTest, Policy, ScaleRounding, policies, policy};
pub use rational::p3109;
pub use rational::reduce::{self, quotient};
pub use rational::{blocks, unit};
pub use shape::ParamValue;

use shape::Shape;
use sweep_row::Ty;

/// Which comparator answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OracleKind {
    /// Integers of any length; covers every operation.
    Rational,
    /// Error-free transformations in f64; covers the operations with 2^32 inputs.
    Eft,
    /// Enclosures on integers of any length; covers the functions that are not rational.
    Real,
    /// The same functions by enclosures in f64; where these do not decide, by `Real`.
    Filter,
    /// The same functions by MPFR, except the piecewise ones.
    #[cfg(feature = "mpfr")]
    Mpfr,
}

impl OracleKind {
    /// All comparators, each reference before the faster one.
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

/// The oracle of this kind for a row, or `None` where it does not cover the row.
///
/// `params` are the row's parameters by name: a choice by its name, a number with its format and
/// bits.
#[must_use]
pub fn for_row(
    kind: OracleKind,
    op: &str,
    operands: &[Ty],
    results: &[Ty],
    params: &[(&str, ParamValue)],
) -> Option<Box<dyn Oracle>> {
    // A function whose result is in another format is the same function.
    let shape = Shape {
        op: op.strip_suffix("_to").unwrap_or(op),
        operands,
        results,
        params,
    };
    match kind {
        OracleKind::Rational => rational::for_shape(&shape),
        OracleKind::Eft => eft::for_shape(&shape),
        OracleKind::Real => enclosure::for_shape(&shape, false),
        OracleKind::Filter => enclosure::for_shape(&shape, true),
        #[cfg(feature = "mpfr")]
        OracleKind::Mpfr => mpfr::for_shape(&shape),
    }
}
