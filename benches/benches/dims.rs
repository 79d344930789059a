//! A table of what moves elements or sums along a dim on the host, against the definition and a
//! plain copy: `cargo bench -p benches --bench dims`.
//!
//! The copy moves as many bytes as the call must read and write. The alternatives run in turn,
//! round after round, and medians are taken: with the thread's own clock on one thread, with the
//! wall clock on all threads. Only figures within one line can be compared. Results are compared
//! with the definition before they are timed.

mod common;

use bitexact::format::{E2M1, E3M2};
use bitexact::scale;
use bitexact::{Mode, bf16, reduce, tensor as kernels};
use bitexact_slices::mx::{self, Packed};
use bitexact_slices::tensor::{self, Accumulation, Lanes, Operand, Order, Slice, View, ViewMut};
use bitexact_slices::{Level, par};
use common::timing::{medians, seconds, threads};
use common::{Data, Draw};
use std::hint::black_box;

const MODE: Mode = Mode::TIES_TO_EVEN;

/// One line: a call and its definition, which read and write so many bytes.
fn line(
    what: &str,
    all: bool,
    bytes: usize,
    mut ours: impl FnMut(bool),
    mut definition: impl FnMut(),
) {
    let from = vec![1u8; bytes / 2];
    let mut to = vec![0u8; bytes / 2];
    let repeated = ((1 << 21) / bytes).max(1);
    let [ours, definition, copy] = medians([
        &mut || seconds(all, &mut || (0..repeated).for_each(|_| ours(all))),
        &mut || seconds(false, &mut definition) * repeated as f64,
        &mut || {
            let mut copy = || black_box(&mut to).copy_from_slice(black_box(&from));
            seconds(false, &mut || (0..repeated).for_each(|_| copy()))
        },
    ]);
    println!(
        "| {what} | {} | {:.1} | {:.2} |",
        threads(all),
        definition / ours,
        copy / ours
    );
}

/// Two lines: elements packed and unpacked.
fn packed<F: Packed + Send + Sync>(name: &str, count: usize, all: bool) {
    let mut draw = Draw::new(1);
    let elements: Vec<F> = (0..count).map(|_| F::from_bits(draw.word())).collect();
    let mut due = vec![0; F::packed_len(count)];
    scale::pack(&elements, &mut due).expect("its length");
    let (mut bytes, mut back) = (vec![0; due.len()], elements.clone());
    let (mut bytes_due, mut back_due) = (bytes.clone(), elements.clone());
    mx::pack(&elements, &mut bytes).expect("its length");
    assert!(bytes == due);
    let moved = count + due.len();
    line(
        &format!("pack {name}, {count} elements"),
        all,
        moved,
        |all| {
            let function = if all { par::mx::pack } else { mx::pack };
            function(black_box(&elements), black_box(&mut bytes)).expect("its length");
        },
        || scale::pack(black_box(&elements), black_box(&mut bytes_due)).expect("its length"),
    );
    line(
        &format!("unpack {name}, {count} elements"),
        all,
        moved,
        |all| {
            let function = if all { par::mx::unpack } else { mx::unpack };
            function(black_box(&due), black_box(&mut back)).expect("its length");
        },
        || scale::unpack(black_box(&due), black_box(&mut back_due)).expect("its length"),
    );
}

/// One line: the slice of a tensor of f32 replaced.
fn scattered<const N: usize>(shape: [usize; N], dim: usize, slice: Slice, all: bool) {
    let mut part = shape;
    part[dim] = (slice.end - slice.start).div_ceil(slice.step);
    let [count, of_src] = [shape, part].map(|shape| shape.iter().product::<usize>());
    let (x, src) = (vec![1f32; count], vec![2f32; of_src]);
    let x = View::contiguous(&x, shape).expect("its length");
    let src = View::contiguous(&src, part).expect("its length");
    let (mut due, mut got) = (vec![0f32; count], vec![3f32; count]);
    {
        let due = &mut ViewMut::contiguous(&mut due, shape).expect("its length");
        let got = &mut ViewMut::contiguous(&mut got, shape).expect("its length");
        kernels::slice_scatter(&x, &src, dim, slice, due).expect("inside");
        tensor::slice_scatter(&x, &src, dim, slice, got).expect("inside");
    }
    assert!(due == got);
    let mut out = ViewMut::contiguous(&mut got, shape).expect("its length");
    let mut out_due = ViewMut::contiguous(&mut due, shape).expect("its length");
    let Slice { start, end, step } = slice;
    line(
        &format!("slice_scatter {shape:?}, dim {dim}, {start}..{end} by {step}"),
        all,
        8 * count,
        |all| {
            let function = if all {
                par::tensor::slice_scatter
            } else {
                tensor::slice_scatter
            };
            function(black_box(&x), &src, dim, slice, &mut out).expect("inside");
        },
        || kernels::slice_scatter(black_box(&x), &src, dim, slice, &mut out_due).expect("inside"),
    );
}

/// One line: N(0,1) summed along a dim.
fn summed<T: Operand>(
    of: impl Fn(f32) -> T,
    shape: [usize; 2],
    dim: usize,
    (what, how): (&str, Accumulation),
    all: bool,
) {
    let [rows, columns] = shape;
    let data = Data::Normal.f32s(rows * columns);
    let data: Vec<T> = data.into_iter().map(of).collect();
    let x = View::contiguous(&data, shape).expect("its length");
    let mut to = shape;
    to[dim] = 1;
    let outputs = to[0] * to[1];
    let (mut due, mut got) = (vec![0f32; outputs], vec![1f32; outputs]);
    let definition = |out: &mut ViewMut<'_, f32, 2>| match how {
        Accumulation::Exact => {
            let mut lane_of = Vec::new();
            kernels::reduce_dim(&x, dim, out, |lane| {
                lane_of.clear();
                lane_of.extend((0..lane.len()).filter_map(|i| lane.get(i)));
                reduce::sum_exact(&lane_of, MODE)
            })
            .expect("inside");
        }
        Accumulation::Declared(order) => {
            kernels::sum_dim(&x, dim, order, MODE, out).expect("inside");
        }
    };
    {
        let got = &mut ViewMut::contiguous(&mut got, to).expect("its length");
        definition(&mut ViewMut::contiguous(&mut due, to).expect("its length"));
        tensor::sum_dim(&x, dim, how, MODE, got).expect("inside");
    }
    assert!(
        due.iter()
            .zip(&got)
            .all(|(x, y)| x.to_bits() == y.to_bits())
    );
    let mut out = ViewMut::contiguous(&mut got, to).expect("its length");
    let mut out_due = ViewMut::contiguous(&mut due, to).expect("its length");
    line(
        &format!("sum_dim {what} {}, {shape:?}, dim {dim}", T::NAME),
        all,
        size_of_val(&data[..]),
        |all| {
            let function = if all {
                par::tensor::sum_dim
            } else {
                tensor::sum_dim
            };
            function(black_box(&x), dim, how, MODE, &mut out).expect("inside");
        },
        || definition(black_box(&mut out_due)),
    );
}

fn main() {
    println!("Level {}.\n", Level::best().name());
    println!(
        "| what | threads | times the definition | times a copy on one thread |\n|---|---|---|---|"
    );
    for all in [false, true] {
        for count in [1 << 14, 1 << 24] {
            packed::<E2M1>("e2m1", count, all);
            packed::<E3M2>("e3m2", count, all);
        }
        for step in [1, 2, 50] {
            scattered([1 << 24], 0, Slice::new(5, 1 << 23).step_by(step), all);
            scattered(
                [1 << 12, 1 << 12],
                0,
                Slice::new(5, 1 << 11).step_by(step),
                all,
            );
            scattered(
                [1 << 12, 1 << 12],
                1,
                Slice::new(5, 1 << 11).step_by(step),
                all,
            );
        }
        scattered([1 << 20, 16], 1, Slice::new(3, 7), all);
        let lanes = Lanes::new(16).map(Order::Lanes).expect("a power of two");
        let orders = [
            ("sequential", Order::Sequential),
            ("pairwise", Order::Pairwise),
            ("neumaier", Order::Neumaier),
            ("lanes16", lanes),
        ];
        let declared = orders.map(|(name, order)| (name, Accumulation::Declared(order)));
        for how in [("exact", Accumulation::Exact)].into_iter().chain(declared) {
            for (shape, dim) in [([1024, 1024], 0), ([1024, 1024], 1)] {
                summed(|x| x, shape, dim, how, all);
                summed(bf16::from_f32, shape, dim, how, all);
            }
            for (shape, dim) in [([1 << 14, 64], 1), ([1 << 18, 4], 0)] {
                summed(|x| x, shape, dim, how, all);
            }
        }
    }
}
