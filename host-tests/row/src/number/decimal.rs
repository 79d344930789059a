//! Text to the bits of a type, rounded once, ties to even, with integers of any length.
//!
//! Accepted: decimal (`-0.7`, `1e-3`, `.5`), hexadecimal with a binary exponent (`0x1.8p-3`),
//! `inf`, `infinity` and `nan` in any case, each with an optional sign, and raw bits (`0x3F333333`,
//! no `p`, no sign, at most the type's digits). A magnitude beyond the largest finite number rounds
//! to infinity, as in IEEE 754's roundTiesToEven; if the type has no infinity, it is rejected.

use crate::Ty;
use crate::number;
use core::cmp::Ordering;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use sweep_inputs::domain::Float;

/// Why a text is not a number of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

/// Decimal exponents beyond this, in either direction, are beyond the range of f64, midpoints
/// included.
const FAR: i64 = 1_200;

/// The bits of `text` in `ty`.
///
/// # Errors
///
/// What is wrong with the text.
pub fn parse(text: &str, ty: Ty) -> Result<u64, Rejected> {
    let reject = |why: &str| Rejected(format!("`{text}` {why}"));
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x")
        && !digits.contains(['p', '.'])
    {
        let bits = u64::from_str_radix(digits, 16)
            .map_err(|_| reject("is not the raw bits of a number: hex digits were expected"))?;
        if digits.starts_with('+') {
            return Err(reject(
                "is not the raw bits of a number: hex digits were expected",
            ));
        }
        if digits.len() > ty.hex_digits() || bits > number::mask(ty) {
            return Err(reject(&format!(
                "has too many hex digits for {}",
                ty.name()
            )));
        }
        return Ok(bits);
    }
    if number::integer(ty).is_some() {
        return integer(&lower, ty)
            .ok_or_else(|| reject(&format!("is not an integer in the range of {}", ty.name())));
    }
    let Some(float) = number::float(ty) else {
        return Err(reject(&format!(
            "must be raw bits (0x...) for {}",
            ty.name()
        )));
    };
    let (negative, magnitude) = match lower.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
    };
    let signed = |code: u64| {
        if negative {
            code | float.sign_bit()
        } else {
            code
        }
    };
    match magnitude {
        "inf" | "infinity" => {
            return infinity(ty).map(signed).ok_or_else(|| {
                reject(&format!(
                    "is not a number of {}, which has no infinity",
                    ty.name()
                ))
            });
        }
        "nan" => {
            return canonical_nan(ty)
                .map(|code| if one_zero(ty) { code } else { signed(code) })
                .ok_or_else(|| reject(&format!("is not a number of {}", ty.name())));
        }
        _ => {}
    }
    let (numerator, denominator) = match magnitude.strip_prefix("0x") {
        Some(rest) => fraction(rest, 16),
        None => fraction(magnitude, 10),
    }
    .ok_or_else(|| reject("is not a number"))?;
    let code = round(&numerator, &denominator, float);
    if code > float.max {
        return infinity(ty)
            .map(signed)
            .ok_or_else(|| reject(&format!("is beyond the largest number of {}", ty.name())));
    }
    if code == 0 && one_zero(ty) {
        return Ok(0);
    }
    Ok(signed(code))
}

/// Whether the code of negative zero is the format's one NaN.
const fn one_zero(ty: Ty) -> bool {
    matches!(ty, Ty::E5m2fnuz | Ty::E4m3fnuz)
}

/// The code of infinity, where there is one.
fn infinity(ty: Ty) -> Option<u64> {
    match ty {
        Ty::F16 | Ty::Bf16 | Ty::F32 | Ty::F64 | Ty::E5m2 => number::float(ty).map(|f| f.max + 1),
        _ => None,
    }
}

/// The canonical NaN, where there is one.
fn canonical_nan(ty: Ty) -> Option<u64> {
    match ty {
        Ty::E4m3fn => Some(0x7F),
        Ty::E5m2fnuz | Ty::E4m3fnuz => Some(0x80),
        Ty::E2m3 | Ty::E3m2 | Ty::E2m1 => None,
        _ => number::float(ty).map(|f| (f.max + 1) | (f.min_normal() >> 1)),
    }
}

fn integer(text: &str, ty: Ty) -> Option<u64> {
    let value: i128 = text.parse().ok()?;
    let signed = number::integer(ty)?;
    let (least, greatest) = if signed {
        (-(1i128 << (ty.bits() - 1)), (1i128 << (ty.bits() - 1)) - 1)
    } else {
        (0, i128::from(number::mask(ty)))
    };
    (least <= value && value <= greatest).then_some(value as u64 & number::mask(ty))
}

/// `digits[.digits][e|p exponent]` as an exact quotient. Exponents far outside of every format's
/// range are clamped to one that is still outside.
fn fraction(text: &str, radix: u32) -> Option<(UBig, UBig)> {
    let marker = if radix == 16 { 'p' } else { 'e' };
    let (mantissa, exponent) = match text.split_once(marker) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None if radix == 16 => return None,
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = [whole, part].concat();
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some((UBig::ZERO, UBig::ONE));
    }
    let integer = UBig::from_str_radix(significant, radix).ok()?;
    let places = i64::try_from(part.len()).ok()?;
    let (base, scale) = if radix == 16 {
        (UBig::from(2u8), exponent - 4 * places)
    } else {
        (UBig::from(10u8), exponent - places)
    };
    // The magnitude is about base^(scale + length): keep `scale` near the value that cancels the
    // digits.
    let length = i64::try_from(significant.len()).ok()? * if radix == 16 { 4 } else { 1 };
    let scale = scale.clamp(-length - FAR, FAR);
    let power = base.pow(usize::try_from(scale.unsigned_abs()).ok()?);
    Some(if scale >= 0 {
        (integer * power, UBig::ONE)
    } else {
        (integer, power)
    })
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    // More digits than an i64 holds: the difference does not matter.
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    Some(if text.starts_with('-') {
        -magnitude
    } else {
        magnitude
    })
}

/// The code nearest to the quotient, ties to even; above `max` where it overflows.
fn round(numerator: &UBig, denominator: &UBig, float: Float) -> u64 {
    if *numerator == UBig::ZERO {
        return 0;
    }
    let top = exponent_of(numerator, denominator);
    if top > i64::from(float.emax()) {
        return float.max + 1;
    }
    let leading = top.max(i64::from(float.emin));
    let unit = leading - i64::from(float.precision) + 1;
    let (scaled, divisor) = if unit >= 0 {
        (numerator.clone(), denominator << unit as usize)
    } else {
        (
            numerator << unit.unsigned_abs() as usize,
            denominator.clone(),
        )
    };
    let quotient = &scaled / &divisor;
    let rest = scaled - &quotient * &divisor;
    let digits = u64::try_from(&quotient).unwrap_or(u64::MAX);
    let up = match (rest * 2u8).cmp(&divisor) {
        Ordering::Less => 0,
        Ordering::Equal => digits & 1,
        Ordering::Greater => 1,
    };
    // A carry out of the bits goes into the exponent field, as it should.
    let field = (leading - i64::from(float.emin)) as u64;
    field * float.min_normal() + digits + up
}

/// The exponent of the highest bit of the quotient.
fn exponent_of(numerator: &UBig, denominator: &UBig) -> i64 {
    let guess = numerator.bit_len() as i64 - denominator.bit_len() as i64;
    let reached = if guess >= 0 {
        *numerator >= denominator << guess as usize
    } else {
        numerator << guess.unsigned_abs() as usize >= *denominator
    };
    if reached { guess } else { guess - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library's parser is the reference for f32 and f64.
    #[test]
    fn agrees_with_the_standard_library() {
        let long = format!("0.{}1", "0".repeat(300));
        for text in [
            "0",
            "-0",
            "1",
            "-0.7",
            "0.7",
            "6",
            ".5",
            "5.",
            "1e-45",
            "7e-46",
            "7.1e-46",
            "1e39",
            "3.4028235e38",
            "3.40282356779733661637539395458142568447e38",
            "3.4028236e38",
            "1.1754943e-38",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "1e400",
            "1e-400",
            "1e99999999999999999999",
            "-1e-99999999999999999999",
            "123456789.123456789e-7",
            "16777217",
            "16777219",
            "9007199254740993",
            "inf",
            "-Infinity",
            &long,
            "0e99999999999999",
        ] {
            let f64_bits = text.parse::<f64>().unwrap().to_bits();
            let f32_bits = u64::from(text.parse::<f32>().unwrap().to_bits());
            assert_eq!(parse(text, Ty::F64), Ok(f64_bits), "{text} in f64");
            assert_eq!(parse(text, Ty::F32), Ok(f32_bits), "{text} in f32");
        }
    }

    #[test]
    fn agrees_with_the_standard_library_on_random_numbers() {
        let mut rng = sweep_inputs::domain::SplitMix64::at(7, 7);
        for _ in 0..2_000 {
            let value = f64::from_bits(rng.next());
            if !value.is_finite() {
                continue;
            }
            let cut = 1 + rng.below(20) as usize;
            let text = format!("{value:.cut$e}");
            assert_eq!(
                parse(&text, Ty::F64),
                Ok(text.parse::<f64>().unwrap().to_bits())
            );
            let single = u64::from(text.parse::<f32>().unwrap().to_bits());
            assert_eq!(parse(&text, Ty::F32), Ok(single), "{text}");
        }
    }

    #[test]
    fn narrow_formats_round_once() {
        for (text, ty, bits) in [
            ("0.7", Ty::Bf16, 0x3F33),
            ("0.7", Ty::F16, 0x399A),
            // Just above a tie of bf16. Rounded to f32 first, it would be the tie and round to
            // even.
            ("1.00390625000000000001", Ty::Bf16, 0x3F81),
            ("1.00390625", Ty::Bf16, 0x3F80),
            ("65519.999", Ty::F16, 0x7BFF),
            ("65520", Ty::F16, 0x7C00),
            ("2.98023223876953125e-8", Ty::F16, 0),
            ("2.98023223876953126e-8", Ty::F16, 1),
            ("0x1.8p1", Ty::F16, 0x4200),
            ("-0x1p-24", Ty::F16, 0x8001),
            ("0x8000", Ty::F16, 0x8000),
            ("nan", Ty::Bf16, 0x7FC0),
            ("448", Ty::E4m3fn, 0x7E),
            ("-6", Ty::E2m1, 0xF),
            ("-1", Ty::I32, 0xFFFF_FFFF),
        ] {
            assert_eq!(parse(text, ty), Ok(bits), "{text} in {}", ty.name());
        }
    }

    #[test]
    fn rejects_what_is_no_number() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x", "0xG", "0x1.8", "--1", "1_000", "0x+1",
            "one", "0x12345", "1e5.0", "infinit", "٣",
        ] {
            assert!(parse(text, Ty::F16).is_err(), "{text:?}");
        }
        assert!(parse("480", Ty::E4m3fn).is_err());
        assert!(parse("inf", Ty::E2m1).is_err());
        assert!(parse("256", Ty::U8).is_err());
    }
}
