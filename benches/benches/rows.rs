//! A table of functions of rows on the host, beside PyTorch's: `cargo bench -p benches --bench rows`.
//!
//! Peers are the kernels themselves (the definition) and PyTorch, in f32, where `PYTHON` (`python3` if unset) has it; they
//! run in turn, and medians are taken: with the thread's own clock on one thread, with the wall clock on all threads. Only
//! figures within one line can be compared. Results are compared with the definition before they are timed.

mod common;

use bitexact::format::{Arithmetic, Binary32};
use bitexact::nn::{self, NnError};
use bitexact::reduce;
use bitexact::{Mode, bf16};
use bitexact_slices::tensor::{Operand, Output, View};
use bitexact_slices::{Level, par, tensor};
use common::Data;
use common::timing::{Peer, medians, seconds, threads};
use std::hint::black_box;

const MODE: Mode = Mode::TIES_TO_EVEN;

/// Ours, of a matrix.
type Ours<T, R> = fn(&View<'_, T, 2>, &mut [R]);

/// A function of rows: for PyTorch's tensor `x`; ours on one thread and on all; the definition of one row.
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
}
