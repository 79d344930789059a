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
/// With a type, an optimised program contains the code of that accumulation only; with a value,
/// that of all orders, even where the value is constant.
///
/// ```
/// use bitexact::nn::{Affine, Weights, dense};
/// use bitexact::reduce::{Accumulates, Accumulation, ExactSums, Order};
/// use bitexact::{Mode, bf16};
/// #[derive(Clone, Copy)]
/// struct InOrder;
/// impl Accumulates for InOrder {
///     fn accumulation(self) -> Accumulation {
///         Accumulation::Declared(Order::Sequential)
///     }
/// }
/// fn sum(terms: &[bf16], accumulation: impl Accumulates) -> f32 {
///     let ones = [bf16::ONE; 3];
///     let weights = Weights::<bf16>::new(&ones);
///     let layer = Affine { weights, bias: None::<&[bf16]>, accumulation, mode: Mode::TIES_TO_EVEN };
///     let mut out = [0.0];
///     dense(terms, &layer, |sum: f32| sum, &mut [0; 5], &mut out).unwrap();
///     out[0]
/// }
/// let terms = [1.0f32, 9.313226e-10, -1.0].map(bf16::from_f32); // 1, 2^-30, -1
/// assert_eq!(sum(&terms, ExactSums), 9.313226e-10);
/// assert_eq!(sum(&terms, InOrder), 0.0);
/// ```
pub trait Accumulates: Copy {
    /// How the products are added up.
    fn accumulation(self) -> Accumulation;

    /// Whether a layer refuses data for which its exact sums would take several times as long as for
    /// usual data: [`dense`](crate::nn::dense()) says which. It does not unless this is given.
    #[inline]
    fn is_bounded(self) -> bool {
        false
    }
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

/// [`Accumulation::Exact`] as a type, of data that take a bounded time: layers give
/// [`NnError::SumsTooWide`](crate::nn::NnError::SumsTooWide) for others, and a program does not
/// contain the code of those.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BoundedSums;

impl Accumulates for BoundedSums {
    #[inline]
    fn accumulation(self) -> Accumulation {
        Accumulation::Exact
    }

    #[inline]
    fn is_bounded(self) -> bool {
        true
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
