//! softmax of rows, and its logarithm.

use super::{Data, from_of, kinds, numbers, reduced, report, same_by_all};
use crate::{module, words};
use bitexact::format::Format;
use bitexact::{Mode, bf16, convert, f16, math, nn, reduce};
use cuda_shim::{Composites, Element, Module, Type};

/// Rows of logits: numbers of the stated kind, and every few rows others that a sum could get
/// wrong: spread over all exponents of their exponentials, masked by minus infinities in part or as
/// a whole, with a NaN, or equal.
fn logits<T: Element + Format>(data: Data, length: usize, rows: usize, salt: u64) -> Vec<T> {
    let mut x = numbers::<T>(data, length * rows, salt);
    let of = |value: f32| -> T { convert::convert(value, Mode::TIES_TO_EVEN) };
    let random: Vec<u64> = words(length * rows + 1).skip(1).collect();
    for (row, values) in x.chunks_mut(length.max(1)).enumerate() {
        for (i, value) in values.iter_mut().enumerate() {
            let unit = (random[row * length + i] >> 40) as f32 / (1 << 24) as f32;
            match row % 9 {
                1 => *value = of(-20.0 * unit),
                2 => *value = of(-110.0 * unit * unit),
                3 if i > row => *value = of(f32::NEG_INFINITY),
                4 => *value = of(7.0 - 8.0 * (i % 13) as f32),
                5 => *value = of(-3.25),
                6 if row % 2 == 0 => *value = of(f32::NEG_INFINITY),
                7 => *value = of(if i == length / 2 { 0.0 } else { -17.3 - unit }),
                _ => {}
            }
        }
    }
    x
}

/// Softmax and its logarithm of rows, by fast entries and by the definition's, with what lies about
/// them.
fn check_softmax<T: Element + Format>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let mut shapes = vec![
        (1usize, 20usize),
        (2, 9),
        (3, 9),
        (8, 20),
        (31, 9),
        (32, 9),
        (33, 9),
        (100, 18),
        (127, 9),
        (128, 9),
        (1000, 9),
        (1023, 9),
        (1024, 9),
        (1025, 9),
        (1032, 9),
        (5000, 9),
    ];
    if reduced(module) {
        shapes.extend([
            (2049, 3),
            (4096, 2),
            (4097, 2),
            (16384, 2),
            (16400, 3),
            (33001, 2),
        ]);
    } else {
        shapes.extend([
            (1024, 3000),
            (2049, 90),
            (4096, 400),
            (4097, 90),
            (16384, 90),
            (16400, 90),
            (128_256, 18),
        ]);
    }
    for (k, (data, (length, rows))) in kinds()
        .flat_map(|data| shapes.iter().map(move |shape| (data, *shape)))
        .enumerate()
    {
        if length * rows > 20_000 && reduced(module) && k % 4 != 0 {
            continue;
        }
        // From a place that is aligned, and one that is not.
        let from = [0, 0, 1][k % 3];
        let n = length * rows;
        let mut x = logits::<T>(data, length, rows, 5);
        x.splice(0..0, (0..from).map(|_| T::from_bits(0)));
        let x = gpu.upload(&x).unwrap();
        let before: Vec<u64> = words(n + 2).map(|word| word & 0xFFFF_FFFF).collect();
        // Of both.
        let all = |on: Composites<'_>| {
            let both = [false, true].map(|logarithm| {
                let mut out = gpu.upload_bits(Type::F32, &before).unwrap();
                let from = x.slice(from..from + n).unwrap();
                let mut to = out.slice_mut(from_of(k)..from_of(k) + n).unwrap();
                let run = if logarithm {
                    Composites::log_softmax_rows
                } else {
                    Composites::softmax_rows
                };
                run(&on, &from, length, Mode::TIES_TO_EVEN, &mut to).unwrap();
                gpu.download_bits(&out.view()).unwrap()
            });
            both.concat()
        };
        let name = T::TYPE.name();
        same_by_all(module, n, all, || {
            format!("{name} {data:?} {rows} rows of {length} from {from}")
        });
        count += 4 * n;
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn softmax_of_rows() {
    let module = module();
    let count =
        check_softmax::<f32>(module) + check_softmax::<f16>(module) + check_softmax::<bf16>(module);
    report(module, "elements of softmax and log_softmax of rows", count);
    // They are made there: what has no blocks is refused.
    let x = module.gpu().zeros::<f32>(8).unwrap();
    let mut out = module.gpu().zeros::<f32>(8).unwrap();
    let refused = module.composites().in_blocks(0).softmax_rows(
        &x.view(),
        4,
        Mode::TIES_TO_EVEN,
        &mut out.view_mut(),
    );
    assert!(refused.is_err(), "not by several threads a row");
}

/// What is compared above would tell these from the definition: a sum in f32, a sum without what is
/// below 2^-15, and a product with the reciprocal.
#[test]
fn faults_of_softmax_are_found() {
    let (length, rows) = (1024, 18);
    let x = logits::<f32>(Data::Normal, length, rows, 5);
    let mut wrong = [0; 3];
    for row in x.chunks(length) {
        let mut due = vec![0.0; length];
        nn::softmax::<f32, f32, f32>(row, Mode::TIES_TO_EVEN, &mut due).unwrap();
        let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let all: Vec<f32> = row
            .iter()
            .map(|x| math::exp(x - greatest, Mode::TIES_TO_EVEN))
            .collect();
        let exact = |all: &[f32]| -> f32 { reduce::sum_exact(all, Mode::TIES_TO_EVEN) };
        let large: Vec<f32> = all
            .iter()
            .copied()
            .filter(|e| *e >= 1.0 / 32768.0)
            .collect();
        let results = [
            all.iter()
                .map(|e| e / all.iter().sum::<f32>())
                .collect::<Vec<f32>>(),
            all.iter().map(|e| e / exact(&large)).collect(),
            all.iter().map(|e| e * (1.0 / exact(&all))).collect(),
        ];
        for (wrong, results) in wrong.iter_mut().zip(results) {
            *wrong += results
                .iter()
                .zip(&due)
                .filter(|(a, b)| !a.is_nan() && a != b)
                .count();
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}
