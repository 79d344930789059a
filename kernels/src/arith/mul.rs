//! Multiplication.
//!
//! Method: the product of the significands, which is exact: 16 bits times 16 fit 32 bits, and
//! 24 times 24 fit 64.

use crate::format::Arithmetic;
use crate::public_api::rounded;
use crate::round::{Exact, Kind, Rule, Status};

macro_rules! impl_mul {
    ($name:ident, $special:ident, $w:ty, |$x:ident, $y:ident| $product:expr) => {
        impl Exact<u32> {
            /// The exact product.
            pub(crate) const fn $name(self, other: Self) -> Exact<$w> {
                if !(self.is_finite_nonzero() && other.is_finite_nonzero()) {
                    return self.$special(other);
                }
                let ($x, $y) = (self.significand(), other.significand());
                let product: $w = $product;
                // From 1 up to 4.
                let carries = product >> (<$w>::BITS - 1);
                let exponent = self.exponent() + other.exponent() + carries as i32;
                let significand = product << (1 - carries);
                Exact::<$w>::normalised(self.sign() != other.sign(), exponent, significand)
            }

            #[cold]
            const fn $special(self, other: Self) -> Exact<$w> {
                if let Some(invalid) = self.nan_operand(other) {
                    return Exact::<$w>::nan(invalid);
                }
                let sign = self.sign() != other.sign();
                match (self.kind(), other.kind()) {
                    (Kind::Infinite, Kind::Zero) | (Kind::Zero, Kind::Infinite) => {
                        Exact::<$w>::nan(true)
                    }
                    (Kind::Infinite, _) | (_, Kind::Infinite) => Exact::<$w>::infinity(sign),
                    _ => Exact::<$w>::zero(sign),
                }
            }
        }
    };
}

// Significands of at most 16 bits, so that their lower halves are zero.
impl_mul!(mul_short, special_product, u32, |x, y| (x >> 16)
    * (y >> 16));
impl_mul!(mul_long, special_product_long, u64, |x, y| x as u64
    * y as u64);

/// Whether the significands of two formats are short enough for `mul_short`.
pub(super) const fn are_short<A: Arithmetic, B: Arithmetic>() -> bool {
    A::PRECISION <= 16 && B::PRECISION <= 16
}

#[inline(always)]
const fn round<A: Arithmetic, B: Arithmetic, R: Arithmetic>(
    a: u64,
    b: u64,
    rule: Rule,
) -> (u64, Status) {
    let a = Exact::<u32>::decode::<A>(a as u32);
    let b = Exact::<u32>::decode::<B>(b as u32);
    if are_short::<A, B>() {
        a.mul_short(b).to_format::<R>(rule)
    } else {
        a.mul_long(b).to_format::<R>(rule)
    }
}

rounded! {
    /// `a * b`, rounded once to `R` (IEEE 754-2019 `formatOf-multiplication`).
    ///
    /// The sign is the exclusive or of the operands', for zeros and infinities too. Zero times
    /// infinity gives NaN and raises invalid.
    ///
    /// ```
    /// use bitexact::{arith::mul, bf16, Mode};
    /// let third = bf16::from_bits(0x3EAB);
    /// let exact: f32 = mul(third, third, Mode::TIES_TO_EVEN); // bf16 products fit an f32
    /// assert_eq!(exact.to_bits(), 0x3DE4_7200);
    /// ```
    mul, mul_status, mul_stochastic, mul_stochastic_status,
    mul_bits, mul_stochastic_bits: round;
    <A: Arithmetic, B: Arithmetic, R: Arithmetic>(a: A, b: B) -> R
}
