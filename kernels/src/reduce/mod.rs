//! Sums and dot products: exact ones, which do not depend on the order, and ones in a declared
//! order.
//!
//! | | order | roundings |
//! |---|---|---|
//! | [`Accumulator`], [`sum_exact`], [`cumsum_exact`], [`dot_exact`] | none: exact | one |
//! | [`mean`], [`mean_square`], [`root_mean_square`], [`norm`] | none: exact | one |
//! | [`variance`], [`standard_deviation`] | none: exact | one |
//! | [`sum`], [`dot`] | an [`Order`] | every step |
//! | [`cumprod`] | one after the other | every step |
//! | [`Unit`] | that of a matrix unit, an [`Order`] too | bits below a window are discarded, then one for each step |
//! | [`Accumulation`] | the choice between the two for a dot product | |
//! | [`Accumulates`], [`ExactSums`], [`BoundedSums`] | the same choice as a type | |
//!
//! An exact reduction is the same in any order, in any chunks, on any number of threads:
//! accumulators of parts are [merged](Accumulator::merge).

mod accumulation;
mod accumulator;
mod dot;
mod exact;
mod fixed_point;
mod lanes;
mod pairwise;
mod steps;
mod sum;
mod unit;
mod variance;

pub use accumulation::{Accumulates, Accumulation, BoundedSums, ExactSums};
pub use accumulator::{Accumulable, Accumulator};
pub(crate) use accumulator::{Parts, lowest};
pub use dot::{dot, dot_by, dot_status};
pub use exact::{
    cumprod, cumsum_exact, dot_exact, dot_exact_arrays, dot_exact_arrays_status, dot_exact_status,
    mean, mean_square, mean_square_status, mean_status, norm, norm_status, root_mean_square,
    root_mean_square_status, standard_deviation, standard_deviation_status, sum_exact,
    sum_exact_status, sum_exact_stochastic, sum_exact_stochastic_status, variance, variance_status,
};
pub(crate) use fixed_point::{FixedPoint, Seen, finish};
pub use lanes::Lanes;
pub use sum::{Order, sum, sum_by, sum_status, sum_stochastic, sum_stochastic_status};
pub use unit::{
    Addend, Evidence, NamedUnit, SumFormat, Unit, UnitError, UnitParameters, WideOperands,
};
pub use variance::Variance;

/// Why a reduction failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ReduceError {
    /// The operands have different numbers of elements.
    LengthMismatch {
        /// The elements of the first operand.
        expected: usize,
        /// The elements of the second operand.
        found: usize,
    },
    /// There are too few elements for the divisor to be positive.
    TooFew {
        /// The least number.
        needed: u32,
        /// The number of elements.
        found: u32,
    },
    /// A sum computed elsewhere that its terms cannot have.
    SumOutOfRange {
        /// An integer.
        sum: i64,
        /// The exponent of the power of two that it is multiplied by.
        exponent: i32,
    },
    /// More terms than an accumulator, or a divisor, can count.
    TooManyTerms {
        /// How many there would be.
        terms: u64,
    },
    /// A [`Unit`] that does not [take](Unit::takes) operands of this format.
    OperandsTooWide {
        /// The format's name.
        format: &'static str,
    },
}

impl core::fmt::Display for ReduceError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::LengthMismatch { expected, found } => write!(
                f,
                "the second operand has {found} elements, the first {expected}"
            ),
            Self::TooFew { needed, found } => {
                write!(f, "{found} elements where at least {needed} are needed")
            }
            Self::SumOutOfRange { sum, exponent } => {
                write!(
                    f,
                    "this many products cannot add up to {sum} * 2^{exponent}"
                )
            }
            Self::TooManyTerms { terms } => write!(f, "{terms} terms are too many"),
            Self::OperandsTooWide { format } => {
                write!(f, "this matrix unit takes no operands of {format}")
            }
        }
    }
}

impl core::error::Error for ReduceError {}
