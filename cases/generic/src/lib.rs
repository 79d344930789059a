//! Code that is generic over its numbers: it runs on `f64`, and on [`bitexact::rounded::Rounded`]
//! in any format and mode, without the standard library.

#![no_std]

use nalgebra::{ClosedAddAssign, ClosedMulAssign, SMatrix, SVector, Scalar};
use ndarray::{Array1, ArrayView1, ArrayView2, LinalgScalar};
use num_traits::{Float, One, Zero};

/// One step of a linear system in `nalgebra`: the state after `x`, with an input.
///
/// ```
/// use bitexact::bf16;
/// use bitexact::rounded::{Rounded, TowardNegative, TowardPositive};
/// use generic_cases::step;
/// use nalgebra::{Matrix2, Vector2};
///
/// type Lower = Rounded<bf16, TowardNegative>;
/// let number = |text: &str| text.parse::<Lower>().unwrap();
/// let a = Matrix2::new(number("1"), number("0.1"), number("-0.1"), number("0.95"));
/// let x = Vector2::new(number("1"), number("0"));
/// let input = Vector2::new(number("0"), number("0.01"));
/// let lower = step(&a, &x, &input);
/// // The same code, rounded the other way.
/// let up = |x: Lower| x.with_mode::<TowardPositive>();
/// let upper = step(&a.map(up), &x.map(up), &input.map(up));
/// assert!(lower[1].get() < upper[1].get());
/// ```
pub fn step<T, const N: usize>(
    a: &SMatrix<T, N, N>,
    x: &SVector<T, N>,
    input: &SVector<T, N>,
) -> SVector<T, N>
where
    T: Scalar + Zero + One + ClosedAddAssign + ClosedMulAssign,
{
    a * x + input
}

/// A layer in `ndarray`: tanh(W x + b).
///
/// ```
/// use bitexact::f16;
/// use bitexact::rounded::{Rounded, TiesToEven};
/// use generic_cases::layer;
/// use ndarray::array;
///
/// type Number = Rounded<f16, TiesToEven>;
/// let number = |text: &str| text.parse::<Number>().unwrap();
/// let weights = array![[number("0.5"), number("-0.25")], [number("2"), number("1")]];
/// let x = array![number("1"), number("0.1")];
/// let bias = array![number("0"), number("-1")];
/// let y = layer(weights.view(), x.view(), bias.view());
/// assert_eq!(y.map(ToString::to_string).to_vec(), ["0.4424", "0.8003"]);
/// ```
pub fn layer<T: LinalgScalar + Float>(
    weights: ArrayView2<'_, T>,
    x: ArrayView1<'_, T>,
    bias: ArrayView1<'_, T>,
) -> Array1<T> {
    (weights.dot(&x) + bias).mapv(T::tanh)
}
