//! The properties of a type for the generators: only its thresholds.

/// A binary floating-point format, in the order of its encoding: magnitudes are the codes below the
/// sign bit, in increasing order, finite ones first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Float {
    /// Width of a code.
    pub bits: u32,
    /// Bits of a normal significand, the hidden one included.
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

    /// The format of this name, in a row's name.
    #[must_use]
    pub const fn named(name: &str) -> Option<Self> {
        Some(match name.as_bytes() {
            b"f16" => Self::F16,
            b"bf16" => Self::BF16,
            b"f32" => Self::F32,
            b"f64" => Self::F64,
            b"e5m2" => Self::E5M2,
            b"e4m3fn" => Self::E4M3FN,
            b"e5m2fnuz" => Self::E5M2FNUZ,
            b"e4m3fnuz" => Self::E4M3FNUZ,
            b"e2m3" => Self::E2M3,
            b"e3m2" => Self::E3M2,
            b"e2m1" => Self::E2M1,
            _ => return None,
        })
    }

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

    /// The magnitude of significand * 2^exponent, truncated towards zero and clamped to the largest
    /// finite number.
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

/// The precision of results: the kept bits, and the range of exponents.
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

    /// That of an integer: the last bit has the weight 1 for every magnitude.
    #[must_use]
    pub const fn integer(bits: u32) -> Self {
        Self {
            precision: bits,
            emin: bits as i32 - 1,
            emax: bits as i32 - 1,
        }
    }

    /// That of MXINT8: the last bit is 2^-6, the first 2^0.
    pub const MXINT8: Self = Self {
        precision: 7,
        emin: 0,
        emax: 0,
    };

    /// That of E8M0: one bit.
    pub const SCALE: Self = Self {
        precision: 1,
        emin: -127,
        emax: 127,
    };

    /// How many bits are kept of a number with this exponent: fewer below `emin`, possibly none.
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
