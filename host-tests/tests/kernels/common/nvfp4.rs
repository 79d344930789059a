//! NVFP4's recipe in the host's f32, and its exact form by comparisons in f64 of numbers that it
//! holds exactly.

use super::value;
use bitexact::format::E4M3FN;
use bitexact::scale::{Nvfp4, Quotient};
use dashu_int::UBig;
use host_tests::oracle::{Format, Oracle, OracleKind, for_row, quotient};
use host_tests::row::{RoundingArg, Ty};
use sweep_inputs::{Overflow, Rounding};

pub fn convert(from: Ty, to: Ty) -> Box<dyn Oracle> {
    for_row(OracleKind::Rational, "convert", &[from], &[to], &[]).unwrap()
}

/// To nearest, ties to even.
const EVEN: RoundingArg = RoundingArg::Fixed(Rounding::TiesToEven);

pub fn saturated(oracle: &dyn Oracle, bits: u64) -> (u8, u8) {
    let output = oracle
        .answer(&[bits, 0, 0])
        .output(EVEN, Overflow::SaturateAll);
    (output.results[0] as u8, output.flags)
}

/// The rounding boundaries of E2M1: below the first 0, ..., above the last 6; at a boundary, the
/// even code.
pub const CUTS: [f64; 7] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];

/// The code of `v / divisor`, to the nearest, ties to even, decided without dividing.
pub fn exact_code(v: f64, divisor: f64) -> u8 {
    let mut code = 0;
    for (k, cut) in (0u8..).zip(CUTS) {
        // Three bits times 28: exact.
        let cut = cut * divisor;
        if v.abs() > cut || v.abs() == cut && k % 2 == 1 {
            code = k + 1;
        }
    }
    code | if v.is_sign_negative() { 8 } else { 0 }
}

/// The magnitudes of E2M1.
pub const MAGNITUDES: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

/// The least magnitude of a quotient that `word` takes up to the magnitude of this number, which is
/// not 0: this many 2^-16 of the distance from the one before it lie below.
pub fn goes_up_from(to: usize, word: u16) -> f64 {
    MAGNITUDES[to] - (MAGNITUDES[to] - MAGNITUDES[to - 1]) * f64::from(word) / 65536.0
}

/// The code of `v / divisor` by 16 random bits and the exceptions, decided without dividing.
pub fn stochastic(v: f64, divisor: f64, word: u16) -> (u8, u8) {
    // 19 bits times 28: exact.
    let reaches = |magnitude: f64| v.abs() >= magnitude * divisor;
    let code = (1..8).filter(|to| reaches(goes_up_from(*to, word))).count() as u8;
    let sign = if v.is_sign_negative() { 8 } else { 0 };
    let part = f64::from(word) / 65536.0;
    if reaches(8.0 - 2.0 * part) {
        return (code | sign, CLAMPED);
    }
    if MAGNITUDES.iter().any(|x| v.abs() == x * divisor) {
        return (code | sign, 0);
    }
    // With two bits and any exponent, 0.75 is before 1.
    let tiny = !reaches(1.0 - 0.25 * part);
    (code | sign, if tiny { UNDERFLOWN } else { INEXACT })
}

/// The exact quotient of finite numbers in E2M1, at most the largest.
fn exact(v: f64, divisor: f64) -> (u8, u8) {
    let integer = |x: f64| {
        let (bits, hidden) = (x.to_bits(), 1u64 << 52);
        let field = (bits >> 52 & 0x7FF) as i64;
        assert!(field != 0, "no subnormal f64 comes here");
        (UBig::from(bits & (hidden - 1) | hidden), field - 1075)
    };
    let ((over, up), (under, down)) = (integer(v), integer(divisor));
    let shift = up - down;
    let (over, under) = if shift >= 0 {
        (over << shift as usize, under)
    } else {
        (over, under << shift.unsigned_abs() as usize)
    };
    let e2m1 = Format::of(Ty::E2m1).unwrap();
    let output = quotient(e2m1, v < 0.0, over, under).output(EVEN, Overflow::SaturateAll);
    (output.results[0] as u8, output.flags)
}

const INVALID: u8 = 0x10;
const INEXACT: u8 = 0x01;
/// Underflow and inexact.
const UNDERFLOWN: u8 = 0x03;
/// Overflow and inexact.
const CLAMPED: u8 = 0x05;

/// The recipe in the host's floats: the scale's code, each element's code, and the exceptions of
/// the elements' last roundings.
pub fn recipe(values: &[f32], tensor_scale: f32, recipe: &Nvfp4) -> (u8, Vec<u8>, u8) {
    recipe_by(values, tensor_scale, recipe, None)
}

/// The same by random bits for each value, if there are any.
pub fn recipe_by(
    values: &[f32],
    tensor_scale: f32,
    recipe: &Nvfp4,
    words: Option<&[u16]>,
) -> (u8, Vec<u8>, u8) {
    let (to_scale, to_element) = (convert(Ty::F32, Ty::E4m3fn), convert(Ty::F32, Ty::E2m1));
    let amax = values.iter().fold(0.0f32, |a, x| {
        if a.is_nan() || x.is_nan() {
            f32::NAN
        } else {
            a.max(x.abs())
        }
    });
    let least = value::<E4M3FN>(recipe.least_scale.to_bits()) as f32;
    let scale = amax / 6.0 / tensor_scale;
    let scale = if scale < least { least } else { scale };
    let (code, _) = saturated(&*to_scale, scale.to_bits().into());
    let scale = value::<E4M3FN>(code) as f32;
    let of_f32 = |quotient: f32, word: Option<u16>| match word {
        Some(word) => stochastic(quotient.into(), 1.0, word),
        None => saturated(&*to_element, quotient.to_bits().into()),
    };
    let element = |(k, &x): (usize, &f32)| {
        let word = words.map(|words| words[k]);
        let sign = if x.is_sign_negative() { 8 } else { 0 };
        if scale.is_nan() {
            let signals = x.is_nan() && x.to_bits() & 0x0040_0000 == 0;
            return (7, if signals { INVALID } else { 0 });
        }
        if x.is_infinite() {
            return (7 | sign, CLAMPED);
        }
        if scale == 0.0 || x == 0.0 {
            return (sign, 0);
        }
        let product = scale * tensor_scale;
        match recipe.quotient {
            Quotient::Exact => {
                let divisor = f64::from(scale) * f64::from(tensor_scale);
                if let Some(word) = word {
                    return stochastic(x.into(), divisor, word);
                }
                let (code, flags) = exact(x.into(), divisor);
                assert_eq!(code, exact_code(x.into(), divisor));
                (code, flags)
            }
            Quotient::Divided => of_f32(x / product, word),
            Quotient::Reciprocal => of_f32(x * (1.0 / product), word),
        }
    };
    let (elements, flags): (Vec<u8>, Vec<u8>) = values.iter().enumerate().map(element).unzip();
    (
        code,
        elements,
        flags.iter().fold(0, |all, flags| all | flags),
    )
}
