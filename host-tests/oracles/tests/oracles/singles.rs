//! Functions of f32: the filter against the integers of any length, and special values.

use super::oracle;
use oracles::singles::{FUNCTIONS, NARROW};
use oracles::{Answer, OracleKind, Place};
use rayon::prelude::*;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{RoundingArg, Ty};

fn rows() -> impl Iterator<Item = (&'static str, Ty)> {
    let narrow = NARROW
        .iter()
        .flat_map(|&op| [(op, Ty::F16), (op, Ty::Bf16)]);
    FUNCTIONS.iter().map(|&op| (op, Ty::F32)).chain(narrow)
}

/// Both ends of every binade, numbers of few bits, thresholds of the functions, and others.
fn inputs() -> Vec<u64> {
    let mut state = 3_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 32) as u32
    };
    let mut all: Vec<u32> = (0..256_u32)
        .flat_map(|field| [0, 1, 0x40_0000, 0x7F_FFFF].map(|fraction| field << 23 | fraction))
        .collect();
    let thresholds = [
        1.0_f32,
        0.5,
        0.0625,
        0.03125,
        LN_2,
        16.0,
        17.328,
        88.722_84,
        87.336_55,
        103.972_08,
        126.0,
        128.0,
        149.0,
        150.0,
        9.010_913,
        13.185,
        14.16,
        5.0,
        4.0,
        FRAC_PI_4,
        0.751_791_5,
        1.278_465,
        FRAC_PI_2,
        PI,
        20.0,
        11.09,
        65504.0,
        3.919,
    ];
    for x in thresholds {
        all.extend((x.to_bits() - 12)..=(x.to_bits() + 12));
    }
    all.extend((0..2000).map(|_| next()));
    // Magnitudes of which every function has values that are neither tiny nor huge.
    all.extend((0..2000).map(|_| next() % (17 << 23) + (113 << 23)));
    // log2 of it is within 2^-50 of a midpoint: the filter leaves it open.
    all.push(0x3EA0_7AB9);
    let minus = all.clone();
    all.extend(minus.iter().map(|x| x ^ 1 << 31));
    all.into_iter().map(u64::from).collect()
}

#[test]
fn the_filter_agrees_with_the_integers() {
    let inputs = inputs();
    rows().par_bridge().for_each(|(op, to)| {
        let [real, filter] =
            [OracleKind::Real, OracleKind::Filter].map(|kind| oracle(kind, op, &[Ty::F32], &[to]));
        for &x in &inputs {
            let x = [x, 0, 0];
            let (real, filter) = (real.answer(&x), filter.answer(&x));
            assert_eq!(real, filter, "{op} {} {:08X}", to.name(), x[0]);
        }
    });
}

/// Integers and halves, of either sign, of which many powers are exact or next to a number.
#[test]
fn powers_agree_with_the_integers() {
    let pairs = [Ty::F32, Ty::F32];
    let [real, filter] =
        [OracleKind::Real, OracleKind::Filter].map(|kind| oracle(kind, "pow", &pairs, &[Ty::F32]));
    let cube_of_midpoint = 4097.0_f32;
    let bases = [
        3.0,
        9.0,
        -5.0,
        0.25,
        1.5,
        4095.0,
        cube_of_midpoint,
        1e-20,
        2e30,
        1.000_000_1,
    ];
    let bases = bases.into_iter().map(|x: f32| u64::from(x.to_bits()));
    for x in bases.chain(inputs().into_iter().step_by(37)) {
        for y in [2.0_f32, 3.0, 4.0, -1.0, -2.0, 0.5, -0.5, 1.5, 2.5, -1.5] {
            let x = [x, y.to_bits().into(), 0];
            let (real, filter) = (real.answer(&x), filter.answer(&x));
            assert_eq!(real, filter, "{:08X}^{y}", x[0]);
        }
    }
    let place = |x: f32, y: f32| match filter.answer(&[x.to_bits().into(), y.to_bits().into(), 0]) {
        Answer::Located(located) => located.place,
        other => panic!("{other:?}"),
    };
    assert_eq!(place(4097.0, 2.0), Some(Place::Middle));
    assert_eq!(place(2.25, 1.5), Some(Place::Exact));
    assert_eq!(place(3.0, -1.0), Some(Place::Above));
}

/// Function, operand, result format, result and flags to nearest; the numbers are those of
/// mathematical tables.
#[test]
fn known_values() {
    let cases = [
        ("exp", 1.0_f32, Ty::F32, 0x402D_F854, 1),
        ("exp", 1.0, Ty::Bf16, 0x402E, 1),
        ("exp", 1.0, Ty::F16, 0x4170, 1),
        ("exp", 12.0, Ty::F16, 0x7C00, 5),
        ("exp", -150.0, Ty::F32, 0, 3),
        ("exp", -0.0, Ty::F32, 0x3F80_0000, 0),
        ("exp2", -149.0, Ty::F32, 1, 0),
        ("exp2", -150.0, Ty::F32, 0, 3),
        ("exp2", 0.5, Ty::F32, 0x3FB5_04F3, 1),
        ("log", 0.0, Ty::F32, 0xFF80_0000, 8),
        ("log", -1.0, Ty::F32, 0x7FC0_0000, 16),
        ("log2", 8.0, Ty::F32, 0x4040_0000, 0),
        ("log", 2.0, Ty::F32, 0x3F31_7218, 1),
        ("log1p", -1.0, Ty::F32, 0xFF80_0000, 8),
        ("sin", PI, Ty::F32, 0xB3BB_BD2E, 1),
        ("sin", f32::INFINITY, Ty::F32, 0x7FC0_0000, 16),
        ("cos", 0.0, Ty::F32, 0x3F80_0000, 0),
        ("cos", 1e-30, Ty::F32, 0x3F80_0000, 1),
        ("rsqrt", 2.0, Ty::F32, 0x3F35_04F3, 1),
        ("rsqrt", 16.0, Ty::F32, 0x3E80_0000, 0),
        ("reciprocal", 3.0, Ty::F32, 0x3EAA_AAAB, 1),
        ("erf", 1.0, Ty::F32, 0x3F57_BB3D, 1),
        ("sigmoid", 0.0, Ty::F32, 0x3F00_0000, 0),
        ("softplus", 0.0, Ty::F32, 0x3F31_7218, 1),
        ("softplus", f32::NEG_INFINITY, Ty::F32, 0, 0),
        ("gelu", -0.0, Ty::F32, 0x8000_0000, 0),
        ("tanh_derivative", 0.0, Ty::F32, 0x3F80_0000, 0),
        ("sigmoid_derivative", 0.0, Ty::F32, 0x3E80_0000, 0),
        ("silu_derivative", f32::INFINITY, Ty::F32, 0x3F80_0000, 0),
    ];
    for (op, x, to, bits, flags) in cases {
        let answer = oracle(OracleKind::Filter, op, &[Ty::F32], &[to]);
        let output = answer
            .answer(&[x.to_bits().into(), 0, 0])
            .output(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee);
        assert_eq!(
            (output.results[0], output.flags),
            (bits, flags),
            "{op} {x:e}"
        );
    }
}

/// `tests/hardest`, from `examples/functions.rs`.
#[test]
fn the_hardest_operands() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hardest");
    let kinds = [
        OracleKind::Real,
        OracleKind::Filter,
        #[cfg(feature = "mpfr")]
        OracleKind::Mpfr,
    ];
    let mut seen = 0;
    for (op, to) in rows() {
        let suffix = match to {
            Ty::F32 => String::new(),
            to => format!(".{}", to.name()),
        };
        let Ok(text) = std::fs::read_to_string(format!("{folder}/{op}.f32{suffix}.hard.txt"))
        else {
            continue;
        };
        seen += 1;
        let oracles = kinds.map(|kind| oracle(kind, op, &[Ty::F32], &[to]));
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(!lines.is_empty(), "{op}");
        lines.par_iter().for_each(|line| {
            let words: Vec<_> = line.split(' ').collect();
            let [x, nearest, zero] =
                [0, 1, 2].map(|at| u64::from_str_radix(words[at], 16).expect("hexadecimal"));
            let expected = [
                (Rounding::TiesToEven, nearest),
                (Rounding::TowardZero, zero),
            ];
            for (oracle, kind) in oracles.iter().zip(kinds) {
                let answer = oracle.answer(&[x, 0, 0]);
                for (rounding, expected) in expected {
                    let output = answer.output(RoundingArg::Fixed(rounding), Overflow::Ieee);
                    assert_eq!(output.results[0], expected, "{op} {x:08X} {kind:?}");
                    assert_eq!(output.flags & 1, 1, "{op} {x:08X} is inexact");
                }
            }
            let distance = oracles[0].distance(&[x, 0, 0]).expect("no boundary");
            let recorded: f64 = words[3].parse().expect("a number");
            assert!((distance.log2() - recorded).abs() < 0.002, "{op} {x:08X}");
        });
    }
    assert!(seen > 0, "{folder}");
}

/// By plain definitions, and with none of the tables.
#[cfg(feature = "mpfr")]
#[test]
fn mpfr_agrees_with_the_filter() {
    let inputs = inputs();
    rows().par_bridge().for_each(|(op, to)| {
        let [mpfr, filter] =
            [OracleKind::Mpfr, OracleKind::Filter].map(|kind| oracle(kind, op, &[Ty::F32], &[to]));
        for &x in &inputs {
            let x = [x, 0, 0];
            let (mpfr, filter) = (mpfr.answer(&x), filter.answer(&x));
            for rounding in Rounding::ALL.map(RoundingArg::Fixed) {
                let [mpfr, filter] =
                    [&mpfr, &filter].map(|answer| answer.output(rounding, Overflow::Ieee));
                assert_eq!(mpfr, filter, "{op} {} {:08X}", to.name(), x[0]);
            }
        }
    });
}

/// 1/3 is a third of a gap from a number, and so a sixth from a midpoint; an f64 gives a lower
/// bound.
#[test]
fn distances_from_boundaries() {
    let operand = |x: f32| [x.to_bits().into(), 0, 0];
    let row = |kind, op| oracle(kind, op, &[Ty::F32], &[Ty::F32]);
    let third = row(OracleKind::Real, "reciprocal").distance(&operand(3.0));
    assert!((third.expect("no boundary") - 1.0 / 6.0).abs() < 1e-9);
    assert_eq!(row(OracleKind::Real, "exp2").distance(&operand(3.0)), None);
    assert_eq!(
        row(OracleKind::Real, "exp").distance(&operand(f32::NAN)),
        None
    );
    assert_eq!(row(OracleKind::Real, "exp").distance(&operand(-0.0)), None);
    let inputs = inputs();
    let with_zero = ["silu_derivative", "gelu_derivative", "gelu_tanh_derivative"];
    FUNCTIONS.par_iter().for_each(|op| {
        let [real, filter] = [OracleKind::Real, OracleKind::Filter].map(|kind| row(kind, op));
        for &x in inputs.iter().step_by(41) {
            let x = [x, 0, 0];
            if let (Some(least), Some(distance)) = (filter.distance(&x), real.distance(&x)) {
                assert!(distance <= 0.25, "{op} {:08X}", x[0]);
                assert!(least <= distance * 1.002, "{op} {:08X}", x[0]);
                // 2^-40 of the value, in gaps; more next to a zero that is a difference.
                let slack = 1e-4 + distance / 512.0;
                let tight = least + slack > distance;
                assert!(tight || with_zero.contains(op), "{op} {:08X}", x[0]);
            }
        }
    });
}
