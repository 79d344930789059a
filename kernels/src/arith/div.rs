//! Division.
//!
//! Method: long division of the significands; the sticky bit says whether there is a remainder. A
//! short path with one 32-bit division serves the fixed roundings of narrow formats.

use crate::fixed::divide;
use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Kind, Rule, Status};

/// The most significand bits of a narrow format, and of any format here.
const NARROW: u32 = 11;
const WIDE: u32 = 24;
/// Steps of the long division, eight bits each: at least 48 bits of the quotient, then the sticky
/// bit. Stochastic rounding to f32 needs 40, and five steps may give no more than that.
const STEPS: u32 = 6;

macro_rules! impl_div {
    ($name:ident, $special:ident, $w:ty, |$x:ident, $y:ident| $quotient:expr, unit $unit:expr) => {
        impl Exact<u32> {
            /// The quotient, exact except for the sticky bit.
            pub(crate) const fn $name(self, other: Self) -> Exact<$w> {
                if !(self.is_finite_nonzero() && other.is_finite_nonzero()) {
                    return self.$special(other);
                }
                let ($x, $y) = (self.significand(), other.significand());
                let (quotient, inexact): ($w, bool) = $quotient;
                let unit = self.exponent() - other.exponent() - $unit;
                // One more bit, so that the sticky bit replaces no quotient bit.
                let jammed = (quotient << 1) | inexact as $w;
                Exact::<$w>::from_integer(self.sign() != other.sign(), jammed, unit - 1)
            }

            #[cold]
            const fn $special(self, other: Self) -> Exact<$w> {
                if let Some(invalid) = self.nan_operand(other) {
                    return Exact::<$w>::nan(invalid);
                }
                let sign = self.sign() != other.sign();
                match (self.kind(), other.kind()) {
                    (Kind::Infinite, Kind::Infinite) | (Kind::Zero, Kind::Zero) => {
                        Exact::<$w>::nan(true)
                    }
                    (Kind::Infinite, _) => Exact::<$w>::infinity(sign),
                    (_, Kind::Zero) => Exact::<$w>::pole(sign),
                    _ => Exact::<$w>::zero(sign),
                }
            }
        }
    };
}

// The dividend with 31 bits (one less than the word, and 20 more than the divisor).
impl_div!(
    div_short,
    special_quotient,
    u32,
    |x, y| {
        // The top bit is set; setting it again shows the compiler that the divisor is not zero.
        let (n, d) = (x >> 1, (y | Exact::<u32>::TOP) >> (32 - NARROW));
        (n / d, n % d != 0)
    },
    unit(32 - NARROW as i32 - 1)
);
impl_div!(
    div_long,
    special_quotient_long,
    u64,
    |x, y| divide(x >> (32 - WIDE), y >> (32 - WIDE), STEPS),
    unit(8 * STEPS as i32)
);

#[inline(always)]
const fn round<A: Arithmetic, B: Arithmetic, R: Arithmetic>(
    a: u64,
    b: u64,
    rule: Rule,
) -> (u64, Status) {
    let a = Exact::<u32>::decode::<A>(a as u32);
    let b = Exact::<u32>::decode::<B>(b as u32);
    let narrow = A::PRECISION <= NARROW && B::PRECISION <= NARROW && R::PRECISION <= NARROW;
    if narrow && !rule.direction.is_stochastic() {
        a.div_short(b).to_format::<R>(rule)
    } else {
        a.div_long(b).to_format::<R>(rule)
    }
}

rounded! {
    /// `a / b`, rounded once to `R` (IEEE 754-2019 `formatOf-division`).
    ///
    /// The sign is the exclusive or of the operands'. A finite non-zero value divided by zero gives
    /// infinity and raises divide by zero. 0/0 and infinity divided by infinity give NaN and raise
    /// invalid.
    ///
    /// ```
    /// use bitexact::{arith::div, f16, Mode};
    /// let third: f16 = div(1.0f32, 3.0f32, Mode::TOWARD_POSITIVE);
    /// assert_eq!(third.to_bits(), 0x3556);
    /// ```
    div, div_status, div_stochastic, div_stochastic_status,
    div_bits, div_stochastic_bits: round;
    <A: Arithmetic, B: Arithmetic, R: Arithmetic>(a: A, b: B) -> R
}
