//! Tables that others measured.

use super::*;
use Rounding::{TiesToEven, TowardNegative, TowardPositive, TowardZero};

struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<&'static str>>,
}

fn table(text: &'static str) -> Table {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().expect("a header");
    Table {
        columns,
        rows: lines.collect(),
    }
}

impl Table {
    fn column(&self, name: &str) -> usize {
        self.columns
            .iter()
            .position(|&column| column == name)
            .expect("such a column")
    }
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("hex")
}

fn is_nan(bits: u64) -> bool {
    matches!(Format::of(Ty::F32).unwrap().decode(bits), Datum::Nan { .. })
}

/// Every row except the NaNs, for which the columns keep or create payloads.
#[test]
fn bf16_and_f16_from_f32() {
    let table = table(include_str!(
        "../../../tests/vectors/bf16_fp16_from_f32.csv"
    ));
    let columns = [
        ("cuda_host_bf16_rn", Ty::Bf16, TiesToEven),
        ("cuda_bf16_rz", Ty::Bf16, TowardZero),
        ("cuda_bf16_rd", Ty::Bf16, TowardNegative),
        ("cuda_bf16_ru", Ty::Bf16, TowardPositive),
        ("torch_bf16_n1", Ty::Bf16, TiesToEven),
        ("torch_bf16_n64", Ty::Bf16, TiesToEven),
        ("ml_dtypes_bf16", Ty::Bf16, TiesToEven),
        ("cuda_host_f16_rn", Ty::F16, TiesToEven),
        ("cuda_f16_rz", Ty::F16, TowardZero),
        ("cuda_f16_rd", Ty::F16, TowardNegative),
        ("cuda_f16_ru", Ty::F16, TowardPositive),
        ("torch_f16_n1", Ty::F16, TiesToEven),
        ("torch_f16_n64", Ty::F16, TiesToEven),
        ("numpy_f16", Ty::F16, TiesToEven),
    ];
    let mut checked = 0;
    for (name, format, rounding) in columns {
        let column = table.column(name);
        for row in table.rows.iter().filter(|row| !is_nan(hex(row[0]))) {
            let (bits, _) = both("convert", &[Ty::F32], format, &[hex(row[0])], rounding);
            assert_eq!(bits, hex(row[column]), "{name} of {}", row[0]);
            checked += 1;
        }
    }
    assert_eq!(checked, 14 * 73);
}

/// The columns with our rules: with IEEE overflow (`ml_*`, the CUDA ones that do not saturate,
/// torch's e5m2), or with every infinity saturated (`*_sat` and torch's e4m3fn). The operands are
/// not NaN.
#[test]
fn narrow_formats_from_f32() {
    use Overflow::{Ieee, SaturateAll};
    let table = table(include_str!(
        "../../../tests/vectors/fp8_fp6_fp4_from_f32.csv"
    ));
    let columns = [
        ("cuda_e4m3_sat", Ty::E4m3fn, SaturateAll, TiesToEven),
        ("cuda_e4m3_nosat", Ty::E4m3fn, Ieee, TiesToEven),
        ("cuda_e5m2_sat", Ty::E5m2, SaturateAll, TiesToEven),
        ("cuda_e5m2_nosat", Ty::E5m2, Ieee, TiesToEven),
        ("cuda_e2m1_rn", Ty::E2m1, SaturateAll, TiesToEven),
        ("cuda_e2m1_rz", Ty::E2m1, SaturateAll, TowardZero),
        ("cuda_e2m3_rn", Ty::E2m3, SaturateAll, TiesToEven),
        ("cuda_e2m3_rz", Ty::E2m3, SaturateAll, TowardZero),
        ("cuda_e3m2_rn", Ty::E3m2, SaturateAll, TiesToEven),
        ("cuda_e3m2_rz", Ty::E3m2, SaturateAll, TowardZero),
        ("torch_float8_e4m3fnuz", Ty::E4m3fnuz, Ieee, TiesToEven),
        ("ml_float8_e4m3fnuz", Ty::E4m3fnuz, Ieee, TiesToEven),
        ("ml_float6_e2m3fn", Ty::E2m3, Ieee, TiesToEven),
        ("ml_float6_e3m2fn", Ty::E3m2, Ieee, TiesToEven),
        ("torchao_e2m3", Ty::E2m3, Ieee, TiesToEven),
        ("torchao_e3m2", Ty::E3m2, Ieee, TiesToEven),
        (
            "onnxref_sat_float8_e4m3fnuz",
            Ty::E4m3fnuz,
            SaturateAll,
            TiesToEven,
        ),
        ("ort_e4m3fnuz_sat", Ty::E4m3fnuz, SaturateAll, TiesToEven),
        ("ort_e4m3fnuz_nosat", Ty::E4m3fnuz, Ieee, TiesToEven),
        ("torch_float8_e4m3fn", Ty::E4m3fn, SaturateAll, TiesToEven),
        ("torch_float8_e5m2", Ty::E5m2, Ieee, TiesToEven),
        ("torch_float8_e5m2fnuz", Ty::E5m2fnuz, Ieee, TiesToEven),
        ("ml_float8_e4m3fn", Ty::E4m3fn, Ieee, TiesToEven),
        ("ml_float8_e5m2", Ty::E5m2, Ieee, TiesToEven),
        ("ml_float8_e5m2fnuz", Ty::E5m2fnuz, Ieee, TiesToEven),
        ("ml_float4_e2m1fn", Ty::E2m1, Ieee, TiesToEven),
        (
            "onnxref_sat_float8_e4m3fn",
            Ty::E4m3fn,
            SaturateAll,
            TiesToEven,
        ),
        ("onnxref_sat_float8_e5m2", Ty::E5m2, SaturateAll, TiesToEven),
        (
            "onnxref_sat_float8_e5m2fnuz",
            Ty::E5m2fnuz,
            SaturateAll,
            TiesToEven,
        ),
        ("torchao_e2m1", Ty::E2m1, Ieee, TiesToEven),
        ("ort_e4m3fn_sat", Ty::E4m3fn, SaturateAll, TiesToEven),
        ("ort_e5m2_sat", Ty::E5m2, SaturateAll, TiesToEven),
        ("ort_e5m2fnuz_sat", Ty::E5m2fnuz, SaturateAll, TiesToEven),
    ];
    for (name, format, overflow, rounding) in columns {
        let column = table.column(name);
        for kind in BOTH {
            let convert = oracle(kind, "convert", &[Ty::F32], &[format]);
            for row in table.rows.iter().filter(|row| !is_nan(hex(row[0]))) {
                let answer = convert.answer(&[hex(row[0]), 0, 0]);
                let output = answer.output(RoundingArg::Fixed(rounding), overflow);
                let bits = [output.results[0], hex(row[column])];
                // Ours is the one canonical NaN, theirs has the sign of the overflowed value.
                let nan =
                    |bits| matches!(Format::of(format).unwrap().decode(bits), Datum::Nan { .. });
                if !bits.into_iter().all(nan) {
                    assert_eq!(bits[0], bits[1], "{name} of {}", row[0]);
                }
            }
        }
    }
}

/// The gradient of hardtanh at the bound itself, which the bound's format decides: the `strict_cmp`
/// columns.
#[test]
fn hardtanh_bounds() {
    let table = table(include_str!(
        "../../../tests/vectors/hardtanh_bound_sweep.csv"
    ));
    for row in &table.rows {
        let ty = match row[0] {
            "float32" => Ty::F32,
            "bfloat16" => Ty::Bf16,
            "float16" => Ty::F16,
            other => panic!("{other}"),
        };
        let h: f64 = row[1].parse().expect("a number");
        let x = hex(row[2]);
        let sign = 1 << (ty.bits() - 1);
        for (name, bound, max) in [
            ("strict_cmp_bound_f64", Ty::F64, h.to_bits()),
            ("strict_cmp_bound_f32", Ty::F32, (h as f32).to_bits().into()),
            ("strict_cmp_bound_cast_to_dtype", ty, x),
        ] {
            let params = [
                (
                    "min",
                    ParamValue::Bits(bound, max | 1 << (bound.bits() - 1)),
                ),
                ("max", ParamValue::Bits(bound, max)),
                ("nan", ParamValue::Name("pass")),
            ];
            let backward = for_row(
                OracleKind::Rational,
                "hardtanh_backward",
                &[ty; 2],
                &[ty],
                &params,
            )
            .unwrap();
            let passes = hex(row[table.column(name)]) == 1;
            for x in [x, x | sign] {
                let grad = 0x1234;
                let output = backward
                    .answer(&[x, grad, 0])
                    .output(RoundingArg::Fixed(TiesToEven), Overflow::Ieee);
                let expected = if passes { grad } else { 0 };
                assert_eq!(
                    output,
                    Output {
                        results: [expected, 0],
                        flags: 0
                    },
                    "{row:?}"
                );
            }
        }
    }
    assert_eq!(table.rows.len(), 2997);
}

/// Every measured dialect, every row: NaNs, zeros and negatives too.
#[test]
fn e8m0_from_f32() {
    let table = table(include_str!("../../../tests/vectors/e8m0_from_f32.csv"));
    let columns = oracles::policies()
        .iter()
        .filter(|policy| table.columns.contains(&policy.name.as_str()))
        .map(|policy| (policy.name.as_str(), policy.name.as_str()))
        .chain([
            ("ceil", "IDEAL_abs_up_clampmin_nosat"),
            ("floor", "IDEAL_abs_down_clampmin_nosat"),
            ("nearest-ties-up", "IDEAL_abs_nearest_tieup_clampmin_nosat"),
        ])
        .collect::<Vec<_>>();
    assert_eq!(columns.len(), 27 + 3);
    for (policy, name) in columns {
        let column = table.column(name);
        let params = [("policy", ParamValue::Name(policy))];
        for kind in BOTH {
            let encode = for_row(kind, "e8m0_encode", &[Ty::F32], &[Ty::E8m0], &params).unwrap();
            for row in &table.rows {
                let byte = encode
                    .answer(&[hex(row[0]), 0, 0])
                    .output(RoundingArg::Fixed(TiesToEven), Overflow::Ieee)
                    .results[0];
                assert_eq!(byte, hex(row[column]), "{policy} of {}", row[0]);
            }
        }
    }
}
