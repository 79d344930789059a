//! Variances, standard deviations, norms, layer norms and RMS norms: exact sums of the elements and
//! of their squares ([`sums`]), of which the kernels make the statistics.
//!
//! The last step of a layer norm is a fused multiply-add: the product of two f32 is exact in f64,
//! and its sum with the bias is rounded to odd and then to the result's format. That of an RMS
//! norm is the product alone. The steps before it are the processor's in f32.
//!
//! In another state of the processor's arithmetic than the default one, the definitions compute
//! these steps.

use super::fma::to_odd;
use super::forms::forms;
use super::matrix::Matrix;
use super::reduce::{check_results, divisor};
use super::rows::{Rows, pieces};
use super::sums::{self, Scratch, Terms};
use super::{How, Operand, Output};
use crate::element::Element;
use crate::environment;
use crate::level::Task;
use crate::simd::{Float, FromF64, Lane, widen};
use bitexact::format::{Arithmetic, Binary32};
use bitexact::nn::{self, NnError};
use bitexact::reduce::{Accumulator, ReduceError, Variance};
use bitexact::tensor::View;
use bitexact::{Mode, Rounding};
use core::num::NonZeroU32;

forms! {
    /// The variance about the exact mean: the sum of the squared deviations divided by the number
    /// of elements minus `missing` (0, or 1 for Bessel's correction), rounded once, as in
    /// [`bitexact::reduce::variance`].
    ///
    /// ```
    /// use bitexact_slices::{Mode, tensor::variance};
    /// assert_eq!(variance(&[1.0f32, 2.0, 3.0, 6.0], 0, Mode::TIES_TO_EVEN), Ok(3.5f32));
    /// ```
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooFew`] for at most `missing` elements; [`ReduceError::TooManyTerms`] for
    /// 2^32 or more.
    fn variance[T: Operand, R: Output](
        values: &[T],
        missing: u32,
        mode: Mode,
    ) -> Result<R, ReduceError>;

    /// The standard deviation, the square root of the exact [`variance`], rounded once, as in
    /// [`bitexact::reduce::standard_deviation`].
    ///
    /// # Errors
    ///
    /// As [`variance`].
    fn standard_deviation[T: Operand, R: Output](
        values: &[T],
        missing: u32,
        mode: Mode,
    ) -> Result<R, ReduceError>;

    /// The variance of every row, as in [`bitexact::reduce::variance`].
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooFew`] for rows of at most `missing` elements;
    /// [`ReduceError::TooManyTerms`] for rows of 2^32 or more; [`ReduceError::LengthMismatch`] for
    /// `out`. Nothing has been written then.
    fn variance_rows[T: Operand, R: Output](
        x: &View<'_, T, 2>,
        missing: u32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError>;

    /// The standard deviation of every row, as in [`bitexact::reduce::standard_deviation`].
    ///
    /// # Errors
    ///
    /// As [`variance_rows`].
    fn standard_deviation_rows[T: Operand, R: Output](
        x: &View<'_, T, 2>,
        missing: u32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError>;

    /// The Euclidean norm of every row, rounded once, as in [`bitexact::reduce::norm`].
    ///
    /// # Errors
    ///
    /// [`ReduceError::LengthMismatch`] for `out`; nothing has been written then.
    fn norm_rows[T: Operand, R: Arithmetic + Element](
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError>;

    /// What the [`layer_norm`] of every row (`centred`), or its [`rms_norm`], takes from it: the
    /// exact mean as two numbers ([`Accumulator::quotient_in_two`]; +0 for an RMS norm), and the
    /// reciprocal root ([`Variance::reciprocal_root`]).
    ///
    /// # Errors
    ///
    /// As [`variance_rows`], with no element missing.
    fn norm_statistics[T: Operand](
        x: &View<'_, T, 2>,
        centred: bool,
        epsilon: f32,
        out: &mut [[f32; 3]],
    ) -> Result<(), ReduceError>;

    /// [`bitexact::nn::layer_norm`] of every row:
    /// `(x - mean) / sqrt(variance + epsilon) * weight + bias`, in its steps. `out` is row-major.
    ///
    /// ```
    /// use bitexact_slices::tensor::{View, layer_norm};
    /// use bitexact_slices::{Mode, bf16};
    /// let x = [1.0, 3.0, -2.0, -2.0].map(bf16::from_f32);
    /// let x = View::contiguous(&x, [2, 2])?;
    /// let (one, mut out) = ([bf16::ONE; 2], [0f32; 4]);
    /// layer_norm(&x, &one, &one, 1e-5, Mode::TIES_TO_EVEN, &mut out)?;
    /// assert_eq!(out, [5.0067902e-6, 1.999995, 1.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NnError::Zero`] for rows without elements; [`NnError::Length`] for `weight`, `bias` and
    /// `out`, and for rows of 2^32 elements and more. Nothing has been written then.
    fn layer_norm[T: Operand, W: Operand, R: Output](
        x: &View<'_, T, 2>,
        weight: &[W],
        bias: &[W],
        epsilon: f32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError>;

    /// [`bitexact::nn::rms_norm`] of every row: `x / sqrt(mean of squares + epsilon) * weight`, in
    /// its steps. `out` is row-major.
    ///
    /// # Errors
    ///
    /// As [`layer_norm`].
    fn rms_norm[T: Operand, W: Operand, R: Output](
        x: &View<'_, T, 2>,
        weight: &[W],
        epsilon: f32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError>;
}

/// The value in f32, which has all values.
#[inline(always)]
fn number<T: Float>(x: T) -> f32 {
    f32::from_bits(widen(x))
}

/// Adds the values to one sum, and their squares to another.
#[inline(always)]
fn add_moments<T: Operand>(
    values: &[T],
    [sum, squares]: [&mut Accumulator<f32>; 2],
    scratch: &mut Scratch,
) {
    for (total, b) in [(sum, None), (squares, Some(values))] {
        let a = values;
        Terms {
            a,
            b,
            total,
            scratch,
        }
        .run();
    }
}

/// The rounding of a variance: or of its root.
#[derive(Clone, Copy)]
struct Finish {
    root: bool,
    divisor: NonZeroU32,
    mode: Mode,
}

impl Finish {
    #[inline(always)]
    fn call<R: Output>(self, variance: &Variance) -> R {
        if self.root {
            variance.round_square_root_status(self.divisor, self.mode).0
        } else {
            variance.round_status(self.divisor, self.mode).0
        }
    }
}

/// The variances of some rows, or their roots.
struct Variances<'a, 'b, T, R> {
    rows: Rows<'a, 'b, T, R>,
    count: NonZeroU32,
    finish: Finish,
}

impl<T: Operand, R: Output> Task for Variances<'_, '_, T, R> {
    #[inline(always)]
    fn run(self) {
        let scratch = &mut Scratch::new();
        for (i, out) in self.rows.out.iter_mut().enumerate() {
            let row = &*self.rows.rows.contiguous_row(i);
            let (mut sum, mut squares) = (Accumulator::new(), Accumulator::new());
            add_moments(row, [&mut sum, &mut squares], scratch);
            let variance = Variance::new(self.count, Some(&sum), &squares);
            *out = self.finish.call(&variance);
        }
    }
}

/// The norms of some rows.
struct Norms<'a, 'b, T, R> {
    rows: Rows<'a, 'b, T, R>,
    mode: Mode,
}

impl<T: Operand, R: Arithmetic + Element> Task for Norms<'_, '_, T, R> {
    #[inline(always)]
    fn run(self) {
        let scratch = &mut Scratch::new();
        for (i, out) in self.rows.out.iter_mut().enumerate() {
            let row = &*self.rows.rows.contiguous_row(i);
            let total = &mut Accumulator::new();
            let (a, b) = (row, Some(row));
            Terms {
                a,
                b,
                total: &mut *total,
                scratch,
            }
            .run();
            *out = total.round_square_root_status(self.mode).0;
        }
    }
}

/// [`norm_statistics`] of a row.
#[inline(always)]
fn statistics_of<T: Operand>(
    row: &[T],
    count: NonZeroU32,
    centred: bool,
    epsilon: f32,
    scratch: &mut Scratch,
) -> [f32; 3] {
    let (mut sum, mut squares) = (Accumulator::new(), Accumulator::new());
    let mean = if centred {
        add_moments(row, [&mut sum, &mut squares], scratch);
        sum.quotient_in_two(count)
    } else {
        let (a, b, total) = (row, Some(row), &mut squares);
        Terms {
            a,
            b,
            total,
            scratch,
        }
        .run();
        [Binary32::from_bits(0); 2]
    };
    let variance = Variance::new(count, centred.then_some(&sum), &squares);
    let root = variance.reciprocal_root(Binary32::from_bits(epsilon.to_bits()));
    [mean[0], mean[1], root].map(|x| f32::from_bits(x.to_bits()))
}

/// [`norm_statistics`] of some rows.
struct Statistics<'a, 'b, T> {
    rows: Rows<'a, 'b, T, [f32; 3]>,
    count: NonZeroU32,
    centred: bool,
    epsilon: f32,
}

impl<T: Operand> Task for Statistics<'_, '_, T> {
    #[inline(always)]
    fn run(self) {
        let (count, scratch) = (self.count, &mut Scratch::new());
        for (i, out) in self.rows.out.iter_mut().enumerate() {
            let row = &*self.rows.rows.contiguous_row(i);
            *out = statistics_of(row, count, self.centred, self.epsilon, scratch);
        }
    }
}

/// The layer norms of some rows, or without a bias the RMS norms.
struct Normalised<'a, 'b, T, W, R> {
    rows: Rows<'a, 'b, T, R>,
    weight: &'a [W],
    bias: Option<&'a [W]>,
    epsilon: f32,
    count: NonZeroU32,
    mode: Mode,
}

impl<T: Operand, W: Operand, R: Output> Task for Normalised<'_, '_, T, W, R> {
    #[inline(always)]
    fn run(self) {
        let Rows {
            rows, width, out, ..
        } = self.rows;
        let (mode, scratch) = (self.mode, &mut Scratch::new());
        let narrow = FromF64::<R>::of_mode(mode);
        let down = mode.rounding == Rounding::TowardNegative;
        for (i, out) in out.chunks_exact_mut(width).enumerate() {
            let row = &*rows.contiguous_row(i);
            let centred = self.bias.is_some();
            let [first, second, root] =
                statistics_of(row, self.count, centred, self.epsilon, scratch);
            let elements = out.iter_mut().zip(row).zip(self.weight);
            let Some(bias) = self.bias else {
                for ((out, x), weight) in elements {
                    let quotient = number(*x) * root;
                    *out = narrow.call((f64::from(quotient) * f64::from(number(*weight)),));
                }
                continue;
            };
            for (((out, x), weight), bias) in elements.zip(bias) {
                let quotient = ((number(*x) - first) - second) * root;
                let product = f64::from(quotient) * f64::from(number(*weight));
                let bias = f64::from(number(*bias));
                let sum = to_odd(product, bias);
                // Zeros of both signs and numbers that cancel.
                let minus = down & (sum == 0.0) & (product.to_bits() | bias.to_bits() != 0);
                *out = narrow.call((if minus { -0.0 } else { sum },));
            }
        }
    }
}

/// The variance of all values, or its root.
fn spread<T: Operand, R: Output>(
    how: How,
    values: &[T],
    missing: u32,
    root: bool,
    mode: Mode,
) -> Result<R, ReduceError> {
    let (divisor, count) = (divisor(values.len(), missing)?, divisor(values.len(), 0)?);
    let sum = sums::sum(how, values, None);
    let squares = sums::sum(how, values, Some(values));
    let finish = Finish {
        root,
        divisor,
        mode,
    };
    Ok(finish.call(&Variance::new(count, Some(&sum), &squares)))
}

/// The variances of all rows, or their roots.
fn spread_rows<T: Operand, R: Output>(
    how: How,
    x: &View<'_, T, 2>,
    missing: u32,
    root: bool,
    mode: Mode,
    out: &mut [R],
) -> Result<(), ReduceError> {
    let [rows, columns] = x.shape();
    check_results(out, rows)?;
    if rows == 0 {
        return Ok(());
    }
    let (divisor, count) = (divisor(columns, missing)?, divisor(columns, 0)?);
    let finish = Finish {
        root,
        divisor,
        mode,
    };
    pieces(how, Matrix::of(x), 1, out, |rows| {
        how.level.run(Variances {
            rows,
            count,
            finish,
        });
    });
    Ok(())
}

/// Layer norms, or without a bias RMS norms, of all rows.
fn normalised<T: Operand, W: Operand, R: Output>(
    how: How,
    x: &View<'_, T, 2>,
    (weight, bias): (&[W], Option<&[W]>),
    epsilon: f32,
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    let [rows, columns] = x.shape();
    if columns == 0 {
        return Err(NnError::Zero { which: "x" });
    }
    let most = u32::MAX as usize;
    for (which, expected, found) in [
        ("x", columns.min(most), columns),
        ("weight", columns, weight.len()),
        ("bias", columns, bias.map_or(columns, <[W]>::len)),
        ("out", rows.saturating_mul(columns), out.len()),
    ] {
        if expected != found {
            return Err(NnError::Length {
                which,
                expected,
                found,
            });
        }
    }
    let count = u32::try_from(columns).ok().and_then(NonZeroU32::new);
    let (Some(count), false) = (count, out.is_empty()) else {
        return Ok(());
    };
    pieces(how, Matrix::of(x), columns, out, |rows| {
        if environment::is_default() {
            how.level.run(Normalised {
                rows,
                weight,
                bias,
                epsilon,
                count,
                mode,
            });
            return;
        }
        let epsilon = Binary32::from_bits(epsilon.to_bits());
        for (i, out) in rows.out.chunks_exact_mut(columns).enumerate() {
            let row = &*rows.rows.contiguous_row(i);
            let done = match bias {
                Some(bias) => nn::layer_norm(row, weight, bias, epsilon, mode, out),
                None => nn::rms_norm(row, weight, epsilon, mode, out),
            };
            debug_assert!(done.is_ok(), "the lengths fit");
        }
    });
    Ok(())
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn variance<T: Operand, R: Output>(
        how: How,
        values: &[T],
        missing: u32,
        mode: Mode,
    ) -> Result<R, ReduceError> {
        spread(how, values, missing, false, mode)
    }

    pub fn standard_deviation<T: Operand, R: Output>(
        how: How,
        values: &[T],
        missing: u32,
        mode: Mode,
    ) -> Result<R, ReduceError> {
        spread(how, values, missing, true, mode)
    }

    pub fn variance_rows<T: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        missing: u32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError> {
        spread_rows(how, x, missing, false, mode, out)
    }

    pub fn standard_deviation_rows<T: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        missing: u32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError> {
        spread_rows(how, x, missing, true, mode, out)
    }

    pub fn norm_statistics<T: Operand>(
        how: How,
        x: &View<'_, T, 2>,
        centred: bool,
        epsilon: f32,
        out: &mut [[f32; 3]],
    ) -> Result<(), ReduceError> {
        let [rows, columns] = x.shape();
        check_results(out, rows)?;
        if rows == 0 {
            return Ok(());
        }
        let count = divisor(columns, 0)?;
        pieces(how, Matrix::of(x), 1, out, |rows| {
            how.level.run(Statistics {
                rows,
                count,
                centred,
                epsilon,
            });
        });
        Ok(())
    }

    pub fn norm_rows<T: Operand, R: Arithmetic + Element>(
        how: How,
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError> {
        check_results(out, x.shape()[0])?;
        pieces(how, Matrix::of(x), 1, out, |rows| {
            how.level.run(Norms { rows, mode });
        });
        Ok(())
    }

    pub fn layer_norm<T: Operand, W: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        weight: &[W],
        bias: &[W],
        epsilon: f32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError> {
        normalised(how, x, (weight, Some(bias)), epsilon, mode, out)
    }

    pub fn rms_norm<T: Operand, W: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        weight: &[W],
        epsilon: f32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError> {
        normalised(how, x, (weight, None), epsilon, mode, out)
    }
}
