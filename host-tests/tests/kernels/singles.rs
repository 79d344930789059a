//! The elementary functions of f32 against the oracle, in every direction and overflow rule, with
//! flags: the operands nearest to a rounding boundary, their neighbours, numbers of few bits, the
//! ends of every binade, and random ones.

use bitexact::{Mode, Overflow, Rounding, Status, activation, math};
use host_tests::oracle::{self, OracleKind, for_row};
use host_tests::row::{RoundingArg, Ty};
use rayon::prelude::*;

type Function = fn(f32, Mode) -> (f32, Status);

const FUNCTIONS: [(&str, Function); 23] = [
    ("exp", math::exp_status),
    ("exp2", math::exp2_status),
    ("expm1", math::expm1_status),
    ("log", math::log_status),
    ("log2", math::log2_status),
    ("log1p", math::log1p_status),
    ("sin", math::sin_status),
    ("cos", math::cos_status),
    ("tanh", math::tanh_status),
    ("erf", math::erf_status),
    ("rsqrt", math::rsqrt_status),
    ("reciprocal", math::reciprocal_status),
    ("sigmoid", activation::sigmoid_status),
    ("silu", activation::silu_status),
    ("gelu", activation::gelu_status),
    ("gelu_tanh", activation::gelu_tanh_status),
    ("softplus", |x, mode| {
        activation::softplus_status(x, 1.0_f32, f32::INFINITY, mode)
    }),
    // It is sigmoid.
    ("softplus_derivative", activation::sigmoid_status),
    ("sigmoid_derivative", activation::sigmoid_derivative_status),
    ("tanh_derivative", activation::tanh_derivative_status),
    ("silu_derivative", activation::silu_derivative_status),
    ("gelu_derivative", activation::gelu_derivative_status),
    (
        "gelu_tanh_derivative",
        activation::gelu_tanh_derivative_status,
    ),
];

/// Operands that were wrong before their cores had the bits that they need.
const FOUND: [u32; 5] = [
    0x33FF_FFFF,
    0x37F5_8941,
    0x38FF_BFF8,
    0x3540_0003,
    0x35C0_0006,
];

fn inputs(op: &str) -> Vec<u32> {
    let op = if op == "softplus_derivative" {
        "sigmoid"
    } else {
        op
    };
    let file = format!(
        "{}/oracles/tests/hardest/{op}.f32.hard.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(file).expect("the hardest operands");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let hard = lines.map(|line| u32::from_str_radix(&line[..8], 16).expect("an operand"));
    let mut all: Vec<u32> = hard.chain(FOUND).collect();
    all.extend((0..512).flat_map(|field| {
        let few = [
            0, 1, 2, 3, 0x40_0000, 0x40_0001, 0x20_0000, 0x60_0000, 0x7F_FFFE, 0x7F_FFFF,
        ];
        few.map(|fraction| field << 23 | fraction)
    }));
    let mut state = 1_u64;
    all.extend((0..20_000).map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 32) as u32
    }));
    all.iter()
        .flat_map(|x| [*x, x ^ 1 << 31, x.wrapping_add(1), x.wrapping_sub(1)])
        .collect()
}

/// Compares a function with the oracle at these operands, in every direction with flags. The three
/// overflow rules are compared where the oracle's result overflows, and at one operand in 64: a
/// result that does not overflow has no rule to follow.
fn compare(op: &str, function: Function, inputs: impl Iterator<Item = u32>) {
    // Both lists name the modes in the same order.
    let overflows: Vec<_> = Overflow::ALL
        .into_iter()
        .zip(sweep_inputs::Overflow::ALL)
        .collect();
    let oracle = for_row(OracleKind::Filter, op, &[Ty::F32], &[Ty::F32], &[]);
    let oracle = oracle.expect("an oracle");
    for bits in inputs {
        let answer = oracle.answer(&[bits.into(), 0, 0]);
        for (rounding, of_oracle) in Rounding::ALL.into_iter().zip(sweep_inputs::Rounding::ALL) {
            for &(overflow, rule) in &overflows {
                let expected = answer.output(RoundingArg::Fixed(of_oracle), rule);
                let mode = Mode { rounding, overflow };
                let (result, status) = function(f32::from_bits(bits), mode);
                assert_eq!(
                    (u64::from(result.to_bits()), status.bits()),
                    (expected.results[0], expected.flags),
                    "{op} {bits:08X} {rounding:?} {overflow:?}"
                );
                if expected.flags & Status::OVERFLOW.bits() == 0 && bits % 64 != 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn functions_of_f32_are_rounded_once() {
    let mut names = FUNCTIONS.map(|(op, _)| op);
    let mut of_oracle = oracle::singles::FUNCTIONS.to_vec();
    names.sort_unstable();
    of_oracle.sort_unstable();
    assert_eq!(&names[..], of_oracle, "the functions that the oracle has");
    FUNCTIONS
        .par_iter()
        .for_each(|&(op, function)| compare(op, function, inputs(op).into_iter()));
}

/// All 2^32 operands with `WHOLE=1`, one in N with `WHOLE=N`, otherwise one in 65,521; with names
/// after the number, as in `WHOLE='1 exp log'`, those functions alone.
#[test]
fn functions_of_f32_are_rounded_once_everywhere() {
    let whole = std::env::var("WHOLE").unwrap_or("65521".into());
    let (step, names) = whole.split_once(' ').unwrap_or((&whole, ""));
    let step: usize = step.parse().expect("a number");
    let names: Vec<_> = names.split(' ').filter(|name| !name.is_empty()).collect();
    for (op, function) in FUNCTIONS {
        if !names.is_empty() && !names.contains(&op) {
            continue;
        }
        let start = std::time::Instant::now();
        (0..1 << 12).into_par_iter().for_each(|part: u32| {
            let first = part << 20;
            compare(op, function, (first..=first + 0xF_FFFF).step_by(step));
        });
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{op}.f32: {} operands, 6 directions, flags, {seconds:.0} s",
            (1 << 12) * (1_usize << 20).div_ceil(step)
        );
    }
}

/// In the narrow formats the derivatives are those that the gradients multiply by 1.
#[test]
fn derivatives_of_narrow_formats_are_those_of_the_gradients() {
    macro_rules! same {
        ($($derivative:ident $backward:ident)*) => {$(
            same! { @ f16 $derivative $backward }
            same! { @ bf16 $derivative $backward }
        )*};
        (@ $format:ident $derivative:ident $backward:ident) => {
            for (x, rounding) in (0..=u16::MAX).flat_map(|x| Rounding::ALL.map(|mode| (x, mode))) {
                let (x, mode) = (bitexact::$format::from_bits(x), Mode::ieee(rounding));
                let (made, flags) = activation::$derivative(x, mode);
                let (due, due_flags) = activation::$backward(x, bitexact::$format::ONE, mode);
                assert_eq!(
                    (made.to_bits(), flags),
                    (due.to_bits(), due_flags),
                    "{} {x:?} {rounding:?}",
                    stringify!($derivative)
                );
            }
        };
    }
    same! {
        sigmoid_derivative_status sigmoid_backward_status
        tanh_derivative_status tanh_backward_status
        silu_derivative_status silu_backward_status
        gelu_derivative_status gelu_backward_status
        gelu_tanh_derivative_status gelu_tanh_backward_status
    }
}
