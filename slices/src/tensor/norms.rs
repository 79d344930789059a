//! Variances, norms, layer norms and RMS norms, by exact sums, in the steps of their definitions.
//!
//! - A deviation `x - mean` is rounded once: it is rounded to odd in f64, which has two bits more
//!   than any format here, and then to the format. To f32 and nearest it is the processor's
//!   difference. The squares of deviations are summed as products ([`sums`]).
//! - The last step of a layer norm is a fused multiply-add: the product of two f32 is exact in f64,
//!   and its sum with the bias is rounded to odd and then to the result's format. That of an RMS
//!   norm is the product alone.
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
use bitexact::catalog::Type;
use bitexact::format::{Arithmetic, Binary32};
use bitexact::nn::{self, NnError};
use bitexact::reduce::{Accumulator, ReduceError};
use bitexact::tensor::View;
use bitexact::{Mode, Rounding, arith};
use core::num::NonZeroU32;

forms! {
    /// The variance about the mean: the exact sum of the squared deviations, divided by the number
    /// of elements minus `missing` (0, or 1 for Bessel's correction), as in
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
    fn variance[T: Operand, R: Output](values: &[T], missing: u32, mode: Mode) -> Result<R, ReduceError>;

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

/// Of the steps before the last one of a layer norm.
const EVEN: Mode = Mode::TIES_TO_EVEN;
/// Deviations that are computed before they are summed.
const PART: usize = 1 << 11;

/// The value in f32, which has all values.
#[inline(always)]
fn number<T: Float>(x: T) -> f32 {
    f32::from_bits(widen(x))
}

/// The squares of deviations from a mean, added to a sum.
struct Deviations<'a, T, R> {
    values: &'a [T],
    mean: R,
    mode: Mode,
    total: &'a mut Accumulator<f32>,
    scratch: &'a mut Scratch,
}

impl<T: Operand, R: Output> Task for Deviations<'_, T, R> {
    #[inline(always)]
    fn run(self) {
        let Self {
            values,
            mean,
            mode,
            total,
            scratch,
        } = self;
        let by_integers = !environment::is_default();
        let by_f32 = mode == EVEN && R::TYPE == Type::F32;
        let narrow = FromF64::<R>::of_mode(mode);
        let from = number(mean);
        let mut deviations = [0f32; PART];
        for values in values.chunks(PART) {
            let both = deviations.iter_mut().zip(values);
            if by_integers {
                for (to, x) in both {
                    *to = number(arith::sub::<_, _, R>(*x, mean, mode));
                }
            } else if by_f32 {
                for (to, x) in both {
                    *to = number(*x) - from;
                }
            } else {
                for (to, x) in both {
                    let deviation = to_odd(f64::from(number(*x)), -f64::from(from));
                    *to = number(narrow.call((deviation,)));
                }
            }
            let a = deviations.get(..values.len()).unwrap_or_default();
            let (b, total) = (Some(a), &mut *total);
            Terms {
                a,
                b,
                total,
                scratch,
            }
            .run();
        }
    }
}

/// The variance of a row, or about another number than its mean.
#[inline(always)]
fn variance_of<T: Operand, R: Output>(
    values: &[T],
    mean: R,
    divisor: NonZeroU32,
    mode: Mode,
    scratch: &mut Scratch,
) -> R {
    let total = &mut Accumulator::new();
    Deviations {
        values,
        mean,
        mode,
        total,
        scratch,
    }
    .run();
    total.round_quotient_status(divisor, mode).0
}

#[inline(always)]
fn mean_of<T: Operand, R: Output>(
    values: &[T],
    count: NonZeroU32,
    mode: Mode,
    scratch: &mut Scratch,
) -> R {
    let (a, b, total) = (values, None, &mut Accumulator::new());
    Terms {
        a,
        b,
        total,
        scratch,
    }
    .run();
    total.round_quotient_status(count, mode).0
}

/// The variances of some rows.
struct Variances<'a, 'b, T, R> {
    rows: Rows<'a, 'b, T, R>,
    count: NonZeroU32,
    divisor: NonZeroU32,
    mode: Mode,
}

impl<T: Operand, R: Output> Task for Variances<'_, '_, T, R> {
    #[inline(always)]
    fn run(self) {
        let (mode, scratch) = (self.mode, &mut Scratch::new());
        for (i, out) in self.rows.out.iter_mut().enumerate() {
            let row = &*self.rows.rows.contiguous_row(i);
            let mean: R = mean_of(row, self.count, mode, scratch);
            *out = variance_of(row, mean, self.divisor, mode, scratch);
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
        let (count, mode, scratch) = (self.count, self.mode, &mut Scratch::new());
        let narrow = FromF64::<R>::of_mode(mode);
        let down = mode.rounding == Rounding::TowardNegative;
        for (i, out) in out.chunks_exact_mut(width).enumerate() {
            let row = &*rows.contiguous_row(i);
            // x - (+0) is x.
            let mean = match self.bias {
                Some(_) => mean_of(row, count, EVEN, scratch),
                None => 0f32,
            };
            let variance = variance_of(row, mean, count, EVEN, scratch);
            let root: f32 =
                arith::sqrt(arith::add::<_, _, f32>(variance, self.epsilon, EVEN), EVEN);
            let elements = out.iter_mut().zip(row).zip(self.weight);
            let Some(bias) = self.bias else {
                for ((out, x), weight) in elements {
                    let quotient = (number(*x) - mean) / root;
                    *out = narrow.call((f64::from(quotient) * f64::from(number(*weight)),));
                }
                continue;
            };
            for (((out, x), weight), bias) in elements.zip(bias) {
                let quotient = (number(*x) - mean) / root;
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
        let (divisor, count) = (divisor(values.len(), missing)?, divisor(values.len(), 0)?);
        let sum = sums::sum(how, values, None);
        let mean: R = sum.round_quotient_status(count, mode).0;
        let squares = sums::in_pieces(how, values.len(), |range, total| {
            how.level.run(Deviations {
                values: values.get(range).unwrap_or_default(),
                mean,
                mode,
                total,
                scratch: &mut Scratch::new(),
            });
        });
        Ok(squares.round_quotient_status(divisor, mode).0)
    }

    pub fn variance_rows<T: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        missing: u32,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError> {
        let [rows, columns] = x.shape();
        check_results(out, rows)?;
        if rows == 0 {
            return Ok(());
        }
        let (divisor, count) = (divisor(columns, missing)?, divisor(columns, 0)?);
        pieces(how, Matrix::of(x), 1, out, |rows| {
            how.level.run(Variances {
                rows,
                count,
                divisor,
                mode,
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
