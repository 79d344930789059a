//! Two tables beside PyTorch's operators: add, sub, mul and div of 16-bit formats over slices, and
//! the functions of f32: `cargo bench -p benches --bench arithmetic`. With the feature `core-math`,
//! the second table has CORE-MATH's function in a loop too; `-- functions` prints that table alone.
//!
//! The peer is PyTorch's operator of the same format into a given tensor, which rounds to nearest,
//! ties to even, where `PYTHON` (`python3` if unset) has it. All run in turn, and medians are
//! taken: with the thread's own clock on one thread, with the wall clock on all threads. Only
//! figures within one line can be compared.

mod common;

use bitexact::format::Arithmetic;
use bitexact::{Mode, arith, bf16, f16};
use bitexact_slices::{Element, LengthError, Level, par};
use common::timing::{Peer, medians, seconds, threads};
use common::{Data, Narrow};
use std::hint::black_box;

type Slices<F> = fn(&[F], &[F], &mut [F], Mode) -> Result<(), LengthError>;

/// An operation: PyTorch's name; ours on one thread and on all; the definition.
struct Operation<F> {
    name: &'static str,
    ours: [Slices<F>; 2],
    definition: fn(F, F, Mode) -> F,
}

const MODES: [(&str, Mode); 4] = [
    ("ties to even", Mode::TIES_TO_EVEN),
    ("toward zero", Mode::TOWARD_ZERO),
    ("toward negative", Mode::TOWARD_NEGATIVE),
    ("to odd", Mode::TO_ODD),
];

/// One line: an operation on N(0, 1), in every mode.
fn line<F: Element + Arithmetic + Narrow>(operation: &Operation<F>, count: usize, all: bool) {
    let x: Vec<F> = Data::Normal.codes(count + 1);
    let (x, y) = (&x[1..], &x[..count]);
    let repeated = ((1 << 22) / count).max(1);
    let mut out = vec![F::of_code(0); count];
    let torch = format!(
        "import torch\ntorch.set_num_threads(threads)\nname = 'PyTorch ' + torch.__version__\n\
         x, y, z = (torch.randn({count}).to(torch.{}) for _ in 'xyz')",
        if F::BIAS == 15 { "float16" } else { "bfloat16" }
    );
    let work = format!(
        "for _ in range({repeated}): torch.{}(x, y, out=z)",
        operation.name
    );
    let mut peer = Peer::new(threads(all), &torch, &work);
    let ours = operation.ours[usize::from(all)];
    let per = |time: f64| time / (count * repeated) as f64 * 1e9;
    let mut cells = String::new();
    for (_, mode) in MODES {
        let mut ours = || {
            seconds(all, &mut || {
                for _ in 0..repeated {
                    ours(black_box(x), y, &mut out, mode).expect("one length");
                }
            })
        };
        let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
        let [ours, theirs] = medians([&mut ours, &mut theirs]);
        for ((x, y), out) in x.iter().zip(y).zip(&out).take(1 << 16) {
            let due = (operation.definition)(*x, *y, mode);
            assert_eq!(Element::code(*out), Element::code(due));
        }
        cells += &format!(" {:.3}, {:.2} |", per(ours), theirs / ours);
    }
    let name = peer.as_ref().map_or("none", |peer| &peer.name);
    println!(
        "| {} {}, {count} | {} |{cells} {name} |",
        operation.name,
        <F as Narrow>::NAME,
        threads(all)
    );
}

macro_rules! operations {
    ($float:ty: $($torch:literal $name:ident)*) => {
        [$(Operation::<$float> {
            name: $torch,
            ours: [bitexact_slices::$name, par::$name],
            definition: arith::$name,
        }),*]
    };
}

type Over = fn(&[f32], &mut [f32], Mode) -> Result<(), LengthError>;

/// A function of f32: ours over a slice, PyTorch's, and CORE-MATH's.
struct Function {
    name: &'static str,
    ours: Over,
    torch: &'static str,
    core_math: Option<fn(f32) -> f32>,
}

#[cfg(feature = "core-math")]
macro_rules! core_math {
    (-) => {
        None
    };
    ($name:ident) => {
        Some(core_math::$name as fn(f32) -> f32)
    };
}
#[cfg(not(feature = "core-math"))]
macro_rules! core_math {
    ($($name:tt)*) => {
        None
    };
}

macro_rules! functions {
    ($($name:ident $torch:literal $core_math:tt;)*) => {
        [$(Function {
            name: stringify!($name),
            ours: bitexact_slices::$name,
            torch: $torch,
            core_math: core_math!($core_math),
        }),*]
    };
}

/// Lines for a function of f32 on one thread: N(0, 1) and uniform bits. Returns the ratios of the
/// times.
fn function(function: &Function) -> Vec<[f64; 2]> {
    const COUNT: usize = 1 << 20;
    let line = |data: Data| {
        let x = data.f32s(COUNT);
        let mut out = vec![0.0; COUNT];
        let sample = match data {
            Data::Normal => "torch.randn(n)",
            Data::Bits => {
                "torch.randint(-1 << 31, 1 << 31, (n,), dtype=torch.int32).view(torch.float32)"
            }
        };
        let torch = format!(
            "import torch\ntorch.set_num_threads(threads)\nname = 'PyTorch ' + torch.__version__\n\
             f, n = torch.nn.functional, {COUNT}\nx = {sample}\nz = torch.empty_like(x)"
        );
        let mut peer = Peer::new(1, &torch, function.torch);
        let mut scalar = vec![0.0; COUNT];
        let [even, down, theirs, core] = {
            let mut even = || {
                seconds(false, &mut || {
                    (function.ours)(black_box(&x), &mut out, Mode::TIES_TO_EVEN)
                        .expect("one length");
                })
            };
            let mut down_out = vec![0.0; COUNT];
            let mut down = || {
                seconds(false, &mut || {
                    (function.ours)(black_box(&x), &mut down_out, Mode::TOWARD_NEGATIVE)
                        .expect("one length");
                })
            };
            let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
            let mut core = || {
                function.core_math.map_or(f64::NAN, |f| {
                    seconds(false, &mut || {
                        for (out, x) in scalar.iter_mut().zip(black_box(&x)) {
                            *out = f(*x);
                        }
                    })
                })
            };
            medians([&mut even, &mut down, &mut theirs, &mut core])
        };
        if function.core_math.is_some() {
            let same =
                |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            assert!(out.iter().zip(&scalar).all(same), "{}", function.name);
        }
        let per = |time: f64| time / COUNT as f64 * 1e9;
        println!(
            "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {} |",
            function.name,
            data.name(),
            per(even),
            per(down),
            core / even,
            theirs / even,
            peer.as_ref().map_or("none", |peer| &peer.name)
        );
        [core / even, theirs / even]
    };
    Data::ALL.into_iter().map(line).collect()
}

fn functions() {
    println!(
        "| function of f32, 2^20 elements, one thread | data | ns an element, to nearest | downward \
         | times CORE-MATH's call | times the peer | peer |\n|---|---|---|---|---|---|---|"
    );
    let all = functions! {
        exp "torch.exp(x, out=z)" expf;
        exp2 "torch.exp2(x, out=z)" exp2f;
        expm1 "torch.expm1(x, out=z)" expm1f;
        log "torch.log(x, out=z)" logf;
        log2 "torch.log2(x, out=z)" log2f;
        log1p "torch.log1p(x, out=z)" log1pf;
        sin "torch.sin(x, out=z)" sinf;
        cos "torch.cos(x, out=z)" cosf;
        tanh "torch.tanh(x, out=z)" tanhf;
        erf "torch.erf(x, out=z)" erff;
        rsqrt "torch.rsqrt(x, out=z)" rsqrtf;
        reciprocal "torch.reciprocal(x, out=z)" -;
        sigmoid "torch.sigmoid(x, out=z)" -;
        silu "torch._C._nn.silu(x, out=z)" -;
        gelu "torch._C._nn.gelu(x, out=z)" -;
        gelu_tanh "torch._C._nn.gelu(x, approximate='tanh', out=z)" -;
    };
    let ratios: Vec<[f64; 2]> = all.iter().flat_map(function).collect();
    for (at, name) in ["CORE-MATH's call", "the peer"].iter().enumerate() {
        let logs = ratios.iter().map(|ratio| ratio[at].ln());
        let logs: Vec<f64> = logs.filter(|log| log.is_finite()).collect();
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        println!("\nGeometric mean, times {name}: {mean:.2}");
    }
}

fn main() {
    if std::env::args().any(|word| word == "functions") {
        return functions();
    }
    println!(
        "Level {}. Nanoseconds an element, times the peer.\n",
        Level::best().name()
    );
    let modes = MODES.map(|(name, _)| name).join(" | ");
    println!("| operation, elements | threads | {modes} | peer |\n|---|---|---|---|---|---|---|");
    for (count, all) in [
        (1 << 12, false),
        (1 << 16, false),
        (1 << 22, false),
        (1 << 16, true),
        (1 << 22, true),
    ] {
        for operation in &operations!(bf16: "add" add "mul" mul "div" div) {
            line(operation, count, all);
        }
        for operation in &operations!(f16: "add" add "mul" mul "div" div) {
            line(operation, count, all);
        }
    }
    println!();
    functions();
}
