//! The elementary functions of f32, rounded to f32, f16 and bf16, against the oracle, in every
//! direction and overflow rule, with flags: the operands nearest to a rounding boundary, their
//! neighbours, numbers of few bits, the ends of every binade, and random ones.

use bitexact::{Mode, Overflow, Rounding, Status, activation, bf16, f16, math};
use host_tests::oracle::{self, OracleKind, for_row};
use host_tests::row::{RoundingArg, Ty};
use rayon::prelude::*;

type Function = fn(f32, Mode) -> (u64, Status);

/// A function's name in the oracle, the format of its results, and the kernel.
macro_rules! functions {
    ($($op:literal $ty:ident $function:expr;)*) => {
        [$(($op, Ty::$ty, |x, mode| {
            let (value, status) = $function(x, mode);
            let _: &functions!(@ $ty) = &value;
            (value.to_bits().into(), status)
        })),*]
    };
    (@ F32) => { f32 };
    (@ F16) => { f16 };
    (@ Bf16) => { bf16 };
}

const FUNCTIONS: [(&str, Ty, Function); 35] = functions! {
    "exp" F32 math::exp_status;
    "exp2" F32 math::exp2_status;
    "expm1" F32 math::expm1_status;
    "log" F32 math::log_status;
    "log2" F32 math::log2_status;
    "log1p" F32 math::log1p_status;
    "sin" F32 math::sin_status;
    "cos" F32 math::cos_status;
    "tanh" F32 math::tanh_status;
    "erf" F32 math::erf_status;
    "rsqrt" F32 math::rsqrt_status;
    "reciprocal" F32 math::reciprocal_status;
    "sigmoid" F32 activation::sigmoid_status;
    "silu" F32 activation::silu_status;
    "gelu" F32 activation::gelu_status;
    "gelu_tanh" F32 activation::gelu_tanh_status;
    "softplus" F32 |x, mode| activation::softplus_status(x, 1.0_f32, f32::INFINITY, mode);
    // It is sigmoid.
    "softplus_derivative" F32 activation::sigmoid_status;
    "sigmoid_derivative" F32 activation::sigmoid_derivative_status;
    "tanh_derivative" F32 activation::tanh_derivative_status;
    "silu_derivative" F32 activation::silu_derivative_status;
    "gelu_derivative" F32 activation::gelu_derivative_status;
    "gelu_tanh_derivative" F32 activation::gelu_tanh_derivative_status;
    "exp" F16 math::exp_to_status;
    "exp" Bf16 math::exp_to_status;
    "exp2" F16 math::exp2_to_status;
    "exp2" Bf16 math::exp2_to_status;
    "tanh" F16 math::tanh_to_status;
    "tanh" Bf16 math::tanh_to_status;
    "sigmoid" F16 activation::sigmoid_to_status;
    "sigmoid" Bf16 activation::sigmoid_to_status;
    "silu" F16 activation::silu_to_status;
    "silu" Bf16 activation::silu_to_status;
    "gelu" F16 activation::gelu_to_status;
    "gelu" Bf16 activation::gelu_to_status;
};

/// As the oracle's program names it: `exp.f32`, `exp.f32.bf16`.
fn name(op: &str, to: Ty) -> String {
    match to {
        Ty::F32 => format!("{op}.f32"),
        _ => format!("{op}.f32.{}", to.name()),
    }
}

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
fn compare(op: &str, to: Ty, function: Function, inputs: impl Iterator<Item = u32>) {
    // Both lists name the modes in the same order.
    let overflows: Vec<_> = Overflow::ALL
        .into_iter()
        .zip(sweep_inputs::Overflow::ALL)
        .collect();
    let oracle = for_row(OracleKind::Filter, op, &[Ty::F32], &[to], &[]);
    let oracle = oracle.expect("an oracle");
    for bits in inputs {
        let answer = oracle.answer(&[bits.into(), 0, 0]);
        for (rounding, of_oracle) in Rounding::ALL.into_iter().zip(sweep_inputs::Rounding::ALL) {
            for &(overflow, rule) in &overflows {
                let expected = answer.output(RoundingArg::Fixed(of_oracle), rule);
                let mode = Mode { rounding, overflow };
                let (result, status) = function(f32::from_bits(bits), mode);
                assert_eq!(
                    (result, status.bits()),
                    (expected.results[0], expected.flags),
                    "{} {bits:08X} {rounding:?} {overflow:?}",
                    name(op, to)
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
    let mut names: Vec<_> = FUNCTIONS.iter().map(|&(op, to, _)| name(op, to)).collect();
    let wide = oracle::singles::FUNCTIONS
        .iter()
        .map(|op| name(op, Ty::F32));
    let narrow = oracle::singles::NARROW.iter();
    let narrow = narrow.flat_map(|op| [name(op, Ty::F16), name(op, Ty::Bf16)]);
    let mut of_oracle: Vec<_> = wide.chain(narrow).collect();
    names.sort_unstable();
    of_oracle.sort_unstable();
    assert_eq!(names, of_oracle, "the functions that the oracle has");
    FUNCTIONS
        .par_iter()
        .for_each(|&(op, to, function)| compare(op, to, function, inputs(op).into_iter()));
}

/// All 2^32 operands with `WHOLE=1`, one in N with `WHOLE=N`, otherwise one in 65,521; with names
/// after the number, as in `WHOLE='1 exp tanh.f32.bf16'`, those functions alone.
#[test]
fn functions_of_f32_are_rounded_once_everywhere() {
    let whole = std::env::var("WHOLE").unwrap_or("65521".into());
    let (step, names) = whole.split_once(' ').unwrap_or((&whole, ""));
    let step: usize = step.parse().expect("a number");
    let names: Vec<_> = names.split(' ').filter(|name| !name.is_empty()).collect();
    for (op, to, function) in FUNCTIONS {
        let row = name(op, to);
        if !names.is_empty() && !names.contains(&op) && !names.contains(&row.as_str()) {
            continue;
        }
        let start = std::time::Instant::now();
        (0..1 << 12).into_par_iter().for_each(|part: u32| {
            let first = part << 20;
            compare(op, to, function, (first..=first + 0xF_FFFF).step_by(step));
        });
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{row}: {} operands, 6 directions, flags, {seconds:.0} s",
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
