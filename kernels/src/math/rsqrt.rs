//! rsqrt: `1 / sqrt(x)`.
//!
//! Method: with `x = m * 2^2k`, `m` an integer of 11 or 12 bits, the root of the integer
//! quotient `2^42 / m`, which has 32 bits.
//!
//! Why it is correctly rounded: floor(sqrt(floor(a))) = floor(sqrt(a)), so the 16 bits of the root
//! are the truncated result's. The result is exact only where `2^42 / m` is a square, that is for a
//! power of four, `m = 2^10`; everywhere else the sticky bit is set. Table: that of
//! `fixed/sqrt.rs`.

use crate::fixed::square_root_normal;
use crate::format::Arithmetic;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};
use crate::single;

/// `m` for a power of four.
const POWER_OF_FOUR: u32 = 1 << 10;
/// Bits of the quotient that are left to the second of its two divisions.
const SECOND: u32 = 11;

impl Exact<u32> {
    /// The reciprocal square root of an operand of at most 11 bits.
    pub(crate) const fn rsqrt(self) -> Self {
        match self.kind() {
            Kind::Nan => Exact::<u32>::nan(self.payload_flag()),
            Kind::Zero => Exact::<u32>::pole(self.sign()),
            _ if self.sign() => Exact::<u32>::nan(true),
            Kind::Infinite => Exact::<u32>::zero(false),
            Kind::Finite => {
                let odd = self.exponent() & 1;
                // The top bit is set; setting it again shows the compiler that m is not zero.
                let m = ((self.significand() | Self::TOP) >> 21) << odd;
                let half = (self.exponent() - odd) / 2;
                if m == POWER_OF_FOUR {
                    return Exact::<u32>::normalised(false, -half, 1 << 31);
                }
                let (high, rest) = ((1 << 31) / m, (1 << 31) % m);
                let quotient = (high << SECOND) + (rest << SECOND) / m;
                let (root, _) = square_root_normal(quotient);
                Exact::<u32>::normalised(false, -half - 1, (root << 16) | 1)
            }
        }
    }
}

#[inline(always)]
const fn round<F: Arithmetic>(x: u64, rule: Rule) -> (u64, Status) {
    let x = Exact::<u32>::decode::<F>(x as u32);
    if F::PRECISION == single::PRECISION {
        return single::rsqrt(x).to_format::<F>(rule);
    }
    x.rsqrt().to_format::<F>(rule)
}

rounded_by_mode! {
    /// `1 / sqrt(x)`, correctly rounded (IEEE 754-2019 `rSqrt`).
    ///
    /// Either zero gives the infinity of its sign and raises divide by zero. Any other negative
    /// operand, -infinity included, gives NaN and raises invalid. +infinity gives +0. NaN gives the
    /// canonical NaN; a signalling NaN also raises invalid. Neither overflow nor underflow is
    /// possible in a 16-bit format.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::rsqrt};
    /// let x = f16::from_bits(0x4000);
    /// assert_eq!(rsqrt(x, Mode::TIES_TO_EVEN).to_bits(), 0x39A8); // sqrt(1/2)
    /// ```
    rsqrt, rsqrt_status, rsqrt_bits: round;
    <F: Arithmetic>(x: F) -> F
}
