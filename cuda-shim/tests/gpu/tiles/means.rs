//! Means of rows.

use super::{Data, halves, hostile, kinds, numbers, reduced, report, same_by_all};
use crate::module;
use bitexact::format::Format;
use bitexact::reduce::Accumulable;
use bitexact::{Mode, Rounding, bf16, f16, reduce};
use cuda_shim::{Composites, Element, Module, Type};

/// The means of rows by fast entries and by the definition's.
fn check_means<T: Element + Format>(module: &Module, to: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let modes = Rounding::ALL.map(Mode::ieee);
    let mut shapes = vec![
        (32usize, 20usize),
        (33, 9),
        (100, 18),
        (128, 40),
        (1000, 9),
        (1024, 9),
        (1025, 9),
        (1032, 9),
        (5000, 5),
    ];
    if reduced(module) {
        shapes.extend([
            (2049, 9),
            (4096, 9),
            (4104, 9),
            (16384, 2),
            (16401, 2),
            (70_000, 1),
        ]);
    } else {
        shapes.extend([(1024, 3000), (2049, 90), (4096, 900), (4104, 90)]);
        shapes.extend([(16384, 90), (16401, 90), (131_072, 12)]);
    }
    for (k, (data, (length, rows))) in kinds()
        .flat_map(|data| shapes.iter().map(move |shape| (data, *shape)))
        .enumerate()
    {
        let from = [0, 0, 1][k % 3];
        let n = length * rows;
        let mut x = numbers::<T>(data, from + n, 7);
        // Rows of other kinds among them.
        for (row, values) in x[from..].chunks_mut(length).enumerate() {
            match row % 7 {
                3 => values.fill(T::from_bits(if row % 2 == 0 { 0 } else { T::SIGN })),
                // A mean midway between two numbers, or next to it.
                4 => halves(k + row, values),
                5 => values[length / 2] = T::from_bits(T::MAX_FINITE),
                6 => values[length / 3] = T::from_bits(T::SIGN | 1),
                _ => {}
            }
        }
        let x = gpu.upload(&x).unwrap();
        for mode in [Mode::TIES_TO_EVEN, modes[k % modes.len()]] {
            let all = |on: Composites<'_>| -> Vec<u64> {
                let mut out = gpu.upload_bits(to, &vec![0x55; rows + 2]).unwrap();
                let mut means = out.slice_mut(1..1 + rows).unwrap();
                on.mean_rows(
                    &x.slice(from..from + n).unwrap(),
                    length,
                    mode,
                    &mut means,
                    None,
                )
                .unwrap();
                gpu.download_bits(&out.view()).unwrap()
            };
            let name = T::TYPE.name();
            same_by_all(module, n, all, || {
                format!("{name} {data:?} {rows} rows of {length} from {from} {mode:?}")
            });
            count += 2 * rows;
        }
    }
    count
}

/// Means of 32 numbers of which two are midway between numbers of the format, if nothing else is
/// there: two neighbours below 2^p and 1, and terms of either sign that are so much less that they
/// are in another bin than the window, in the next ones or far below.
fn check_small_terms<T: Element + Format + Accumulable>(module: &Module) -> usize {
    let (gpu, length) = (module.gpu(), 32);
    let power = |exponent: i32| ((T::BIAS + exponent) as u64) << (T::PRECISION - 1);
    let exponents: Vec<i32> = (T::EMIN..=0).rev().collect();
    let mut x = Vec::new();
    for odd in [0, 1] {
        for sign in [0, T::SIGN] {
            // Two terms, which may cancel, and one.
            for (first, second) in [
                (0, 0),
                (0, T::SIGN),
                (T::SIGN, T::SIGN),
                (0, 1),
                (T::SIGN, 1),
            ] {
                for exponent in &exponents {
                    let mut row = vec![T::from_bits(0); length];
                    row[0] = T::from_bits(sign | (power(T::PRECISION as i32) + odd));
                    row[9] = T::from_bits(sign | power(0));
                    row[20] = T::from_bits(first | power(*exponent));
                    if second != 1 {
                        row[31] = T::from_bits(second | power(*exponent));
                    }
                    x.extend(row);
                }
            }
        }
    }
    let rows = x.len() / length;
    let due: Vec<u64> = (x.chunks(length))
        .map(|row| {
            let mean: T = reduce::mean(row, Mode::TIES_TO_EVEN).unwrap();
            mean.to_bits()
        })
        .collect();
    let x = gpu.upload(&x).unwrap();
    let mut out = gpu.zeros::<T>(rows).unwrap();
    let even = Mode::TIES_TO_EVEN;
    module
        .composites()
        .mean_rows(&x.view(), length, even, &mut out.view_mut(), None)
        .unwrap();
    assert_eq!(
        gpu.download_bits(&out.view()).unwrap(),
        due,
        "{}",
        T::TYPE.name()
    );
    rows
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn means_of_rows_with_small_terms() {
    let module = module();
    let count = check_small_terms::<f32>(module)
        + check_small_terms::<bf16>(module)
        + check_small_terms::<f16>(module);
    report(module, "means of rows with small terms", count);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn means_of_rows() {
    let module = module();
    let count = check_means::<f32>(module, Type::F32)
        + check_means::<f16>(module, Type::F16)
        + check_means::<f16>(module, Type::F32)
        + check_means::<bf16>(module, Type::Bf16)
        + check_means::<bf16>(module, Type::F32);
    report(module, "means of rows", count);
    let x = module.gpu().zeros::<f32>(64).unwrap();
    let mut out = module.gpu().zeros::<f32>(2).unwrap();
    let refused = module.composites().in_blocks(0).mean_rows(
        &x.view(),
        32,
        Mode::TIES_TO_EVEN,
        &mut out.view_mut(),
        None,
    );
    assert!(refused.is_err(), "not by several threads a row");
}

/// What is compared above would tell these from the definition: a sum in f32, one without what is
/// below the window, and a sum rounded before the division.
#[test]
fn faults_of_means_are_found() {
    let (length, mut wrong) = (1000, [0; 3]);
    for data in [Data::Normal, Data::Spread, Data::Cancelling, Data::Finite] {
        for row in numbers::<f32>(data, 16 * length, 7).chunks(length) {
            let due: f32 = reduce::mean(row, Mode::TIES_TO_EVEN).unwrap();
            let largest = row.iter().fold(0f32, |top, x| x.abs().max(top));
            let window: Vec<f32> = row
                .iter()
                .copied()
                .filter(|x| x.abs() >= largest / (1 << 22) as f32)
                .collect();
            let cut: f64 = window.iter().map(|x| f64::from(*x)).sum();
            let sum: f32 = reduce::sum_exact(row, Mode::TIES_TO_EVEN);
            let results = [
                row.iter().sum::<f32>() / length as f32,
                (cut / length as f64) as f32,
                sum / length as f32,
            ];
            for (wrong, result) in wrong.iter_mut().zip(results) {
                *wrong += usize::from(result.to_bits() != due.to_bits());
            }
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}

/// Among the rows that are compared above are means and norms midway between two numbers, and means
/// so near to such a place that what remains of the division decides.
#[test]
fn midpoints_of_rows_are_midpoints() {
    let (length, away) = (128, Mode::ieee(Rounding::TiesToAway));
    let mut seen = [0; 3];
    for number in 0..64 {
        let mut row = vec![0f32; length];
        halves(number, &mut row);
        let due: f32 = reduce::mean(&row, Mode::TIES_TO_EVEN).unwrap();
        let other: f32 = reduce::mean(&row, away).unwrap();
        seen[0] += usize::from(due.to_bits() != other.to_bits());
        let sum: f64 = row.iter().map(|x| f64::from(*x)).sum();
        let mean = (sum / length as f64).to_bits();
        let cut = f64::from_bits(mean & (u64::MAX << (53 - 25))) as f32;
        seen[1] += usize::from(due.to_bits() != cut.to_bits());
        hostile(16 * number + 8, &mut row);
        let [due, other]: [f32; 2] =
            [Mode::TIES_TO_EVEN, away].map(|mode| reduce::norm(&row, mode));
        seen[2] += usize::from(due.to_bits() != other.to_bits());
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// The least quotient that random bits take up to the magnitude of this number above zero.
pub(super) fn goes_up_from(number: usize, random: u64) -> f32 {
    const MAGNITUDES: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    let ulp = MAGNITUDES[number] - MAGNITUDES[number - 1];
    MAGNITUDES[number] - ulp * random as f32 / 65536.0
}
