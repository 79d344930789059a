//! Blocks that share a scale: their codes from numbers in f32, from the definitions of OCP MX v1.0
//! (clause 6.3, the scale by floor) and of NVFP4 with exact quotients.

use super::reduce::quotient;
use crate::{Datum, Dyadic, Format, OracleKind, ParamValue, for_row};
use dashu_int::UBig;
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Output, RoundingArg, Ty};

const EVEN: RoundingArg = RoundingArg::Fixed(Rounding::TiesToEven);
const INVALID: u8 = 0x10;
const CLAMPED: u8 = 0x05;

/// The value of a code of a format, of an E8M0 scale or of an MXINT8 element.
///
/// # Panics
///
/// For another type.
#[must_use]
pub fn datum(ty: Ty, code: u64) -> Datum {
    let finite = |negative, magnitude| Datum::Finite {
        negative,
        magnitude,
    };
    match ty {
        Ty::E8m0 if code == 0xFF => Datum::Nan { signalling: false },
        Ty::E8m0 => finite(false, Dyadic::power_of_two(code as i32 - 127)),
        Ty::Mxint8 => {
            let n = i32::from(code as u8 as i8);
            finite(n < 0, Dyadic::new(n.unsigned_abs().into(), -6))
        }
        _ => Format::of(ty).expect("a format").decode(code),
    }
}

/// The exponent of the largest element's leading bit.
fn emax(element: Ty) -> i32 {
    match element {
        Ty::Mxint8 => 0,
        _ => {
            let format = Format::of(element).expect("a format of elements");
            format.magnitude(format.largest).floor_log2()
        }
    }
}

/// One row's result in ties to even, at most the largest number.
fn saturated(op: &str, from: Ty, to: Ty, params: &[(&str, ParamValue)], bits: u64) -> Output {
    let oracle = for_row(OracleKind::Rational, op, &[from], &[to], params).expect("it is a row");
    oracle
        .answer(&[bits, 0, 0])
        .output(EVEN, Overflow::SaturateAll)
}

fn signals(x: f32) -> bool {
    x.is_nan() && x.to_bits() & 0x0040_0000 == 0
}

/// The greatest magnitude; NaN if there is one.
fn greatest(values: &[f32]) -> f32 {
    let nan = values.iter().any(|x| x.is_nan());
    let most = values.iter().fold(0.0f32, |most, x| most.max(x.abs()));
    if nan { f32::NAN } else { most }
}

/// The scale, the elements and the flags of a block of f32: the scale is 2 to the exponent of the
/// greatest magnitude less that of the largest element, each element the exact quotient in ties to
/// even, at most the largest. A NaN or an infinity makes the scale NaN.
#[must_use]
pub fn quantise(element: Ty, values: &[f32]) -> (u64, Vec<u64>, u8) {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    let most = greatest(values);
    // Exact: at most 24 bits, and no exponent below 2^-170.
    let source = (f64::from(most) * power(-emax(element))).to_bits();
    let policy = [("policy", ParamValue::Name("floor"))];
    let scale = saturated("e8m0_encode", Ty::F64, Ty::E8m0, &policy, source).results[0];
    let mut flags = if values.iter().any(|x| signals(*x)) || scale == 0xFF && !most.is_nan() {
        INVALID
    } else {
        0
    };
    let op = if element == Ty::Mxint8 {
        "mxint8_encode"
    } else {
        "convert"
    };
    let codes = values.iter().map(|&x| {
        let quotient = match x {
            _ if scale == 0xFF => f64::NAN,
            _ => f64::from(x) / power(scale as i32 - 127),
        };
        let output = saturated(op, Ty::F64, element, &[], quotient.to_bits());
        if scale != 0xFF {
            flags |= output.flags;
        }
        output.results[0]
    });
    (scale, codes.collect(), flags)
}

/// The scale (E4M3FN), the elements (E2M1) and the flags of an NVFP4 block of f32 under a scale of
/// the tensor above zero: the block's scale is a sixth of the greatest magnitude, in f32, over the
/// tensor's, in f32, in E4M3FN; each element the exact quotient by both scales. All in ties to even,
/// at most the largest number.
#[must_use]
pub fn nvfp4_quantise(values: &[f32], tensor_scale: f32) -> (u64, Vec<u64>, u8) {
    let wanted = greatest(values) / 6.0 / tensor_scale;
    let scale = saturated("convert", Ty::F32, Ty::E4m3fn, &[], wanted.to_bits().into());
    let scale = scale.results[0];
    let element = Format::of(Ty::E2m1).expect("a format");
    let integer = |datum| match datum {
        Datum::Finite { magnitude, .. } => magnitude,
        _ => unreachable!("finite"),
    };
    let mut flags = 0;
    let codes = values.iter().map(|&x| {
        let sign = u64::from(x.is_sign_negative()) << 3;
        let by = datum(Ty::E4m3fn, scale);
        if by.nan().is_some() {
            flags |= if signals(x) { INVALID } else { 0 };
            return 7;
        }
        if x.is_infinite() {
            flags |= CLAMPED;
            return 7 | sign;
        }
        if scale == 0 || x == 0.0 {
            return sign;
        }
        let over = integer(datum(Ty::F32, x.to_bits().into()));
        let (s, t) = (
            integer(by),
            integer(datum(Ty::F32, tensor_scale.to_bits().into())),
        );
        let (mut m, mut n) = (UBig::from(over.m), UBig::from(s.m) * UBig::from(t.m));
        let places = over.e - s.e - t.e;
        if places > 0 {
            m <<= places as usize
        } else {
            n <<= places.unsigned_abs() as usize
        }
        let output = quotient(element, x < 0.0, m, n).output(EVEN, Overflow::SaturateAll);
        flags |= output.flags;
        output.results[0]
    });
    (scale, codes.collect(), flags)
}
