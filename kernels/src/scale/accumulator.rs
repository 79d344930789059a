//! The exact sum of dot products of MX blocks, for any number of blocks and any scales.
//!
//! Method: the products of one pair of blocks are added up in an `i128` ([`dot`](super::dot)),
//! which is an integer times a power of two given by the least exponents of both element types and
//! by both scales. The smallest such power, 2^-288, is the unit of a sum in
//! [fixed point](crate::reduce), to which these integers are added, shifted.
//!
//! Why nothing overflows: the product of two elements is below 2^32 and that of two scales at most
//! 2^254, so 2^62 products add up below 2^348, which is 2^636 units; 20 limbs hold 2^671. Adding
//! 2^62 products one by one takes decades, and a merge that would exceed 2^62 is refused.
//!
//! Memory: 176 bytes. No table.

use core::num::NonZeroU32;

use super::block::check;
use super::dot::Products;
use super::element::Element;
use super::element::hidden::Core;
use super::{BlockError, E8M0};
use crate::format::{Arithmetic, E5M2FNUZ};
use crate::reduce::{FixedPoint, ReduceError, finish};
use crate::{Mode, Status};

/// The unit's exponent: no element type has a lower least exponent than E5M2FNUZ.
const UNIT: i32 = 2 * E5M2FNUZ::LEAST_EXPONENT + 2 * E8M0::MIN.exponent();

/// An exact sum of dot products of MX blocks, which the caller holds, merges and rounds once.
///
/// For any order of the blocks, and any distribution over accumulators that were merged later,
/// [`round`](Self::round) gives the same bits and status: those of [`dot`](super::dot)'s table over
/// all products of all blocks together. Blocks of every element type can be added to one
/// accumulator. There is room for 2^62 products.
///
/// ```
/// use bitexact::Mode;
/// use bitexact::format::{E2M1, E4M3FN};
/// use bitexact::scale::{BlockAccumulator, E8M0};
/// let one = [E4M3FN::from_bits(0x38)];
/// let (plus, minus) = ([E2M1::from_bits(0x2)], [E2M1::from_bits(0xA)]);
/// let mut sum = BlockAccumulator::new();
/// sum.add_dot(&one, E8M0::MAX, &plus, E8M0::MAX)?; // 2^254, more than f32 holds, for now
/// sum.add_dot(&one, E8M0::ONE, &plus, E8M0::MIN)?;
/// sum.add_dot(&one, E8M0::MAX, &minus, E8M0::MAX)?;
/// assert_eq!(sum.round::<f32>(Mode::TIES_TO_EVEN).to_bits(), 0x0040_0000); // 2^-127
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BlockAccumulator {
    sum: FixedPoint<[i64; 20]>,
}

/// The number of terms. There are too many limbs to show.
#[cfg(feature = "defmt")]
impl defmt::Format for BlockAccumulator {
    fn format(&self, f: defmt::Formatter) {
        defmt::write!(f, "BlockAccumulator of {=u64} terms", self.terms());
    }
}

impl Default for BlockAccumulator {
    fn default() -> Self {
        Self::new()
    }
}

impl BlockAccumulator {
    /// The empty sum.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sum: FixedPoint::new([0; 20]),
        }
    }

    /// How many products were added, those of merged accumulators included.
    #[must_use]
    pub const fn terms(&self) -> u64 {
        self.sum.terms()
    }

    /// Adds the dot product of two blocks, which is not rounded. A NaN scale makes the sum NaN,
    /// even of blocks without elements.
    ///
    /// # Errors
    ///
    /// If the blocks differ in length; nothing has changed then.
    pub fn add_dot<A: Element, B: Element>(
        &mut self,
        a: &[A],
        a_scale: E8M0,
        b: &[B],
        b_scale: E8M0,
    ) -> Result<(), BlockError> {
        check("b", a.len(), b.len())?;
        self.add((a, a_scale), (b, b_scale));
        Ok(())
    }

    /// The same for blocks of equal length.
    #[inline]
    pub(super) fn add<A: Element, B: Element>(&mut self, a: (&[A], E8M0), b: (&[B], E8M0)) {
        let products = Products::of(a, b);
        let place = (products.unit - UNIT) as u32;
        let terms = a.0.len() as u64;
        self.sum
            .add_terms(terms, products.seen, products.sum, place);
    }

    /// Adds all blocks of `other`.
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooManyTerms`] where there would be more than 2^62 products; nothing has
    /// changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), ReduceError> {
        self.sum.merge(&other.sum)
    }

    /// The sum, rounded once to `R`, in `mode`.
    #[must_use]
    pub fn round<R: Arithmetic>(&self, mode: Mode) -> R {
        self.round_status(mode).0
    }

    /// [`round`](Self::round) with its status.
    pub fn round_status<R: Arithmetic>(&self, mode: Mode) -> (R, Status) {
        finish(self.sum.value(UNIT, NonZeroU32::MIN), mode.rule())
    }
}
