//! NVFP4's recipe in the host's f32, and its exact form by comparisons in f64 of numbers that it holds
//! exactly.

use super::value;
use bitexact::format::E4M3FN;
use bitexact::scale::{Nvfp4, Quotient};
use dashu_int::UBig;
use host_tests::oracle::{Format, Oracle, OracleKind, for_row, quotient};
use host_tests::row::{RoundingArg, Ty};
use sweep_core::{Overflow, Rounding};

pub fn convert(from: Ty, to: Ty) -> Box<dyn Oracle> {
    for_row(OracleKind::Rational, "convert", &[from], &[to], &[]).unwrap()
}

pub fn saturated(oracle: &dyn Oracle, bits: u64) -> (u8, u8) {
    let even = RoundingArg::Fixed(Rounding::TiesToEven);
    let output = oracle
        .answer(&[bits, 0, 0])
        .output(even, Overflow::SaturateAll);
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
    let even = RoundingArg::Fixed(Rounding::TiesToEven);
    let output = quotient(e2m1, v < 0.0, over, under).output(even, Overflow::SaturateAll);
    (output.results[0] as u8, output.flags)
}

const INVALID: u8 = 0x10;
/// Overflow and inexact.
const CLAMPED: u8 = 0x05;

/// The recipe in the host's floats: the scale's code, each element's code, and the exceptions of the elements' last
/// roundings.
pub fn recipe(values: &[f32], tensor_scale: f32, recipe: &Nvfp4) -> (u8, Vec<u8>, u8) {
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
    let element = |&x: &f32| {
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
                let (code, flags) = exact(x.into(), divisor);
                assert_eq!(code, exact_code(x.into(), divisor));
                (code, flags)
            }
            Quotient::Divided => saturated(&*to_element, (x / product).to_bits().into()),
            Quotient::Reciprocal => saturated(&*to_element, (x * (1.0 / product)).to_bits().into()),
        }
    };
    let (elements, flags): (Vec<u8>, Vec<u8>) = values.iter().map(element).unzip();
    (
        code,
        elements,
        flags.iter().fold(0, |all, flags| all | flags),
    )
}
