//! softsign: `x / (1 + |x|)`.
//!
//! Method: one long division of the exact operand by the exact sum, and a second one for the
//! derivative; the sticky bit says whether there is a remainder. No table.
//!
//! Why it is correctly rounded: between 2^-13 and 2^23, an operand of at most 11 bits and 1 span at
//! most 24 bits. There the quotient is truncated, and a remainder sets the sticky bit. (Two nested
//! divisions truncate like one division by the square; its remainder is zero where both of theirs
//! are.)
//! - Where |x| < 2^-12, the value is just below x: by less than 2^-12 of it, which is less than the
//!   distance to any other rounding boundary. Likewise the derivative is just below 1 where |x| <
//!   2^-13.
//! - Where |x| >= 2^13, the value is just below 1, likewise.
//! - Where |x| >= 2^24, so that operands have at most 8 bits, the derivative is
//!   `1 / x^2 * (1 - 2 / |x|)` with a relative error of 2^-46; 39 bits of it are computed. Where
//!   the correction is less than a unit of these, it only moves an exact quotient just below
//!   itself. A run over all pairs of significands verifies that none brings the value that close to
//!   a rounding boundary.

use super::gradient::backward;
use crate::fixed::{divide, divide_long};
use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, 1 << 31);
/// Bits of an operand.
const DIGITS: i32 = 11;
/// Bits by which these are extended to a dividend of 24.
const RAISED: i32 = 13;
/// Steps of the two divisions, eight bits each.
const STEPS: u32 = 2;
const GRADIENT_STEPS: u32 = 5;

/// `d * 2^unit` as `(d, unit)` with exactly 24 bits, for a `d` of at most 24.
#[inline]
const fn with_24_digits(d: u32, unit: i32) -> (u32, i32) {
    let zeros = d.leading_zeros() as i32 - 8;
    (d << zeros, unit - zeros)
}

/// `(d, unit)`: `1 + |x| = d * 2^unit` with 24 bits, where 2^-13 <= |x| < 2^24.
#[inline]
const fn one_and(x: Exact<u32>) -> (u32, i32) {
    let integer = x.significand() >> (32 - DIGITS);
    let unit = x.exponent() - (DIGITS - 1);
    if unit <= 0 {
        with_24_digits(integer + (1 << -unit), unit)
    } else {
        with_24_digits((integer << unit) + 1, 0)
    }
}

/// The value at an operand of at most 11 bits.
#[inline]
const fn softsign_of(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Nan | Kind::Zero => x,
        Kind::Infinite => ONE.negate_if(x.sign()),
        Kind::Finite if x.exponent() < -12 => x.inward(),
        Kind::Finite if x.exponent() > 12 => ONE.inward().negate_if(x.sign()),
        Kind::Finite => {
            let (d, unit) = one_and(x);
            let n = (x.significand() >> (32 - DIGITS)) << RAISED;
            let (quotient, rest) = divide(n, d, STEPS);
            let jammed = ((quotient as u32) << 1) | rest as u32;
            let place = x.exponent() - (DIGITS - 1) - unit - RAISED - 8 * STEPS as i32 - 1;
            Exact::<u32>::from_integer(x.sign(), jammed, place)
        }
    }
}

/// `1 / (1 + |x|)^2` of a number.
#[inline]
const fn derivative(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Infinite => Exact::<u32>::zero(false),
        Kind::Finite if x.exponent() < -13 => Exact::<u32>::BELOW_ONE,
        Kind::Finite => {
            let n = 1 << (DIGITS - 1 + RAISED);
            let place = -(DIGITS - 1) - RAISED - 8 * GRADIENT_STEPS as i32 - 1;
            if x.exponent() > 23 {
                let integer = x.significand() >> 24;
                let (d, unit) = with_24_digits(integer * integer, 2 * (x.exponent() - 7));
                let (quotient, rest) = divide(n, d, GRADIENT_STEPS);
                let correction = if x.exponent() < 64 {
                    (quotient >> (x.exponent() - 8)) as u32 / (integer | 1 << 7)
                } else {
                    0
                };
                let jammed = ((quotient - correction as u64) << 1) + 2 * rest as u64 - 1;
                return Exact::<u64>::from_integer(false, jammed, place - unit).narrow();
            }
            let (d, unit) = one_and(x);
            let (quotient, rest) = divide(n, d, GRADIENT_STEPS);
            let (quotient, second_rest) = divide_long(quotient, d);
            let jammed = (quotient << 1) | (rest | second_rest) as u64;
            Exact::<u64>::from_integer(false, jammed, place - 2 * unit).narrow()
        }
        Kind::Zero => Exact::<u32>::ONE,
        Kind::Nan => x,
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    softsign_of(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `x / (1 + |x|)`, correctly rounded.
    ///
    /// Zeros give themselves, infinities 1 of their sign. NaN gives the canonical NaN; a signalling
    /// NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, activation::softsign, f16};
    /// let x = f16::from_bits(0xC000); // -2
    /// assert_eq!(softsign(x, Mode::TOWARD_ZERO).to_bits(), 0xB955); // -2/3
    /// ```
    softsign, softsign_status, softsign_bits: round;
    <F: Narrow>(x: F) -> F
}

backward! {
    /// The gradient of [`softsign`](super::softsign()): `1 / (1 + |x|)^2`, rounded, times `grad`,
    /// rounded again.
    ///
    /// An infinite `x` gives the zero of `grad`'s sign, or NaN and invalid where `grad` is
    /// infinite. A NaN operand gives the canonical NaN; a signalling one also raises invalid. The
    /// status is the union of both steps'.
    ///
    /// ```
    /// use bitexact::{Mode, activation::softsign_backward, f16};
    /// let (x, grad) = (f16::from_bits(0xC000), f16::from_bits(0x4500)); // -2, 5
    /// let y = softsign_backward(x, grad, Mode::TIES_TO_EVEN);
    /// assert_eq!(y.to_bits(), 0x3872); // 5/9
    /// ```
    softsign_backward, softsign_backward_status, softsign_backward_bits: derivative;
    ()
}
