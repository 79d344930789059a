//! Sums along a dim are the kernels', in every order, on views of any layout, at every level, with
//! threads and without.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{Arithmetic, E2M1, E4M3FN, E4M3FNUZ, E5M2};
use bitexact::{Mode, Overflow, Rounding, bf16, f16, reduce, tensor};
use bitexact_slices::tensor::by::{How, sum_dim};
use bitexact_slices::tensor::{Accumulation, Lanes, Operand, Order, TensorError, View, ViewMut};
use bitexact_slices::{Element, Level};
use common::Draw;
#[cfg(target_arch = "x86_64")]
use common::fpu::{states, under};
use common::operands::{KINDS, Kind, operand};

const EVEN: Mode = Mode::TIES_TO_EVEN;

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

/// Exact sums and every order.
fn accumulations() -> Vec<Accumulation> {
    let orders = [Order::Sequential, Order::Pairwise, Order::Neumaier];
    let lanes = Lanes::ALL.map(Order::Lanes);
    let declared = orders.into_iter().chain(lanes).map(Accumulation::Declared);
    [Accumulation::Exact].into_iter().chain(declared).collect()
}

/// The definition.
fn kernel<T: Operand, A: Arithmetic + Element, const N: usize>(
    x: &View<'_, T, N>,
    dim: usize,
    accumulation: Accumulation,
    mode: Mode,
    out: &mut ViewMut<'_, A, N>,
) {
    match accumulation {
        Accumulation::Exact => tensor::reduce_dim(x, dim, out, |lane| {
            let values: Vec<T> = (0..lane.len()).map(|i| lane.get(i).unwrap()).collect();
            reduce::sum_exact(&values, mode)
        })
        .unwrap(),
        Accumulation::Declared(order) => {
            let _ = tensor::sum_dim(x, dim, order, mode, out).unwrap();
        }
    }
}

/// All ways to sum a tensor with elements of one kind, whose dims are in some order in memory; the
/// output's are in another one.
fn compare<T: Operand, A: Arithmetic + Element, const N: usize>(
    draw: &mut Draw,
    kind: Kind,
    shape: [usize; N],
    dim: usize,
    modes: &[Mode],
    how_many: usize,
) {
    let places = [shape, {
        let mut shape = shape;
        shape[dim] = 1;
        shape
    }]
    .map(|shape| {
        let mut order: Vec<usize> = (0..N).collect();
        if draw.word().is_multiple_of(2) {
            for i in (1..N).rev() {
                order.swap(i, draw.word() as usize % (i + 1));
            }
        }
        let (mut strides, mut extent) = ([0isize; N], 0usize);
        let (gaps, signs) = (draw.word().is_multiple_of(4), draw.word().is_multiple_of(3));
        for dim in order.into_iter().rev() {
            let stride = extent + 1 + usize::from(gaps && draw.word().is_multiple_of(2));
            extent += shape[dim].saturating_sub(1) * stride;
            let turned = signs && draw.word().is_multiple_of(2);
            strides[dim] = if turned {
                -(stride as isize)
            } else {
                stride as isize
            };
        }
        (strides, extent)
    });
    let [(mut strides, extent), (to_strides, to_extent)] = places;
    if draw.word().is_multiple_of(8) {
        strides[draw.word() as usize % N] = 0;
    }
    let begin = |shape: [usize; N], strides: [isize; N]| -> usize {
        let dims = shape.iter().zip(strides).filter(|(_, stride)| *stride < 0);
        dims.map(|(n, stride)| n.saturating_sub(1) * stride.unsigned_abs())
            .sum()
    };
    let mut of_out = shape;
    of_out[dim] = 1;
    let data = operand::<T>(draw, kind, false, extent + 1);
    let x = View::new(&data, shape, strides, begin(shape, strides)).unwrap();
    let to = begin(of_out, to_strides);
    let blank = vec![A::of_code(0x15); to_extent + 2];
    let all = accumulations();
    let first = draw.word() as usize;
    for k in 0..how_many.min(all.len()) {
        let accumulation = all[(first + k) % all.len()];
        for mode in modes {
            let mut due = blank.clone();
            let out = &mut ViewMut::new(&mut due, of_out, to_strides, to).unwrap();
            kernel(&x, dim, accumulation, *mode, out);
            for how in ways() {
                let mut got = blank.clone();
                let out = &mut ViewMut::new(&mut got, of_out, to_strides, to).unwrap();
                sum_dim(how, &x, dim, accumulation, *mode, out).unwrap();
                let at = (0..due.len()).find(|at| got[*at].code() != due[*at].code());
                if let Some(at) = at {
                    panic!(
                        "{} to {} {kind:?} {accumulation:?} {mode:?} by {how:?}: {shape:?} along {dim}, \
                         strides {strides:?}: {at} is {:X}, not {:X}",
                        T::NAME,
                        A::NAME,
                        got[at].code(),
                        due[at].code()
                    );
                }
            }
        }
    }
}

/// Dims that fill no panel and some, lanes of no block and of several.
fn every_shape<T: Operand>(name: &str) {
    let mut draw = Draw::new(name, 0);
    for kind in KINDS {
        for shape in [
            [1, 1],
            [40, 17],
            [33, 70],
            [300, 64],
            [64, 300],
            [70, 3],
            [3, 70],
            [5, 1],
        ] {
            for dim in 0..2 {
                compare::<T, f32, 2>(&mut draw, kind, shape, dim, &[EVEN], 10);
            }
        }
        for shape in [[4, 37, 5], [3, 66, 66], [20, 2, 20], [0, 3, 4], [3, 0, 4]] {
            for dim in 0..3 {
                compare::<T, f32, 3>(&mut draw, kind, shape, dim, &[EVEN], 10);
            }
        }
    }
}

#[test]
fn f32s() {
    every_shape::<f32>("f32");
}

#[test]
fn bf16s() {
    every_shape::<bf16>("bf16");
}

#[test]
fn f16s() {
    every_shape::<f16>("f16");
}

#[test]
fn narrow_ones() {
    every_shape::<E5M2>("e5m2");
    every_shape::<E4M3FN>("e4m3fn");
    every_shape::<E4M3FNUZ>("e4m3fnuz");
    every_shape::<E2M1>("e2m1");
}

/// Lanes beyond the rows of a window, with all that ends one: some rows of another kind in the
/// midst, too.
#[test]
fn long_lanes() {
    let mut draw = Draw::new("long", 0);
    for kind in KINDS {
        for shape in [[5000, 20], [5000, 3], [20, 5000], [2049, 64]] {
            for dim in 0..2 {
                compare::<f32, f32, 2>(&mut draw, kind, shape, dim, &[EVEN], 2);
                compare::<bf16, f32, 2>(&mut draw, kind, shape, dim, &[EVEN], 2);
            }
        }
    }
    for others in KINDS {
        let (rows, columns) = (5000, 70);
        let mut data = operand::<f32>(&mut draw, Kind::Usual, false, rows * columns);
        for _ in 0..4 {
            let (from, count) = (draw.word() as usize % rows, draw.word() as usize % 300);
            let part = operand::<f32>(&mut draw, others, false, count * columns);
            let to = data[from * columns..].iter_mut();
            to.zip(part).for_each(|(to, x)| *to = x);
        }
        // A column of zeros, and one of which only a few elements are none.
        for row in 0..rows {
            data[row * columns] = if draw.word().is_multiple_of(2) {
                0.0
            } else {
                -0.0
            };
            data[row * columns + 1] = -0.0;
        }
        data[3000 * columns + 1] = f32::from_bits(draw.word() as u32 % 2);
        let x = View::contiguous(&data, [rows, columns]).unwrap();
        for mode in [EVEN, Mode::TOWARD_NEGATIVE] {
            let mut due = vec![0f32; columns];
            let out = &mut ViewMut::contiguous(&mut due, [1, columns]).unwrap();
            kernel(&x, 0, Accumulation::Exact, mode, out);
            for how in ways() {
                let mut got = vec![7f32; columns];
                let out = &mut ViewMut::contiguous(&mut got, [1, columns]).unwrap();
                sum_dim(how, &x, 0, Accumulation::Exact, mode, out).unwrap();
                let differ = (0..columns).find(|i| got[*i].to_bits() != due[*i].to_bits());
                assert_eq!(differ, None, "{others:?} {mode:?} {how:?}");
            }
        }
    }
}

/// Great terms that cancel, and small ones between that must not be lost: at every distance, in
/// windows of any number of rows.
#[test]
fn small_terms_survive() {
    let (rows, columns) = (16_801, 16);
    for distance in 0..90 {
        let great = f32::from_bits((127 + distance / 2 + 5) << 23);
        let small = f32::from_bits(((127 + distance / 2 - distance) << 23) + 1);
        for half in [1, 100, 2100, 8400] {
            let mut data = vec![great; rows * columns];
            for (row, values) in data.chunks_mut(columns).enumerate() {
                match row {
                    _ if row < half => {}
                    _ if row == half => values.fill(small),
                    _ if row <= 2 * half => values.fill(-great),
                    _ => values.fill(0.0),
                }
            }
            let x = View::contiguous(&data, [rows, columns]).unwrap();
            for how in ways() {
                let mut got = vec![7f32; columns];
                let out = &mut ViewMut::contiguous(&mut got, [1, columns]).unwrap();
                sum_dim(how, &x, 0, Accumulation::Exact, EVEN, out).unwrap();
                assert_eq!(got, vec![small; columns], "{distance} {half} {how:?}");
            }
        }
    }
}

/// Lanes of which each thread adds some, where there are threads.
#[test]
fn few_lanes() {
    let mut draw = Draw::new("few", 0);
    let work = |draw: &mut Draw| {
        for kind in [Kind::Usual, Kind::Spread, Kind::Specials, Kind::MinusZeros] {
            for (shape, dim) in [([200_000, 3], 0), ([3, 200_000], 1), ([1, 200_000], 1)] {
                let x = operand::<f32>(draw, kind, false, shape[0] * shape[1]);
                let x = View::contiguous(&x, shape).unwrap();
                let mut to = shape;
                to[dim] = 1;
                let mut due = vec![7f32; to[0] * to[1]];
                let mut got = due.clone();
                let out = &mut ViewMut::contiguous(&mut due, to).unwrap();
                kernel(&x, dim, Accumulation::Exact, EVEN, out);
                for how in ways() {
                    let out = &mut ViewMut::contiguous(&mut got, to).unwrap();
                    sum_dim(how, &x, dim, Accumulation::Exact, EVEN, out).unwrap();
                    let same = got
                        .iter()
                        .zip(&due)
                        .all(|(x, y)| x.to_bits() == y.to_bits());
                    assert!(same, "{kind:?} {shape:?} {how:?}");
                }
            }
        }
    };
    #[cfg(feature = "rayon")]
    common::on_threads(|| work(&mut draw));
    #[cfg(not(feature = "rayon"))]
    work(&mut draw);
}

/// Every mode, and results in other formats.
#[test]
fn modes_and_formats() {
    let mut draw = Draw::new("modes", 0);
    let modes: Vec<Mode> = Rounding::ALL
        .into_iter()
        .flat_map(|rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow)))
        .collect();
    for kind in KINDS {
        for (shape, dim) in [([33, 70], 0), ([20, 50], 1), ([3, 300], 1)] {
            compare::<f32, f32, 2>(&mut draw, kind, shape, dim, &modes, 1);
            compare::<f32, bf16, 2>(&mut draw, kind, shape, dim, &modes, 1);
            compare::<bf16, f16, 2>(&mut draw, kind, shape, dim, &modes, 1);
            compare::<f16, E4M3FN, 2>(&mut draw, kind, shape, dim, &modes, 1);
            compare::<E5M2, E5M2, 2>(&mut draw, kind, shape, dim, &modes, 1);
        }
    }
    for kind in [Kind::Usual, Kind::Any, Kind::Zeros] {
        compare::<f32, f32, 2>(&mut draw, kind, [70, 70], 0, &modes, 10);
        compare::<f16, f16, 2>(&mut draw, kind, [70, 70], 0, &modes[..3], 10);
    }
}

/// In no state of the processor's arithmetic are there other bits.
#[test]
#[cfg(target_arch = "x86_64")]
fn states_of_the_processor() {
    let mut draw = Draw::new("states", 0);
    for kind in KINDS {
        let data = operand::<f32>(&mut draw, kind, false, 70 * 70);
        let x = View::contiguous(&data, [70, 70]).unwrap();
        for accumulation in accumulations() {
            for dim in 0..2 {
                let shape = if dim == 0 { [1, 70] } else { [70, 1] };
                let mut due = vec![0f32; 70];
                let out = &mut ViewMut::contiguous(&mut due, shape).unwrap();
                kernel(&x, dim, accumulation, EVEN, out);
                for level in Level::available() {
                    for state in states() {
                        let how = How {
                            level: *level,
                            threads: false,
                        };
                        let mut got = vec![7f32; 70];
                        let out = &mut ViewMut::contiguous(&mut got, shape).unwrap();
                        under(state, || sum_dim(how, &x, dim, accumulation, EVEN, out)).unwrap();
                        let same = got
                            .iter()
                            .zip(&due)
                            .all(|(x, y)| x.to_bits() == y.to_bits());
                        assert!(same, "{kind:?} {accumulation:?} {dim} {how:?} {state:X}");
                    }
                }
            }
        }
    }
}

#[test]
fn errors() {
    let x = [1f32; 6];
    let x = View::contiguous(&x, [2, 3]).unwrap();
    for how in ways() {
        for accumulation in accumulations() {
            let mut data = [7f32; 6];
            let out = &mut ViewMut::contiguous(&mut data, [2, 3]).unwrap();
            let got = sum_dim(how, &x, 2, accumulation, EVEN, out);
            assert_eq!(got, Err(TensorError::DimOutOfRange { dim: 2, rank: 2 }));
            let got = sum_dim(how, &x, 0, accumulation, EVEN, out);
            let due = TensorError::ShapeMismatch {
                which: "out",
                dim: 0,
                expected: 1,
                found: 2,
            };
            assert_eq!(got, Err(due));
            assert_eq!(data, [7.0; 6]);
        }
    }
}
