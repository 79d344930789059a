//! Vectors, iterators, arrays and generators: the bits of the slices' functions.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use bitexact_slices::ndarray::{ArrayKernel, tensor_view};
use bitexact_slices::{
    self as slices, KernelIterator, LengthError, Mode, Overflow, bf16, f16, kernel, stochastic, vec,
};
use ndarray::{Array1, Array2, Array3, Axis, s};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

fn numbers(count: usize) -> Vec<f16> {
    (0..count)
        .map(|i| f16::from_bits((i * 7919) as u16))
        .collect()
}

/// Codes, since NaNs are unequal.
fn codes<T: bitexact::format::Format>(x: impl IntoIterator<Item = T>) -> Vec<u64> {
    x.into_iter().map(|x| x.to_bits()).collect()
}

#[test]
fn vectors_have_the_bits_of_slices() {
    let (x, y, z) = (numbers(1000), numbers(1001), numbers(1002));
    let (y, z) = (&y[1..], &z[2..]);
    let mode = Mode::TOWARD_POSITIVE;
    let mut out = vec![f16::ZERO; 1000];
    slices::exp(&x, &mut out, mode).unwrap();
    assert_eq!(codes(vec::exp(&x, mode)), codes(out.clone()));
    slices::mul(&x, y, &mut out, mode).unwrap();
    let product: Vec<f16> = vec::mul(&x, y, mode).unwrap();
    assert_eq!(codes(product), codes(out.clone()));
    slices::fma(&x, y, z, &mut out, mode).unwrap();
    let sum: Vec<f16> = vec::fma(&x, y, z, mode).unwrap();
    assert_eq!(codes(sum), codes(out.clone()));
    let mut second = out.clone();
    slices::sincos(&x, &mut out, &mut second, mode).unwrap();
    let (sines, cosines): (Vec<f16>, Vec<f16>) = vec::sincos(&x, mode);
    assert_eq!(
        (codes(sines), codes(cosines)),
        (codes(out.clone()), codes(second))
    );
    slices::negate(&x, &mut out).unwrap();
    assert_eq!(codes(vec::negate(&x)), codes(out));
    let error: Result<Vec<f16>, LengthError> = vec::add(&x, &y[1..], mode);
    assert_eq!(
        error.unwrap_err().to_string(),
        "slice 1 has 999 elements and the first one 1000"
    );
    assert!(vec::exp::<f16, f16>(&[], mode).is_empty());
}

#[test]
fn iterators_have_the_bits_of_slices() {
    let (x, y) = (numbers(1000), numbers(2000));
    let mode = Mode::TIES_TO_EVEN;
    for count in [0, 1, 255, 256, 257, 1000] {
        let results = x[..count]
            .iter()
            .copied()
            .kernel::<kernel::log1p, _, _>(mode);
        assert_eq!(results.len(), count);
        assert_eq!(codes(results), codes(vec::log1p(&x[..count], mode)));
        let rows = x[..count].iter().copied().zip(y.iter().copied());
        let sums: Vec<bf16> = rows.kernel_rows::<kernel::add, _, _>(mode).collect();
        let expected: Vec<bf16> = vec::add(&x[..count], &y[..count], mode).unwrap();
        assert_eq!(codes(sums), codes(expected));
    }
    // An endless one, and what is taken in advance.
    let mut taken = 0;
    let ones = std::iter::repeat_with(|| {
        taken += 1;
        f16::ONE
    });
    let mut results = ones.kernel::<kernel::exp2, f16, _>(mode);
    assert_eq!(results.next().unwrap().to_f32(), 2.0);
    assert_eq!(results.by_ref().take(300).count(), 300);
    drop(results);
    assert_eq!(taken, 512);
}

#[test]
fn arrays_of_any_strides_have_the_bits_of_slices() {
    let mode = Mode::TOWARD_ZERO;
    let all = Array3::from_shape_vec((4, 5, 6), numbers(120)).unwrap();
    for view in [
        all.view(),
        all.view().permuted_axes([2, 0, 1]),
        all.slice(s![..;-1, 1..4, ..;2]),
        all.slice(s![1..1, .., ..]),
    ] {
        let y = view.kernel::<kernel::tanh, f16, _>(mode);
        assert_eq!(y.shape(), view.shape());
        let x: Vec<f16> = view.iter().copied().collect();
        assert_eq!(codes(y.iter().copied()), codes(vec::tanh(&x, mode)));
        let sums = view
            .kernel_with::<kernel::add, _, bf16, _, _>(&y, mode)
            .unwrap();
        let y: Vec<f16> = y.iter().copied().collect();
        let expected: Vec<bf16> = vec::add(&x, &y, mode).unwrap();
        assert_eq!(codes(sums.iter().copied()), codes(expected));
    }
    let row = Array1::from(numbers(6));
    let plane = all.index_axis(Axis(0), 0);
    let wide = row.broadcast((5, 6)).unwrap();
    assert!(
        plane
            .kernel_with::<kernel::mul, _, f16, _, _>(&wide, mode)
            .is_ok()
    );
    assert!(
        plane
            .kernel_with::<kernel::mul, _, f16, _, _>(&plane.t(), mode)
            .is_err()
    );
}

#[test]
fn views_of_arrays_are_of_the_same_elements() {
    let all = Array2::from_shape_vec((3, 4), numbers(12)).unwrap();
    for array in [
        all.view(),
        all.t(),
        all.slice(s![..;-1, ..;-1]),
        all.slice(s![.., ..;-1]),
    ] {
        let view = tensor_view(array).unwrap();
        assert_eq!(view.shape().as_slice(), array.shape());
        for ((i, j), x) in array.indexed_iter() {
            assert_eq!(view.get([i, j]).unwrap().to_bits(), x.to_bits());
        }
    }
    assert!(tensor_view(all.slice(s![.., ..;2])).is_none());
    assert!(tensor_view(all.broadcast((2, 3, 4)).unwrap()).is_none());
    let empty = Array2::<f16>::from_shape_vec((0, 4), vec![]).unwrap();
    assert!(tensor_view(empty.view()).unwrap().is_empty());
}

#[test]
fn stochastic_rounding_takes_its_bits_from_the_generator() {
    let x: Vec<f32> = (0..1001).map(|i| i as f32 * 1.001).collect();
    let y: Vec<bf16> =
        vec::stochastic::convert(&x, &mut SmallRng::seed_from_u64(7), Overflow::Ieee).unwrap();
    // Four elements from each word, the low bits first.
    let mut rng = SmallRng::seed_from_u64(7);
    let words: Vec<u64> = (0..251).map(|_| rng.next_u64()).collect();
    let random: Vec<u16> = (0..1001)
        .map(|i| (words[i / 4] >> (16 * (i % 4))) as u16)
        .collect();
    let mut expected = vec![bf16::ZERO; 1001];
    stochastic::convert(&x, &mut expected, &random, Overflow::Ieee).unwrap();
    assert_eq!(codes(y), codes(expected));
    let mut rng = SmallRng::seed_from_u64(7);
    let error: Result<Vec<f32>, _> = vec::stochastic::add(&x, &x[1..], &mut rng, Overflow::Ieee);
    assert!(error.is_err());
    assert_eq!(rng.next_u64(), words[0]);
}
