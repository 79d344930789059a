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

/// Something that names an [`Accumulation`]: a value of it, or a type that stands for one.
///
/// With a type, a program contains the code of that accumulation only; with a value, that of all orders, even where the
/// value is constant.
///
/// ```
/// use bitexact::reduce::{Accumulates, Accumulation, Order};
/// #[derive(Clone, Copy)]
/// struct InOrder;
/// impl Accumulates for InOrder {
///     fn accumulation(self) -> Accumulation {
///         Accumulation::Declared(Order::Sequential)
///     }
/// }
/// ```
pub trait Accumulates: Copy {
    /// How the products are added up.
    fn accumulation(self) -> Accumulation;
}

impl Accumulates for Accumulation {
    #[inline]
    fn accumulation(self) -> Accumulation {
        self
    }
}

/// [`Accumulation::Exact`] as a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExactSums;

impl Accumulates for ExactSums {
    #[inline]
    fn accumulation(self) -> Accumulation {
        Accumulation::Exact
    }
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
