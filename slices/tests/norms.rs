//! Variances, norms, layer norms and RMS norms by vector code and threads are the kernels', at
//! every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{Binary32, E2M1, E4M3FN, E5M2FNUZ};
use bitexact::nn::{self, NnError};
use bitexact::reduce::{self, Accumulable, Accumulator, ReduceError, Variance};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use bitexact_slices::tensor::by::{self, How};
use bitexact_slices::tensor::{Operand, Output, View};
use bitexact_slices::{Element, Level};
use common::Draw;
use common::operands::{KINDS, Kind, operand};
use core::num::NonZeroU32;

const EVEN: Mode = Mode::TIES_TO_EVEN;

fn modes() -> Vec<Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(with).collect()
}

/// Every level, on one thread and on several.
fn ways() -> impl Iterator<Item = How> {
    let threads: &[bool] = if cfg!(feature = "rayon") {
        &[false, true]
    } else {
        &[false]
    };
    let all = move |level: &Level| {
        let level = *level;
        threads.iter().map(move |threads| How {
            level,
            threads: *threads,
        })
    };
    Level::available().iter().flat_map(all)
}

fn codes<T: Element>(slice: &[T]) -> Vec<u64> {
    slice.iter().map(|x| x.code()).collect()
}

fn rows_of<T: Operand>(x: &View<'_, T, 2>) -> Vec<Vec<T>> {
    let [rows, columns] = x.shape();
    let row = |i| (0..columns).map(|k| x.get([i, k]).unwrap()).collect();
    (0..rows).map(row).collect()
}

/// Variances and norms of a matrix of any strides.
fn variances<T: Operand, R: Output + Accumulable>(what: &str, x: &View<'_, T, 2>, modes: &[Mode]) {
    let rows = rows_of(x);
    let [_, columns] = x.shape();
    for mode in modes {
        let what = format!("{what}, {} to {}, {mode:?}", T::NAME, R::NAME);
        for missing in (0..2).filter(|missing| *missing < columns as u32) {
            let due = rows.iter().map(|row| reduce::variance(row, missing, *mode));
            let due: Vec<R> = due.collect::<Result<_, _>>().unwrap();
            let roots = rows
                .iter()
                .map(|row| reduce::standard_deviation(row, missing, *mode));
            let roots: Vec<R> = roots.collect::<Result<_, _>>().unwrap();
            for how in ways() {
                let mut got = vec![R::of_code(0x15); rows.len()];
                by::variance_rows(how, x, missing, *mode, &mut got).unwrap();
                assert_eq!(
                    codes(&got),
                    codes(&due),
                    "{what}, {missing} missing, {how:?}"
                );
                by::standard_deviation_rows(how, x, missing, *mode, &mut got).unwrap();
                assert_eq!(
                    codes(&got),
                    codes(&roots),
                    "roots of {what}, {missing} missing, {how:?}"
                );
                for (row, (due, root)) in rows.iter().zip(due.iter().zip(&roots)) {
                    let got: R = by::variance(how, row, missing, *mode).unwrap();
                    assert_eq!(got.code(), due.code(), "{what}, {missing} missing, {how:?}");
                    let got: R = by::standard_deviation(how, row, missing, *mode).unwrap();
                    assert_eq!(
                        got.code(),
                        root.code(),
                        "{what}, {missing} missing, {how:?}"
                    );
                }
            }
        }
        let due: Vec<R> = rows.iter().map(|row| reduce::norm(row, *mode)).collect();
        for how in ways() {
            let mut got = vec![R::of_code(0x15); rows.len()];
            by::norm_rows(how, x, *mode, &mut got).unwrap();
            assert_eq!(codes(&got), codes(&due), "norms of {what}, {how:?}");
        }
    }
}

fn normalised<T: Operand, W: Operand, R: Output>(
    what: &str,
    x: &View<'_, T, 2>,
    [weight, bias]: [&[W]; 2],
    epsilon: f32,
    modes: &[Mode],
) {
    let rows = rows_of(x);
    let [_, columns] = x.shape();
    let exact = Binary32::from_bits(epsilon.to_bits());
    let count = NonZeroU32::new(columns as u32).unwrap();
    for centred in [true, false] {
        let due = rows.iter().map(|row| {
            let (mut sum, mut squares) = (Accumulator::new(), Accumulator::new());
            for &x in row {
                sum.add(x);
                squares.add_product(x, x);
            }
            let variance = Variance::new(count, centred.then_some(&sum), &squares);
            let zero = [Binary32::from_bits(0); 2];
            let [first, second] = if centred {
                sum.quotient_in_two(count)
            } else {
                zero
            };
            [first, second, variance.reciprocal_root(exact)].map(Binary32::to_bits)
        });
        let due: Vec<[u32; 3]> = due.collect();
        for how in ways() {
            let mut got = vec![[1f32; 3]; rows.len()];
            by::norm_statistics(how, x, centred, epsilon, &mut got).unwrap();
            let got: Vec<_> = got.iter().map(|row| row.map(f32::to_bits)).collect();
            assert_eq!(got, due, "statistics of {what}, {how:?}");
        }
    }
    for mode in modes {
        let blank = vec![R::of_code(0x15); rows.len() * columns];
        let (mut layer, mut rms) = (blank.clone(), blank.clone());
        let both = layer.chunks_mut(columns).zip(rms.chunks_mut(columns));
        for ((layer, rms), row) in both.zip(&rows) {
            nn::layer_norm(row, weight, bias, exact, *mode, layer).unwrap();
            nn::rms_norm(row, weight, exact, *mode, rms).unwrap();
        }
        for how in ways() {
            let mut got = blank.clone();
            let what = format!(
                "{what}, {} by {} to {}, {epsilon:e}, {mode:?}, {how:?}",
                T::NAME,
                W::NAME,
                R::NAME
            );
            by::layer_norm(how, x, weight, bias, epsilon, *mode, &mut got).unwrap();
            assert_eq!(codes(&got), codes(&layer), "layer norms of {what}");
            by::rms_norm(how, x, weight, epsilon, *mode, &mut got).unwrap();
            assert_eq!(codes(&got), codes(&rms), "RMS norms of {what}");
        }
    }
}

const SHAPES: [[usize; 2]; 6] = [[0, 3], [5, 1], [5, 2], [3, 67], [2, 2048], [2, 5000]];

fn variances_of_every_shape<T: Operand, R: Output + Accumulable>(modes: &[Mode]) {
    let mut draw = Draw::new(T::NAME, R::BITS.into());
    for kind in KINDS {
        for [rows, columns] in SHAPES {
            let x: Vec<T> = operand(&mut draw, kind, false, rows * columns);
            let x = View::contiguous(&x, [rows, columns]).unwrap();
            variances::<T, R>(&format!("{kind:?}, {rows} by {columns}"), &x, modes);
        }
    }
}

#[test]
fn variances_and_norms() {
    let down = Mode::ieee(Rounding::TowardNegative);
    variances_of_every_shape::<f32, f32>(&[EVEN, down]);
    variances_of_every_shape::<bf16, bf16>(&[EVEN, Mode::TO_ODD]);
    variances_of_every_shape::<f16, f32>(&[EVEN, down]);
}

#[test]
fn variances_of_every_format_and_mode() {
    let mut draw = Draw::new("formats", 0);
    for kind in KINDS {
        let x: Vec<f32> = operand(&mut draw, kind, false, 90);
        let x = View::contiguous(&x, [6, 15]).unwrap();
        let what = format!("{kind:?}");
        variances::<f32, f32>(&what, &x, &modes());
        variances::<f32, f16>(&what, &x, &modes());
        // It has no NaN, and the other no -0.
        variances::<f32, E2M1>(&what, &x, &modes());
        variances::<f32, E5M2FNUZ>(&what, &x, &modes());
        let x: Vec<E4M3FN> = operand(&mut draw, kind, false, 90);
        let x = View::contiguous(&x, [6, 15]).unwrap();
        variances::<E4M3FN, bf16>(&what, &x, &modes());
    }
}

/// Numbers and midpoints of the result's format, from which a mean is so far away that only the
/// deviation's last bit in f64 tells.
#[test]
fn means_far_below_the_elements() {
    let mut draw = Draw::new("midpoints", 0);
    for _ in 0..300 {
        let mut next = |mask: u32| f32::from_bits(0x3F80_0000 | (draw.word() as u32 & mask));
        let (midpoint, number) = (next(0x7F_8000), next(0x7F_0000));
        let tiny = f32::powi(-2.0, -50 - (draw.word() % 50) as i32);
        let x = [midpoint, -midpoint, tiny, number, -number];
        for x in [&x[..3], &x] {
            let x = View::contiguous(x, [1, x.len()]).unwrap();
            variances::<f32, bf16>("midpoints", &x, &modes());
        }
    }
}

/// The same of products and biases: quotients are 1 and -1.
#[test]
fn biases_far_below_the_products() {
    let mut draw = Draw::new("biases", 0);
    let x = View::contiguous(&[1f32, -1.0], [1, 2]).unwrap();
    for _ in 0..100 {
        let mut next = |mask: u32| f32::from_bits(0x3F80_0000 | (draw.word() as u32 & mask));
        let weight = [next(0x7F_8000), next(0x7F_0000)];
        let tiny = f32::powi(-2.0, -50 - (draw.word() % 50) as i32);
        let bias = [tiny, if draw.word() & 1 == 0 { tiny } else { -tiny }];
        normalised::<_, _, bf16>("far below", &x, [&weight, &bias], 0.0, &modes());
    }
}

#[test]
fn layer_and_rms_norms() {
    let mut draw = Draw::new("norms", 0);
    for kind in KINDS {
        for [rows, columns] in SHAPES {
            let x: Vec<f32> = operand(&mut draw, kind, false, rows * columns);
            let x = View::contiguous(&x, [rows, columns]).unwrap();
            let what = format!("{kind:?}, {rows} by {columns}");
            let wide: Vec<f32> = operand(&mut draw, kind, false, columns);
            let plain: Vec<bf16> = operand(&mut draw, Kind::Usual, true, columns);
            normalised::<_, _, f32>(&what, &x, [&wide, &wide], 1e-5, &[EVEN]);
            normalised::<_, _, bf16>(&what, &x, [&plain, &plain], 0.0, &[EVEN, Mode::TO_ODD]);
            let x: Vec<bf16> = operand(&mut draw, kind, false, rows * columns);
            let x = View::contiguous(&x, [rows, columns]).unwrap();
            normalised::<_, _, bf16>(&what, &x, [&plain, &plain], 1e-5, &[EVEN]);
        }
    }
}

#[test]
fn norms_of_every_format_and_mode() {
    let mut draw = Draw::new("norms of formats", 0);
    for kind in KINDS {
        for epsilon in [1e-5, 0.0, f32::MIN_POSITIVE, -1.0, f32::INFINITY, f32::NAN] {
            let x: Vec<f16> = operand(&mut draw, kind, false, 60);
            let x = View::contiguous(&x, [4, 15]).unwrap();
            let weight: Vec<f32> = operand(&mut draw, Kind::Usual, false, 15);
            let any: Vec<f32> = operand(&mut draw, Kind::Any, false, 15);
            let what = format!("{kind:?}");
            normalised::<_, _, f32>(&what, &x, [&weight, &any], epsilon, &modes());
            normalised::<_, _, E2M1>(&what, &x, [&any, &weight], epsilon, &modes());
            normalised::<_, _, f16>(&what, &x, [&weight, &weight], epsilon, &modes());
        }
    }
}

/// Quotients of 1, -1 and 0, with weights and biases that cancel, and zeros of both signs.
#[test]
fn zeros_have_the_signs_of_the_last_step() {
    let x = [1f32, -1.0, 0.0, 0.0, -0.0, -0.0, 3.0, 3.0, 1.0, -1.0];
    let x = View::contiguous(&x, [5, 2]).unwrap();
    for first in [0.0, -0.0, 1.5, -1.5] {
        for second in [0.0, -0.0, 1.5, -1.5] {
            let (weight, bias) = ([first; 2], [second; 2]);
            for epsilon in [0.0, 1.0] {
                normalised::<_, _, f32>("zeros", &x, [&weight, &bias], epsilon, &modes());
                normalised::<_, _, E4M3FN>("zeros", &x, [&weight, &bias], epsilon, &modes());
                normalised::<_, _, E5M2FNUZ>("zeros", &x, [&weight, &bias], epsilon, &modes());
            }
        }
    }
}

#[test]
fn any_strides() {
    let mut draw = Draw::new("strides", 0);
    let x: Vec<f32> = operand(&mut draw, Kind::Usual, false, 3000);
    let one: Vec<f32> = operand(&mut draw, Kind::Usual, true, 70);
    for (strides, offset) in [
        ([70, 1], 0),
        ([1, 30], 5),
        ([-70, 1], 2000),
        ([70, -1], 69),
        ([3, 40], 1),
        ([0, 1], 7),
        ([1, 0], 7),
    ] {
        let x = View::new(&x, [21, 70], strides, offset).unwrap();
        let what = format!("{strides:?}");
        variances::<f32, f32>(&what, &x, &[EVEN]);
        normalised::<_, _, bf16>(&what, &x, [&one, &one], 1e-5, &[EVEN]);
    }
}

/// Enough for several threads' pieces.
#[test]
fn many() {
    let mut draw = Draw::new("many", 0);
    let x: Vec<bf16> = operand(&mut draw, Kind::Spread, false, 70_000);
    let one: Vec<bf16> = operand(&mut draw, Kind::Usual, true, 70);
    let rows = View::contiguous(&x, [1000, 70]).unwrap();
    variances::<bf16, f32>("many", &rows, &[EVEN]);
    normalised::<_, _, bf16>("many", &rows, [&one, &one], 1e-5, &[EVEN]);
    let x: Vec<f32> = operand(&mut draw, Kind::Spread, false, 200_000);
    let row = View::contiguous(&x, [1, 200_000]).unwrap();
    variances::<f32, f32>("one row", &row, &[EVEN]);
}

/// Neither the direction of rounding nor flush-to-zero, nor denormals-are-zero, is seen.
#[test]
fn the_state_of_the_processors_arithmetic_is_not_seen() {
    use common::fpu::{states, under};
    let mut draw = Draw::new("state", 0);
    for kind in KINDS {
        let x: Vec<f32> = operand(&mut draw, kind, false, 80);
        let x = View::contiguous(&x, [2, 40]).unwrap();
        let one: Vec<f32> = operand(&mut draw, Kind::Subnormal, true, 40);
        for state in states() {
            under(state, || {
                let what = format!("{kind:?} under {state:X}");
                variances::<f32, f32>(&what, &x, &[EVEN]);
                variances::<f32, f16>(&what, &x, &[Mode::TO_ODD]);
                normalised::<_, _, f32>(&what, &x, [&one, &one], 1e-38, &[EVEN]);
            });
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error_and_nothing_is_written() {
    let x = [1f32; 6];
    let mut out = [0.5f32; 7];
    let how = ways().next().unwrap();
    let view = View::contiguous(&x[..], [2, 3]).unwrap();
    let none = View::contiguous(&x[..0], [2, 0]).unwrap();
    let error = Err(ReduceError::LengthMismatch {
        expected: 2,
        found: 7,
    });
    assert_eq!(by::variance_rows(how, &view, 0, EVEN, &mut out), error);
    assert_eq!(by::norm_rows(how, &view, EVEN, &mut out), error);
    let few = |needed, found| ReduceError::TooFew { needed, found };
    for (view, missing, due) in [
        (&none, 0, few(1, 0)),
        (&view, 3, few(4, 3)),
        (&view, u32::MAX, few(u32::MAX, 3)),
    ] {
        let found = by::variance_rows(how, view, missing, EVEN, &mut out[..2]);
        assert_eq!(found, Err(due));
        let row = &x[..view.shape()[1]];
        let found = by::variance::<_, f32>(how, row, missing, EVEN);
        assert_eq!(found, Err(due));
        assert_eq!(reduce::variance::<_, f32>(row, missing, EVEN), Err(due));
    }
    let length = |which, expected, found| {
        Err(NnError::Length {
            which,
            expected,
            found,
        })
    };
    for (weight, bias, count, due) in [
        (2, 3, 6, length("weight", 3, 2)),
        (3, 4, 6, length("bias", 3, 4)),
        (3, 3, 7, length("out", 6, 7)),
    ] {
        let (weight, bias) = (&x[..weight], &x[..bias]);
        let found = by::layer_norm(how, &view, weight, bias, 0.0, EVEN, &mut out[..count]);
        assert_eq!(found, due);
        if bias.len() == 3 {
            let found = by::rms_norm(how, &view, weight, 0.0, EVEN, &mut out[..count]);
            assert_eq!(found, due);
        }
    }
    let zero = Err(NnError::Zero { which: "x" });
    assert_eq!(
        by::layer_norm(how, &none, &x[..0], &x[..0], 0.0, EVEN, &mut out[..0]),
        zero
    );
    assert_eq!(
        by::rms_norm(how, &none, &x[..0], 0.0, EVEN, &mut out[..0]),
        zero
    );
    assert!(out.iter().all(|x| *x == 0.5));
    // Norms of nothing are 0.
    by::norm_rows(how, &none, EVEN, &mut out[..2]).unwrap();
    assert_eq!(codes(&out[..2]), [0, 0]);
}
