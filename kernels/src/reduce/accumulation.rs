//! The choice between an exact dot product and one in a declared order.

use super::{Accumulable, Accumulator, Order, dot_by};
use crate::format::Arithmetic;
use crate::{Mode, Status};

/// How the products of a dot product are added up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Accumulation {
    /// Exactly, and rounded once: [`dot_exact`](super::dot_exact).
    Exact,
    /// In steps that are rounded to the result's format: [`dot`](super::dot).
    Declared(Order),
}

impl Accumulation {
    /// The dot product of these pairs, in their order, for example of two strided lanes.
    pub fn dot<T: Accumulable, A: Arithmetic>(
        self,
        pairs: impl Iterator<Item = (T, T)>,
        mode: Mode,
    ) -> (A, Status) {
        match self {
            Self::Exact => {
                let mut sum = Accumulator::new();
                for (a, b) in pairs {
                    sum.add_product(a, b);
                }
                sum.round_status(mode)
            }
            Self::Declared(order) => dot_by(pairs, order, mode),
        }
    }
}
