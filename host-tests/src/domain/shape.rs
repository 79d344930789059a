//! What the generators know of a type: where its thresholds lie, no more.

/// A binary floating-point format as its encoding orders it: magnitudes are the codes below the
/// sign bit, in increasing order, finite ones first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Float {
    /// Width of a code.
    pub bits: u32,
    /// Digits of a normal number, the hidden one included.
    pub precision: u32,
    /// Exponent of the smallest normal number.
    pub emin: i32,
    /// Code of the largest finite number.
    pub max: u64,
}

impl Float {
    pub const F16: Self = Self {
        bits: 16,
        precision: 11,
        emin: -14,
        max: 0x7BFF,
    };
    pub const BF16: Self = Self {
        bits: 16,
        precision: 8,
        emin: -126,
        max: 0x7F7F,
    };
    pub const F32: Self = Self {
        bits: 32,
        precision: 24,
        emin: -126,
        max: 0x7F7F_FFFF,
    };
    pub const F64: Self = Self {
        bits: 64,
        precision: 53,
        emin: -1022,
        max: 0x7FEF_FFFF_FFFF_FFFF,
    };
    pub const E5M2: Self = Self {
        bits: 8,
        precision: 3,
        emin: -14,
        max: 0x7B,
    };
    pub const E4M3FN: Self = Self {
        bits: 8,
        precision: 4,
        emin: -6,
        max: 0x7E,
    };
    pub const E5M2FNUZ: Self = Self {
        bits: 8,
        precision: 3,
        emin: -15,
        max: 0x7F,
    };
    pub const E4M3FNUZ: Self = Self {
        bits: 8,
        precision: 4,
        emin: -7,
        max: 0x7F,
    };
    pub const E2M3: Self = Self {
        bits: 6,
        precision: 4,
        emin: 0,
        max: 0x1F,
    };
    pub const E3M2: Self = Self {
        bits: 6,
        precision: 3,
        emin: -2,
        max: 0x1F,
    };
    pub const E2M1: Self = Self {
        bits: 4,
        precision: 2,
        emin: 0,
        max: 0x7,
    };

    /// Exponent of the largest finite number.
    #[must_use]
    pub const fn emax(self) -> i32 {
        self.emin + (self.max >> (self.precision - 1)) as i32 - 1
    }

    /// The sign's bit.
    #[must_use]
    pub const fn sign_bit(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// The largest code without a sign.
    #[must_use]
    pub const fn magnitude_mask(self) -> u64 {
        self.sign_bit() - 1
    }

    /// The code of the smallest normal number.
    #[must_use]
    pub const fn min_normal(self) -> u64 {
        1 << (self.precision - 1)
    }

    /// A finite magnitude as `(significand, exponent)`: significand * 2^exponent.
    #[must_use]
    pub const fn unpack(self, magnitude: u64) -> (u64, i32) {
        let field = (magnitude >> (self.precision - 1)) as i32;
        let fraction = magnitude & (self.min_normal() - 1);
        let lowest = self.emin - (self.precision as i32 - 1);
        if field == 0 {
            (fraction, lowest)
        } else {
            (fraction | self.min_normal(), lowest + field - 1)
        }
    }

    /// The magnitude of significand * 2^exponent, cut off towards zero and at the largest finite
    /// number.
    #[must_use]
    pub const fn pack(self, significand: u128, exponent: i32) -> u64 {
        if significand == 0 {
            return 0;
        }
        let top = exponent + 127 - significand.leading_zeros() as i32;
        let leading = if top < self.emin { self.emin } else { top };
        let unit = leading - (self.precision as i32 - 1);
        let shift = exponent - unit;
        let digits = if shift >= 0 {
            significand << shift
        } else if shift <= -128 {
            0
        } else {
            significand >> -shift
        } as u64;
        if top < self.emin {
            return digits;
        }
        let code = ((top - self.emin) as u64)
            .saturating_mul(self.min_normal())
            .saturating_add(digits);
        if code > self.max { self.max } else { code }
    }
}

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// There is no such operand.
    Absent,
    Float(Float),
    Integer {
        bits: u32,
        signed: bool,
    },
}

impl Shape {
    /// Width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Absent => 0,
            Self::Float(float) => float.bits,
            Self::Integer { bits, .. } => bits,
        }
    }
}

/// Where results are cut: the digits that are kept and the exponents between which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub precision: u32,
    pub emin: i32,
    pub emax: i32,
}

impl Target {
    /// A float's own thresholds.
    #[must_use]
    pub const fn of(float: Float) -> Self {
        Self {
            precision: float.precision,
            emin: float.emin,
            emax: float.emax(),
        }
    }

    /// An integer's: the units digit is the last one, whatever the magnitude.
    #[must_use]
    pub const fn integer(bits: u32) -> Self {
        Self {
            precision: bits,
            emin: bits as i32 - 1,
            emax: bits as i32 - 1,
        }
    }

    /// MXINT8's: the last digit is 2^-6, the first 2^0.
    pub const MXINT8: Self = Self {
        precision: 7,
        emin: 0,
        emax: 0,
    };

    /// E8M0's: one digit.
    pub const SCALE: Self = Self {
        precision: 1,
        emin: -127,
        emax: 127,
    };

    /// How many digits are kept of a number with this exponent: fewer below `emin`, possibly none.
    #[must_use]
    pub const fn digits(self, exponent: i32) -> i32 {
        let lost = if exponent < self.emin {
            self.emin - exponent
        } else {
            0
        };
        let left = self.precision as i32 - lost;
        if left < 0 { 0 } else { left }
    }
}
