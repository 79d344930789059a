//! The values of the formats' codes.

use super::*;

/// The values of codes as in ml_dtypes, and the reciprocals of scales as in torchao.
#[test]
fn decode_tables() {
    use serde_json::Value;
    let tables: Value = serde_json::from_str(include_str!(
        "../../../tests/vectors/decode_tables_f32bits.json"
    ))
    .unwrap();
    let bits = |value: &Value| u64::from_str_radix(value.as_str().unwrap(), 16).unwrap();
    let ieee = |answer: Answer| {
        answer
            .output(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee)
            .results[0]
    };
    // Our one NaN is positive.
    let canonical = |bits: u64| {
        if bits == 0xFFC0_0000 {
            0x7FC0_0000
        } else {
            bits
        }
    };
    for kind in BOTH {
        for (name, ty) in [
            ("float8_e5m2", Ty::E5m2),
            ("float8_e4m3fn", Ty::E4m3fn),
            ("float8_e5m2fnuz", Ty::E5m2fnuz),
            ("float8_e4m3fnuz", Ty::E4m3fnuz),
            ("float6_e2m3fn", Ty::E2m3),
            ("float6_e3m2fn", Ty::E3m2),
            ("float4_e2m1fn", Ty::E2m1),
        ] {
            let convert = oracle(kind, "convert", &[ty], &[Ty::F32]);
            let table = tables[name].as_array().unwrap();
            assert_eq!(table.len(), 1 << ty.bits());
            for (code, value) in table.iter().enumerate() {
                let ours = ieee(convert.answer(&[code as u64, 0, 0]));
                assert_eq!(ours, canonical(bits(value)), "{name} {code:X}");
            }
        }
    }
    let decode = oracle(OracleKind::Rational, "e8m0_decode", &[Ty::E8m0], &[Ty::F32]);
    for (byte, value) in tables["float8_e8m0fnu"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        assert_eq!(
            ieee(decode.answer(&[byte as u64, 0, 0])),
            bits(value),
            "{byte:X}"
        );
    }
    let torchao: Value = serde_json::from_str(include_str!(
        "../../../tests/vectors/torchao_e8m0_rceil_and_reciprocal.json"
    ))
    .unwrap();
    let reciprocal = oracle(
        OracleKind::Rational,
        "e8m0_reciprocal",
        &[Ty::E8m0],
        &[Ty::E8m0],
    );
    let table = torchao["reciprocal_bits_by_scale_byte"].as_array().unwrap();
    // Except that of the NaN.
    for (byte, value) in table.iter().enumerate().take(255) {
        let byte = ieee(reciprocal.answer(&[byte as u64, 0, 0]));
        assert_eq!(
            ieee(decode.answer(&[byte, 0, 0])),
            bits(value),
            "1 / {byte:X}"
        );
    }
    let params = [("policy", ParamValue::Name("cuda_rp_nosat"))];
    let rceil = for_row(
        OracleKind::Rational,
        "e8m0_encode",
        &[Ty::F32],
        &[Ty::E8m0],
        &params,
    )
    .unwrap();
    for row in torchao["rceil"].as_array().unwrap() {
        let byte = ieee(rceil.answer(&[bits(&row[0]), 0, 0]));
        assert_eq!(Some(byte), row[1].as_u64(), "{row}");
    }
}

/// The formats, against the host's own f32 and f64 and against formulas.
#[test]
fn decoding() {
    let value = |ty, bits| match Format::of(ty).unwrap().decode(bits) {
        Datum::Nan { .. } => f64::NAN,
        Datum::Infinity { negative } => {
            if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let half = 2_f64.powi(magnitude.e / 2);
            let size = magnitude.m as f64 * half * 2_f64.powi(magnitude.e - magnitude.e / 2);
            if negative { -size } else { size }
        }
    };
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    for step in 0..1_u64 << 20 {
        let bits = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        assert!(same(value(Ty::F64, bits), f64::from_bits(bits)), "{bits:X}");
        let bits = bits >> 32;
        assert!(
            same(value(Ty::F32, bits), f32::from_bits(bits as u32).into()),
            "{bits:X}"
        );
    }
    assert!(same(value(Ty::F16, 0x3555), 1365.0 / 4096.0));
    assert!(same(value(Ty::E4m3fn, 0x7E), 448.0));
    assert!(same(value(Ty::E5m2fnuz, 0x7F), 57344.0));
    assert!(same(value(Ty::E5m2, 0x7B), 57344.0));
    assert!(same(value(Ty::E2m1, 0xF), -6.0));
}
