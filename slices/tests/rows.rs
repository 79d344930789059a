//! Functions of rows by vector code and threads are the kernels', at every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{Binary32, E2M1, E4M3FN, E5M2FNUZ};
use bitexact::nn::{self, NnError};
use bitexact::reduce::{self, ReduceError};
use bitexact::{Mode, Overflow, Rounding, bf16, f16, math};
use bitexact_slices::tensor::by::{self, How};
use bitexact_slices::tensor::{Operand, Output, View};
use bitexact_slices::{Element, Level};
use common::Draw;
use std::collections::HashMap;

const TO_NEAREST: Mode = Mode::TIES_TO_EVEN;

fn modes() -> impl Iterator<Item = Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(with)
}

/// Every level, on one thread and on several.
fn ways() -> impl Iterator<Item = How> {
    let all: &[bool] = if cfg!(feature = "rayon") {
        &[false, true]
    } else {
        &[false]
    };
    let of_level = |level: &Level| {
        let level = *level;
        all.iter().map(move |threads| How {
            level,
            threads: *threads,
        })
    };
    Level::available().iter().flat_map(of_level)
}

/// Rows of one kind.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Any codes, infinities and NaNs among them.
    Any,
    /// Any finite ones.
    Finite,
    /// N(0, 1) times a few.
    Usual,
    /// Differences down to where exponentials are subnormal, and 0.
    Wide,
    /// The same number, or one of two.
    Few,
    /// Zeros of both signs, and subnormals.
    Tiny,
    /// Usual, minus infinities here and there.
    Masked,
    /// Minus infinities alone.
    Nothing,
    /// Usual, with an infinity or a NaN.
    Special,
}

const KINDS: [Kind; 9] = [
    Kind::Any,
    Kind::Finite,
    Kind::Usual,
    Kind::Wide,
    Kind::Few,
    Kind::Tiny,
    Kind::Masked,
    Kind::Nothing,
    Kind::Special,
];

fn row<T: Operand>(draw: &mut Draw, kind: Kind, count: usize) -> Vec<T> {
    let of = |x: f32| bitexact::convert::convert::<f32, T>(x, TO_NEAREST);
    let minus = f32::NEG_INFINITY;
    let few = draw.word();
    let at = few as usize % count.max(1);
    let number = |i: usize| {
        let word = draw.word();
        let unit = (word >> 40) as f32 / 16_777_216.0;
        let usual = (unit - 0.5) * 16.0;
        match kind {
            Kind::Any => draw.element(),
            Kind::Finite => T::of_code((word & (T::SIGN - 1)).min(T::MAX_FINITE) | (few & T::SIGN)),
            Kind::Usual => of(usual),
            Kind::Wide => of(unit * 110.0),
            Kind::Few => of(if word & 1 == 0 { 0.75 } else { usual.trunc() }),
            Kind::Tiny => T::of_code((word & 3) | (word >> 20 & T::SIGN)),
            Kind::Masked => of(if word & 3 == 0 { minus } else { usual }),
            Kind::Nothing => of(minus),
            Kind::Special if i == at => of(if few & 256 == 0 {
                f32::INFINITY
            } else {
                f32::NAN
            }),
            Kind::Special => of(usual),
        }
    };
    (0..count).map(number).collect()
}

fn codes<T: Element>(slice: &[T]) -> Vec<u64> {
    slice.iter().map(|x| x.code()).collect()
}

/// Both functions, on a matrix of any strides.
fn compare<T: Operand, R: Output>(what: &str, x: &View<'_, T, 2>, mode: Mode) {
    let [rows, columns] = x.shape();
    let blank = vec![R::of_code(0x15); rows * columns];
    for logarithm in [false, true] {
        let mut due = blank.clone();
        for (i, due) in due.chunks_mut(columns.max(1)).enumerate() {
            let row: Vec<T> = (0..columns).map(|k| x.get([i, k]).unwrap()).collect();
            let kernel = if logarithm {
                nn::log_softmax::<T, Binary32, R>
            } else {
                nn::softmax::<T, Binary32, R>
            };
            kernel(&row, mode, due).unwrap();
        }
        for how in ways() {
            let mut got = blank.clone();
            let ours = if logarithm {
                by::log_softmax
            } else {
                by::softmax
            };
            ours(how, x, mode, &mut got).unwrap();
            let mut pairs = got.iter().zip(&due);
            if let Some(at) = pairs.position(|(a, b)| a.code() != b.code()) {
                let (got, due) = (got[at].code(), due[at].code());
                panic!(
                    "{} to {} {what} {mode:?} {how:?} logarithm {logarithm}, {rows} by {columns}: \
                     [{at}] is {got:X}, not {due:X}",
                    T::NAME,
                    R::NAME
                );
            }
        }
    }
}

fn every_kind<T: Operand, R: Output>(modes: &[Mode], shapes: &[[usize; 2]]) {
    let mut draw = Draw::new(T::NAME, R::BITS.into());
    for kind in KINDS {
        for [rows, columns] in shapes {
            let x: Vec<T> = (0..*rows)
                .flat_map(|_| row::<T>(&mut draw, kind, *columns))
                .collect();
            let x = View::contiguous(&x, [*rows, *columns]).unwrap();
            for mode in modes {
                compare::<T, R>(&format!("{kind:?}"), &x, *mode);
            }
        }
    }
}

const SHAPES: [[usize; 2]; 9] = [
    [0, 3],
    [3, 0],
    [30, 1],
    [30, 2],
    [10, 3],
    [3, 63],
    [3, 64],
    [2, 65],
    [1, 1000],
];

#[test]
fn softmax_of_every_shape() {
    every_kind::<f32, f32>(&[TO_NEAREST], &SHAPES);
    every_kind::<bf16, bf16>(&[TO_NEAREST], &SHAPES);
    every_kind::<f16, f16>(&[TO_NEAREST], &SHAPES);
}

#[test]
fn softmax_of_every_format_and_mode() {
    let all: Vec<Mode> = modes().collect();
    let shapes = [[6, 1], [6, 2], [1, 40]];
    every_kind::<f32, f32>(&all, &shapes);
    every_kind::<f32, bf16>(&all, &shapes);
    every_kind::<bf16, f16>(&all, &shapes);
    every_kind::<f32, E4M3FN>(&all, &shapes);
    every_kind::<E5M2FNUZ, E2M1>(&all, &shapes);
}

/// Enough rows for several threads' pieces.
#[test]
fn softmax_of_many_rows() {
    let mut draw = Draw::new("many", 0);
    let x: Vec<bf16> = (0..700)
        .flat_map(|_| row::<bf16>(&mut draw, Kind::Wide, 33))
        .collect();
    compare::<bf16, f32>(
        "many",
        &View::contiguous(&x, [700, 33]).unwrap(),
        TO_NEAREST,
    );
}

#[test]
fn softmax_of_any_strides() {
    let mut draw = Draw::new("strides", 0);
    let x: Vec<f32> = row(&mut draw, Kind::Usual, 3000);
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
        compare::<f32, f32>(&format!("{strides:?}"), &x, TO_NEAREST);
        compare::<f32, f16>(&format!("{strides:?}"), &x, Mode::TO_ODD);
        means::<f32, f32>(&format!("{strides:?}"), &x, &[TO_NEAREST]);
    }
}

/// Sums of exponentials that are midpoints of f32, by terms whose lower parts cancel: no bound of
/// an error decides them. Some have one more term, far below, on either side.
#[test]
fn sums_that_are_midpoints() {
    let number = |code: u32| {
        (
            f32::from_bits(code),
            math::exp(f32::from_bits(code), Mode::TIES_TO_EVEN),
        )
    };
    let codes = |from: f32, to: f32| from.to_bits()..=to.to_bits();
    let below: HashMap<u32, f32> = codes(-15.9, -17.4)
        .map(number)
        .map(|(d, e)| (e.to_bits(), d))
        .collect();
    // e^d + e^other is 2^-23.
    let whole = f32::EPSILON;
    let pairs: Vec<[f32; 2]> = codes(-15.95, -16.6)
        .map(number)
        .filter_map(|(d, e)| {
            let other = whole - e;
            let exact = other + e == whole && whole - other == e;
            let odd = e.to_bits() & 1 == 1 && e > whole / 2.0;
            (exact && odd).then(|| Some([d, *below.get(&other.to_bits())?]))?
        })
        .collect();
    assert!(pairs.len() > 1000, "{}", pairs.len());
    let odd: Vec<f32> = codes(-0.1, -0.6)
        .step_by(997)
        .map(number)
        .filter(|(_, e)| e.to_bits() & 1 == 1)
        .map(|(d, _)| d)
        .collect();
    let mut draw = Draw::new("midpoints", 0);
    let mut one = |from: &[f32]| from[draw.word() as usize % from.len()];
    let rows: Vec<f32> = (0..300)
        .flat_map(|i| {
            let [x, y] = pairs[i * 3];
            let last = [f32::NEG_INFINITY, -60.0, -100.0][i % 3];
            [0.0, one(&odd), x, y, last]
        })
        .collect();
    let x = View::contiguous(&rows, [300, 5]).unwrap();
    compare::<f32, f32>("midpoints", &x, TO_NEAREST);
}

/// Neither the direction of rounding nor flush-to-zero, nor denormals-are-zero, is seen.
#[test]
fn the_state_of_the_processors_arithmetic_is_not_seen() {
    use common::fpu::{states, under};
    let mut draw = Draw::new("state", 0);
    for kind in KINDS {
        let x: Vec<f32> = row(&mut draw, kind, 80);
        let x = View::contiguous(&x, [2, 40]).unwrap();
        for state in states() {
            under(state, || {
                compare::<f32, f32>(&format!("{kind:?} under {state:X}"), &x, TO_NEAREST);
                compare::<f32, bf16>(&format!("{kind:?} under {state:X}"), &x, Mode::TO_ODD);
                means::<f32, f16>(&format!("{kind:?} under {state:X}"), &x, &[TO_NEAREST]);
            });
        }
    }
}

fn means<T: Operand, R: Output>(what: &str, x: &View<'_, T, 2>, modes: &[Mode]) {
    let [rows, columns] = x.shape();
    for mode in modes {
        let due: Vec<R> = (0..rows)
            .map(|i| {
                let row: Vec<T> = (0..columns).map(|k| x.get([i, k]).unwrap()).collect();
                reduce::mean(&row, *mode).unwrap()
            })
            .collect();
        for how in ways() {
            let mut got = vec![R::of_code(0x15); rows];
            by::mean_rows(how, x, *mode, &mut got).unwrap();
            assert_eq!(codes(&got), codes(&due), "{what} {mode:?} {how:?}");
        }
    }
}

#[test]
fn means_of_every_kind() {
    let mut draw = Draw::new("means", 0);
    let all: Vec<Mode> = modes().collect();
    for kind in KINDS {
        for shape in [[5, 1], [5, 2], [3, 67], [2, 5000]] {
            let [rows, columns] = shape;
            let x: Vec<f32> = row(&mut draw, kind, rows * columns);
            let x = View::contiguous(&x, shape).unwrap();
            means::<f32, f32>(&format!("{kind:?}"), &x, &all);
            let x: Vec<bf16> = row(&mut draw, kind, rows * columns);
            let x = View::contiguous(&x, shape).unwrap();
            means::<bf16, bf16>(&format!("{kind:?}"), &x, &all);
        }
    }
    let x: Vec<f16> = row(&mut draw, Kind::Usual, 40_000);
    let x = View::contiguous(&x, [4000, 10]).unwrap();
    means::<f16, f32>("many", &x, &[TO_NEAREST]);
}

#[test]
fn lengths_that_do_not_match_are_errors_and_nothing_is_written() {
    let x = [1f32; 6];
    let mut out = [0.5f32; 7];
    let how = ways().next().unwrap();
    let view = |shape| View::contiguous(&x[..], shape).unwrap();
    let error = Err(NnError::Length {
        which: "out",
        expected: 6,
        found: 7,
    });
    assert_eq!(by::softmax(how, &view([2, 3]), TO_NEAREST, &mut out), error);
    let error = Err(ReduceError::LengthMismatch {
        expected: 2,
        found: 7,
    });
    assert_eq!(
        by::mean_rows(how, &view([2, 3]), TO_NEAREST, &mut out),
        error
    );
    let none = View::contiguous(&x[..0], [2, 0]).unwrap();
    let error = Err(ReduceError::TooFew {
        needed: 1,
        found: 0,
    });
    assert_eq!(by::mean_rows(how, &none, TO_NEAREST, &mut out[..2]), error);
    assert!(out.iter().all(|x| *x == 0.5));
}
