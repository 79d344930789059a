//! Values of bits as f64: exact, since no format here exceeds the bits or exponents of f64.

use std::sync::LazyLock;
use sweep_row::Ty;

/// The values of a format's bits, NaNs as f64 NaNs.
pub(super) enum Values {
    Table { all: Box<[f64]>, above_largest: f64 },
    F32,
    F64,
}

impl Values {
    /// The values of a type of up to 32 bits, or of f64 (as an operand only).
    pub fn of(ty: Ty) -> Option<&'static Self> {
        static F16: LazyLock<Values> = LazyLock::new(|| Values::table(16, half, 65536.0));
        static BF16: LazyLock<Values> = LazyLock::new(|| Values::table(16, brain, TWO_TO_128));
        static E5M2: LazyLock<Values> =
            LazyLock::new(|| Values::table(8, |b| half(b << 8), 65536.0));
        static E4M3FN: LazyLock<Values> = LazyLock::new(|| Values::table(8, e4m3fn, 480.0));
        static E5M2FNUZ: LazyLock<Values> = LazyLock::new(|| Values::table(8, e5m2fnuz, 65536.0));
        static E4M3FNUZ: LazyLock<Values> = LazyLock::new(|| Values::table(8, e4m3fnuz, 256.0));
        static E2M3: LazyLock<Values> =
            LazyLock::new(|| Values::table(6, |b| ieee(b >> 5, b >> 3 & 3, b & 7, 3, 1), 8.0));
        static E3M2: LazyLock<Values> =
            LazyLock::new(|| Values::table(6, |b| ieee(b >> 5, b >> 2 & 7, b & 3, 2, 3), 32.0));
        static E2M1: LazyLock<Values> = LazyLock::new(|| Values::table(4, e2m1, 8.0));
        Some(match ty {
            Ty::F16 => &F16,
            Ty::Bf16 => &BF16,
            Ty::E5m2 => &E5M2,
            Ty::E4m3fn => &E4M3FN,
            Ty::E5m2fnuz => &E5M2FNUZ,
            Ty::E4m3fnuz => &E4M3FNUZ,
            Ty::E2m3 => &E2M3,
            Ty::E3m2 => &E3M2,
            Ty::E2m1 => &E2M1,
            Ty::F32 => &Self::F32,
            Ty::F64 => &Self::F64,
            _ => return None,
        })
    }

    fn table(bits: u32, value: fn(u32) -> f64, above_largest: f64) -> Self {
        Self::Table {
            all: (0..1 << bits).map(value).collect(),
            above_largest,
        }
    }

    /// The value of these bits.
    #[expect(clippy::cast_possible_truncation, reason = "raw bits of the type")]
    #[inline]
    pub fn load(&self, bits: u64) -> f64 {
        match self {
            Self::Table { all, .. } => all[bits as usize],
            Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
        }
    }

    /// The magnitude of a code up to one above `largest`, the largest finite one.
    #[inline]
    pub fn magnitude(&self, code: u64, largest: u64) -> f64 {
        if code <= largest {
            return self.load(code);
        }
        match self {
            Self::Table { above_largest, .. } => *above_largest,
            _ => TWO_TO_128,
        }
    }
}

const TWO_TO_128: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

/// binary16, from its definition.
fn half(bits: u32) -> f64 {
    match bits >> 10 & 0x1F {
        0x1F if bits & 0x3FF != 0 => f64::NAN,
        0x1F => signed(bits >> 15, f64::INFINITY),
        field => ieee(bits >> 15, field, bits & 0x3FF, 10, 15),
    }
}

/// bfloat16 is the upper half of an f32.
fn brain(bits: u32) -> f64 {
    f32::from_bits(bits << 16).into()
}

fn e4m3fn(bits: u32) -> f64 {
    if bits & 0x7F == 0x7F {
        return f64::NAN;
    }
    ieee(bits >> 7, bits >> 3 & 0xF, bits & 7, 3, 7)
}

fn e5m2fnuz(bits: u32) -> f64 {
    if bits == 0x80 {
        return f64::NAN;
    }
    ieee(bits >> 7, bits >> 2 & 0x1F, bits & 3, 2, 16)
}

fn e4m3fnuz(bits: u32) -> f64 {
    if bits == 0x80 {
        return f64::NAN;
    }
    ieee(bits >> 7, bits >> 3 & 0xF, bits & 7, 3, 8)
}

fn e2m1(bits: u32) -> f64 {
    signed(
        bits >> 3,
        [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][(bits & 7) as usize],
    )
}

fn signed(sign: u32, magnitude: f64) -> f64 {
    if sign == 0 { magnitude } else { -magnitude }
}

/// `(-1)^sign * 2^(field - bias) * (1 + fraction)`, or with field 0 the subnormal formula. All
/// factors are powers of two, so the products are exact.
fn ieee(sign: u32, field: u32, fraction: u32, digits: i32, bias: i32) -> f64 {
    let fraction = f64::from(fraction) * 2_f64.powi(-digits);
    let magnitude = if field == 0 {
        fraction * 2_f64.powi(1 - bias)
    } else {
        (1.0 + fraction) * 2_f64.powi(field.cast_signed() - bias)
    };
    signed(sign, magnitude)
}
