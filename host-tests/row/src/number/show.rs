//! Bits to text.

use crate::Ty;
use crate::number;

/// The bits as TestFloat writes them: uppercase hex, padded to the type's width.
#[must_use]
pub fn hex(ty: Ty, bits: u64) -> String {
    format!("{bits:0width$X}", width = ty.hex_digits())
}

/// Whether the bits are a NaN of a type that has NaNs.
#[must_use]
pub const fn is_nan(ty: Ty, bits: u64) -> bool {
    match ty {
        Ty::E8m0 => bits == 0xFF,
        Ty::E5m2fnuz | Ty::E4m3fnuz => bits == 0x80,
        Ty::E4m3fn => bits & 0x7F == 0x7F,
        Ty::E2m3 | Ty::E3m2 | Ty::E2m1 => false,
        _ => match number::float(ty) {
            Some(float) => bits & float.magnitude_mask() > float.max + 1,
            None => false,
        },
    }
}

/// The value as text for people, shown with the bits.
#[must_use]
pub fn value(ty: Ty, bits: u64) -> String {
    const CLASSES: [&str; 10] = [
        "signalingNaN",
        "quietNaN",
        "negativeInfinity",
        "negativeNormal",
        "negativeSubnormal",
        "negativeZero",
        "positiveZero",
        "positiveSubnormal",
        "positiveNormal",
        "positiveInfinity",
    ];
    if is_nan(ty, bits) {
        return nan(ty, bits);
    }
    match ty {
        Ty::Bool => (bits != 0).to_string(),
        Ty::Class => CLASSES
            .get(bits as usize)
            .unwrap_or(&"no class")
            .to_string(),
        Ty::E8m0 => format!("2^{}", bits as i64 - 127),
        // Exact: a multiple of 2^-6.
        Ty::Mxint8 => format!("{}", f64::from(bits as u8 as i8) / 64.0),
        _ => match (number::float(ty), number::integer(ty)) {
            (Some(float), _) => {
                let magnitude = bits & float.magnitude_mask();
                let sign = if bits & float.sign_bit() != 0 {
                    "-"
                } else {
                    ""
                };
                if magnitude > float.max {
                    return format!("{sign}inf");
                }
                // Exact: every format here is within the precision and range of f64, including f64
                // itself.
                let (significand, exponent) = float.unpack(magnitude);
                format!("{sign}{}", decimal(significand, exponent))
            }
            (None, Some(true)) => {
                let unused = 64 - ty.bits();
                (((bits << unused) as i64) >> unused).to_string()
            }
            _ => bits.to_string(),
        },
    }
}

fn nan(ty: Ty, bits: u64) -> String {
    match (ty, number::float(ty)) {
        (Ty::F16 | Ty::Bf16 | Ty::F32 | Ty::F64 | Ty::E5m2, Some(float)) => {
            let quiet = bits & (float.min_normal() >> 1) != 0;
            if quiet { "NaN".into() } else { "sNaN".into() }
        }
        _ => "NaN".into(),
    }
}

/// The shortest decimal that round-trips through an f64 parser.
fn decimal(significand: u64, exponent: i32) -> String {
    let value = scale(significand as f64, exponent);
    if value == 0.0 || (1e-5..1e7).contains(&value) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// value * 2^exponent in steps that are powers of two within range; exact for these operands.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    while exponent < -1000 {
        // The significand is still exact at 2^-1000; one multiplication ends the loop.
        value *= f64::from_bits(((1023 - 60) as u64) << 52);
        exponent += 60;
    }
    value * f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named() {
        for (ty, bits, text) in [
            (Ty::F16, 0x3C00, "1"),
            (Ty::F16, 0x8001, "-5.960464477539063e-8"),
            (Ty::F16, 0x7C01, "sNaN"),
            (Ty::F16, 0xFE00, "NaN"),
            (Ty::F16, 0xFC00, "-inf"),
            (Ty::F64, 1, "5e-324"),
            (Ty::F64, 0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e308"),
            (Ty::F32, 0x3F33_3333, "0.699999988079071"),
            (Ty::I8, 0xFF, "-1"),
            (Ty::U64, u64::MAX, "18446744073709551615"),
            (Ty::E8m0, 0, "2^-127"),
            (Ty::E2m1, 0xF, "-6"),
            (Ty::E2m3, 0x3F, "-7.5"),
            (Ty::E3m2, 0x1F, "28"),
            (Ty::E4m3fnuz, 0x7F, "240"),
            (Ty::E4m3fnuz, 0x80, "NaN"),
            (Ty::Mxint8, 0x80, "-2"),
            (Ty::Mxint8, 0x7F, "1.984375"),
            (Ty::E5m2fnuz, 0x80, "NaN"),
            (Ty::Class, 9, "positiveInfinity"),
        ] {
            assert_eq!(value(ty, bits), text);
        }
    }
}
