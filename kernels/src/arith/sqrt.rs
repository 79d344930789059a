//! Square root.
//!
//! Method: the integer square root of the significand times an even power of two; whether there
//! is a rest is the jam bit. The short path's 16 digits serve the fixed roundings to narrow
//! formats, the long one's 42 everything (stochastic rounding to f32 cuts at the 40th).

use crate::fixed::{square_root_long, square_root_short};
use crate::format::Arithmetic;
use crate::round::{Exact, Kind, Rule, Status};
use crate::wrappers::rounded;

const SHORT: u32 = 16;
const LONG: u32 = 42;

macro_rules! impl_sqrt {
    ($name:ident, $w:ty, $root:ident, $digits:ident) => {
        impl Exact<u32> {
            /// The square root, exact but for the jam bit.
            #[inline]
            const fn $name(self) -> Exact<$w> {
                match self.kind() {
                    Kind::Nan => Exact::<$w>::nan(self.mark()),
                    Kind::Zero => Exact::<$w>::zero(self.sign()),
                    _ if self.sign() => Exact::<$w>::nan(true),
                    Kind::Infinite => Exact::<$w>::infinity(false),
                    Kind::Finite => {
                        // An odd unit takes one digit off, which is zero: there are at most 24.
                        let unit = self.exponent() - 31;
                        let odd = unit & 1;
                        let radicand = self.significand() >> odd;
                        let (root, inexact) = $root(radicand, $digits);
                        let jammed = (root << 1) | inexact as $w;
                        let unit = (unit + odd) / 2 - ($digits as i32 - 16) - 1;
                        Exact::<$w>::from_integer(false, jammed, unit)
                    }
                }
            }
        }
    };
}

impl_sqrt!(sqrt_short, u32, square_root_short, SHORT);
impl_sqrt!(sqrt_long, u64, square_root_long, LONG);

#[inline(always)]
const fn round<A: Arithmetic, R: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<A>(x as u32);
    if rule
        .direction
        .needs_more_than(SHORT.saturating_sub(R::PRECISION))
    {
        x.sqrt_long().to_format::<R>(rule)
    } else {
        x.sqrt_short().to_format::<R>(rule)
    }
}

rounded! {
    /// The square root of `x`, rounded once to `R` (IEEE 754-2019 `formatOf-squareRoot`).
    ///
    /// -0 gives -0; any other negative operand, -infinity too: NaN and invalid.
    ///
    /// ```
    /// use bitexact::{arith::sqrt, bf16, Mode};
    /// let root: bf16 = sqrt(bf16::from_bits(0x4000), Mode::TIES_TO_EVEN); // sqrt(2)
    /// assert_eq!(root.to_bits(), 0x3FB5);
    /// ```
    sqrt, sqrt_status, sqrt_stochastic, sqrt_stochastic_status, sqrt_bits;
    <A: Arithmetic, R: Arithmetic>(x: A) -> R
}
