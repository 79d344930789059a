//! Norms and variances of rows.

use super::{hostile, kinds, numbers, reduced, report, same_by_all, watched};
use crate::module;
use bitexact::format::Format;
use bitexact::{Mode, Rounding, bf16, f16};
use cuda_shim::{Composites, Element, Module, Type};

/// Puts a number at the end of a row that is two exponents above all others, or the least one that
/// is three: the window that a long row's first piece chooses has just the former.
pub(super) fn above<T: Format>(row: usize, values: &mut [T]) {
    let one = 1u64 << (T::PRECISION - 1);
    let magnitudes = values.iter().map(|value| value.to_bits() & (T::SIGN - 1));
    let largest = magnitudes.filter(|bits| *bits <= T::MAX_FINITE).max();
    let least = (largest.unwrap_or(0) / one + 3) * one;
    if let (Some(last), true) = (values.last_mut(), least <= T::MAX_FINITE) {
        *last = T::from_bits(least - u64::from(row.is_multiple_of(2)));
    }
}

/// The norms, variances and standard deviations of rows by fast entries and by the definition's.
fn check_squares<T: Element + Format>(module: &Module, to: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let modes = Rounding::ALL.map(Mode::ieee);
    let mut shapes = vec![
        (1usize, 9usize),
        (31, 9),
        (32, 20),
        (33, 17),
        (100, 18),
        (128, 34),
        (1000, 9),
        (1024, 9),
        (1025, 9),
        (4096, 8),
    ];
    // Of longer rows threads have several pieces, of few rows and of many, and from 2^17 elements
    // on wider units.
    shapes.extend([(4200, 4), (4200, 1), (4201, 4)]);
    if watched() {
        shapes.extend([(16_400, 1), (16_401, 1)]);
    } else if reduced(module) {
        shapes.extend([(16_400, 1), (16_401, 1), (131_080, 1), (262_200, 1)]);
    } else {
        shapes.extend([(1024, 3000), (16384, 90), (16401, 90), (131_072, 16)]);
        shapes.extend([(1_000_000, 4), (1 << 22, 3)]);
    }
    for ((d, data), (s, (length, rows))) in kinds().enumerate().flat_map(|data| {
        let shapes = shapes.iter().copied().enumerate();
        shapes.map(move |shape| (data, shape))
    }) {
        // Each shape meets every choice that is made of it below.
        let k = s + 17 * d;
        // The definition takes long rows by one thread each.
        let every = if length < 20_000 {
            1
        } else if reduced(module) {
            4
        } else if length < 1_000_000 {
            8
        } else {
            16
        };
        if k % every != 0 {
            continue;
        }
        let from = [0, 0, 1][k % 3];
        let n = length * rows;
        let mut x = numbers::<T>(data, from + n, 11);
        for (row, values) in x[from..].chunks_mut(length).enumerate() {
            if length > 10_000 {
                hostile(row + k, values);
                if (row + k) % 8 == 0 {
                    above(row + k / 8, values);
                }
            } else {
                hostile(row, values);
            }
        }
        let x = gpu.upload(&x).unwrap();
        for mode in [Mode::TIES_TO_EVEN, modes[k % modes.len()]] {
            for which in 0..4 {
                let all = |on: Composites<'_>| -> Vec<u64> {
                    let mut out = gpu.upload_bits(to, &vec![0x55; rows + 2]).unwrap();
                    let from = x.slice(from..from + n).unwrap();
                    let results = &mut out.slice_mut(1..1 + rows).unwrap();
                    match which {
                        0 => on.norm_rows(&from, length, mode, results, None),
                        1 => on.variance_rows(&from, length, 0, mode, results, None),
                        2 => on.standard_deviation_rows(&from, length, 0, mode, results, None),
                        // As many as leave a divisor.
                        _ => {
                            let missing = u32::from(length > 1);
                            on.variance_rows(&from, length, missing, mode, results, None)
                        }
                    }
                    .unwrap();
                    gpu.download_bits(&out.view()).unwrap()
                };
                let name = T::TYPE.name();
                same_by_all(module, n, all, || {
                    format!("{which} {name} {data:?} {rows} rows of {length} from {from} {mode:?}")
                });
                count += 2 * rows;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn squares_of_rows() {
    let module = module();
    let count = check_squares::<f32>(module, Type::F32)
        + check_squares::<f16>(module, Type::F16)
        + check_squares::<f16>(module, Type::F32)
        + check_squares::<bf16>(module, Type::Bf16)
        + check_squares::<bf16>(module, Type::F32);
    report(module, "norms and variances of rows", count);
    let x = module.gpu().zeros::<f32>(64).unwrap();
    let mut out = module.gpu().zeros::<f32>(2).unwrap();
    let (on, mode) = (module.composites().in_blocks(0), Mode::TIES_TO_EVEN);
    let refused = [
        on.norm_rows(&x.view(), 32, mode, &mut out.view_mut(), None),
        on.variance_rows(&x.view(), 32, 1, mode, &mut out.view_mut(), None),
        on.standard_deviation_rows(&x.view(), 32, 0, mode, &mut out.view_mut(), None),
    ];
    let refused = refused.iter().all(Result::is_err);
    assert!(refused, "not by several threads a row");
}
