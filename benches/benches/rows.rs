//! Tables of functions of rows and of NVFP4 blocks on the host:
//! `cargo bench -p benches --bench rows`.
//!
//! Peers are the kernels themselves (the definition) and PyTorch (its function of rows; for blocks,
//! its copy of the values), where `PYTHON` (`python3` if unset) has it. They run in turn, and
//! medians are taken: with the thread's own clock on one thread, with the wall clock on all
//! threads. Only figures within one line can be compared. Results are compared with the definition
//! after they are timed.

mod common;

use bitexact::format::{Arithmetic, Binary32, E2M1, E4M3FN};
use bitexact::nn::{self, NnError};
use bitexact::{Mode, bf16, reduce, scale};
use bitexact_slices::mx::{Nvfp4, Wide, nvfp4_dequantise, nvfp4_quantise, nvfp4_tensor_scale};
use bitexact_slices::tensor::{Operand, Output, View};
use bitexact_slices::{Level, par, tensor};
use common::Data;
use common::timing::{Peer, medians, seconds, threads};
use std::hint::black_box;

const MODE: Mode = Mode::TIES_TO_EVEN;

/// Ours, of a matrix.
type Ours<T, R> = fn(&View<'_, T, 2>, &mut [R]);

/// A function of rows: for PyTorch's tensor `x`; ours on one thread and on all; the definition of
/// one row.
struct Function<T, R> {
    name: &'static str,
    theirs: &'static str,
    ours: [Ours<T, R>; 2],
    definition: fn(&[T], &mut [R]),
    /// Results of a row of so many elements.
    results: fn(usize) -> usize,
}

macro_rules! softmax {
    ($t:ty, $r:ty: $name:ident) => {
        Function::<$t, $r> {
            name: stringify!($name),
            theirs: concat!("torch.", stringify!($name), "(x, 1)"),
            ours: [
                |x, out| tensor::$name(x, MODE, out).expect("one length"),
                |x, out| par::tensor::$name(x, MODE, out).expect("one length"),
            ],
            definition: |x, out| {
                let done: Result<(), NnError> = nn::$name::<$t, Binary32, $r>(x, MODE, out);
                done.expect("one length");
            },
            results: |columns| columns,
        }
    };
}

fn mean<T: Operand, R: Output>() -> Function<T, R> {
    Function {
        name: "mean",
        theirs: "torch.mean(x, 1)",
        ours: [
            |x, out| tensor::mean_rows(x, MODE, out).expect("one length"),
            |x, out| par::tensor::mean_rows(x, MODE, out).expect("one length"),
        ],
        definition: |x, out| out[0] = reduce::mean(x, MODE).expect("not empty"),
        results: |_| 1,
    }
}

/// One line: a function of rows of N(0, 1).
fn line<T: Operand, R: Output>(
    function: &Function<T, R>,
    of: fn(f32) -> T,
    [rows, columns]: [usize; 2],
    all: bool,
) {
    let x: Vec<T> = Data::Normal
        .f32s(rows * columns)
        .into_iter()
        .map(of)
        .collect();
    let view = View::contiguous(&x, [rows, columns]).expect("its length");
    let results = (function.results)(columns);
    let mut out = vec![R::BLANK; rows * results];
    let some = rows.min(8);
    let mut due = vec![R::BLANK; some * results];
    let mut definition = || {
        seconds(false, &mut || {
            for (x, due) in x.chunks(columns).zip(due.chunks_mut(results)) {
                (function.definition)(black_box(x), due);
            }
        })
    };
    let ours = function.ours[usize::from(all)];
    let mut ours = || seconds(all, &mut || ours(black_box(&view), &mut out));
    let prepare = format!(
        "import torch\ntorch.set_num_threads(threads)\nname = 'PyTorch ' + torch.__version__\n\
         x = torch.randn({rows}, {columns}).to(torch.{})",
        if T::BITS == 32 { "float32" } else { "bfloat16" }
    );
    let mut peer = Peer::new(threads(all), &prepare, function.theirs);
    let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
    let [ours, definition, theirs] = medians([&mut ours, &mut definition, &mut theirs]);
    for (out, due) in out.iter().zip(&due) {
        assert_eq!(out.code(), due.code());
    }
    let per = |rows: usize, time: f64| time / (rows * columns) as f64 * 1e9;
    let name = peer.as_ref().map_or("none", |peer| &peer.name);
    println!(
        "| {} {} to {}, {rows} rows of {columns} | {} | {:.2} | {:.0} | {:.2} ({name}) |",
        function.name,
        T::NAME,
        R::NAME,
        threads(all),
        per(rows, ours),
        per(some, definition) / per(rows, ours),
        theirs / ours,
    );
}

/// Operands and results of one format.
fn lines<T: Operand + Output + Arithmetic>(of: fn(f32) -> T, functions: [&Function<T, T>; 3]) {
    for function in functions {
        for (shape, all) in [
            ([1024, 1024], false),
            ([64, 16_384], false),
            ([16_384, 64], false),
            ([1024, 1024], true),
        ] {
            line(function, of, shape, all);
        }
    }
}

/// Two lines: N(0, 1) as NVFP4 blocks, and back.
fn blocks<F: Wide>(of: fn(f32) -> F) {
    const COUNT: usize = 1 << 20;
    let x: Vec<F> = Data::Normal.f32s(COUNT).into_iter().map(of).collect();
    let (mut elements, mut scales) = (
        vec![E2M1::from_bits(0); COUNT],
        vec![E4M3FN::from_bits(0); COUNT / 16],
    );
    let (mut due, mut due_scales) = (elements.clone(), scales.clone());
    let t = nvfp4_tensor_scale(6.0);
    let recipe = &Nvfp4::EXACT;
    let mut values = x.clone();
    let mut due_values = x.clone();
    let some = COUNT / 16;
    let mut definition = || {
        seconds(false, &mut || {
            let (x, elements) = (black_box(&x[..some]), &mut due[..some]);
            scale::nvfp4_quantise(x, t, recipe, elements, &mut due_scales[..some / 16])
                .expect("their lengths fit");
        })
    };
    let mut ours = || {
        seconds(false, &mut || {
            nvfp4_quantise(black_box(&x), t, recipe, &mut elements, &mut scales)
                .expect("their lengths fit");
        })
    };
    let prepare = format!(
        "import torch\ntorch.set_num_threads(threads)\nname = 'PyTorch ' + torch.__version__\n\
         x = torch.randn({COUNT}).to(torch.{})\ny = x.clone()",
        if F::BITS == 32 { "float32" } else { "bfloat16" }
    );
    let mut peer = Peer::new(1, &prepare, "y.copy_(x)");
    let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
    let there = medians([&mut ours, &mut definition, &mut theirs]);
    let same = |(a, b): (&E2M1, &E2M1)| a.to_bits() == b.to_bits();
    assert!(elements.iter().zip(&due[..some]).all(same));
    let same = |(a, b): (&E4M3FN, &E4M3FN)| a.to_bits() == b.to_bits();
    assert!(scales.iter().zip(&due_scales[..some / 16]).all(same));
    let mut definition = || {
        seconds(false, &mut || {
            let (elements, scales) = (black_box(&elements[..some]), &scales[..some / 16]);
            scale::nvfp4_dequantise(elements, scales, t, MODE, &mut due_values[..some])
                .expect("their lengths fit");
        })
    };
    let mut ours = || {
        seconds(false, &mut || {
            nvfp4_dequantise(black_box(&elements), &scales, t, MODE, &mut values)
                .expect("their lengths fit");
        })
    };
    let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
    let back = medians([&mut ours, &mut definition, &mut theirs]);
    let same = |(a, b): (&F, &F)| a.code() == b.code();
    assert!(values.iter().zip(&due_values[..some]).all(same));
    let name = peer.as_ref().map_or("none", |peer| &peer.name);
    for (what, [ours, definition, theirs]) in [("quantise", there), ("dequantise", back)] {
        println!(
            "| NVFP4 {what} {} | {:.2} | {:.0} | {:.2} ({name}) |",
            F::NAME,
            ours / COUNT as f64 * 1e9,
            definition / ours * 16.0,
            theirs / ours,
        );
    }
}

fn main() {
    println!("Level {}.\n", Level::best().name());
    println!(
        "| rows | threads | ns an element | times the definition | times the peer |\n|---|---|---|---|---|"
    );
    let functions = [
        &softmax!(f32, f32: softmax),
        &softmax!(f32, f32: log_softmax),
        &mean(),
    ];
    lines::<f32>(|x| x, functions);
    let functions = [
        &softmax!(bf16, bf16: softmax),
        &softmax!(bf16, bf16: log_softmax),
        &mean(),
    ];
    lines::<bf16>(bf16::from_f32, functions);
    println!(
        "\n| 2^20 values, one thread | ns an element | times the definition | times the peer's copy |\n|---|---|---|---|"
    );
    blocks::<f32>(|x| x);
    blocks::<bf16>(bf16::from_f32);
}
