//! Products, sums and dot products by vector code and threads are the kernels', at every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{Arithmetic, E2M1, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::nn::NnError;
use bitexact::reduce::{Accumulator, ReduceError};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, convert, f16, reduce, tensor};
use bitexact_slices::tensor::by::{self, How};
use bitexact_slices::tensor::{
    Accumulation, Lanes, Operand, Order, Output, TensorError, View, ViewMut,
};
use bitexact_slices::{Element, Level};
use common::Draw;
use common::fpu::{states, under};
use common::operands::{KINDS, Kind, operand};

const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);
const TO_NEAREST: Mode = Mode::TIES_TO_EVEN;

fn modes() -> impl Iterator<Item = Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(with)
}

/// Every level, on one thread and on several.
fn ways() -> impl Iterator<Item = How> {
    let threads = if cfg!(feature = "rayon") { 2 } else { 1 };
    let all = move |level: &Level| {
        let level = *level;
        (0..threads).map(move |threads| How {
            level,
            threads: threads == 1,
        })
    };
    Level::available().iter().flat_map(all)
}

fn codes<T: Element>(slice: &[T]) -> Vec<u64> {
    slice.iter().map(|x| x.code()).collect()
}

/// The bits of products by the kernel, and by the function under test.
fn compare<A: Arithmetic + Element>(
    what: &str,
    shape: [usize; 2],
    kernel: impl FnOnce(&mut ViewMut<'_, A, 2>),
    ours: impl Fn(How, &mut ViewMut<'_, A, 2>),
) {
    let blank = vec![A::of_code(0x15); shape[0] * shape[1]];
    let mut due = blank.clone();
    kernel(&mut ViewMut::contiguous(&mut due, shape).unwrap());
    for how in ways() {
        let mut got = blank.clone();
        ours(how, &mut ViewMut::contiguous(&mut got, shape).unwrap());
        let differ = codes(&got)
            .iter()
            .zip(codes(&due))
            .position(|(a, b)| *a != b);
        if let Some(at) = differ {
            let (got, due) = (got[at].code(), due[at].code());
            panic!("{what} by {how:?}: element {at} of {shape:?} is {got:X}, not {due:X}");
        }
    }
}

fn declared<T: Operand>(draw: &mut Draw, kind: Kind, [m, n, k]: [usize; 3]) {
    let a = operand::<T>(draw, kind, false, m * k);
    let b = operand::<T>(draw, kind, true, k * n);
    let a = View::contiguous(&a, [m, k]).unwrap();
    let b = View::contiguous(&b, [k, n]).unwrap();
    compare::<f32>(
        &format!("{} {kind:?}, {m} by {k} by {n}", T::NAME),
        [m, n],
        |out| {
            let _ = tensor::gemm(&a, &b, SEQUENTIAL, TO_NEAREST, out).unwrap();
        },
        |how, out| by::gemm(how, &a, &b, SEQUENTIAL, TO_NEAREST, out).unwrap(),
    );
}

/// m and n that fill no tile and some; k of none, one, around a block of 32, and beyond a piece.
const SHAPES: [[usize; 3]; 14] = [
    [0, 3, 2],
    [3, 0, 2],
    [1, 1, 0],
    [5, 7, 0],
    [1, 1, 1],
    [1, 1, 33],
    [3, 40, 31],
    [17, 33, 32],
    [29, 65, 33],
    [1, 130, 100],
    [130, 1, 100],
    [2, 2, 4096],
    [15, 17, 257],
    [1, 3, 5000],
];

fn every_shape<T: Operand>(name: &str) {
    let mut draw = Draw::new(name, 0);
    for shape in SHAPES {
        for kind in KINDS {
            declared::<T>(&mut draw, kind, shape);
        }
    }
}

#[test]
fn declared_f32() {
    every_shape::<f32>("f32");
}

#[test]
fn declared_bf16() {
    every_shape::<bf16>("bf16");
}

#[test]
fn declared_f16() {
    every_shape::<f16>("f16");
}

#[test]
fn declared_8_bits() {
    let mut draw = Draw::new("8 bits", 0);
    for kind in KINDS {
        for shape in [[7, 35, 40], [16, 16, 300], [1, 50, 33]] {
            declared::<E4M3FN>(&mut draw, kind, shape);
            declared::<E5M2>(&mut draw, kind, shape);
            declared::<E4M3FNUZ>(&mut draw, kind, shape);
            declared::<E5M2FNUZ>(&mut draw, kind, shape);
            declared::<E2M1>(&mut draw, kind, shape);
        }
    }
}

/// The largest jobs, more than one along both dims, and threads that have to share.
#[test]
fn declared_large() {
    let mut draw = Draw::new("large", 0);
    let (m, n, k) = (300, 520, 300);
    let a = operand::<bf16>(&mut draw, Kind::Usual, false, m * k);
    let b = operand::<bf16>(&mut draw, Kind::Usual, true, k * n);
    let a = View::contiguous(&a, [m, k]).unwrap();
    let b = View::contiguous(&b, [k, n]).unwrap();
    let mut first: Option<Vec<u64>> = None;
    for how in ways() {
        let mut out = vec![0f32; m * n];
        let mut view = ViewMut::contiguous(&mut out, [m, n]).unwrap();
        by::gemm(how, &a, &b, SEQUENTIAL, TO_NEAREST, &mut view).unwrap();
        for _ in 0..500 {
            let (i, j) = (draw.word() as usize % m, draw.word() as usize % n);
            let lane = |i: usize| a.get([i / k, i % k]).unwrap();
            let row: Vec<bf16> = (0..k).map(|x| lane(i * k + x)).collect();
            let column: Vec<bf16> = (0..k).map(|x| b.get([x, j]).unwrap()).collect();
            let due: f32 = reduce::dot(&row, &column, Order::Sequential, TO_NEAREST).unwrap();
            assert_eq!(
                out[i * n + j].to_bits(),
                due.to_bits(),
                "[{i}, {j}] by {how:?}"
            );
        }
        let got = codes(&out);
        assert_eq!(first.get_or_insert_with(|| got.clone()), &got, "{how:?}");
    }
}

/// Exact products, of results in one format.
fn exact_products<T: Operand, A: Arithmetic + Element>(
    draw: &mut Draw,
    kind: Kind,
    modes: &[Mode],
    [m, n, k]: [usize; 3],
) {
    let a = operand::<T>(draw, kind, false, m * k);
    let b = operand::<T>(draw, kind, true, k * n);
    let a = View::contiguous(&a, [m, k]).unwrap();
    let b = View::contiguous(&b, [k, n]).unwrap();
    for mode in modes {
        compare::<A>(
            &format!(
                "exact {} to {} {kind:?} {mode:?}, {m} by {k} by {n}",
                T::NAME,
                A::NAME
            ),
            [m, n],
            |out| {
                let _ = tensor::gemm(&a, &b, Accumulation::Exact, *mode, out).unwrap();
            },
            |how, out| by::gemm(how, &a, &b, Accumulation::Exact, *mode, out).unwrap(),
        );
    }
}

/// 2^54 + 1, of which f64 has not the last bit, so that only a bound tells that it is above 2^54.
#[test]
fn exact_products_that_f64_rounds() {
    let (a, up) = ([134_217_728f32, 1.0], Mode::ieee(Rounding::TowardPositive));
    let (a, b) = (View::contiguous(&a, [1, 2]), View::contiguous(&a, [2, 1]));
    let (a, b) = (a.unwrap(), b.unwrap());
    for how in ways() {
        let mut out = [0f32];
        let mut to = ViewMut::contiguous(&mut out, [1, 1]).unwrap();
        by::gemm(how, &a, &b, Accumulation::Exact, up, &mut to).unwrap();
        assert_eq!(out, [18_014_400_656_965_632.0]);
    }
}

#[test]
fn exact_products_of_every_shape() {
    let mut draw = Draw::new("exact", 0);
    for shape in SHAPES {
        for kind in KINDS {
            exact_products::<bf16, f32>(&mut draw, kind, &TELLING, shape);
            exact_products::<f16, f32>(&mut draw, kind, &TELLING, shape);
            exact_products::<f32, f32>(&mut draw, kind, &TELLING[..1], shape);
            exact_products::<E4M3FN, f32>(&mut draw, kind, &TELLING[..1], shape);
            exact_products::<E5M2, f32>(&mut draw, kind, &TELLING[..1], shape);
        }
    }
    // Several pieces of k, and elements outside of windows in most.
    for kind in [Kind::Usual, Kind::Spread, Kind::Cancelling, Kind::Specials] {
        exact_products::<bf16, f32>(&mut draw, kind, &TELLING, [20, 40, 1600]);
        exact_products::<f16, f32>(&mut draw, kind, &TELLING, [20, 40, 1600]);
    }
}

/// Significands of as many bits as a window has, and more, all near their greatest; what one piece
/// of k adds up to, the next takes away, but for the last bit of all.
#[test]
fn windows_of_products_are_filled_to_the_brim() {
    let mut draw = Draw::new("brim", 0);
    let piece = 512;
    for bits in 20..=24 {
        for _ in 0..20 {
            let mut number = || {
                let last = 1 << (24 - bits);
                let few = draw.word() as u32 % 3;
                f32::from_bits(0x3FFF_FFFF & !(last - 1))
                    - f32::from_bits(0x3F80_0000 | (few * last))
                    + 1.0
            };
            let mut a: Vec<f32> = (0..piece).map(|_| number()).collect();
            let mut b: Vec<f32> = (0..piece).map(|_| number()).collect();
            a.extend_from_within(..);
            b.extend_from_within(..);
            a[piece..].iter_mut().for_each(|x| *x = -*x);
            a[piece] = f32::from_bits(a[piece].to_bits() - (1 << (24 - bits)));
            let a = View::contiguous(&a, [1, 2 * piece]).unwrap();
            let b = View::contiguous(&b, [2 * piece, 1]).unwrap();
            compare::<f32>(
                &format!("{bits} bits"),
                [1, 1],
                |out| {
                    let _ = tensor::gemm(&a, &b, Accumulation::Exact, TO_NEAREST, out).unwrap();
                },
                |how, out| by::gemm(how, &a, &b, Accumulation::Exact, TO_NEAREST, out).unwrap(),
            );
        }
    }
}

/// A product that an output's lower sum has no room for, next to one that fills it and is taken
/// away in a later piece of k, and one that stays, of which it decides the rounding.
#[test]
fn what_an_outputs_sums_have_no_room_for_is_seen() {
    let full = f32::from_bits(0x3FFF_FFFC);
    for lowest in (30..120).map(|exponent| f32::powi(2.0, -exponent)) {
        for at in [1, 100, 511, 512, 600] {
            let (mut a, mut b) = (vec![0f32; 1100], vec![1f32; 1100]);
            (a[0], b[0], a[1099], b[1099]) = (full, full, -full, full);
            a[50] = f32::powi(2.0, -60);
            a[at] = lowest;
            for (a, b) in [(&a, &b), (&b, &a)] {
                let a = View::contiguous(a, [1, 1100]).unwrap();
                let b = View::contiguous(b, [1100, 1]).unwrap();
                for mode in TELLING {
                    compare::<f32>(
                        &format!("{lowest:e} at {at} {mode:?}"),
                        [1, 1],
                        |out| {
                            let _ = tensor::gemm(&a, &b, Accumulation::Exact, mode, out).unwrap();
                        },
                        |how, out| by::gemm(how, &a, &b, Accumulation::Exact, mode, out).unwrap(),
                    );
                }
            }
        }
    }
}

#[test]
fn exact_products_of_every_format_and_mode() {
    let mut draw = Draw::new("exact modes", 0);
    let all: Vec<Mode> = modes().collect();
    for kind in KINDS {
        exact_products::<bf16, f32>(&mut draw, kind, &all, [5, 18, 40]);
        exact_products::<bf16, bf16>(&mut draw, kind, &all, [5, 18, 40]);
        exact_products::<f16, f16>(&mut draw, kind, &all, [5, 18, 40]);
        exact_products::<bf16, E4M3FN>(&mut draw, kind, &all, [5, 18, 40]);
    }
}

fn cast<T: Operand, R: Output>(draw: &mut Draw, kind: Kind) {
    let [m, n, k] = [9, 37, 20];
    let a = operand::<T>(draw, kind, false, m * k);
    let b = operand::<T>(draw, kind, true, k * n);
    let a = View::contiguous(&a, [m, k]).unwrap();
    let b = View::contiguous(&b, [k, n]).unwrap();
    let mut wide = vec![0f32; m * n];
    let mut view = ViewMut::contiguous(&mut wide, [m, n]).unwrap();
    let _ = tensor::gemm(&a, &b, SEQUENTIAL, TO_NEAREST, &mut view).unwrap();
    for mode in modes() {
        compare::<R>(
            &format!("{} to {} {kind:?} {mode:?}", T::NAME, R::NAME),
            [m, n],
            |out| {
                for (i, x) in wide.iter().enumerate() {
                    out.set([i / n, i % n], convert::convert(*x, mode)).unwrap();
                }
            },
            |how, out| by::gemm_cast(how, &a, &b, mode, out).unwrap(),
        );
    }
}

#[test]
fn every_format_and_mode_of_results() {
    let mut draw = Draw::new("cast", 0);
    for kind in KINDS {
        cast::<bf16, f32>(&mut draw, kind);
        cast::<bf16, bf16>(&mut draw, kind);
        cast::<bf16, f16>(&mut draw, kind);
        cast::<f32, f16>(&mut draw, kind);
        cast::<f16, E4M3FN>(&mut draw, kind);
        cast::<E5M2, E2M1>(&mut draw, kind);
    }
}

/// What strides, offsets and gaps there are, of operands and results; elements in gaps stay.
#[test]
fn any_strides() {
    let mut draw = Draw::new("strides", 0);
    let (m, n, k) = (19, 35, 21);
    let layouts = |rows: usize, columns: usize| {
        let (r, c) = (rows as isize, columns as isize);
        [
            ([c, 1], 0),
            ([1, r], 0),
            ([-c, 1], (rows - 1) * columns),
            ([c, -1], columns - 1),
            ([-1, -r], rows * columns - 1),
            ([2 * c, 2], 3),
            ([-3, 4 * r], 3 * rows),
        ]
    };
    let data: Vec<f16> = operand(&mut draw, Kind::Usual, false, 4000);
    let more: Vec<f16> = operand(&mut draw, Kind::Usual, true, 4000);
    let overlapping = [
        ([0, 1], 7),
        ([1, 0], 7),
        ([0, 0], 7),
        ([1, 1], 0),
        ([-2, 1], 100),
    ];
    let of_a: Vec<_> = layouts(m, k).into_iter().chain(overlapping).collect();
    let of_b: Vec<_> = layouts(k, n).into_iter().chain(overlapping).collect();
    for (strides, offset) in &of_a {
        let a = View::new(&data, [m, k], *strides, *offset).unwrap();
        for (strides, offset) in &of_b {
            let b = View::new(&more, [k, n], *strides, *offset).unwrap();
            for (strides, offset) in layouts(m, n) {
                let blank = vec![0.5f32; 5000];
                let exact = draw.word().is_multiple_of(4);
                let sum = if exact {
                    Accumulation::Exact
                } else {
                    SEQUENTIAL
                };
                let mut due = blank.clone();
                let mut out = ViewMut::new(&mut due, [m, n], strides, offset).unwrap();
                let _ = tensor::gemm(&a, &b, sum, TO_NEAREST, &mut out).unwrap();
                for how in ways() {
                    let mut got = blank.clone();
                    let mut out = ViewMut::new(&mut got, [m, n], strides, offset).unwrap();
                    by::gemm(how, &a, &b, sum, TO_NEAREST, &mut out).unwrap();
                    assert_eq!(
                        codes(&got),
                        codes(&due),
                        "{strides:?} at {offset} by {how:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn vectors_and_batches() {
    let mut draw = Draw::new("batches", 0);
    let (m, k) = (45, 67);
    for kind in KINDS {
        let a: Vec<f16> = operand(&mut draw, kind, false, m * k);
        let x: Vec<f16> = operand(&mut draw, kind, true, 3 * k);
        let a = View::contiguous(&a, [m, k]).unwrap();
        let x = View::new(&x, [k], [-3], 3 * k - 1).unwrap();
        let mut due = vec![0.5f32; 2 * m];
        let mut out = ViewMut::new(&mut due, [m], [-2], 2 * m - 1).unwrap();
        let _ = tensor::gemv(&a, &x, SEQUENTIAL, TO_NEAREST, &mut out).unwrap();
        for how in ways() {
            let mut got = vec![0.5f32; 2 * m];
            let mut out = ViewMut::new(&mut got, [m], [-2], 2 * m - 1).unwrap();
            by::gemv(how, &a, &x, SEQUENTIAL, TO_NEAREST, &mut out).unwrap();
            assert_eq!(codes(&got), codes(&due), "{kind:?} by {how:?}");
        }
    }
    // The right operand is one for all, the left ones overlap, the results lie in reverse.
    let (batch, m, k, n) = (4, 5, 20, 18);
    let a: Vec<bf16> = operand(&mut draw, Kind::Usual, false, m * k + 30);
    let b: Vec<bf16> = operand(&mut draw, Kind::Usual, true, k * n);
    let lefts = View::new(&a, [batch, m, k], [10, k as isize, 1], 0).unwrap();
    let rights = View::new(&b, [batch, k, n], [0, n as isize, 1], 0).unwrap();
    let size = m * n;
    let mut due = vec![0f32; batch * size];
    for i in 0..batch {
        let a = View::new(&a, [m, k], [k as isize, 1], 10 * i).unwrap();
        let b = View::contiguous(&b, [k, n]).unwrap();
        let mut out =
            ViewMut::contiguous(&mut due[(batch - 1 - i) * size..][..size], [m, n]).unwrap();
        let _ = tensor::gemm(&a, &b, SEQUENTIAL, TO_NEAREST, &mut out).unwrap();
    }
    for how in ways() {
        let mut got = vec![0f32; batch * size];
        let strides = [-(size as isize), n as isize, 1];
        let mut out = ViewMut::new(&mut got, [batch, m, n], strides, (batch - 1) * size).unwrap();
        by::gemm_batched(how, &lefts, &rights, SEQUENTIAL, TO_NEAREST, &mut out).unwrap();
        assert_eq!(codes(&got), codes(&due), "{how:?}");
    }
}

/// The bias first, products and sums rounded apart.
#[test]
fn layers() {
    let mut draw = Draw::new("layers", 0);
    for [m, n, k] in [
        [1, 10, 784],
        [4, 33, 20],
        [30, 7, 300],
        [0, 4, 4],
        [4, 0, 4],
        [20, 1, 5],
    ] {
        for kind in KINDS {
            let x: Vec<f32> = operand(&mut draw, kind, false, m * k);
            let weights: Vec<f32> = operand(&mut draw, kind, true, n * k);
            let bias: Vec<f32> = operand(&mut draw, kind, true, n);
            for bias in [None, Some(&bias[..])] {
                let mut due = vec![0.5f32; m * n];
                for (x, out) in x.chunks(k).zip(due.chunks_mut(n.max(1))) {
                    bitexact::nn::linear(x, &weights, bias, out).unwrap();
                }
                let view = |data, rows| View::contiguous(data, [rows, k]).unwrap();
                for how in ways() {
                    let mut got = vec![0.5f32; m * n];
                    by::linear(how, &view(&x, m), &view(&weights, n), bias, &mut got).unwrap();
                    assert_eq!(codes(&got), codes(&due), "{kind:?} {m} {n} {k} by {how:?}");
                }
            }
        }
    }
    let how = ways().next().unwrap();
    let six = [0f32; 6];
    let view = |shape| View::contiguous(&six, shape).unwrap();
    let error = |which, expected, found| {
        Err(NnError::Length {
            which,
            expected,
            found,
        })
    };
    let x = view([2, 3]);
    let mut out = [0.5f32; 4];
    assert_eq!(
        by::linear(how, &x, &view([3, 2]), None, &mut out),
        error("weights", 9, 6)
    );
    assert_eq!(
        by::linear(how, &x, &x, Some(&[1.0]), &mut out),
        error("bias", 2, 1)
    );
    assert_eq!(
        by::linear(how, &x, &x, None, &mut out[1..]),
        error("out", 4, 3)
    );
    let empty = View::new(&[], [2, 0], [0, 1], 0).unwrap();
    assert_eq!(
        by::linear(how, &empty, &empty, None, &mut out),
        Err(NnError::Zero { which: "x" })
    );
    assert_eq!(out, [0.5; 4]);
}

/// Sums, dot products, means and norms with their status, of these operands.
fn exact<T: Operand>(what: &str, modes: &[Mode], a: &[T], b: &[T]) {
    let flags = |(x, status): (f32, Status)| (x.to_bits(), status);
    for mode in modes {
        let mode = *mode;
        let due = (
            flags(reduce::sum_exact_status(a, mode)),
            reduce::dot_exact_status(a, b, mode).map(flags),
            reduce::mean_status(a, mode).map(flags),
            flags(reduce::norm_status(a, mode)),
        );
        for how in ways() {
            let got = (
                flags(by::sum_exact_status(how, a, mode)),
                by::dot_exact_status(how, a, b, mode).map(flags),
                by::mean_status(how, a, mode).map(flags),
                flags(by::norm_status(how, a, mode)),
            );
            let length = a.len();
            assert_eq!(
                got,
                due,
                "{} {what}, {length} elements, {mode:?} by {how:?}",
                T::NAME
            );
        }
    }
}

/// Modes that tell apart all that a sum can be wrong in: its last bit, its sticky bit, a zero's
/// sign.
const TELLING: [Mode; 3] = [
    TO_NEAREST,
    Mode::ieee(Rounding::TowardNegative),
    Mode::ieee(Rounding::ToOdd),
];

fn every_sum<T: Operand>(name: &str) {
    let mut draw = Draw::new(name, 1);
    let all: Vec<Mode> = modes().collect();
    for kind in KINDS {
        for length in [0, 1, 31, 500, 2047, 2048, 2049] {
            let a = operand::<T>(&mut draw, kind, false, length);
            let b = operand::<T>(&mut draw, kind, true, length);
            exact(&format!("{kind:?}"), &all, &a, &b);
        }
    }
    // Zeros but for a few; products all zeros though no block is; one more kind a block.
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (i, kind) in KINDS.into_iter().chain(KINDS).enumerate().skip(1) {
        let length = 2048 + 40 * (i / 8);
        a.extend(operand::<T>(&mut draw, kind, false, length));
        b.extend(operand::<T>(&mut draw, kind, true, length));
        exact("blocks of kinds", &TELLING[..2], &a, &b);
    }
    for sign in [0, 1] {
        let zero = |x: &T, at: usize| {
            let minus = if T::NEGATIVE_ZERO { sign * T::SIGN } else { 0 };
            if at.is_multiple_of(3) {
                *x
            } else {
                T::of_code(minus)
            }
        };
        let usual = operand::<T>(&mut draw, Kind::Usual, false, 700);
        let a: Vec<T> = usual.iter().enumerate().map(|(i, x)| zero(x, i)).collect();
        let b: Vec<T> = usual
            .iter()
            .enumerate()
            .map(|(i, x)| zero(x, i + 1))
            .collect();
        exact("zeros here and there", &all, &a, &b);
    }
}

/// The accumulator takes them as it takes their terms, and nothing that it has no room for.
#[test]
fn sums_made_elsewhere() {
    let mut draw = Draw::new("elsewhere", 0);
    for _ in 0..2000 {
        let (mut whole, mut parts) = (Accumulator::<f16>::new(), Accumulator::<f16>::new());
        for _ in 0..draw.word() % 5 {
            let x: f16 = operand(&mut draw, Kind::Finite, false, 1)[0];
            let y: f16 = operand(&mut draw, Kind::Usual, false, 1)[0];
            whole.add_product(x, y);
            whole.add(x);
            let integer = |x: f16| (f64::from(x.to_f32()) * f64::powi(2.0, 24)) as i64;
            // `y` is a multiple of 2^-16.
            let sum = integer(x) * (integer(y) >> 8) + (integer(x) << 16);
            if sum != 0 {
                parts.add_sum(2, sum, -40).unwrap();
            } else {
                parts.add_product(x, y);
                parts.add(x);
            }
        }
        assert_eq!(parts.terms(), whole.terms());
        for mode in TELLING {
            let round = |sum: &Accumulator<f16>| sum.round_status::<f32>(mode);
            assert_eq!(round(&parts).0.to_bits(), round(&whole).0.to_bits());
            assert_eq!(round(&parts).1, round(&whole).1);
        }
    }
    let mut sum = Accumulator::<f16>::new();
    for (terms, integer, exponent) in [
        (0, 0, 0),
        (1, 1, -49),
        (1, 3, -49),
        (1, 1, i32::MIN),
        (1, i64::MIN, i32::MAX),
        (1, 1, 48),
        (4, 1, 51),
        (u64::MAX, -1, 80),
    ] {
        let error = ReduceError::SumOutOfRange {
            sum: integer,
            exponent,
        };
        assert_eq!(sum.add_sum(terms, integer, exponent), Err(error));
    }
    assert_eq!(sum.terms(), 0);
    assert_eq!(sum.add_sum(1, 2, -49), Ok(()));
    assert_eq!(sum.add_sum(2, -1, 48), Ok(()));
    assert_eq!(sum.round::<f32>(TO_NEAREST), -f32::powi(2.0, 48));
    // Square roots: of a negative sum none.
    let root = |sum: &Accumulator<f16>| {
        let (root, status) = sum.round_square_root_status::<f32>(TO_NEAREST);
        (root.to_bits(), status)
    };
    assert_eq!(root(&sum), (0x7FC0_0000, Status::INVALID));
    sum.add_sum(4, 1, 49).unwrap();
    assert_eq!(root(&sum).0, f32::powi(2.0, 24).to_bits());
    let mut zero = Accumulator::new();
    zero.add(f16::NEG_ZERO);
    assert_eq!(root(&zero), (1 << 31, Status::NONE));
    zero.add(f16::NEG_INFINITY);
    assert_eq!(root(&zero), (0x7FC0_0000, Status::INVALID));
}

#[test]
fn exact_f32() {
    every_sum::<f32>("f32");
}

#[test]
fn exact_16_bits() {
    every_sum::<bf16>("bf16");
    every_sum::<f16>("f16");
}

#[test]
fn exact_8_bits() {
    every_sum::<E4M3FN>("E4M3FN");
    every_sum::<E5M2FNUZ>("E5M2FNUZ");
}

/// Windows at their limits: a block of terms of one sign next to the greatest magnitude, some down
/// to the last bit that a spread lets in; then they are taken away again, but in other blocks, so
/// that what one block had lost would be left.
#[test]
fn windows_are_filled_to_the_brim() {
    to_the_brim::<f32>(160, 70);
    to_the_brim::<bf16>(160, 70);
    to_the_brim::<f16>(30, 30);
}

/// From so many exponents apart, below this one.
fn to_the_brim<T: Operand>(top: u64, most: u64) {
    let mut draw = Draw::new("brim of sums", 0);
    let fraction = T::PRECISION - 1;
    let ones = (1 << fraction) - 1;
    let next_to_greatest = 1 << (fraction - 1) | 1;
    for spread in 0..most {
        let mut number = |i: usize| {
            let word = draw.word();
            let lower = if i.is_multiple_of(4) {
                (word >> 24) % (spread + 1)
            } else {
                0
            };
            (top - lower) << fraction | word & ones | next_to_greatest
        };
        let a: Vec<u64> = (0..2048).map(&mut number).collect();
        let b: Vec<u64> = (0..2048).map(|_| number(1)).collect();
        let again = |x: &[u64], sign: u64, last: u64| -> Vec<T> {
            let other = x.iter().cycle().skip(1).take(2047).map(|x| sign | x);
            let last = [last, sign | x[0]];
            let all = x.iter().copied().chain(other).chain(last);
            all.map(T::of_code).collect()
        };
        let tiny = (top - spread) << fraction | 1;
        let one = (T::BIAS as u64) << fraction;
        let (a, b) = (again(&a, T::SIGN, tiny), again(&b, 0, one));
        exact(&format!("{} brim", T::NAME), &TELLING, &a, &b);
    }
}

/// More terms than bins take; and by threads.
#[test]
fn long_sums() {
    let mut draw = Draw::new("long", 0);
    let a = operand::<f32>(&mut draw, Kind::Finite, false, 200_001);
    let b = operand::<f32>(&mut draw, Kind::Finite, true, 200_001);
    exact("long", &TELLING, &a, &b);
    // The greatest products of all, in the bins, since one is subnormal.
    let mut a = vec![f32::MAX; 100_000];
    a.iter_mut()
        .step_by(100)
        .for_each(|x| *x = f32::from_bits(1));
    exact("greatest", &TELLING, &a, &a);
}

/// Sums and dot products in lanes, at the lengths where a lane gets its first or its last element
/// and around the blocks.
fn in_lanes<T: Operand, A: Arithmetic + Element>(draw: &mut Draw, kind: Kind, modes: &[Mode]) {
    for lanes in Lanes::ALL {
        let order = Order::Lanes(lanes);
        let l = lanes.count();
        for length in [0, 1, l - 1, l, l + 1, 2 * l - 1, 3 * l, 1023, 1024 + l + 1] {
            let a = operand::<T>(draw, kind, false, length);
            let b = operand::<T>(draw, kind, true, length);
            for mode in modes {
                let due = (
                    reduce::sum::<T, A>(&a, order, *mode).code(),
                    reduce::dot::<T, A>(&a, &b, order, *mode).unwrap().code(),
                );
                for how in ways() {
                    let got = (
                        by::sum::<T, A>(how, &a, order, *mode).code(),
                        by::dot::<T, A>(how, &a, &b, order, *mode).unwrap().code(),
                    );
                    assert_eq!(
                        got,
                        due,
                        "{} {kind:?}, {length} elements in {l} lanes, {mode:?} by {how:?}",
                        T::NAME
                    );
                }
            }
        }
    }
}

#[test]
fn sums_in_lanes() {
    let mut draw = Draw::new("lanes", 0);
    for kind in KINDS {
        in_lanes::<f32, f32>(&mut draw, kind, &[TO_NEAREST]);
        in_lanes::<bf16, f32>(&mut draw, kind, &[TO_NEAREST]);
        in_lanes::<f16, f32>(&mut draw, kind, &[TO_NEAREST]);
        in_lanes::<E4M3FN, f32>(&mut draw, kind, &[TO_NEAREST]);
    }
    // What has no fast form is the kernel's.
    in_lanes::<bf16, bf16>(&mut draw, Kind::Usual, &[TO_NEAREST]);
    let others = [
        Mode::ieee(Rounding::TowardZero),
        Mode::new(Rounding::TiesToEven, Overflow::SaturateAll),
    ];
    in_lanes::<f32, f32>(&mut draw, Kind::Any, &others);
    let how = How {
        level: Level::best(),
        threads: false,
    };
    let order = Order::Lanes(Lanes::ALL[0]);
    assert_eq!(
        by::dot::<f32, f32>(how, &[1.0], &[1.0; 2], order, TO_NEAREST),
        Err(ReduceError::LengthMismatch {
            expected: 1,
            found: 2
        })
    );
}

/// Products of matrices and with vectors in lanes, in any strides.
#[test]
fn products_in_lanes() {
    let mut draw = Draw::new("products in lanes", 0);
    for (i, [m, n, k]) in SHAPES.into_iter().enumerate() {
        for (j, kind) in KINDS.into_iter().enumerate() {
            let order = Order::Lanes(Lanes::ALL[(i + j) % Lanes::ALL.len()]);
            let order = Accumulation::Declared(order);
            let a = operand::<bf16>(&mut draw, kind, false, m * k);
            let b = operand::<bf16>(&mut draw, kind, true, k * n);
            let a = View::contiguous(&a, [m, k]).unwrap();
            let b = View::contiguous(&b, [k, n]).unwrap();
            compare::<f32>(
                &format!("{kind:?} {order:?}, {m} by {k} by {n}"),
                [m, n],
                |out| {
                    let _ = tensor::gemm(&a, &b, order, TO_NEAREST, out).unwrap();
                },
                |how, out| by::gemm(how, &a, &b, order, TO_NEAREST, out).unwrap(),
            );
        }
    }
    let order = Accumulation::Declared(Order::Lanes(Lanes::new(8).unwrap()));
    let (m, n, k) = (19, 70, 21);
    let data: Vec<f16> = operand(&mut draw, Kind::Any, false, 4000);
    for [down, across, offset] in [
        [k as isize, 1, 0],
        [1, m as isize, 0],
        [-1, -(m as isize), (m * k) as isize - 1],
        [0, 1, 7],
        [2 * k as isize, 2, 3],
    ] {
        let a = View::new(&data, [m, k], [down, across], offset as usize).unwrap();
        let b = View::new(&data, [k, n], [-1, k as isize], k + 5).unwrap();
        for (strides, offset) in [
            ([n as isize, 1], 0),
            ([1, m as isize], 0),
            ([-2 * n as isize, -2], 2 * m * n),
        ] {
            let mut due = vec![0.5f32; 3 * m * n];
            let mut out = ViewMut::new(&mut due, [m, n], strides, offset).unwrap();
            let _ = tensor::gemm(&a, &b, order, TO_NEAREST, &mut out).unwrap();
            for how in ways() {
                let mut got = vec![0.5f32; 3 * m * n];
                let mut out = ViewMut::new(&mut got, [m, n], strides, offset).unwrap();
                by::gemm(how, &a, &b, order, TO_NEAREST, &mut out).unwrap();
                assert_eq!(
                    codes(&got),
                    codes(&due),
                    "{strides:?} at {offset} by {how:?}"
                );
            }
        }
        let x = View::new(&data, [k], [-3], 500).unwrap();
        let mut due = vec![0.5f32; 2 * m];
        let mut out = ViewMut::new(&mut due, [m], [-2], 2 * m - 1).unwrap();
        let _ = tensor::gemv(&a, &x, order, TO_NEAREST, &mut out).unwrap();
        for how in ways() {
            let mut got = vec![0.5f32; 2 * m];
            let mut out = ViewMut::new(&mut got, [m], [-2], 2 * m - 1).unwrap();
            by::gemv(how, &a, &x, order, TO_NEAREST, &mut out).unwrap();
            assert_eq!(codes(&got), codes(&due), "gemv by {how:?}");
        }
    }
}

/// Neither does an order in lanes see the state of the processor's arithmetic.
#[test]
fn lanes_do_not_see_the_state() {
    let mut draw = Draw::new("state of lanes", 0);
    let order = Order::Lanes(Lanes::new(8).unwrap());
    for kind in [Kind::Usual, Kind::Any, Kind::Subnormal, Kind::Cancelling] {
        let a = operand::<f32>(&mut draw, kind, false, 77);
        let b = operand::<f32>(&mut draw, kind, true, 77);
        let due = (
            reduce::sum::<f32, f32>(&a, order, TO_NEAREST).code(),
            reduce::dot::<f32, f32>(&a, &b, order, TO_NEAREST)
                .unwrap()
                .code(),
        );
        let (left, right) = (
            View::contiguous(&a, [1, 77]).unwrap(),
            View::contiguous(&b, [77, 1]).unwrap(),
        );
        for state in states() {
            for how in ways() {
                under(state, || {
                    let mut product = [0f32];
                    let mut out = ViewMut::contiguous(&mut product, [1, 1]).unwrap();
                    let declared = Accumulation::Declared(order);
                    by::gemm(how, &left, &right, declared, TO_NEAREST, &mut out).unwrap();
                    let dot = by::dot::<f32, f32>(how, &a, &b, order, TO_NEAREST).unwrap();
                    let got = (
                        by::sum::<f32, f32>(how, &a, order, TO_NEAREST).code(),
                        dot.code(),
                    );
                    assert_eq!(got, due, "{kind:?} under {state:X} by {how:?}");
                    assert_eq!(
                        product[0].code(),
                        due.1,
                        "{kind:?} under {state:X} by {how:?}"
                    );
                });
            }
        }
    }
}

/// The comparisons would see lanes added one after the other, an element in another lane, and
/// separate steps.
#[test]
fn other_lanes_would_be_found() {
    let mut draw = Draw::new("wrong lanes", 0);
    let lanes = Lanes::new(8).unwrap();
    let order = Order::Lanes(lanes);
    let mut found = [0; 3];
    let rounds = 200;
    for _ in 0..rounds {
        let a: Vec<f32> = operand(&mut draw, Kind::Usual, false, 45);
        let b: Vec<f32> = operand(&mut draw, Kind::Usual, true, 45);
        let sum: f32 = reduce::sum(&a, order, TO_NEAREST);
        let dot: f32 = reduce::dot(&a, &b, order, TO_NEAREST).unwrap();
        let sums: Vec<f32> = (0..8)
            .map(|lane| a.iter().skip(lane).step_by(8).fold(-0f32, |sum, x| sum + x))
            .collect();
        let in_turn: f32 = reduce::sum(&sums, Order::Sequential, TO_NEAREST);
        found[0] += usize::from(in_turn.to_bits() != sum.to_bits());
        let mut turned = a.clone();
        turned.rotate_left(1);
        let turned: f32 = reduce::sum(&turned, order, TO_NEAREST);
        found[1] += usize::from(turned.to_bits() != sum.to_bits());
        let products: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
        let separate: f32 = reduce::sum(&products, order, TO_NEAREST);
        found[2] += usize::from(separate.to_bits() != dot.to_bits());
    }
    assert!(found.iter().all(|found| *found > rounds / 4), "{found:?}");
}

/// What has no fast form is the kernel's.
#[test]
fn other_orders_modes_and_accumulators() {
    let mut draw = Draw::new("others", 0);
    let [m, n, k] = [3, 5, 9];
    let a = operand::<bf16>(&mut draw, Kind::Usual, false, m * k);
    let b = operand::<bf16>(&mut draw, Kind::Usual, true, k * n);
    let a = View::contiguous(&a, [m, k]).unwrap();
    let b = View::contiguous(&b, [k, n]).unwrap();
    for mode in modes() {
        for order in [Order::Sequential, Order::Pairwise, Order::Neumaier] {
            let order = Accumulation::Declared(order);
            compare::<f32>(
                "f32",
                [m, n],
                |out| {
                    let _ = tensor::gemm(&a, &b, order, mode, out).unwrap();
                },
                |how, out| by::gemm(how, &a, &b, order, mode, out).unwrap(),
            );
            compare::<bf16>(
                "bf16",
                [m, n],
                |out| {
                    let _ = tensor::gemm(&a, &b, order, mode, out).unwrap();
                },
                |how, out| by::gemm(how, &a, &b, order, mode, out).unwrap(),
            );
        }
    }
}

#[test]
fn shapes_that_do_not_match_are_errors_and_nothing_is_written() {
    let x = [bf16::ONE; 60];
    let mut y = [0.5f32; 60];
    let view = |shape| View::contiguous(&x[..shape_size(shape)], shape).unwrap();
    let error = |which, dim, expected, found| {
        Err(TensorError::ShapeMismatch {
            which,
            dim,
            expected,
            found,
        })
    };
    let how = How {
        level: Level::best(),
        threads: false,
    };
    for (b, out, due) in [
        ([4, 5], [2, 5], error("b", 0, 3, 4)),
        ([3, 5], [3, 5], error("out", 0, 2, 3)),
        ([3, 5], [2, 4], error("out", 1, 5, 4)),
    ] {
        let mut to = ViewMut::contiguous(&mut y[..shape_size(out)], out).unwrap();
        let (a, b) = (view([2, 3]), view(b));
        assert_eq!(by::gemm(how, &a, &b, SEQUENTIAL, TO_NEAREST, &mut to), due);
        assert_eq!(
            by::gemm(how, &a, &b, Accumulation::Exact, TO_NEAREST, &mut to),
            due
        );
        assert_eq!(by::gemm_cast(how, &a, &b, TO_NEAREST, &mut to), due);
        assert_eq!(
            tensor::gemm(&a, &b, SEQUENTIAL, TO_NEAREST, &mut to).map(drop),
            due
        );
    }
    let x = View::contiguous(&x[..4], [4]).unwrap();
    let mut to = ViewMut::contiguous(&mut y[..2], [2]).unwrap();
    let due = error("x", 0, 3, 4);
    assert_eq!(
        by::gemv(how, &view([2, 3]), &x, SEQUENTIAL, TO_NEAREST, &mut to),
        due
    );
    assert!(y.iter().all(|y| *y == 0.5));
}

fn shape_size([rows, columns]: [usize; 2]) -> usize {
    rows * columns
}

/// The comparisons above would see an fma replaced by a product and a sum, and k cut in two.
#[test]
fn wrong_orders_would_be_found() {
    let mut draw = Draw::new("wrong", 0);
    let mut found = [0; 2];
    let rounds = 200;
    for _ in 0..rounds {
        let a: Vec<f32> = operand(&mut draw, Kind::Usual, false, 33);
        let b: Vec<f32> = operand(&mut draw, Kind::Usual, true, 33);
        let due: f32 = reduce::dot(&a, &b, Order::Sequential, TO_NEAREST).unwrap();
        let mut ours = [0f32];
        let how = How {
            level: Level::best(),
            threads: false,
        };
        let view = |x| View::contiguous(x, [1, 33]).unwrap();
        let right = view(&b).transpose(0, 1).unwrap();
        let mut out = ViewMut::contiguous(&mut ours, [1, 1]).unwrap();
        by::gemm(how, &view(&a), &right, SEQUENTIAL, TO_NEAREST, &mut out).unwrap();
        assert_eq!(ours[0].to_bits(), due.to_bits());
        let separate = a.iter().zip(&b).fold(-0f32, |sum, (a, b)| sum + a * b);
        let half = |a: &[f32], b: &[f32]| -> f32 {
            reduce::dot(a, b, Order::Sequential, TO_NEAREST).unwrap()
        };
        let split = half(&a[..16], &b[..16]) + half(&a[16..], &b[16..]);
        found[0] += usize::from(separate.to_bits() != due.to_bits());
        found[1] += usize::from(split.to_bits() != due.to_bits());
    }
    assert!(found.iter().all(|found| *found > rounds / 4), "{found:?}");
}

/// Neither the direction of rounding nor flush-to-zero, nor denormals-are-zero, is seen.
#[test]
fn the_state_of_the_processors_arithmetic_is_not_seen() {
    let mut draw = Draw::new("state", 0);
    for (kind, shape) in [
        (Kind::Usual, [17, 40, 33]),
        (Kind::Any, [3, 33, 20]),
        (Kind::Subnormal, [3, 33, 20]),
        (Kind::Cancelling, [3, 33, 64]),
    ] {
        let [m, n, k] = shape;
        let a = operand::<bf16>(&mut draw, kind, false, m * k);
        let b = operand::<bf16>(&mut draw, kind, true, k * n);
        let a = View::contiguous(&a, [m, k]).unwrap();
        let b = View::contiguous(&b, [k, n]).unwrap();
        for state in states() {
            compare::<f32>(
                &format!("{kind:?} under {state:X}"),
                [m, n],
                |out| {
                    let _ = tensor::gemm(&a, &b, SEQUENTIAL, TO_NEAREST, out).unwrap();
                },
                |how, out| {
                    under(state, || {
                        by::gemm(how, &a, &b, SEQUENTIAL, TO_NEAREST, out).unwrap()
                    });
                },
            );
        }
    }
}

#[test]
fn exact_sums_and_products_do_not_see_it_either() {
    let mut draw = Draw::new("state of sums", 0);
    for kind in KINDS {
        let a = operand::<f32>(&mut draw, kind, false, 900);
        let b = operand::<f32>(&mut draw, kind, true, 900);
        for state in states() {
            under(state, || {
                exact(&format!("{kind:?} under {state:X}"), &TELLING, &a, &b);
                exact_products::<f32, f32>(&mut draw, kind, &TELLING[..1], [3, 5, 40]);
            });
        }
    }
}

/// Convolutions: filters that fill no tile, strides, padding on both sides, windows as large as the
/// image.
#[test]
fn convolutions() {
    let mut draw = Draw::new("convolution", 0);
    let sizes = |input, channels, kernel, stride, padding| bitexact::nn::Conv2d {
        input,
        channels,
        kernel,
        stride,
        padding,
    };
    let all = [
        sizes([1, 1, 1], 1, [1, 1], [1, 1], [0, 0]),
        sizes([3, 8, 9], 5, [3, 3], [1, 1], [1, 1]),
        sizes([2, 7, 11], 17, [3, 5], [2, 1], [2, 4]),
        sizes([4, 5, 6], 3, [5, 6], [1, 1], [0, 0]),
        sizes([1, 2, 2], 2, [3, 3], [1, 1], [2, 2]),
        sizes([2, 20, 33], 33, [1, 4], [3, 2], [0, 3]),
        sizes([1, 3, 40], 1, [2, 1], [1, 7], [1, 0]),
        // Windows of more elements than are copied at a time.
        sizes([16, 60, 50], 2, [8, 8], [1, 1], [3, 0]),
    ];
    for (which, sizes) in all.into_iter().enumerate() {
        let [channels, height, width] = sizes.input;
        let output: usize = sizes.output().unwrap().iter().product();
        let kinds: &[Kind] = if which == 7 { &[Kind::Usual] } else { &KINDS };
        for kind in kinds {
            let x = operand::<f32>(&mut draw, *kind, false, channels * height * width);
            let count = sizes.channels * channels * sizes.kernel[0] * sizes.kernel[1];
            let weights = operand::<f32>(&mut draw, *kind, true, count);
            let bias = operand::<f32>(&mut draw, *kind, true, sizes.channels);
            for bias in [None, Some(&bias[..])] {
                // The kernel in integers.
                type Code = bitexact::format::Binary32;
                let code = |x: &[f32]| -> Vec<Code> {
                    x.iter().map(|x| Code::from_bits(x.to_bits())).collect()
                };
                let mut due = vec![Code::from_bits(0); output];
                let codes_of_bias = bias.map(code);
                bitexact::nn::conv2d(
                    &code(&x),
                    &code(&weights),
                    codes_of_bias.as_deref(),
                    &sizes,
                    &mut due,
                )
                .unwrap();
                for how in ways() {
                    let mut got = vec![7f32; output];
                    by::conv2d(how, &x, &weights, bias, &sizes, &mut got).unwrap();
                    let differ = got
                        .iter()
                        .zip(&due)
                        .position(|(a, b)| a.to_bits() != b.to_bits());
                    assert_eq!(differ, None, "{kind:?} {sizes:?} {how:?}");
                }
            }
        }
    }
    // A fused step, or a term for padding, would be seen: -0 stays only where nothing is added.
    let sizes = sizes([1, 1, 2], 1, [1, 2], [1, 1], [0, 1]);
    let mut out = [0f32; 3];
    let how = ways().next().unwrap();
    by::conv2d(
        how,
        &[-1.0, 1.0],
        &[0.0, 0.0],
        Some(&[-0.0]),
        &sizes,
        &mut out,
    )
    .unwrap();
    assert_eq!(out.map(f32::to_bits), [1 << 31, 0, 0]);
    let wrong = by::conv2d(how, &[1.0], &[0.0, 0.0], None, &sizes, &mut out);
    assert!(
        matches!(wrong, Err(NnError::Length { which: "x", .. })),
        "{wrong:?}"
    );
}
