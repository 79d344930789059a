//! The oracle for the elementary functions and activations: against points that MPFR located
//! (`reference/make.py`), against the standards' special values, and its two kinds of enclosure
//! against each other.

use oracles::{
    Answer, Factor, Format, Located, Oracle, OracleKind, ParamValue, Place, Tiny, for_row,
};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Output, RoundingArg, Ty};

const BOTH: [OracleKind; 2] = [OracleKind::Real, OracleKind::Filter];

fn oracle(kind: OracleKind, op: &str, ty: Ty, params: &[(&str, ParamValue)]) -> Box<dyn Oracle> {
    let operands = match op {
        "pown" | "compound" | "rootn" => vec![ty, Ty::I32],
        "pow" | "atan2" | "atan2pi" | "hypot" | "xlogy" | "xlog1py" | "logaddexp"
        | "logaddexp2" => vec![ty, ty],
        _ if op.ends_with("_backward") => vec![ty, ty],
        _ => vec![ty],
    };
    let results = if op == "sincos" {
        vec![ty, ty]
    } else {
        vec![ty]
    };
    for_row(kind, op, &operands, &results, params)
        .unwrap_or_else(|| panic!("{}: no {op}", kind.name()))
}

fn f32_param(value: f32) -> ParamValue<'static> {
    ParamValue::Bits(Ty::F32, value.to_bits().into())
}

fn one(ty: Ty) -> u64 {
    if ty == Ty::F16 { 0x3C00 } else { 0x3F80 }
}

fn located(answer: &Answer) -> Located {
    match answer {
        Answer::Located(located) => *located,
        Answer::Scaled(scaled) => match scaled.factor {
            Factor::Located(located) => located,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn place(number: u8) -> Option<Place> {
    [Place::Exact, Place::Below, Place::Middle, Place::Above]
        .get(usize::from(number))
        .copied()
}

#[test]
fn mpfr_places_them_so() {
    let mut count = 0;
    for line in include_str!("../../../tests/reference/points.txt").lines() {
        let fields: Vec<_> = line.split(' ').collect();
        let [op, format, params, operands @ .., negative, code, at, tiny] = &fields[..] else {
            panic!("{line}");
        };
        let ty = Ty::from_name(format).expect("a format");
        let params: Vec<_> = params
            .split(',')
            .filter_map(|part| part.split_once('='))
            .map(|(name, value)| (name, f32_param(value.parse().expect("a number"))))
            .collect();
        let mut bits = [0; 3];
        for (to, text) in bits.iter_mut().zip(operands) {
            *to = u64::from_str_radix(text, 16).expect("hex");
        }
        if op.ends_with("_backward") {
            bits[1] = one(ty);
        }
        let number = |text: &str| text.parse::<u8>().expect("a digit");
        let tiny = match number(tiny) {
            0 => Tiny::No,
            1 => Tiny::Yes,
            n => Tiny::Edge(place(n - 2).expect("a place")),
        };
        let expected = Located {
            format: Format::of(ty).expect("a float format"),
            negative: *negative == "1",
            code: u64::from_str_radix(code, 16).expect("hex"),
            place: place(number(at)),
            tiny,
            fractions: None,
        };
        for kind in BOTH {
            let got = located(&oracle(kind, op, ty, &params).answer(&bits));
            assert_eq!(got, expected, "{} on {line}", kind.name());
        }
        count += 1;
    }
    assert!(count > 1500, "{count} points");
}

fn output(
    op: &str,
    ty: Ty,
    x: &[u64],
    params: &[(&str, ParamValue)],
    rounding: Rounding,
) -> Output {
    let mut bits = [0; 3];
    bits[..x.len()].copy_from_slice(x);
    let [real, filter] = BOTH.map(|kind| {
        let answer = oracle(kind, op, ty, params).answer(&bits);
        answer.output(RoundingArg::Fixed(rounding), Overflow::Ieee)
    });
    assert_eq!(real, filter, "{op} {x:X?}");
    real
}

const INF: u64 = 0x7C00;
const NAN: u64 = 0x7E00;
const MINUS: u64 = 0x8000;
const ONE: u64 = 0x3C00;

/// Operation, operands, result and flags, in f16 and ties-to-even.
const SPECIAL: &[(&str, &[u64], u64, u8)] = &[
    // Exact cases.
    ("exp", &[MINUS], ONE, 0),
    ("exp", &[INF | MINUS], 0, 0),
    ("exp", &[0x7C01], NAN, 0x10),
    ("exp", &[0x7BFF], INF, 5),
    ("exp2", &[0xCE00], 1, 0),
    ("exp2", &[0x4200], 0x4800, 0),
    ("exp10", &[0x4000], 0x5640, 0),
    ("expm1", &[INF | MINUS], 0xBC00, 0),
    ("expm1", &[0xFBFF], 0xBC00, 1),
    ("exp2m1", &[0xBC00], 0xB800, 0),
    ("exp10m1", &[0x4200], 0x63CE, 0),
    ("log", &[MINUS], 0xFC00, 8),
    ("log", &[0xBC00], NAN, 0x10),
    ("log", &[ONE], 0, 0),
    ("log2", &[1], 0xCE00, 0),
    ("log10", &[0x63D0], 0x4200, 0),
    ("log1p", &[0xBC00], 0xFC00, 8),
    ("log1p", &[0xBC01], NAN, 0x10),
    ("log2p1", &[0x4200], 0x4000, 0),
    ("log10p1", &[0x4880], ONE, 0),
    // Zeros and poles of the functions of half-turns.
    ("sinpi", &[ONE], 0, 0),
    ("sinpi", &[0xC000], MINUS, 0),
    ("sinpi", &[0xB800], 0xBC00, 0),
    ("cospi", &[0xBE00], 0, 0),
    ("cospi", &[ONE], 0xBC00, 0),
    ("tanpi", &[ONE], MINUS, 0),
    ("tanpi", &[0xBC00], 0, 0),
    ("tanpi", &[0x4000], 0, 0),
    ("tanpi", &[0x3800], INF, 8),
    ("tanpi", &[0xB800], 0xFC00, 8),
    ("tanpi", &[0x3E00], 0xFC00, 8),
    ("tanpi", &[0x3A00], 0xBC00, 0),
    ("sin", &[INF], NAN, 0x10),
    ("tan", &[MINUS], MINUS, 0),
    ("cos", &[MINUS], ONE, 0),
    ("asin", &[0x3C01], NAN, 0x10),
    ("acos", &[ONE], 0, 0),
    ("acos", &[0xBC00], 0x4248, 1),
    ("acospi", &[0xBC00], ONE, 0),
    ("acospi", &[MINUS], 0x3800, 0),
    ("asinpi", &[0xBC00], 0xB800, 0),
    ("atan", &[INF | MINUS], 0xBE48, 1),
    ("atanpi", &[INF], 0x3800, 0),
    ("atanpi", &[0xBC00], 0xB400, 0),
    ("tanh", &[INF], ONE, 0),
    ("tanh", &[0x7BFF], ONE, 1),
    ("acosh", &[0x3BFF], NAN, 0x10),
    ("acosh", &[ONE], 0, 0),
    ("atanh", &[0xBC00], 0xFC00, 8),
    ("atanh", &[INF], NAN, 0x10),
    ("cosh", &[INF | MINUS], INF, 0),
    ("rsqrt", &[MINUS], 0xFC00, 8),
    ("rsqrt", &[0xBC00], NAN, 0x10),
    ("rsqrt", &[0x4400], 0x3800, 0),
    ("cbrt", &[0xC800], 0xC000, 0),
    ("reciprocal", &[MINUS], 0xFC00, 8),
    ("reciprocal", &[INF | MINUS], MINUS, 0),
    ("erf", &[INF | MINUS], 0xBC00, 0),
    ("erfc", &[INF | MINUS], 0x4000, 0),
    ("erfc", &[0], ONE, 0),
    ("erfinv", &[MINUS], MINUS, 0),
    ("erfinv", &[0xBC00], 0xFC00, 8),
    ("erfinv", &[0x3C01], NAN, 0x10),
    ("erfinv", &[INF], NAN, 0x10),
    ("logit", &[MINUS], 0xFC00, 8),
    ("logit", &[ONE], INF, 8),
    ("logit", &[0x3800], 0, 0),
    ("logit", &[0x8001], NAN, 0x10),
    ("logit", &[INF], NAN, 0x10),
    ("tgamma", &[MINUS], 0xFC00, 8),
    ("tgamma", &[0xBC00], NAN, 0x10),
    ("tgamma", &[INF | MINUS], NAN, 0x10),
    ("tgamma", &[0x4500], 0x4E00, 0),
    ("lgamma", &[0xBC00], INF, 8),
    ("lgamma", &[INF | MINUS], INF, 0),
    ("lgamma", &[0x4000], 0, 0),
    // Two operands.
    ("pow", &[NAN, MINUS], ONE, 0),
    ("pow", &[ONE, NAN], ONE, 0),
    ("pow", &[0x7C01, 0], NAN, 0x10),
    ("pow", &[MINUS, 0xBC00], 0xFC00, 8),
    ("pow", &[MINUS, 0xC000], INF, 8),
    ("pow", &[MINUS, 0xFC00], INF, 0),
    ("pow", &[0xBC00, INF], ONE, 0),
    ("pow", &[0xC000, 0x4200], 0xC800, 0),
    ("pow", &[0xC000, 0x3800], NAN, 0x10),
    ("pow", &[0x4880, 0x3E00], 0x4EC0, 0),
    ("pow", &[0x4880, 0xB400], 0x389E, 1),
    ("pow", &[0x4400, 0x3E00], 0x4800, 0),
    ("pow", &[0xFC00, 0x4200], 0xFC00, 0),
    ("hypot", &[NAN, 0xFC00], INF, 0),
    ("hypot", &[0x7C01, INF], NAN, 0x10),
    ("hypot", &[0x4200, 0xC400], 0x4500, 0),
    ("xlogy", &[MINUS, MINUS], 0, 0),
    ("xlogy", &[0, 0xFC00], 0, 0),
    ("xlogy", &[0, NAN], NAN, 0),
    ("xlogy", &[0, 0x7C01], NAN, 0x10),
    ("xlogy", &[0xBC00, ONE], MINUS, 0),
    ("xlogy", &[0xBC00, 0], INF, 8),
    ("xlogy", &[0xFC00, MINUS], INF, 0),
    ("xlogy", &[INF, ONE], NAN, 0x10),
    ("xlogy", &[INF, 0x3800], 0xFC00, 0),
    ("xlogy", &[ONE, 0xBC00], NAN, 0x10),
    ("xlog1py", &[0, 0xFC00], 0, 0),
    ("xlog1py", &[ONE, MINUS], MINUS, 0),
    ("xlog1py", &[ONE, 0xBC00], 0xFC00, 8),
    ("xlog1py", &[INF, 0], NAN, 0x10),
    ("xlog1py", &[INF, 0xB800], 0xFC00, 0),
    ("xlog1py", &[ONE, 0xBC01], NAN, 0x10),
    ("xlog1py", &[0x4000, 1], 2, 3),
    ("logaddexp", &[INF, 0xFC00], INF, 0),
    ("logaddexp", &[0xFC00, MINUS], 0, 0),
    ("logaddexp", &[0xFC00, 0xFC00], 0xFC00, 0),
    ("logaddexp", &[NAN, INF], NAN, 0),
    ("logaddexp", &[0x7BFF, 0x7BFF], 0x7BFF, 1),
    ("logaddexp", &[0x7BFF, 0xFBFF], 0x7BFF, 1),
    ("logaddexp", &[0, 0xFBFF], 0, 3),
    ("logaddexp2", &[0xBC00, 0xBC00], 0, 0),
    ("logaddexp2", &[0, MINUS], ONE, 0),
    ("logaddexp2", &[ONE, ONE], 0x4000, 0),
    ("logaddexp2", &[0x6BFF, 0x6BFF], 0x6C00, 1),
    ("logaddexp2", &[1, 0x8001], ONE, 1),
    ("atan2", &[MINUS, MINUS], 0xC248, 1),
    ("atan2", &[MINUS, ONE], MINUS, 0),
    ("atan2pi", &[0xBC00, 0xBC00], 0xBA00, 0),
    ("atan2pi", &[INF, 0xFC00], 0x3A00, 0),
    ("compound", &[NAN, 0], ONE, 0),
    ("compound", &[0xC000, 0], NAN, 0x10),
    ("compound", &[0xBC00, 0xFFFF_FFFF], INF, 8),
    ("compound", &[ONE, 3], 0x4800, 0),
    ("pown", &[0x4200, 2], 0x4880, 0),
    ("pown", &[MINUS, 0xFFFF_FFFF], 0xFC00, 8),
    ("rootn", &[0xC800, 3], 0xC000, 0),
    ("rootn", &[0xC800, 2], NAN, 0x10),
    ("rootn", &[ONE, 0], NAN, 0x10),
    ("rootn", &[0x4400, 0xFFFF_FFFE], 0x3800, 0),
    // Activations.
    ("sigmoid", &[0], 0x3800, 0),
    ("sigmoid", &[0xFBFF], 0, 3),
    ("silu", &[INF | MINUS], MINUS, 0),
    ("silu", &[0x7BFF], 0x7BFF, 1),
    ("gelu", &[0xFBFF], MINUS, 3),
    ("mish", &[MINUS], MINUS, 0),
    ("logsigmoid", &[INF], MINUS, 0),
    ("logsigmoid", &[INF | MINUS], 0xFC00, 0),
    ("softsign", &[INF | MINUS], 0xBC00, 0),
    ("tanhshrink", &[MINUS], MINUS, 0),
    ("relu", &[MINUS], MINUS, 0),
    ("relu", &[0xBC00], 0, 0),
];

#[test]
fn special_values_are_the_standards() {
    for &(op, x, bits, flags) in SPECIAL {
        let got = output(op, Ty::F16, x, &[], Rounding::TiesToEven);
        assert_eq!((got.results[0], got.flags), (bits, flags), "{op} {x:X?}");
    }
}

#[test]
fn both_results_of_sincos_have_the_union_of_flags() {
    let zero = output("sincos", Ty::F16, &[MINUS], &[], Rounding::TiesToEven);
    assert_eq!((zero.results, zero.flags), ([MINUS, ONE], 0));
    let least = output("sincos", Ty::F16, &[1], &[], Rounding::TowardZero);
    assert_eq!((least.results, least.flags), ([0, 0x3BFF], 3));
    let infinite = output("sincos", Ty::F16, &[INF], &[], Rounding::TiesToEven);
    assert_eq!((infinite.results, infinite.flags), ([NAN, NAN], 0x10));
}

#[test]
fn a_gradient_is_rounded_twice_in_one_mode() {
    let gradient = |x, grad, rounding| {
        let got = output("sigmoid_backward", Ty::F16, &[x, grad], &[], rounding);
        (got.results[0], got.flags)
    };
    // The slope at zero is 1/4.
    assert_eq!(gradient(0, 0x4400, Rounding::TiesToEven), (ONE, 0));
    assert_eq!(gradient(INF, INF, Rounding::TiesToEven), (NAN, 0x10));
    assert_eq!(gradient(0x7C01, ONE, Rounding::TiesToEven), (NAN, 0x10));
    assert_eq!(gradient(NAN, ONE, Rounding::TiesToEven), (NAN, 0));
    // The slope at 1 is 0.19661193..., between 0x324A and 0x324B; twice that is exact.
    assert_eq!(gradient(ONE, 0x4000, Rounding::TowardZero), (0x364A, 1));
    assert_eq!(gradient(ONE, 0x4000, Rounding::TowardPositive), (0x364B, 1));
}

#[test]
fn piecewise_gradients_move_bits() {
    let nan = [("nan", ParamValue::Name("pass"))];
    let relu = |x, grad| {
        let got = output(
            "relu_backward",
            Ty::F16,
            &[x, grad],
            &nan,
            Rounding::TiesToEven,
        );
        (got.results[0], got.flags)
    };
    assert_eq!(relu(ONE, 0x7C01), (0x7C01, 0));
    assert_eq!(relu(0, 0x7C01), (0, 0));
    assert_eq!(relu(0x7C01, ONE), (ONE, 0x10));
    let leaky = [
        ("nan", ParamValue::Name("zero")),
        ("negative_slope", f32_param(0.5)),
    ];
    let got = output(
        "leaky_relu_backward",
        Ty::F16,
        &[0, ONE],
        &leaky,
        Rounding::TiesToEven,
    );
    assert_eq!((got.results[0], got.flags), (0x3800, 0));
}

/// Every 61st input of every function, in both kinds.
#[test]
fn the_filter_agrees_with_the_integers() {
    let all = include_str!("../../../tests/reference/points.txt").lines();
    let mut seen = std::collections::BTreeSet::new();
    for line in all {
        let fields: Vec<_> = line.split(' ').collect();
        if fields.len() != 8 || !seen.insert((fields[0], fields[1], fields[2])) {
            continue;
        }
        let ty = Ty::from_name(fields[1]).expect("a format");
        let params: Vec<_> = fields[2]
            .split(',')
            .filter_map(|part| part.split_once('='))
            .map(|(name, value)| (name, f32_param(value.parse().expect("a number"))))
            .collect();
        let [real, filter] = BOTH.map(|kind| oracle(kind, fields[0], ty, &params));
        for x in (5..65536).step_by(61) {
            let x = if ty == Ty::F32 { x * 65_537 } else { x };
            let bits = [x, one(ty), 0];
            assert_eq!(
                real.answer(&bits),
                filter.answer(&bits),
                "{} {x:04X}",
                fields[0]
            );
        }
    }
}

#[cfg(feature = "mpfr")]
mod mpfr {
    use super::*;

    const FUNCTIONS: &str = "exp exp2 exp10 expm1 exp2m1 exp10m1 log log2 log10 log1p log2p1 \
        log10p1 sin cos tan sincos sinpi cospi tanpi asin acos atan asinpi acospi atanpi sinh cosh \
        tanh asinh acosh atanh rsqrt cbrt reciprocal erf erfc logit tgamma lgamma";
    const ACTIVATIONS: &str = "sigmoid silu logsigmoid gelu gelu_tanh mish selu softsign \
        tanhshrink elu sigmoid_backward silu_backward logsigmoid_backward gelu_backward \
        gelu_tanh_backward mish_backward selu_backward softsign_backward tanhshrink_backward \
        tanh_backward elu_backward";

    fn agree(op: &str, ty: Ty, operands: impl Iterator<Item = [u64; 3]>) {
        let params = [("alpha", f32_param(1.7))];
        let params = if op.starts_with("elu") {
            &params[..]
        } else {
            &[]
        };
        let [mpfr, filter] =
            [OracleKind::Mpfr, OracleKind::Filter].map(|kind| oracle(kind, op, ty, params));
        for x in operands {
            let (expected, got) = (mpfr.answer(&x), filter.answer(&x));
            assert_eq!(got, expected, "{op} {} {x:04X?}", ty.name());
        }
    }

    fn all(ops: &str, second: fn(Ty) -> u64, step: usize) {
        for op in ops.split_whitespace() {
            for ty in [Ty::F16, Ty::Bf16] {
                agree(op, ty, (0..65536).step_by(step).map(|x| [x, second(ty), 0]));
            }
        }
    }

    #[test]
    fn all_inputs_of_the_functions() {
        all(FUNCTIONS, |_| 0, 1);
    }

    #[test]
    fn inputs_of_the_activations() {
        all(ACTIVATIONS, one, 3);
    }

    #[test]
    fn pairs() {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state >> 32
        };
        // Any bits, values near 1, and the ends of the encodings.
        let mut operand = |ty| match next() % 4 {
            0 => next() & 0xFFFF,
            1 => [0, MINUS, one(ty), one(ty) | MINUS, INF, 0xFF80, 1, 0x7F80][next() as usize % 8],
            _ => (one(ty) + next() % 0x1800 - 0xC00) | (next() & MINUS),
        };
        for ty in [Ty::F16, Ty::Bf16] {
            for op in [
                "pow",
                "atan2",
                "atan2pi",
                "hypot",
                "xlogy",
                "xlog1py",
                "logaddexp",
                "logaddexp2",
            ] {
                let pairs: Vec<_> = (0..60_000).map(|_| [operand(ty), operand(ty), 0]).collect();
                agree(op, ty, pairs.into_iter());
            }
            for op in ["pown", "compound", "rootn"] {
                let pairs: Vec<_> = (0..30_000_u64)
                    .map(|i| {
                        let n = operand(ty).wrapping_mul(i % 7) >> (i % 17);
                        let n = if i % 2 == 0 { n } else { n.wrapping_neg() } & 0xFFFF_FFFF;
                        [operand(ty), n, 0]
                    })
                    .collect();
                agree(op, ty, pairs.into_iter());
            }
        }
    }
}
