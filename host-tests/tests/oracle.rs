//! The oracle against facts that others measured or derived by hand, and its two comparators
//! against each other.

use bitexact::{Overflow, Rounding};
use host_tests::oracle::{Answer, Datum, Format, Oracle, OracleKind, ParamValue, for_row};
use host_tests::row::{Operands, Output, RoundingArg, Ty};

/// The comparators for what is rational.
const BOTH: [OracleKind; 2] = [OracleKind::Rational, OracleKind::Eft];

fn oracle(kind: OracleKind, op: &str, operands: &[Ty], results: &[Ty]) -> Box<dyn Oracle> {
    for_row(kind, op, operands, results, &[])
        .unwrap_or_else(|| panic!("{}: {op} {operands:?} {results:?}", kind.name()))
}

/// Result bits and flags of both comparators, which must agree.
fn both(op: &str, operands: &[Ty], result: Ty, x: &[u64], rounding: Rounding) -> (u64, u8) {
    let mut all = [0; 3];
    all[..x.len()].copy_from_slice(x);
    let outputs = BOTH.map(|kind| {
        let answer = oracle(kind, op, operands, &[result]).answer(&all);
        answer.output(RoundingArg::Fixed(rounding), Overflow::Ieee)
    });
    assert_eq!(outputs[0], outputs[1], "{op} {x:X?} {rounding:?}");
    (outputs[0].results[0], outputs[0].flags)
}

mod literature {
    use super::*;
    use Rounding::{TiesToAway, TiesToEven, ToOdd, TowardNegative, TowardPositive, TowardZero};
    use Ty::{Bf16, E2m1, E4m3fn, E5m2, E5m2fnuz, F16, F32};

    /// The product lies on a middle of two bf16s, and the addend, far below, moves it off: in
    /// f64 it is lost and the result is 7566.
    #[test]
    fn bf16_fma_beyond_f64() {
        let x = [0x7208, 0x42D8, 0x84B5];
        assert_eq!(
            both("fma", &[Bf16; 3], Bf16, &x, TiesToEven),
            (0x7565, 0x01)
        );
    }

    /// Lines of Berkeley TestFloat, each with the roundings that explain it.
    #[test]
    fn testfloat_lines() {
        // -2208 and a little more below zero; E850 is -2208.
        for rounding in [TiesToEven, TiesToAway, TowardZero, TowardPositive] {
            assert_eq!(
                both("add", &[F16; 2], F16, &[0x87FF, 0xE850], rounding),
                (0xE850, 0x01)
            );
        }
        assert_eq!(
            both("add", &[F16; 2], F16, &[0x87FF, 0xE850], TowardNegative),
            (0xE851, 0x01)
        );
        assert_eq!(
            both("add", &[F16; 2], F16, &[0x87FF, 0xE850], ToOdd),
            (0xE851, 0x01)
        );
        // -tiny to f16.
        for rounding in [TiesToEven, TiesToAway, TowardZero, TowardPositive] {
            assert_eq!(
                both("convert", &[F32], F16, &[0x8683_F7FF], rounding),
                (0x8000, 0x03)
            );
        }
        for rounding in [TowardNegative, ToOdd] {
            assert_eq!(
                both("convert", &[F32], F16, &[0x8683_F7FF], rounding),
                (0x8001, 0x03)
            );
        }
        // 8683F7FF is above the middle of 8683 and 8684.
        for rounding in [TiesToEven, TiesToAway, TowardNegative] {
            assert_eq!(
                both("convert", &[F32], Bf16, &[0x8683_F7FF], rounding),
                (0x8684, 0x01)
            );
        }
        for rounding in [TowardZero, TowardPositive, ToOdd] {
            assert_eq!(
                both("convert", &[F32], Bf16, &[0x8683_F7FF], rounding),
                (0x8683, 0x01)
            );
        }
        for rounding in [TiesToEven, TiesToAway, TowardZero, TowardNegative, ToOdd] {
            let fma = both("fma", &[F16; 3], F16, &[0x87FF, 0xE850, 0], rounding);
            assert_eq!(fma, (0x344F, 0x01));
        }
        let fma = both("fma", &[F16; 3], F16, &[0x87FF, 0xE850, 0], TowardPositive);
        assert_eq!(fma, (0x3450, 0x01));
        for rounding in Rounding::ALL {
            // x86's NaN is FE00.
            assert_eq!(
                both("sqrt", &[F16], F16, &[0x87FF], rounding),
                (0x7E00, 0x10)
            );
        }
    }

    /// 007F8000 is a tie between the largest subnormal bf16 and the least normal one, and tiny
    /// after rounding: with 8 digits and an unbounded exponent it is a number, 1.1111111b * 2^-127.
    #[test]
    fn tiny_after_rounding() {
        let to_bf16 = |bits, rounding| both("convert", &[F32], Bf16, &[bits], rounding);
        assert_eq!(to_bf16(0x007F_8000, TiesToEven), (0x0080, 0x03));
        assert_eq!(to_bf16(0x007F_8000, TowardPositive), (0x0080, 0x03));
        assert_eq!(to_bf16(0x007F_8000, TowardZero), (0x007F, 0x03));
        // Between that number and the least normal one the rounding decides.
        assert_eq!(to_bf16(0x007F_8001, TiesToEven), (0x0080, 0x03));
        assert_eq!(to_bf16(0x007F_BFFF, TiesToEven), (0x0080, 0x03));
        assert_eq!(to_bf16(0x007F_C000, TiesToEven), (0x0080, 0x01));
        assert_eq!(to_bf16(0x007F_BFFF, TowardPositive), (0x0080, 0x01));
        assert_eq!(to_bf16(0x007F_FFFF, TowardNegative), (0x007F, 0x03));
        assert_eq!(to_bf16(0x007F_FFFF, ToOdd), (0x007F, 0x03));
        assert_eq!(to_bf16(0x0080_0000, ToOdd), (0x0080, 0x00));
    }

    /// Above the largest finite number, by the contract.
    #[test]
    fn overflow() {
        let to_f16 = |bits, rounding| both("convert", &[F32], F16, &[bits], rounding);
        // 65519.99: below the middle.
        assert_eq!(to_f16(0x477F_EFFF, TiesToEven), (0x7BFF, 0x01));
        assert_eq!(to_f16(0x477F_EFFF, TowardPositive), (0x7C00, 0x05));
        assert_eq!(to_f16(0x477F_F000, TiesToEven), (0x7C00, 0x05));
        assert_eq!(to_f16(0x477F_F000, TowardZero), (0x7BFF, 0x01));
        // The odd one of 65504 (7BFF) and 65536 is the former: no overflow.
        assert_eq!(to_f16(0x477F_FFFF, ToOdd), (0x7BFF, 0x01));
        assert_eq!(to_f16(0x4780_0000, ToOdd), (0x7BFF, 0x05));
        assert_eq!(to_f16(0x4780_0000, TowardZero), (0x7BFF, 0x05));
        assert_eq!(to_f16(0xC780_0000, TowardPositive), (0xFBFF, 0x05));
        // 448 is even in e4m3fn, so the tie 464 stays; the odd neighbour of 448 is above it.
        let to_e4m3 = |bits, rounding| both("convert", &[F32], E4m3fn, &[bits], rounding);
        assert_eq!(to_e4m3(0x43E8_0000, TiesToEven), (0x7E, 0x01));
        assert_eq!(to_e4m3(0x43E8_0000, TiesToAway), (0x7F, 0x05));
        assert_eq!(to_e4m3(0x43E8_0000, ToOdd), (0x7E, 0x05));
        assert_eq!(to_e4m3(0x7F80_0000, TiesToEven), (0x7F, 0x10));
    }

    /// Zeros and NaNs of formats that lack some.
    #[test]
    fn missing_specials() {
        assert_eq!(
            both("convert", &[F32], E5m2fnuz, &[0x8000_0000], TiesToEven),
            (0x00, 0x00)
        );
        assert_eq!(
            both("convert", &[F32], E5m2fnuz, &[0x8000_0001], TiesToEven),
            (0x00, 0x03)
        );
        assert_eq!(
            both("convert", &[F32], E5m2fnuz, &[0x4760_0000], TiesToEven),
            (0x7F, 0x00)
        );
        assert_eq!(
            both("convert", &[F32], E2m1, &[0xFF80_0000], TiesToEven),
            (0xF, 0x05)
        );
        assert_eq!(
            both("convert", &[F32], E2m1, &[0xFFC0_0000], TiesToEven),
            (0x7, 0x10)
        );
        assert_eq!(
            both("div", &[F32; 2], E2m1, &[0x3F80_0000, 0], TiesToEven),
            (0x7, 0x0D)
        );
        assert_eq!(
            both("div", &[F32; 2], E4m3fn, &[0x3F80_0000, 0], TiesToEven),
            (0x7F, 0x18)
        );
        assert_eq!(
            both("convert", &[E5m2], F16, &[0x7D], TiesToEven),
            (0x7E00, 0x10)
        );
        assert_eq!(
            both("convert", &[E5m2], F16, &[0xFF], TiesToEven),
            (0x7E00, 0x00)
        );
    }

    /// IEEE 754-2019, 6.3 and 7.2, and RISC-V's rule for fma(0, inf, qNaN).
    #[test]
    fn signs_of_zero_and_invalid() {
        let add = |a, b, rounding| both("add", &[F16; 2], F16, &[a, b], rounding);
        assert_eq!(add(0x3C00, 0xBC00, TiesToEven), (0x0000, 0x00));
        assert_eq!(add(0x3C00, 0xBC00, TowardNegative), (0x8000, 0x00));
        assert_eq!(add(0x3C00, 0xBC00, ToOdd), (0x0000, 0x00));
        assert_eq!(add(0x8000, 0x8000, TowardPositive), (0x8000, 0x00));
        assert_eq!(add(0x0000, 0x8000, TowardNegative), (0x8000, 0x00));
        assert_eq!(add(0x7C00, 0xFC00, TiesToEven), (0x7E00, 0x10));
        assert_eq!(
            both("sqrt", &[F16], F16, &[0x8000], TiesToEven),
            (0x8000, 0x00)
        );
        let fma = |x: [u64; 3]| both("fma", &[F16; 3], F16, &x, TiesToEven);
        assert_eq!(fma([0, 0x7C00, 0x7E00]), (0x7E00, 0x10));
        assert_eq!(fma([0x3C00, 0x7C00, 0x7E00]), (0x7E00, 0x00));
        assert_eq!(fma([0x8000, 0x3C00, 0x8000]), (0x8000, 0x00));
        assert_eq!(fma([0x8000, 0x3C00, 0x0000]), (0x0000, 0x00));
    }
}

/// Tables that others measured.
mod vectors {
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

    /// Every row but the NaNs, of which the columns keep or make payloads of their own.
    #[test]
    fn bf16_and_f16_from_f32() {
        let table = table(include_str!("vectors/bf16_fp16_from_f32.csv"));
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

    /// The columns whose rules are ours: with IEEE overflow (`ml_*`, the CUDA ones that do not
    /// saturate, torch's e5m2), or with every infinity saturated (`*_sat` and torch's e4m3fn).
    /// The operands are not NaN.
    #[test]
    fn narrow_formats_from_f32() {
        use Overflow::{Ieee, SaturateAll};
        let table = table(include_str!("vectors/fp8_fp6_fp4_from_f32.csv"));
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
                    // Ours is the one canonical NaN, theirs has the sign of what overflowed.
                    let nan = |bits| {
                        matches!(Format::of(format).unwrap().decode(bits), Datum::Nan { .. })
                    };
                    if !bits.into_iter().all(nan) {
                        assert_eq!(bits[0], bits[1], "{name} of {}", row[0]);
                    }
                }
            }
        }
    }

    /// hardtanh's gradient at the bound itself, as the bound's format decides it: the `strict_cmp`
    /// columns.
    #[test]
    fn hardtanh_bounds() {
        let table = table(include_str!("vectors/hardtanh_bound_sweep.csv"));
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
        let table = table(include_str!("vectors/e8m0_from_f32.csv"));
        let columns = host_tests::oracle::policies()
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
                let encode =
                    for_row(kind, "e8m0_encode", &[Ty::F32], &[Ty::E8m0], &params).unwrap();
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
}

/// Facts that tie the table of roundings, which both comparators use, to something else.
mod roundings {
    use super::*;

    fn samples() -> impl Iterator<Item = u64> {
        (0..1 << 17).map(|step: u64| step.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn same(ours: u64, theirs: f32) -> bool {
        ours == u64::from(theirs.to_bits()) || ours == 0x7FC0_0000 && theirs.is_nan()
    }

    /// The host's own f32 is rounded to nearest, ties to even.
    #[test]
    fn host_arithmetic() {
        let run = |op: &str, operands: &[Ty]| {
            let oracle = oracle(OracleKind::Rational, op, operands, &[Ty::F32]);
            move |x: Operands| {
                let rounding = RoundingArg::Fixed(Rounding::TiesToEven);
                oracle.answer(&x).output(rounding, Overflow::Ieee).results[0]
            }
        };
        let [add, sub, mul, div] = ["add", "sub", "mul", "div"].map(|op| run(op, &[Ty::F32; 2]));
        let (sqrt, fma) = (run("sqrt", &[Ty::F32]), run("fma", &[Ty::F32; 3]));
        let narrow = run("convert", &[Ty::F64]);
        for bits in samples() {
            // Exponents that meet often.
            let near = |bits: u64| bits & 0x83FF_FFFF | 0x3C00_0000;
            for [a, b, c] in [
                [bits >> 32, bits & 0xFFFF_FFFF, bits >> 16 & 0xFFFF_FFFF],
                [
                    near(bits >> 32),
                    near(bits & 0xFFFF_FFFF),
                    near(bits >> 16 & 0xFFFF_FFFF),
                ],
            ] {
                let [x, y, z] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
                assert!(same(add([a, b, 0]), x + y), "{a:X} + {b:X}");
                assert!(same(sub([a, b, 0]), x - y), "{a:X} - {b:X}");
                assert!(same(mul([a, b, 0]), x * y), "{a:X} * {b:X}");
                assert!(same(div([a, b, 0]), x / y), "{a:X} / {b:X}");
                assert!(same(sqrt([a, 0, 0]), x.sqrt()), "sqrt {a:X}");
                assert!(
                    same(fma([a, b, c]), x.mul_add(y, z)),
                    "{a:X} * {b:X} + {c:X}"
                );
            }
            assert!(
                same(narrow([bits, 0, 0]), f64::from_bits(bits) as f32),
                "{bits:X}"
            );
            // An exponent that f32 has, subnormals included.
            let bits = bits & 0x8FFF_FFFF_FFFF_FFFF | 0x3000_0000_0000_0000;
            assert!(
                same(narrow([bits, 0, 0]), f64::from_bits(bits) as f32),
                "{bits:X}"
            );
        }
    }

    /// A bf16 is the upper half of an f32, so the lower half is the discarded fraction in 2^-16
    /// and every rounding is one addition; a carry past the largest number gives infinity.
    #[test]
    fn upper_half() {
        let oracle = oracle(OracleKind::Rational, "convert", &[Ty::F32], &[Ty::Bf16]);
        for bits in samples().map(|bits| bits >> 32) {
            let (sign, magnitude) = (bits >> 16 & 0x8000, bits & 0x7FFF_FFFF);
            if magnitude >= 0x7F80_0000 {
                continue;
            }
            let answer = oracle.answer_stochastic(&[bits, 0, 0]);
            let ours = |rounding| answer.output(rounding, Overflow::Ieee).results[0];
            for random in [0, 1, 0x7FFF, 0x8000, 0xFFFF, (bits >> 7) as u16] {
                let expected = (magnitude + u64::from(random)) >> 16 | sign;
                assert_eq!(
                    ours(RoundingArg::Stochastic(random)),
                    expected,
                    "{bits:X} {random}"
                );
            }
            let away = (magnitude + 0x8000) >> 16 | sign;
            assert_eq!(
                ours(RoundingArg::Fixed(Rounding::TiesToAway)),
                away,
                "{bits:X}"
            );
            let even = (magnitude + 0x7FFF + (magnitude >> 16 & 1)) >> 16 | sign;
            assert_eq!(
                ours(RoundingArg::Fixed(Rounding::TiesToEven)),
                even,
                "{bits:X}"
            );
            let odd = magnitude >> 16 | u64::from(magnitude & 0xFFFF != 0) | sign;
            assert_eq!(ours(RoundingArg::Fixed(Rounding::ToOdd)), odd, "{bits:X}");
        }
    }

    /// Rounding to odd and then to a format of fewer digits is rounding once.
    #[test]
    fn to_odd_then_again() {
        for narrow in [Ty::F16, Ty::Bf16, Ty::E5m2, Ty::E4m3fn] {
            let wide = oracle(OracleKind::Rational, "convert", &[Ty::F64], &[Ty::F32]);
            let then = oracle(OracleKind::Rational, "convert", &[Ty::F32], &[narrow]);
            let once = oracle(OracleKind::Rational, "convert", &[Ty::F64], &[narrow]);
            let result = |oracle: &dyn Oracle, bits, rounding| {
                let answer = oracle.answer(&[bits, 0, 0]);
                answer
                    .output(RoundingArg::Fixed(rounding), Overflow::Ieee)
                    .results[0]
            };
            for bits in samples().flat_map(|bits| {
                // Any; with f32's exponents; and near a tie of a narrow format.
                let finite = bits & 0x8FFF_FFFF_FFFF_FFFF | 0x3000_0000_0000_0000;
                [
                    bits,
                    finite,
                    (finite & !0xF_FFFF_FFFF_FFFF) + ((bits % 64) << 45) + bits % 3,
                ]
            }) {
                for rounding in Rounding::ALL {
                    // What is beyond f32 and not infinite arrives as its largest number.
                    let odd = result(&*wide, bits, Rounding::ToOdd);
                    let (twice, direct) = (
                        result(&*then, odd, rounding),
                        result(&*once, bits, rounding),
                    );
                    assert_eq!(twice, direct, "{bits:X} {narrow:?} {rounding:?}");
                }
            }
        }
    }
}

/// The values of codes, as ml_dtypes has them, and the reciprocals of scales, as torchao has.
#[test]
fn decode_tables() {
    use serde_json::Value;
    let tables: Value =
        serde_json::from_str(include_str!("vectors/decode_tables_f32bits.json")).unwrap();
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
        "vectors/torchao_e8m0_rceil_and_reciprocal.json"
    ))
    .unwrap();
    let reciprocal = oracle(
        OracleKind::Rational,
        "e8m0_reciprocal",
        &[Ty::E8m0],
        &[Ty::E8m0],
    );
    let table = torchao["reciprocal_bits_by_scale_byte"].as_array().unwrap();
    // But not that of the NaN.
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

/// The comparators against each other.
mod agreement {
    use super::*;

    /// xorshift64*, so that a failure can be repeated.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
        }

        fn below(&mut self, n: u64) -> u64 {
            (self.next() >> 32) % n
        }
    }

    /// Bits of a type: edges, values near 1 (so that sums and quotients meet), short
    /// significands (so that ties and exact results happen), and any.
    fn pick(ty: Ty, random: &mut Random) -> u64 {
        let mask = u64::MAX >> (64 - ty.bits());
        let Some(format) = Format::of(ty) else {
            let near_edge = random.below(5).wrapping_sub(2);
            let length = random.below(u64::from(ty.bits()) + 1);
            return mask
                & match random.below(4) {
                    0 => random.next(),
                    1 => (1_u64.checked_shl(length as u32).unwrap_or(0)).wrapping_add(near_edge),
                    2 => (1_u64.checked_shl(length as u32).unwrap_or(0))
                        .wrapping_neg()
                        .wrapping_add(near_edge),
                    _ => random.next() >> (64 - length.max(1)),
                };
        };
        let sign = random.next() & format.sign_bit();
        let edges = [
            0,
            1 << (format.precision - 1),
            format.largest,
            format.sign_bit() / 2,
        ];
        let fraction = (1_u64 << (format.precision - 1)) - 1;
        let bits = match random.below(8) {
            0 | 1 => edges[random.below(4) as usize]
                .wrapping_add(random.below(9))
                .wrapping_sub(4),
            2 | 3 => {
                let one = (format.largest / 2) & !fraction;
                let binades = random.below(31).wrapping_sub(15);
                one.wrapping_add(binades << (format.precision - 1))
                    .wrapping_add(random.next() & fraction)
            }
            4 => random.next() & !(fraction >> random.below(u64::from(format.precision))),
            _ => random.next(),
        };
        (format.code(bits) | sign) & mask
    }

    fn modes(random: &mut Random) -> Vec<(RoundingArg, Overflow)> {
        let any = random.next() as u16;
        let fixed = Rounding::ALL.map(RoundingArg::Fixed);
        let stochastic = [0, 1, 0x7FFF, 0x8000, 0xFFFF, any].map(RoundingArg::Stochastic);
        let all = fixed.into_iter().chain(stochastic);
        all.flat_map(|rounding| Overflow::ALL.map(|overflow| (rounding, overflow)))
            .collect()
    }

    fn compare(op: &str, operands: &[Ty], results: &[Ty], inputs: impl Iterator<Item = Operands>) {
        let [reference, fast] = BOTH.map(|kind| oracle(kind, op, operands, results));
        let mut random = Random(0x1234_5678_9ABC_DEF1);
        for x in inputs {
            let (a, b) = (reference.answer_stochastic(&x), fast.answer_stochastic(&x));
            if let (Answer::Located(_), _) | (_, Answer::Located(_)) = (a, b) {
                assert_eq!(a, b, "{op} {operands:?} {results:?} {x:X?}");
            }
            for (rounding, overflow) in modes(&mut random) {
                assert_eq!(
                    a.output(rounding, overflow),
                    b.output(rounding, overflow),
                    "{op} {operands:?} {results:?} {x:X?} {rounding:?} {overflow:?}"
                );
            }
        }
    }

    fn sampled(op: &str, operands: &[Ty], results: &[Ty], count: usize) {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (count as u64) << 7);
        let inputs = std::iter::repeat_with(|| {
            let mut x = [0; 3];
            for (bits, &ty) in x.iter_mut().zip(operands) {
                *bits = pick(ty, &mut random);
            }
            x
        });
        compare(op, operands, results, inputs.take(count));
    }

    const MAIN: [Ty; 3] = [Ty::F16, Ty::Bf16, Ty::F32];
    const NARROW: [Ty; 4] = [Ty::E5m2, Ty::E4m3fn, Ty::E5m2fnuz, Ty::E2m1];

    #[test]
    fn conversions() {
        for from in MAIN.into_iter().chain(NARROW).chain([Ty::F64]) {
            for to in MAIN.into_iter().chain(NARROW) {
                if from.bits() <= 16 {
                    let all = (0..1_u64 << from.bits()).map(|bits| [bits, 0, 0]);
                    compare("convert", &[from], &[to], all);
                } else {
                    sampled("convert", &[from], &[to], 40_000);
                }
            }
        }
    }

    #[test]
    fn binary_operations() {
        for op in ["add", "sub", "mul", "div"] {
            for a in MAIN {
                for b in MAIN {
                    for result in MAIN {
                        sampled(op, &[a, b], &[result], 4_000);
                    }
                }
            }
            for narrow in NARROW {
                let all = (0..1_u64 << narrow.bits())
                    .flat_map(|a| (0..1_u64 << narrow.bits()).map(move |b| [a, b, 0]));
                compare(op, &[narrow; 2], &[narrow], all);
                sampled(op, &[Ty::F32; 2], &[narrow], 4_000);
            }
        }
    }

    #[test]
    fn square_roots() {
        for from in MAIN {
            for to in MAIN.into_iter().chain(NARROW) {
                sampled("sqrt", &[from], &[to], 20_000);
            }
        }
    }

    #[test]
    fn fused_multiply_adds() {
        for a in MAIN {
            for b in MAIN {
                for c in MAIN {
                    for result in MAIN {
                        sampled("fma", &[a, b, c], &[result], 2_000);
                    }
                }
            }
        }
        for narrow in NARROW {
            sampled("fma", &[narrow; 3], &[narrow], 20_000);
        }
    }

    /// Addends that sit on, and just beside, what decides: c = cut - a*b for cuts of the format.
    #[test]
    fn fused_multiply_adds_at_ties() {
        let mut random = Random(77);
        let inputs = std::iter::repeat_with(|| {
            // Powers of two times odd significands of 4 digits: products have 8, so sums with
            // addends of near exponents are often ties; tiny addends move them off.
            let short = |random: &mut Random, low: u64, span: u64| {
                (low + random.below(span)) << 7
                    | (random.below(16) << 3)
                    | random.next() << 15 & 0x8000
            };
            let (a, b) = (short(&mut random, 110, 30), short(&mut random, 110, 30));
            let c = if random.below(2) == 0 {
                short(&mut random, 100, 50)
            } else {
                short(&mut random, 1, 60) | random.below(128)
            };
            [a, b, c]
        });
        compare("fma", &[Ty::Bf16; 3], &[Ty::Bf16], inputs.take(200_000));
    }

    const INTEGERS: [Ty; 8] = [
        Ty::I8,
        Ty::I16,
        Ty::I32,
        Ty::I64,
        Ty::U8,
        Ty::U16,
        Ty::U32,
        Ty::U64,
    ];

    #[test]
    fn integers() {
        for integer in INTEGERS {
            for format in MAIN {
                sampled("from_int", &[integer], &[format], 20_000);
            }
            for format in MAIN.into_iter().chain([Ty::F64]) {
                sampled("to_int", &[format], &[integer], 20_000);
            }
        }
        for format in MAIN {
            sampled("round_to_integral", &[format], &[format], 40_000);
        }
    }

    #[test]
    fn encoders() {
        for policy in host_tests::oracle::policies() {
            for from in MAIN {
                let params = [("policy", ParamValue::Name(policy.name.as_str()))];
                let [reference, fast] = BOTH.map(|kind| {
                    for_row(kind, "e8m0_encode", &[from], &[Ty::E8m0], &params).unwrap()
                });
                let mut random = Random(99);
                for _ in 0..20_000 {
                    let x = [pick(from, &mut random), 0, 0];
                    assert_eq!(
                        reference.answer(&x),
                        fast.answer(&x),
                        "{} {x:X?}",
                        policy.name
                    );
                }
            }
        }
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

/// Operations that only the reference covers.
mod reference {
    use super::*;
    use Ty::{Bf16, Bool, Class, E8m0, F16, F32, F64, I32};

    fn run(op: &str, operands: &[Ty], results: &[Ty], x: &[u64]) -> Output {
        run_with(op, operands, results, &[], x)
    }

    fn run_with(
        op: &str,
        operands: &[Ty],
        results: &[Ty],
        params: &[(&str, ParamValue)],
        x: &[u64],
    ) -> Output {
        let mut all = [0; 3];
        all[..x.len()].copy_from_slice(x);
        for_row(OracleKind::Rational, op, operands, results, params)
            .unwrap_or_else(|| panic!("{op}"))
            .answer(&all)
            .output(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee)
    }

    fn f64_op(op: &str, x: f64, y: f64) -> f64 {
        f64::from_bits(run(op, &[F64; 2], &[F64], &[x.to_bits(), y.to_bits()]).results[0])
    }

    #[test]
    fn remainders() {
        assert_eq!(f64_op("remainder", 5.0, 3.0), -1.0);
        assert_eq!(f64_op("fmod", 5.0, 3.0), 2.0);
        // Ties go to the even multiple.
        assert_eq!(f64_op("remainder", 5.0, 2.0), 1.0);
        assert_eq!(f64_op("remainder", 7.0, 2.0), -1.0);
        assert!(f64_op("remainder", -6.0, 3.0).is_sign_negative());
        assert_eq!(f64_op("fmod", 1e300, 3.0), 1e300 % 3.0);
        let remquo = |x: f64, y: f64| {
            run(
                "remquo",
                &[F64; 2],
                &[F64, I32],
                &[x.to_bits(), y.to_bits()],
            )
            .results
        };
        assert_eq!(remquo(-7.0, 2.0), [1.0_f64.to_bits(), 0xFFFF_FFFC]);
        assert_eq!(remquo(1e10, 1.0)[1], 10_000_000_000 % (1 << 31));
        let invalid = run("remainder", &[F16; 2], &[F16], &[0x7C00, 0x3C00]);
        assert_eq!((invalid.results[0], invalid.flags), (0x7E00, 0x10));
        assert_eq!(
            run("remainder", &[F16; 2], &[F16], &[0x7C00, 0x7E01]).flags,
            0x00
        );
        assert_eq!(
            run("fmod", &[F16; 2], &[F16], &[0x8001, 0x7C00]).results[0],
            0x8001
        );
    }

    /// The host's `%` is C's fmod.
    #[test]
    fn fmod_is_the_hosts() {
        for step in 0..20_000_u64 {
            let bits = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let (x, y) = (
                f32::from_bits(bits as u32),
                f32::from_bits((bits >> 32) as u32),
            );
            let ours = run("fmod", &[F32; 2], &[F32], &[bits & 0xFFFF_FFFF, bits >> 32]);
            let ours = f32::from_bits(ours.results[0] as u32);
            assert!(ours.to_bits() == (x % y).to_bits() || ours.is_nan() && (x % y).is_nan());
        }
    }

    /// std's total_cmp is totalOrder.
    #[test]
    fn total_order_is_stds() {
        let mut edges = vec![
            0,
            1,
            0x7F_FFFF,
            0x80_0000,
            0x7F7F_FFFF,
            0x7F80_0000,
            0x7F80_0001,
        ];
        edges.extend([
            0x7FBF_FFFF,
            0x7FC0_0000,
            0x7FC0_0001,
            0x7FFF_FFFF,
            0x3F80_0000,
        ]);
        edges.extend(edges.clone().iter().map(|bits| bits | 1 << 31));
        for &x in &edges {
            for &y in &edges {
                let ours = run("total_order", &[F32; 2], &[Bool], &[x, y]).results[0] == 1;
                let order = f32::from_bits(x as u32).total_cmp(&f32::from_bits(y as u32));
                assert_eq!(ours, order.is_le(), "{x:X} {y:X}");
            }
        }
    }

    #[test]
    fn extrema_and_comparisons() {
        let run2 = |op: &str, x, y| {
            let output = run(op, &[F16; 2], &[F16], &[x, y]);
            (output.results[0], output.flags)
        };
        assert_eq!(run2("minimum", 0x0000, 0x8000), (0x8000, 0x00));
        assert_eq!(run2("maximum", 0x8000, 0x0000), (0x0000, 0x00));
        assert_eq!(run2("minimum", 0x7E01, 0x3C00), (0x7E00, 0x00));
        assert_eq!(run2("minimum_number", 0x7E01, 0x3C00), (0x3C00, 0x00));
        assert_eq!(run2("minimum_number", 0x7D01, 0x3C00), (0x3C00, 0x10));
        assert_eq!(run2("maximum_magnitude", 0x3C00, 0xC000), (0xC000, 0x00));
        assert_eq!(run2("maximum_magnitude", 0x3C00, 0xBC00), (0x3C00, 0x00));
        assert_eq!(
            run2("minimum_magnitude_number", 0xBC00, 0x3C00),
            (0xBC00, 0x00)
        );
        let compare = |op: &str, x, y| {
            let output = run(op, &[F16; 2], &[Bool], &[x, y]);
            (output.results[0], output.flags)
        };
        // TestFloat's line `87FF E850 0 00` of f16_lt.
        assert_eq!(compare("compare_signaling_less", 0x87FF, 0xE850), (0, 0x00));
        assert_eq!(compare("compare_quiet_equal", 0x0000, 0x8000), (1, 0x00));
        assert_eq!(
            compare("compare_quiet_not_equal", 0x7E00, 0x7E00),
            (1, 0x00)
        );
        assert_eq!(
            compare("compare_signaling_not_less", 0x7E00, 0x0000),
            (1, 0x10)
        );
    }

    #[test]
    fn neighbours_and_classes() {
        let next = |op: &str, x| run(op, &[Bf16], &[Bf16], &[x]).results[0];
        assert_eq!(next("next_up", 0x8001), 0x8000);
        assert_eq!(next("next_up", 0x8000), 0x0001);
        assert_eq!(next("next_up", 0xFF80), 0xFF7F);
        assert_eq!(next("next_up", 0x7F80), 0x7F80);
        assert_eq!(next("next_down", 0x0001), 0x0000);
        assert_eq!(next("next_down", 0x0000), 0x8001);
        assert_eq!(next("next_down", 0xFF80), 0xFF80);
        for step in 0..1 << 16 {
            let up = run("next_up", &[F32], &[F32], &[step * 65_537 % (1 << 32)]).results[0];
            let std = f32::from_bits((step * 65_537 % (1 << 32)) as u32).next_up();
            assert!(up == u64::from(std.to_bits()) || std.is_nan());
        }
        let class = |x| run("classify", &[F16], &[Class], &[x]).results[0];
        let samples = [
            0x7D00, 0x7E00, 0xFC00, 0xBC00, 0x83FF, 0x8000, 0, 0x3FF, 0x400, 0x7C00,
        ];
        assert_eq!(samples.map(class), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn parts() {
        let logb = |x| run("logb", &[Bf16], &[Bf16], &[x]);
        assert_eq!(
            logb(0x0001),
            Output {
                results: [0xC305, 0],
                flags: 0
            }
        ); // -133
        assert_eq!(logb(0x3F80).results[0], 0x0000);
        assert_eq!(
            logb(0x8000),
            Output {
                results: [0xFF80, 0],
                flags: 0x08
            }
        );
        let frexp = |x| run("frexp", &[F16], &[F16, I32], &[x]).results;
        assert_eq!(
            frexp(0x8001),
            [0xB800, u64::from((-23_i32).cast_unsigned())]
        );
        assert_eq!(frexp(0x3C00), [0x3800, 1]);
        let modf = |x| run("modf", &[F16], &[F16, F16], &[x]).results;
        assert_eq!(modf(0xC100), [0xB800, 0xC000]); // -2.5
        assert_eq!(modf(0x8001), [0x8001, 0x8000]);
        assert_eq!(modf(0xFC00), [0x8000, 0xFC00]);
        let log2 = |op: &str, x| run(op, &[F32], &[I32], &[x]).results[0] as u32 as i32;
        assert_eq!(log2("ceil_log2", 1), -149);
        assert_eq!(log2("ceil_log2", 3), -147);
        assert_eq!(log2("floor_log2", 3), -148);
        assert_eq!(log2("floor_log2", 0x7F7F_FFFF), 127);
        assert_eq!(log2("ceil_log2", 0x7F7F_FFFF), 128);
        assert_eq!(log2("ilogb", 0xC000_0000), 1);
        assert_eq!(log2("floor_log2", 0xC000_0000), i32::MIN);
        let scalbn = |x: u64, n: i32| {
            let output = run(
                "scalbn",
                &[F16, I32],
                &[F16],
                &[x, n.cast_unsigned().into()],
            );
            (output.results[0], output.flags)
        };
        assert_eq!(scalbn(0x0001, 24), (0x3C00, 0x00));
        assert_eq!(scalbn(0x3C00, -25), (0x0000, 0x03));
        assert_eq!(scalbn(0x3C01, -25), (0x0001, 0x03));
        assert_eq!(scalbn(0xBC00, i32::MAX), (0xFC00, 0x05));
        assert_eq!(scalbn(0xBC00, i32::MIN), (0x8000, 0x03));
    }

    #[test]
    fn scales() {
        let reciprocal = |x| run("e8m0_reciprocal", &[E8m0], &[E8m0], &[x]).results[0];
        assert_eq!(
            [0, 1, 127, 254, 255].map(reciprocal),
            [254, 253, 127, 0, 255]
        );
        let decode = |x, ty| run("e8m0_decode", &[E8m0], &[ty], &[x]).results[0];
        assert_eq!(decode(0, F32), 0x0040_0000);
        assert_eq!(decode(0, Bf16), 0x0040);
        assert_eq!(decode(254, F32), 0x7F00_0000);
        assert_eq!(decode(255, F16), 0x7E00);
        assert_eq!(decode(127 - 24, F16), 0x0001);
        assert_eq!(decode(127 - 25, F16), 0x0000);
        let encode = |policy, x| {
            let params = [("policy", ParamValue::Name(policy))];
            let output = run_with("e8m0_encode", &[F32], &[E8m0], &params, &[x]);
            (output.results[0], output.flags)
        };
        assert_eq!(encode("nearest-even-code", 0x3FC0_0000), (0x80, 0x01)); // 1.5: 127 is odd
        assert_eq!(encode("nearest-even-code", 0x4040_0000), (0x80, 0x01)); // 3: 128 is even
        assert_eq!(encode("nearest-even-code", 0x7F40_0000), (0xFE, 0x01));
        assert_eq!(encode("nearest-ties-up", 0x7F40_0000), (0xFF, 0x05));
        assert_eq!(encode("ceil", 0x7F00_0001), (0xFF, 0x05));
        assert_eq!(encode("cuda_rp_sat", 0x7F00_0001), (0xFE, 0x05));
        assert_eq!(encode("ort1.31_down_nosat", 0x7F00_0001), (0xFF, 0x05));
        assert_eq!(encode("floor", 0), (0x00, 0x03));
        assert_eq!(encode("ml_dtypes0.6", 0), (0xFF, 0x10));
        assert_eq!(encode("ort1.31_up_sat", 0xBF80_0000), (0x00, 0x10));
        assert_eq!(encode("triton_kernels_up", 0x7FC0_0000), (0x00, 0x00));
        assert_eq!(encode("triton_kernels_up", 0x7F80_0001), (0x00, 0x10));
        assert_eq!(encode("floor", 0x3F80_0000), (0x7F, 0x00));
        assert_eq!(encode("te_host", 0x7F80_0000), (0xFE, 0x05));
    }

    /// `rp_field` is defined on f32's fields; the oracle has it as a rule on values.
    #[test]
    fn ceiling_of_the_field() {
        let params = [("policy", ParamValue::Name("inductor_bitpattern_clamp255"))];
        let encode = for_row(
            OracleKind::Rational,
            "e8m0_encode",
            &[F32],
            &[E8m0],
            &params,
        )
        .unwrap();
        for step in 0..1_u64 << 18 {
            let bits = (step * 8191) & 0x7FFF_FFFF;
            if bits < 0x7F80_0000 {
                let by_field = (bits >> 23) + u64::from(bits & 0x7F_FFFF != 0);
                let rounding = RoundingArg::Fixed(Rounding::TiesToEven);
                let output = encode
                    .answer(&[bits, 0, 0])
                    .output(rounding, Overflow::Ieee);
                assert_eq!(output.results[0], by_field, "{bits:X}");
            }
        }
    }

    #[test]
    fn activations() {
        let unary = |op: &str, x| {
            let output = run(op, &[F16], &[F16], &[x]);
            (output.results[0], output.flags)
        };
        assert_eq!(unary("relu6", 0x8000), (0x8000, 0x00));
        assert_eq!(unary("relu6", 0x4700), (0x4600, 0x00));
        assert_eq!(unary("relu6", 0xFC00), (0x0000, 0x00));
        assert_eq!(unary("hardsigmoid", 0x0000), (0x3800, 0x00));
        assert_eq!(unary("hardsigmoid", 0x3C00), (0x3955, 0x01)); // 2/3
        assert_eq!(unary("hardsigmoid", 0xC200), (0x0000, 0x00));
        assert_eq!(unary("hardswish", 0x3C00), (0x3955, 0x01));
        assert_eq!(unary("hardswish", 0xBC00), (0xB555, 0x01)); // -1/3
        assert_eq!(unary("hardswish", 0xC200), (0x8000, 0x00));
        assert_eq!(unary("hardswish", 0x8000), (0x8000, 0x00));
        let backward = |op: &str, rule, x, grad| {
            let params = [("nan", ParamValue::Name(rule))];
            let output = run_with(op, &[F16; 2], &[F16], &params, &[x, grad]);
            (output.results[0], output.flags)
        };
        assert_eq!(
            backward("hardswish_backward", "pass", 0xBE00, 0xBC00),
            (0x8000, 0x00)
        );
        assert_eq!(
            backward("hardswish_backward", "pass", 0xBE00, 0xFC00),
            (0x7E00, 0x10)
        );
        assert_eq!(
            backward("hardswish_backward", "pass", 0x0000, 0x3C00),
            (0x3800, 0x00)
        );
        assert_eq!(
            backward("hardswish_backward", "pass", 0x4200, 0x7D23),
            (0x7D23, 0x00)
        );
        assert_eq!(
            backward("hardswish_backward", "pass", 0xC200, 0x7D23),
            (0x0000, 0x00)
        );
        assert_eq!(
            backward("hardsigmoid_backward", "pass", 0x7D00, 0x7D23),
            (0x7D23, 0x10)
        );
        assert_eq!(
            backward("hardsigmoid_backward", "zero", 0x7E00, 0x3C00),
            (0x0000, 0x00)
        );
        assert_eq!(
            backward("relu6_backward", "propagate", 0x7E23, 0x3C00),
            (0x7E00, 0x00)
        );
        assert_eq!(
            backward("relu6_backward", "pass", 0x4600, 0x3C00),
            (0x0000, 0x00)
        );
        assert_eq!(
            backward("relu6_backward", "pass", 0x45FF, 0x3C00),
            (0x3C00, 0x00)
        );
        // bf16(0.7) is below an f64 bound of 0.7, and not strictly below itself.
        let bound = |ty, bits| {
            [
                ("min", ParamValue::Bits(ty, 0)),
                ("max", ParamValue::Bits(ty, bits)),
                ("nan", ParamValue::Name("pass")),
            ]
        };
        let through = |params: &[_]| {
            run_with(
                "hardtanh_backward",
                &[Bf16; 2],
                &[Bf16],
                params,
                &[0x3F33, 0x3F80],
            )
            .results[0]
        };
        assert_eq!(through(&bound(F64, 0.7_f64.to_bits())), 0x3F80);
        assert_eq!(through(&bound(Bf16, 0x3F33)), 0x0000);
        let params = bound(F64, 0.7_f64.to_bits());
        let output = run_with("hardtanh", &[Bf16], &[Bf16], &params, &[0x3F80]);
        assert_eq!((output.results[0], output.flags), (0x3F33, 0x01));
    }
}
