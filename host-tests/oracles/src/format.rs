//! The meaning of a format's codes, from the definition: sign, exponent field, fraction.
//!
//! The codes of a format without their sign bit, in increasing order, are its magnitudes in
//! increasing order. One more code after the largest finite one, read with the same formula, is the
//! neighbour that an unbounded exponent range would have there; so [`Format::magnitude`] accepts
//! that one too.

use super::datum::Datum;
use super::dyadic::Dyadic;
use sweep_row::Ty;

/// The codes that are not finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specials {
    /// IEEE 754: the all-ones exponent field holds infinity (fraction zero) and NaNs.
    Ieee,
    /// No infinity; NaN is the all-ones code, of either sign.
    FiniteNan,
    /// No infinity and no negative zero, whose code is the one NaN.
    Fnuz,
    /// Every code is a finite number.
    FiniteOnly,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    pub ty: Ty,
    /// Sign, exponent field and fraction.
    pub bits: u32,
    /// Bits of a normal significand, the leading one included.
    pub precision: u32,
    /// The exponent of the least normal number.
    pub emin: i32,
    /// The code of the largest finite number.
    pub largest: u64,
    pub specials: Specials,
}

const FORMATS: [Format; 11] = {
    use Specials::{FiniteNan, FiniteOnly, Fnuz, Ieee};
    const fn format(
        ty: Ty,
        bits: u32,
        precision: u32,
        emin: i32,
        largest: u64,
        specials: Specials,
    ) -> Format {
        Format {
            ty,
            bits,
            precision,
            emin,
            largest,
            specials,
        }
    }
    [
        format(Ty::F16, 16, 11, -14, 0x7BFF, Ieee),
        format(Ty::Bf16, 16, 8, -126, 0x7F7F, Ieee),
        format(Ty::F32, 32, 24, -126, 0x7F7F_FFFF, Ieee),
        format(Ty::F64, 64, 53, -1022, 0x7FEF_FFFF_FFFF_FFFF, Ieee),
        format(Ty::E5m2, 8, 3, -14, 0x7B, Ieee),
        format(Ty::E4m3fn, 8, 4, -6, 0x7E, FiniteNan),
        // Bias 16: 57344 = 1.75 * 2^15 is the largest.
        format(Ty::E5m2fnuz, 8, 3, -15, 0x7F, Fnuz),
        // Bias 8: 240 = 1.875 * 2^7 is the largest.
        format(Ty::E4m3fnuz, 8, 4, -7, 0x7F, Fnuz),
        format(Ty::E2m3, 6, 4, 0, 0x1F, FiniteOnly),
        format(Ty::E3m2, 6, 3, -2, 0x1F, FiniteOnly),
        format(Ty::E2m1, 4, 2, 0, 0x7, FiniteOnly),
    ]
};

impl Format {
    /// The format of a type, if it is a signed float format.
    #[must_use]
    pub fn of(ty: Ty) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.ty == ty)
    }

    /// The value of a code without its sign; `code` may be one beyond the largest finite one.
    #[must_use]
    pub const fn magnitude(&self, code: u64) -> Dyadic {
        let fraction_bits = self.precision - 1;
        let fraction = code & ((1 << fraction_bits) - 1);
        let field = (code >> fraction_bits) as i32;
        let ulp = self.emin - fraction_bits as i32;
        if field == 0 {
            Dyadic::new(fraction as u128, ulp)
        } else {
            Dyadic::new((fraction + (1 << fraction_bits)) as u128, ulp + field - 1)
        }
    }

    /// The sign bit.
    #[must_use]
    pub const fn sign_bit(&self) -> u64 {
        1 << (self.bits - 1)
    }

    /// The bits without their sign.
    #[must_use]
    pub const fn code(&self, bits: u64) -> u64 {
        bits & (self.sign_bit() - 1)
    }

    /// The code of infinity.
    #[must_use]
    pub fn infinity(&self) -> Option<u64> {
        (self.specials == Specials::Ieee).then_some(self.largest + 1)
    }

    /// The canonical quiet NaN.
    #[must_use]
    pub const fn nan(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.largest + 1 + self.quiet_bit()),
            Specials::FiniteNan => Some(self.sign_bit() - 1),
            Specials::Fnuz => Some(self.sign_bit()),
            Specials::FiniteOnly => None,
        }
    }

    /// The top bit of the fraction.
    #[must_use]
    pub const fn quiet_bit(&self) -> u64 {
        1 << (self.precision - 2)
    }

    /// A magnitude's code with a sign. A format without a negative zero has only +0.
    #[must_use]
    #[inline]
    pub fn signed(&self, negative: bool, code: u64) -> u64 {
        let no_such_zero = code == 0 && self.specials == Specials::Fnuz;
        code + u64::from(negative && !no_such_zero) * self.sign_bit()
    }

    /// The value of a code.
    #[must_use]
    pub fn decode(&self, bits: u64) -> Datum {
        let negative = bits & self.sign_bit() != 0;
        let code = self.code(bits);
        let special = match self.specials {
            Specials::Ieee if code == self.largest + 1 => Some(Datum::Infinity { negative }),
            Specials::Ieee if code > self.largest + 1 => Some(Datum::Nan {
                signalling: code & self.quiet_bit() == 0,
            }),
            Specials::FiniteNan if code > self.largest => Some(Datum::Nan { signalling: false }),
            Specials::Fnuz if negative && code == 0 => Some(Datum::Nan { signalling: false }),
            _ => None,
        };
        special.unwrap_or_else(|| Datum::Finite {
            negative,
            magnitude: self.magnitude(code),
        })
    }

    /// The least normal magnitude.
    #[must_use]
    pub const fn least_normal(&self) -> Dyadic {
        Dyadic::power_of_two(self.emin)
    }
}
