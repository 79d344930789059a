//! Operations that only the reference covers.

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
