//! A table of products, sums and dot products on the host, against the usual alternatives:
//! `cargo bench -p benches --bench tensor [-- SIZE]` (SIZE: rows, columns and k of the products).
//!
//! Peers are the kernels themselves (the definition; small, since they are slow), a plain loop over
//! f32, and PyTorch's or NumPy's f32 product where `PYTHON` (`python3` if unset) has one of them.
//!
//! The alternatives run in turn, round after round, and medians are taken: with the thread's own
//! clock on one thread, with the wall clock on all threads. Only figures within one line can be
//! compared. Results are compared with the definition before they are timed.

mod common;

use bitexact::format::{E2M1, E4M3FN};
use bitexact::reduce::{self, Accumulable, Unit};
use bitexact::scale::{self, BlockMatrix, MxInt8};
use bitexact::tensor as kernels;
use bitexact::{Mode, bf16, f16};
use bitexact_slices::mx::{Dialect, E8M0, Element, quantise};
use bitexact_slices::tensor::{Accumulation, Operand, Order, View, ViewMut, dot_exact, sum_exact};
use bitexact_slices::{Level, par, tensor};
use common::timing::{Peer, medians, seconds, threads};
use common::{Data, Draw};
use std::hint::black_box;

const MODE: Mode = Mode::TIES_TO_EVEN;
const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);
/// The length of sums: operands that stay in the second cache.
const ELEMENTS: usize = 1 << 14;

const PREPARE: &str = "
try:
    import torch
    torch.set_num_threads(threads)
    a, b = torch.randn(size, size), torch.randn(size, size)
    name = 'PyTorch ' + torch.__version__
except ImportError:
    import numpy
    a, b = (numpy.random.randn(size, size).astype('f4') for _ in 'ab')
    name = 'NumPy ' + numpy.__version__
";

/// A product of two square matrices in another process.
fn peer(size: usize, all: bool) -> Option<Peer> {
    Peer::new(threads(all), &format!("size = {size}{PREPARE}"), "a @ b")
}

/// The usual loop: rows of the result, with k outside, so that it can be vectorised.
fn plain(a: &[f32], b: &[f32], out: &mut [f32], size: usize) {
    for (a, out) in a.chunks(size).zip(out.chunks_mut(size)) {
        out.fill(0.0);
        for (a, b) in a.iter().zip(b.chunks(size)) {
            for (out, b) in out.iter_mut().zip(b) {
                *out += a * b;
            }
        }
    }
}

/// Checks some elements against the definition.
fn check<T: Accumulable>(a: &[T], b: &[T], out: &[f32], size: usize, how: Accumulation) {
    let mut draw = Draw::new(1);
    for _ in 0..100 {
        let (i, j) = (draw.word() as usize % size, draw.word() as usize % size);
        let pairs = (0..size).map(|k| (a[i * size + k], b[k * size + j]));
        let (due, _): (f32, _) = how.dot(pairs, MODE);
        assert_eq!(out[i * size + j].to_bits(), due.to_bits(), "[{i}, {j}]");
    }
}

/// One line: a product of operands of `T`.
fn product<T: Operand>(
    what: &str,
    size: usize,
    of: impl Fn(f32) -> T,
    sum: Accumulation,
    all: bool,
) {
    let wide = Data::Normal.f32s(size * size + 1);
    let (a, b) = (&wide[..size * size], &wide[1..]);
    let narrow = |x: &[f32]| -> Vec<T> { x.iter().map(|x| of(*x)).collect() };
    let (left, right) = (narrow(a), narrow(b));
    let view = |data| View::contiguous(data, [size, size]).expect("square");
    let mut out = vec![0f32; size * size];
    let mut ours = || {
        let mut out = ViewMut::contiguous(&mut out, [size, size]).expect("square");
        let (a, b) = (view(&left), view(&right));
        seconds(all, &mut || {
            let function = if all { par::tensor::gemm } else { tensor::gemm };
            function(black_box(&a), &b, sum, MODE, &mut out).expect("square");
        })
    };
    ours();
    let small = size.min(64);
    let mut definition = || {
        let mut out = vec![0f32; small * small];
        let mut out = ViewMut::contiguous(&mut out, [small, small]).expect("square");
        let part = |x| View::new(x, [small, small], [size as isize, 1], 0).expect("inside");
        let (a, b) = (part(&left), part(&right));
        seconds(false, &mut || {
            kernels::gemm(black_box(&a), &b, sum, MODE, &mut out).expect("square");
        })
    };
    let mut loop_out = vec![0f32; size * size];
    let mut plain = || {
        seconds(false, &mut || {
            plain(black_box(a), b, black_box(&mut loop_out), size)
        })
    };
    let mut peer = peer(size, all);
    let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
    let times = medians([&mut ours, &mut definition, &mut plain, &mut theirs]);
    check(&left, &right, &out, size, sum);
    let rate = |size: usize, time: f64| 2.0 * (size as f64).powi(3) / time * 1e-9;
    let sizes = [size, small, size, size];
    let [ours, definition, plain, theirs] = std::array::from_fn(|k| rate(sizes[k], times[k]));
    let name = peer.as_ref().map_or("none", |peer| &peer.name);
    println!(
        "| {what} {size}^3 | {} | {ours:.1} | {:.0} | {:.2} | {:.2} ({name}) |",
        threads(all),
        ours / definition,
        ours / plain,
        ours / theirs
    );
}

/// The first rows and columns there are, in blocks of 32.
fn matrix<E: Element>((elements, scales): &(Vec<E>, Vec<E8M0>), size: usize) -> BlockMatrix<'_, E> {
    let scales = &scales[..size * size.div_ceil(32)];
    BlockMatrix::new(&elements[..size * size], scales, [size, size], 32).expect("square")
}

/// One line: a product of operands of `E` in blocks of 32.
fn block_product<E: Element>(what: &str, size: usize, sum: Accumulation, all: bool) {
    let wide = Data::Normal.f32s(size * size + 1);
    let quantised = |x: &[f32]| {
        let mut elements = vec![E::of_code(0); size * size];
        let mut scales = vec![E8M0::ONE; size * size.div_ceil(32)];
        let dialect = &Dialect::OCP_FLOOR;
        quantise(x, 32, dialect, &mut elements, &mut scales).expect("their lengths fit");
        (elements, scales)
    };
    let (a, b) = (quantised(&wide[1..]), quantised(&wide[..size * size]));
    let mut out = vec![0f32; size * size];
    let mut ours = || {
        seconds(all, &mut || {
            let (a, b) = (matrix(&a, size), matrix(&b, size));
            let function = if all {
                par::tensor::gemm_blocks
            } else {
                tensor::gemm_blocks
            };
            function(black_box(&a), &b, sum, MODE, &mut out).expect("square");
        })
    };
    let small = size.min(64);
    let (mut due, mut same) = (vec![0f32; small * small], vec![0f32; small * small]);
    let mut definition = || {
        seconds(false, &mut || {
            let (a, b) = (matrix(&a, small), matrix(&b, small));
            scale::gemm(black_box(&a), &b, sum, MODE, &mut due).expect("square");
        })
    };
    let mut peer = peer(size, all);
    let mut theirs = || peer.as_mut().map_or(f64::NAN, Peer::seconds);
    let times = medians([&mut ours, &mut definition, &mut theirs]);
    tensor::gemm_blocks(&matrix(&a, small), &matrix(&b, small), sum, MODE, &mut same)
        .expect("square");
    assert!(
        due.iter()
            .zip(&same)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
    let rate = |size: usize, time: f64| 2.0 * (size as f64).powi(3) / time * 1e-9;
    let [ours, definition, theirs] = [(size, times[0]), (small, times[1]), (size, times[2])]
        .map(|(size, time)| rate(size, time));
    let name = peer.as_ref().map_or("none", |peer| &peer.name);
    println!(
        "| {what} {size}^3 | {} | {ours:.1} | {:.0} | | {:.2} ({name}) |",
        threads(all),
        ours / definition,
        ours / theirs
    );
}

/// How often a sum is computed for one measurement.
const REPEATED: usize = 20;

/// A sum, many times.
struct Repeated<'a>(Work<'a>);

type Work<'a> = Box<dyn FnMut() -> f32 + 'a>;

impl Repeated<'_> {
    fn run(&mut self) -> f64 {
        seconds(false, &mut || {
            for _ in 0..REPEATED {
                black_box(self.0());
            }
        })
    }
}

/// Two lines: a sum and a dot product of `T`.
fn sums<T: Operand>(of: impl Fn(f32) -> T) {
    let wide = Data::Normal.f32s(2 * ELEMENTS);
    let narrow: Vec<T> = wide.iter().map(|x| of(*x)).collect();
    let (wide_a, wide_b) = wide.split_at(ELEMENTS);
    let (a, b) = narrow.split_at(ELEMENTS);
    let due: [f32; 2] = [
        reduce::sum_exact(a, MODE),
        reduce::dot_exact(a, b, MODE).expect("one length"),
    ];
    let got = [
        sum_exact(a, MODE),
        dot_exact(a, b, MODE).expect("one length"),
    ];
    assert_eq!(due.map(f32::to_bits), got.map(f32::to_bits));
    let lines: [(&str, [Work<'_>; 3]); 2] = [
        (
            "sum_exact",
            [
                Box::new(|| sum_exact(black_box(a), MODE)),
                Box::new(|| reduce::sum_exact(black_box(a), MODE)),
                Box::new(|| black_box(wide_a).iter().sum()),
            ],
        ),
        (
            "dot_exact",
            [
                Box::new(|| dot_exact(black_box(a), b, MODE).expect("one length")),
                Box::new(|| reduce::dot_exact(black_box(a), b, MODE).expect("one length")),
                Box::new(|| {
                    black_box(wide_a)
                        .iter()
                        .zip(wide_b)
                        .map(|(a, b)| a * b)
                        .sum()
                }),
            ],
        ),
    ];
    for (what, work) in lines {
        let [ours, definition, plain] = &mut work.map(Repeated);
        let times = medians([&mut || ours.run(), &mut || definition.run(), &mut || {
            plain.run()
        }]);
        let [ours, definition, plain] = times.map(|time| time / (REPEATED * ELEMENTS) as f64 * 1e9);
        println!(
            "| {what} {} | {ours:.2} | {:.0} | {:.2} |",
            T::NAME,
            definition / ours,
            plain / ours
        );
    }
}

fn main() {
    let size = std::env::args()
        .skip(1)
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(1024);
    println!("Level {}.\n", Level::best().name());
    println!(
        "| product | threads | GFLOP/s | times the definition (64^3) | times a plain loop | times the peer's f32 product |\n|---|---|---|---|---|---|"
    );
    let exact = Accumulation::Exact;
    for all in [false, true] {
        product("declared order f32", size, |x| x, SEQUENTIAL, all);
        product("declared order bf16", size, bf16::from_f32, SEQUENTIAL, all);
        product("declared order f16", size, f16::from_f32, SEQUENTIAL, all);
        for unit in ["hopper-bf16/1", "ampere-bf16/1"] {
            let named = Unit::NAMED.iter().find(|named| named.name == unit);
            let order = Order::Unit(named.expect("a unit").unit);
            let order = Accumulation::Declared(order);
            product(&format!("{unit} bf16"), size, bf16::from_f32, order, all);
        }
        product("exact bf16", size, bf16::from_f32, exact, all);
        product("exact f16", size, f16::from_f32, exact, all);
    }
    product("exact f32", size.min(256), |x| x, exact, false);
    for (what, sum) in [("order of blocks", SEQUENTIAL), ("exact", exact)] {
        block_product::<E2M1>(&format!("MX {what} e2m1"), size, sum, false);
        block_product::<MxInt8>(&format!("MX {what} mxint8"), size, sum, false);
        block_product::<E4M3FN>(&format!("MX {what} e4m3fn"), size, sum, false);
    }
    println!(
        "\n| N(0,1), 2^14 elements, one thread | ns an element | times the definition | times a plain loop over f32 |\n|---|---|---|---|"
    );
    sums(|x| x);
    sums(bf16::from_f32);
    sums(f16::from_f32);
}
