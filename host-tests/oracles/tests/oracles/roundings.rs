//! Independent checks of the table of roundings that both comparators use.

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
        // Exponents that are often equal.
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

/// Rounding to odd and then to a format of fewer bits is rounding once.
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
                // Finite values beyond f32 become its largest number.
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
