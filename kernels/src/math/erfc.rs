//! erfc: the complementary error function, `1 - erf(x)`.
//!
//! Method: below 1/2 in magnitude, the sum of 1 and the error function's series, with a sticky bit;
//! above, `exp(-x^2) * (exp(x^2) erfc(x))` (see `fixed/erfc.rs`) for a positive operand, and 2
//! minus that for a negative one; from -3 down, just below 2.
//!
//! Why it is correctly rounded: the relative error is below 2^-25.5 (2^-25 beyond 3), and below 1/2
//! the absolute one below 2^-28 |x|. Only the value at zero is a rounding boundary. The closest
//! other value is within 2^-36 of one (|x| = 0.0035, where the error is 2^-38), the closest beyond
//! 1/2 within 2^-24.3. The exhaustive run verifies that each lies on the correct side; repeat it
//! after any change of a constant.
//!
//! Tables: those of erf.

use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Kind, Rule, Status};

const ONE: Exact<u32> = Exact::<u32>::normalised(false, 0, 1 << 31);
const TWO: Exact<u32> = ONE.scale(1);
/// Less than every format's least positive number.
const TINY: Exact<u32> = ONE.scale(-1000).outward();

impl Exact<u32> {
    /// The complementary error function of an operand of at most 11 bits.
    #[inline]
    pub(crate) const fn erfc(self) -> Self {
        match self.kind() {
            Kind::Nan => self,
            Kind::Zero => ONE,
            Kind::Infinite if self.sign() => TWO,
            Kind::Infinite => Self::zero(false),
            Kind::Finite if self.exponent() < -1 => ONE.add(self.erf_below_half().negate_if(true)),
            Kind::Finite if self.sign() => {
                if self.erf_is_one() {
                    return TWO.inward();
                }
                let (n, e) = self.erfc_of_magnitude();
                Self::normalised(false, 0, (n >> e).wrapping_neg() | 1)
            }
            Kind::Finite if self.exponent() > 3 => TINY,
            Kind::Finite => {
                let (n, e) = self.erfc_of_magnitude();
                Self::from_integer(false, n | 1, -31 - e)
            }
        }
    }
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    Exact::<u32>::decode::<F>(x as u32)
        .erfc()
        .to_format::<F>(rule)
}

rounded_by_mode! {
    /// `1 - erf(x)`, correctly rounded (C23 `erfc`).
    ///
    /// Either zero gives 1, +infinity +0, -infinity 2. A large positive number underflows. NaN
    /// gives the canonical NaN; a signalling NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, bf16, math::erfc};
    /// let five = bf16::from_bits(0x40A0);
    /// assert_eq!(erfc(five, Mode::TIES_TO_EVEN).to_bits(), 0x2BD8); // 1.5375e-12
    /// ```
    erfc, erfc_status, erfc_bits: round;
    <F: Narrow>(x: F) -> F
}
