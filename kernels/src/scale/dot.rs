//! The dot product of two MX blocks, rounded once.
//!
//! Method: fixed point. Every finite element is a multiple of its format's least positive one,
//! 2^UNIT, and below 2^(EMAX + 1); so a product is a multiple of 2^(UNIT_a + UNIT_b). The widest
//! pair is E5M2FNUZ with itself (UNIT -17, EMAX 15): products are multiples of 2^-34 below 2^32,
//! integers below 2^66. An `i128` adds 2^61 of them without overflow, more than there are
//! addresses. The scales, powers of two, are applied to the exact sum; then it is rounded.
//! So neither order nor grouping can be seen.

use super::block::check;
use super::element::Element;
use super::{BlockError, E8M0};
use crate::format::Arithmetic;
use crate::round::{Exact, Kind};
use crate::{Mode, Status};

/// What a sum of products has met so far.
#[derive(Default)]
struct Sum {
    /// The finite products', in units of 2^(UNIT_a + UNIT_b).
    finite: i128,
    /// Products with a plus sign, and with a minus sign, zeros included.
    signs: [bool; 2],
    /// Infinite products of either sign.
    infinite: [bool; 2],
    nan: bool,
    invalid: bool,
}

/// A finite value as a multiple of 2^unit. Its exponent is below unit + 33.
fn fixed(value: Exact<u32>, unit: i32) -> i64 {
    if !value.is_finite_nonzero() {
        return 0;
    }
    // The top digit, bit 63, has the value's exponent.
    let digits = (value.significand() as u64) << 32;
    let magnitude = (digits >> (63 - (value.exponent() - unit)) as u32) as i64;
    if value.sign() { -magnitude } else { magnitude }
}

impl Sum {
    fn add<A: Element, B: Element>(&mut self, a: A, b: B) {
        let (a, b) = (a.exact(), b.exact());
        let negative = (a.sign() != b.sign()) as usize;
        match (a.kind(), b.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) => {
                self.nan = true;
                self.invalid |= a.is_signaling() || b.is_signaling();
            }
            (Kind::Infinite, Kind::Zero) | (Kind::Zero, Kind::Infinite) => self.invalid = true,
            (Kind::Infinite, _) | (_, Kind::Infinite) => {
                mark(&mut self.infinite, negative);
            }
            _ => {
                mark(&mut self.signs, negative);
                self.finite +=
                    fixed(a, A::LEAST_EXPONENT) as i128 * fixed(b, B::LEAST_EXPONENT) as i128;
            }
        }
    }

    /// The sum times 2^unit, exact but for the jam bit.
    fn exact(&self, unit: i32) -> Exact<u64> {
        let invalid = self.invalid || self.infinite == [true, true];
        if self.nan || invalid {
            return Exact::<u64>::nan(invalid);
        }
        if let [plus, minus @ true] | [plus @ true, minus] = self.infinite {
            return Exact::<u64>::infinity(minus && !plus);
        }
        let magnitude = self.finite.unsigned_abs();
        if magnitude == 0 {
            return match self.signs {
                [true, true] => Exact::<u64>::zero_by_mode(),
                [_, minus] => Exact::<u64>::zero(minus),
            };
        }
        let zeros = magnitude.leading_zeros();
        let digits = magnitude << zeros;
        let jam = digits as u64 != 0;
        Exact::<u64>::normalised(
            self.finite < 0,
            unit + 127 - zeros as i32,
            (digits >> 64) as u64 | jam as u64,
        )
    }
}

fn mark(pair: &mut [bool; 2], second: usize) {
    let [plus, minus] = pair;
    *(if second == 0 { plus } else { minus }) = true;
}

/// The dot product of two blocks, `X_a * X_b * sum(P_i * Q_i)`, rounded once to `R`.
///
/// | case | delivers | raises |
/// |---|---|---|
/// | a scale or an element is NaN | NaN | invalid where an element signals |
/// | an infinity times zero, or infinite products of both signs | NaN | invalid |
/// | infinite products of one sign | that infinity | nothing |
/// | the exact sum is zero, products of both signs (of zeros too) | +0, toward negative -0 | nothing |
/// | the exact sum is zero, products of one sign | zero of that sign | nothing |
/// | no elements | +0 | nothing |
/// | any other | the exact sum, rounded once | as the rounding |
///
/// The first two rows may both hold: then NaN is delivered, and invalid raised by the second.
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
/// // 448^2 + 2^-9 - 448^2, halved: nothing is lost on the way.
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
    let mut sum = Sum {
        nan: a_scale.is_nan() || b_scale.is_nan(),
        ..Sum::default()
    };
    for (a, b) in a.iter().zip(b) {
        sum.add(*a, *b);
    }
    let unit = A::LEAST_EXPONENT + B::LEAST_EXPONENT + a_scale.exponent() + b_scale.exponent();
    let (bits, status) = sum.exact(unit).to_format::<R>(mode.rule());
    Ok((R::from_bits(bits), status))
}
