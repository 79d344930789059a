//! What the inverse hyperbolic functions share.

use super::logarithm::{inexact, log_of};
use crate::fixed::{Base, Log, square_root_64};
use crate::round::Exact;

/// From 2^FAR on, `x + sqrt(x^2 +- 1)` is `2 x` with a relative error of 2^-34.
const FAR: i32 = 16;
/// How many of a square's 64 bits are spare, so that 1 can be added: an operand has few bits.
const SPARE: i32 = 6;

/// `x (1 + z p(z))` with `z = x^2`, for a non-zero `|x| < 1/4` and a polynomial's coefficients,
/// 2^-31, constant first.
///
/// The relative error of the result is 2^-33: that of the rounded polynomial, 2^-31, times z, and
/// that of the polynomial itself. Where `z` is lost, the result is still next to `x`, on the side
/// that the first coefficient's sign gives.
#[inline]
pub(super) const fn odd_polynomial<const N: usize>(
    x: Exact<u32>,
    coefficients: &[i32; N],
) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), x.significand() as u64);
    let shift = 27 - 2 * exponent;
    let z = if shift < 64 {
        ((significand * significand) >> shift) as i64
    } else {
        0
    };
    let (mut rest, mut sum): (&[i32], i64) = (coefficients, 0);
    while let [head @ .., last] = rest {
        sum = *last as i64 + ((sum * z) >> 35);
        rest = head;
    }
    let below = sum < 0;
    let product = (significand << 24) as i64 + ((significand as i64 * ((sum * z) >> 31)) >> 11);
    inexact((product - below as i64, exponent - 31 - 24)).negate_if(x.sign())
}

/// `ln(|x| + sqrt(x^2 + 1))` for `|x| >= 1/4`, or `ln(|x| + sqrt(x^2 - 1))` for `|x| >= 1`, exact
/// for 1.
#[inline]
pub(super) const fn log_of_root(x: Exact<u32>, plus: bool) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), x.significand() as u64);
    if exponent >= FAR {
        let log = Log::new(exponent + 1, x.significand());
        return inexact(log.to_base(Base::E));
    }
    let unit = 2 * exponent - 62 + SPARE;
    let square = (significand * significand) >> SPARE;
    let one = 1 << -unit;
    let radicand = if plus { square + one } else { square - one };
    if radicand == 0 {
        return Exact::<u32>::zero(false);
    }
    let radicand = Exact::<u64>::from_integer(false, radicand, unit);
    let odd = radicand.exponent() & 1;
    let root = square_root_64(radicand.significand() >> (1 - odd)) as u64;
    let root_exponent = radicand.exponent() >> 1;

    // The smaller one is shifted to the unit of the larger.
    let apart = exponent - root_exponent;
    let (x, root) = (significand << 16, root << 16);
    let (sum, unit) = if apart >= 0 {
        (x + (root >> apart), exponent - 47)
    } else {
        ((x >> -apart) + root, root_exponent - 47)
    };
    let sum = Exact::<u64>::from_integer(false, sum, unit).narrow();
    inexact(log_of(sum).to_base(Base::E))
}
