//! Generic code on `Rounded` gives the bits of the kernels, called by hand in the same order.

use bitexact::format::{Arithmetic, Bits, E4M3FN, E5M2, Narrow};
use bitexact::rounded::{
    ModeType, Rounded, Saturating, TiesToEven, ToOdd, TowardNegative, TowardPositive,
};
use bitexact::{Mode, arith, bf16, convert, f16, math};
use generic_cases::{layer, step};
use nalgebra::{Matrix3, Vector3};
use ndarray::{Array1, Array2, Axis};
use std::fmt::Debug;

/// Numbers of moderate size, by a linear congruence.
fn numbers<F: Arithmetic>(count: usize) -> Vec<F> {
    (0..count as u64)
        .scan(7u64, |state, _| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            Some((*state >> 40) as f32 / (1u32 << 23) as f32 - 1.0)
        })
        .map(|x| convert::convert(x, Mode::TIES_TO_EVEN))
        .collect()
}

fn sum<F: Arithmetic>(terms: &[(F, F)], mode: Mode) -> F {
    let mut products = terms.iter().map(|(a, b)| arith::mul(*a, *b, mode));
    let first: F = products.next().expect("there is one");
    products.fold(first, |sum, x| arith::add(sum, x, mode))
}

/// `nalgebra`: a column times a number, then the other columns on top.
#[test]
fn nalgebra_gives_the_kernels_bits() {
    fn check<F: Arithmetic + Debug + Send + Sync + 'static, M: ModeType + Send + Sync + 'static>() {
        let all = numbers::<F>(15);
        let wrapped: Vec<Rounded<F, M>> = all.iter().map(|x| Rounded::new(*x)).collect();
        let a = Matrix3::from_column_slice(&wrapped[..9]);
        let x = Vector3::from_column_slice(&wrapped[9..12]);
        let input = Vector3::from_column_slice(&wrapped[12..]);
        let y = step(&a, &x, &input);
        for row in 0..3 {
            let terms: Vec<(F, F)> = (0..3).map(|k| (all[3 * k + row], all[9 + k])).collect();
            let expected = arith::add(sum(&terms, M::MODE), all[12 + row], M::MODE);
            assert_eq!(Bits(y[row].get()), Bits(expected));
        }
    }
    check::<f16, TiesToEven>();
    check::<bf16, TowardNegative>();
    check::<f32, ToOdd>();
    check::<E4M3FN, Saturating<TowardPositive>>();
    check::<E5M2, TiesToEven>();
}

/// `ndarray` unrolls a dot product eightfold; up to eight products, its order is from the first to
/// the last of each part.
#[test]
fn ndarray_gives_the_kernels_bits() {
    fn check<F: Narrow + Debug + Send + Sync + 'static, M: ModeType + Send + Sync + 'static>() {
        let (rows, columns) = (5, 4);
        let all = numbers::<F>(rows * columns + columns + rows);
        let wrapped: Vec<Rounded<F, M>> = all.iter().map(|x| Rounded::new(*x)).collect();
        let weights = Array2::from_shape_vec((rows, columns), wrapped[..20].to_vec()).unwrap();
        let x = Array1::from(wrapped[20..24].to_vec());
        let bias = Array1::from(wrapped[24..].to_vec());
        let y = layer(weights.view(), x.view(), bias.view());
        for row in 0..rows {
            let terms: Vec<(F, F)> = (0..columns)
                .map(|k| (all[4 * row + k], all[20 + k]))
                .collect();
            let sum = arith::add(sum(&terms, M::MODE), all[24 + row], M::MODE);
            assert_eq!(Bits(y[row].get()), Bits(math::tanh(sum, M::MODE)));
        }
        let total: Rounded<F, M> = weights.sum_axis(Axis(1))[0];
        let by_hand = wrapped[1..4].iter().fold(wrapped[0], |sum, x| sum + x);
        assert_eq!(Bits(total.get()), Bits(by_hand.get()));
    }
    check::<f16, TiesToEven>();
    check::<bf16, TowardNegative>();
    check::<E4M3FN, Saturating<TowardPositive>>();
}

/// Rounding down and up encloses the exact result, also where the order is the library's own.
#[test]
fn directed_modes_enclose_the_exact_result() {
    let all = numbers::<bf16>(128);
    let exact: f64 = (0..64)
        .map(|k| all[k].to_f64() * all[64 + k].to_f64())
        .sum();
    fn dot<M: ModeType + 'static>(all: &[bf16]) -> f64 {
        let of = |part: &[bf16]| -> Array1<Rounded<bf16, M>> {
            part.iter().map(|x| Rounded::new(*x)).collect()
        };
        of(&all[..64]).dot(&of(&all[64..])).get().to_f64()
    }
    let (lower, upper) = (dot::<TowardNegative>(&all), dot::<TowardPositive>(&all));
    assert!(lower < exact && exact < upper, "{lower} {exact} {upper}");
}
