//! The dot product of two MX blocks, rounded once.
//!
//! Method: fixed point. Every finite element is a multiple of its format's least positive one,
//! 2^UNIT, and below 2^(EMAX + 1); so a product is a multiple of 2^(UNIT_a + UNIT_b). The widest
//! pair is E5M2FNUZ with itself (UNIT -17, EMAX 15): products are multiples of 2^-34 below 2^32,
//! integers below 2^66. An `i128` adds 2^61 of them without overflow, more than there are
//! addresses. The scales, which are powers of two, are applied to the exact sum; then it is
//! rounded. So the result depends on neither order nor grouping.

use super::block::check;
use super::element::Element;
use super::{BlockError, E8M0};
use crate::format::Arithmetic;
use crate::reduce::{Seen, finish};
use crate::round::{Exact, Kind};
use crate::{Mode, Status};

/// The products of a pair of blocks, added up.
pub(super) struct Products {
    /// The sum of the finite ones, in units of 2^unit.
    pub(super) sum: i128,
    pub(super) unit: i32,
    /// The signs of the finite ones, as if they were zeros, and whether the sum is a number.
    pub(super) seen: Seen,
}

/// A finite value as a multiple of 2^unit. Its exponent is below unit + 33.
fn fixed(value: Exact<u32>, unit: i32) -> i64 {
    if !value.is_finite_nonzero() {
        return 0;
    }
    // The top bit, bit 63, has the value's exponent.
    let digits = (value.significand() as u64) << 32;
    let magnitude = (digits >> (63 - (value.exponent() - unit)) as u32) as i64;
    if value.sign() { -magnitude } else { magnitude }
}

impl Products {
    /// The products of the elements that both blocks have.
    pub(super) fn of<A: Element, B: Element>((a, x): (&[A], E8M0), (b, y): (&[B], E8M0)) -> Self {
        let mut products = Self {
            sum: 0,
            unit: A::LEAST_EXPONENT + B::LEAST_EXPONENT + x.exponent() + y.exponent(),
            seen: Seen::NOTHING,
        };
        if x.is_nan() || y.is_nan() {
            products.seen.add(Seen::NAN);
        }
        for (a, b) in a.iter().zip(b) {
            products.add(*a, *b);
        }
        if products.sum != 0 {
            products.seen.add(Seen::NUMBER);
        }
        products
    }

    fn add<A: Element, B: Element>(&mut self, a: A, b: B) {
        let (a, b) = (a.exact(), b.exact());
        let negative = a.sign() != b.sign();
        match (a.kind(), b.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) => {
                self.seen.add(Seen::NAN);
                if a.is_signaling() || b.is_signaling() {
                    self.seen.add(Seen::INVALID);
                }
            }
            (Kind::Infinite, Kind::Zero) | (Kind::Zero, Kind::Infinite) => {
                self.seen.add(Seen::INVALID);
            }
            (Kind::Infinite, _) | (_, Kind::Infinite) => {
                self.seen.add(Seen::infinity_of(negative));
            }
            _ => {
                self.seen.add(Seen::zero_of(negative));
                self.sum +=
                    fixed(a, A::LEAST_EXPONENT) as i128 * fixed(b, B::LEAST_EXPONENT) as i128;
            }
        }
    }

    /// The dot product, exact except for the sticky bit.
    fn exact(&self) -> Exact<u64> {
        if let Some(sum) = self.seen.sum() {
            return sum;
        }
        let magnitude = self.sum.unsigned_abs();
        let zeros = magnitude.leading_zeros();
        let digits = magnitude << zeros;
        let jam = digits as u64 != 0;
        Exact::<u64>::normalised(
            self.sum < 0,
            self.unit + 127 - zeros as i32,
            (digits >> 64) as u64 | jam as u64,
        )
    }

    /// The dot product, rounded once.
    pub(super) fn round<R: Arithmetic>(&self, mode: Mode) -> (R, Status) {
        finish(self.exact(), mode.rule())
    }
}

/// The dot product of two blocks, `X_a * X_b * sum(P_i * Q_i)`, rounded once to `R`.
///
/// | case | result | raises |
/// |---|---|---|
/// | a scale or an element is NaN | NaN | invalid where an element signals |
/// | an infinity times zero, or infinite products of both signs | NaN | invalid |
/// | infinite products of one sign | that infinity | nothing |
/// | the exact sum is zero, products of both signs (of zeros too) | +0, toward negative -0 | nothing |
/// | the exact sum is zero, products of one sign | zero of that sign | nothing |
/// | no elements | +0 | nothing |
/// | any other | the exact sum, rounded once | as the rounding |
///
/// If the first two rows both apply, the result is NaN, and the second raises invalid.
///
/// # Errors
///
/// If the blocks differ in length.
///
/// ```
/// use bitexact::format::E4M3FN;
/// use bitexact::scale::{dot, E8M0};
/// use bitexact::Mode;
/// let one = E4M3FN::from_bits(0x38);
/// let most = E4M3FN::from_bits(0x7E); // 448
/// let least = E4M3FN::from_bits(0x01); // 2^-9
/// let (minus_most, half) = (E4M3FN::from_bits(0xFE), E8M0::from_bits(126));
/// // 448^2 + 2^-9 - 448^2, halved: no bit is lost.
/// let y: f32 = dot(&[most, least, minus_most], half, &[most, one, most], E8M0::ONE, Mode::TIES_TO_EVEN)?;
/// assert_eq!(y, 0.0009765625);
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn dot<A: Element, B: Element, R: Arithmetic>(
    a: &[A],
    a_scale: E8M0,
    b: &[B],
    b_scale: E8M0,
    mode: Mode,
) -> Result<R, BlockError> {
    dot_status(a, a_scale, b, b_scale, mode).map(|(sum, _)| sum)
}

/// [`dot`] with its status.
///
/// # Errors
///
/// If the blocks differ in length.
pub fn dot_status<A: Element, B: Element, R: Arithmetic>(
    a: &[A],
    a_scale: E8M0,
    b: &[B],
    b_scale: E8M0,
    mode: Mode,
) -> Result<(R, Status), BlockError> {
    check("b", a.len(), b.len())?;
    Ok(Products::of((a, a_scale), (b, b_scale)).round(mode))
}
