//! The dot product of two slices of MX blocks: `DotGeneral` of OCP MX v1.0, clause 6.2, with
//! everything specified that it leaves to the implementation.

use super::accumulator::BlockAccumulator;
use super::block::{blocks_of, check, check_order};
use super::dot::Products;
use super::element::Element;
use super::{BlockError, E8M0};
use crate::format::Arithmetic;
use crate::reduce::{Accumulation, sum_by};
use crate::{Mode, Status};

/// The blocks of a slice, one after the other, each with its scale. The last one may be shorter.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a, E> {
    pub(super) elements: &'a [E],
    pub(super) scales: &'a [E8M0],
    pub(super) block: usize,
}

impl<'a, E> Iterator for Blocks<'a, E> {
    type Item = (&'a [E], E8M0);

    fn next(&mut self) -> Option<Self::Item> {
        let (scale, scales) = self.scales.split_first()?;
        let (elements, rest) = self
            .elements
            .split_at_checked(self.block)
            .unwrap_or((self.elements, &[]));
        (self.elements, self.scales) = (rest, scales);
        Some((elements, *scale))
    }
}

/// The dot product of slices that have blocks of the same lengths.
pub(super) fn dot_of<A: Element, B: Element, R: Arithmetic>(
    a: Blocks<'_, A>,
    b: Blocks<'_, B>,
    accumulation: Accumulation,
    mode: Mode,
) -> (R, Status) {
    let pairs = a.zip(b);
    match accumulation {
        Accumulation::Exact => {
            let mut sum = BlockAccumulator::new();
            for (a, b) in pairs {
                sum.add(a, b);
            }
            sum.round_status(mode)
        }
        Accumulation::Declared(order) => {
            let mut union = Status::NONE;
            let dots = pairs.map(|(a, b)| {
                let (dot, status) = Products::of(a, b).round::<R>(mode);
                union |= status;
                dot
            });
            let (sum, status) = sum_by(dots, order, mode);
            (sum, union | status)
        }
    }
}

/// The dot product of two slices of MX blocks, the sum over j of [`dot`](super::dot)`(A_j, B_j)`,
/// in format `R`.
///
/// `a` and `b` have the same length, and a scale for each `block` elements, a partial block at the
/// end included.
///
/// - [`Accumulation::Exact`]: the exact sum of all products, rounded once. The table of
///   [`dot`](super::dot) applies to all products together; [`BlockAccumulator`] does the same in
///   parts.
/// - [`Accumulation::Declared`]: the dot product of each pair of blocks is rounded to `R`, and the
///   results are summed as by [`reduce::sum`](crate::reduce::sum), each step rounded to `R`.
///
/// The result for no blocks is +0 in any order.
///
/// # Errors
///
/// A block size of 0, a slice of the wrong length, or the order of a matrix unit.
///
/// ```
/// use bitexact::Mode;
/// use bitexact::format::E5M2;
/// use bitexact::reduce::{Accumulation, Order};
/// use bitexact::scale::{E8M0, dot_general};
/// let a = [0x3C, 0x3C, 0xBC].map(E5M2::from_bits); // 1, 1, -1: a block each
/// let b = [0x3C; 3].map(E5M2::from_bits);
/// let x = [152, 127, 152].map(E8M0::from_bits); // 2^25, 1, 2^25
/// let dot = |how| dot_general(&a, &x, &b, &[E8M0::ONE; 3], 1, how, Mode::TIES_TO_EVEN);
/// let (exact, declared) = (dot(Accumulation::Exact)?, dot(Accumulation::Declared(Order::Sequential))?);
/// assert_eq!((exact, declared), (1.0f32, 0.0));
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn dot_general<A: Element, B: Element, R: Arithmetic>(
    a: &[A],
    a_scales: &[E8M0],
    b: &[B],
    b_scales: &[E8M0],
    block: usize,
    accumulation: Accumulation,
    mode: Mode,
) -> Result<R, BlockError> {
    dot_general_status(a, a_scales, b, b_scales, block, accumulation, mode).map(|(sum, _)| sum)
}

/// [`dot_general`] with the union of its roundings' status.
///
/// # Errors
///
/// As [`dot_general`].
pub fn dot_general_status<A: Element, B: Element, R: Arithmetic>(
    a: &[A],
    a_scales: &[E8M0],
    b: &[B],
    b_scales: &[E8M0],
    block: usize,
    accumulation: Accumulation,
    mode: Mode,
) -> Result<(R, Status), BlockError> {
    let blocks = blocks_of(a.len(), block)?;
    check("a_scales", blocks, a_scales.len())?;
    check("b", a.len(), b.len())?;
    check("b_scales", blocks, b_scales.len())?;
    check_order(accumulation)?;
    let a = Blocks {
        elements: a,
        scales: a_scales,
        block,
    };
    let b = Blocks {
        elements: b,
        scales: b_scales,
        block,
    };
    Ok(dot_of(a, b, accumulation, mode))
}
