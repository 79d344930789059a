//! `slice_scatter` and its gradients by runs are the kernels', on views of any layout, with threads
//! and without.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::tensor;
use bitexact_slices::Level;
use bitexact_slices::tensor::by::{self, How};
use bitexact_slices::tensor::{Slice, TensorError, View, ViewMut};
use common::Draw;

/// One thread, and several.
fn ways() -> impl Iterator<Item = How> {
    let threads = if cfg!(feature = "rayon") { 2 } else { 1 };
    (0..threads).map(|threads| How {
        level: Level::best(),
        threads: threads == 1,
    })
}

/// A random layout of a shape: strides in any order, of any sign, with gaps; those of an input may
/// be 0 and overlap.
struct Place<const N: usize> {
    strides: [isize; N],
    offset: usize,
    length: usize,
}

fn place<const N: usize>(draw: &mut Draw, shape: [usize; N], input: bool) -> Place<N> {
    let mut order: Vec<usize> = (0..N).collect();
    if draw.word().is_multiple_of(2) {
        for i in (1..N).rev() {
            order.swap(i, draw.word() as usize % (i + 1));
        }
    }
    let (mut strides, mut extent) = ([0isize; N], 0usize);
    let (gaps, signs) = (draw.word().is_multiple_of(3), draw.word().is_multiple_of(2));
    for dim in order.into_iter().rev() {
        let mut stride = extent + 1 + if gaps { draw.word() as usize % 3 } else { 0 };
        if input && draw.word().is_multiple_of(6) {
            stride = draw.word() as usize % 2; // repeated, or overlapping
        }
        extent += shape[dim].saturating_sub(1) * stride;
        let turned = signs && draw.word().is_multiple_of(2);
        strides[dim] = if turned {
            -(stride as isize)
        } else {
            stride as isize
        };
    }
    let below: usize = (0..N)
        .filter(|dim| strides[*dim] < 0)
        .map(|dim| shape[dim].saturating_sub(1) * strides[dim].unsigned_abs())
        .sum();
    let offset = below + draw.word() as usize % 3;
    let length = offset - below + extent + 1 + draw.word() as usize % 3;
    Place {
        strides,
        offset,
        length,
    }
}

fn values(draw: &mut Draw, count: usize) -> Vec<u32> {
    (0..count).map(|_| draw.word() as u32).collect()
}

/// Everything on one shape and slice.
fn compare<const N: usize>(draw: &mut Draw, shape: [usize; N], dim: usize, slice: Slice) {
    let mut part = shape;
    part[dim] = (slice.end - slice.start).div_ceil(slice.step);
    let [at_x, at_src] = [shape, part].map(|shape| place(draw, shape, true));
    let [at_out, at_out_src] = [shape, part].map(|shape| place(draw, shape, false));
    let (x, src) = (values(draw, at_x.length), values(draw, at_src.length));
    let x = View::new(&x, shape, at_x.strides, at_x.offset).unwrap();
    let src = View::new(&src, part, at_src.strides, at_src.offset).unwrap();
    let (blank, blank_src) = (values(draw, at_out.length), values(draw, at_out_src.length));
    let zero = draw.word() as u32;
    let what = format!(
        "{shape:?} {dim} {slice:?}, x {:?} src {:?} out {:?}",
        at_x.strides, at_src.strides, at_out.strides
    );
    let run = |who: Option<How>| {
        let (mut out, mut input, mut own) = (blank.clone(), blank.clone(), blank_src.clone());
        let (mut both, mut both_src) = (blank.clone(), blank_src.clone());
        let of = |data| ViewMut::new(data, shape, at_out.strides, at_out.offset).unwrap();
        let of_src =
            |data| ViewMut::new(data, part, at_out_src.strides, at_out_src.offset).unwrap();
        {
            let (out, input, both) = (&mut of(&mut out), &mut of(&mut input), &mut of(&mut both));
            let (own, both_src) = (&mut of_src(&mut own), &mut of_src(&mut both_src));
            match who {
                None => {
                    tensor::slice_scatter(&x, &src, dim, slice, out).unwrap();
                    tensor::slice_scatter_backward_input(&x, dim, slice, zero, input).unwrap();
                    tensor::slice_scatter_backward_src(&x, dim, slice, own).unwrap();
                    tensor::slice_scatter_backward(&x, dim, slice, zero, both, both_src).unwrap();
                }
                Some(how) => {
                    by::slice_scatter(how, &x, &src, dim, slice, out).unwrap();
                    by::slice_scatter_backward_input(how, &x, dim, slice, zero, input).unwrap();
                    by::slice_scatter_backward_src(how, &x, dim, slice, own).unwrap();
                    by::slice_scatter_backward(how, &x, dim, slice, zero, both, both_src).unwrap();
                }
            }
        }
        [out, input, own, both, both_src]
    };
    let due = run(None);
    for how in ways() {
        for (k, (got, due)) in run(Some(how)).iter().zip(&due).enumerate() {
            let at = got.iter().zip(due).position(|(got, due)| got != due);
            assert_eq!(at, None, "output {k}, {what}, {how:?}");
        }
    }
}

/// A valid slice of a dim: often with a step, sometimes empty or whole.
fn slice(draw: &mut Draw, length: usize) -> Slice {
    let start = draw.word() as usize % (length + 1);
    let end = start + draw.word() as usize % (length + 1 - start);
    match draw.word() % 8 {
        0 => Slice::new(0, length),
        1 => Slice::new(0, length).step_by(2),
        2 => Slice::new(start, start),
        3 | 4 => Slice::new(start, end),
        5 => Slice::new(start, end).step_by(usize::MAX - draw.word() as usize % 2),
        _ => Slice::new(start, end).step_by(1 + draw.word() as usize % 20),
    }
}

fn random<const N: usize>(most: [usize; N], count: usize) {
    let mut draw = Draw::new("slice_scatter", N as u64);
    for _ in 0..count {
        let shape = most.map(|most| match draw.word() % 12 {
            0 => 0,
            1 | 2 => 1,
            _ => 1 + draw.word() as usize % most,
        });
        let dim = draw.word() as usize % N;
        let slice = slice(&mut draw, shape[dim]);
        compare(&mut draw, shape, dim, slice);
    }
}

#[test]
fn every_layout() {
    random([100], 2000);
    random([20, 40], 3000);
    random([40, 20], 1000);
    random([6, 7, 9], 3000);
    random([3, 4, 5, 6], 2000);
}

/// Chunks, tiles, and slices that are cut up for threads along every dim, where there are threads.
#[test]
fn large() {
    let mut draw = Draw::new("large", 0);
    let work = |draw: &mut Draw| {
        for (steps, count) in [
            (1, 1_500_000),
            (2, 1_500_000),
            (15, 1_500_000),
            (16, 1_500_000),
        ] {
            let slice = Slice::new(3, count - 70_001).step_by(steps);
            compare(draw, [count], 0, slice);
        }
        for step in [1, 2, 3, 50] {
            compare(draw, [1200, 1300], 0, Slice::new(5, 1100).step_by(step));
            compare(draw, [1200, 1300], 1, Slice::new(5, 1299).step_by(step));
            compare(draw, [7, 300, 700], 1, Slice::new(0, 299).step_by(step));
            compare(draw, [2, 1_000_000], 0, Slice::new(1, 2).step_by(step));
        }
    };
    #[cfg(feature = "rayon")]
    common::on_threads(|| work(&mut draw));
    #[cfg(not(feature = "rayon"))]
    work(&mut draw);
}

/// Errors are the kernels', and nothing is written.
#[test]
fn errors() {
    let data = [1u8; 24];
    let x = View::contiguous(&data, [2, 3, 4]).unwrap();
    let part = |length: usize| View::contiguous(&data[..8 * length], [2, length, 4]).unwrap();
    let slices = [
        (3, Slice::new(0, 1)),
        (1, Slice::new(2, 1)),
        (1, Slice::new(0, 4)),
        (1, Slice::new(0, 1).step_by(0)),
        (1, Slice::new(0, 3)),
        (0, Slice::new(0, 1)),
    ];
    for how in ways() {
        for (dim, slice) in slices {
            for shape in [[2, 3, 4], [2, 4, 3], [2, 2, 4], [2, 3, 3]] {
                let make = |who: Option<How>| {
                    let count = shape.iter().product();
                    let (mut a, mut b) = (vec![7u8; count], vec![7u8; 16]);
                    let mut got: Vec<Result<(), TensorError>> = Vec::new();
                    {
                        let out = &mut ViewMut::contiguous(&mut a, shape).unwrap();
                        let own = &mut ViewMut::contiguous(&mut b, [2, 2, 4]).unwrap();
                        let src = part(2);
                        match who {
                            None => {
                                got.push(tensor::slice_scatter(&x, &src, dim, slice, out));
                                got.push(tensor::slice_scatter_backward(
                                    &x, dim, slice, 0, out, own,
                                ));
                                got.push(tensor::slice_scatter_backward_src(&x, dim, slice, own));
                            }
                            Some(how) => {
                                got.push(by::slice_scatter(how, &x, &src, dim, slice, out));
                                got.push(by::slice_scatter_backward(
                                    how, &x, dim, slice, 0, out, own,
                                ));
                                got.push(by::slice_scatter_backward_src(how, &x, dim, slice, own));
                            }
                        }
                    }
                    assert!(got.iter().all(Result::is_err), "{dim} {slice:?} {shape:?}");
                    assert!(a.iter().chain(&b).all(|x| *x == 7));
                    got
                };
                assert_eq!(make(Some(how)), make(None));
            }
        }
        let mut out = [7u8; 16];
        let to = &mut ViewMut::contiguous(&mut out, [2, 2, 4]).unwrap();
        let done = by::slice_scatter_backward_input(how, &x, 1, Slice::new(0, 1), 0, to);
        assert!(done.is_err());
        assert_eq!(out, [7; 16]);
    }
}
