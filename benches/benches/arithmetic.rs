//! A table of add, sub, mul and div of 16-bit formats over slices, beside PyTorch's:
//! `cargo bench -p benches --bench arithmetic`.
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

fn main() {
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
}
