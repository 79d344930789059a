//! Functions of every row of a matrix.

use super::forms::forms;
use super::matrix::Matrix;
use super::reduce::{check_results, divisor};
use super::sums::{LANES, Scratch, Terms};
use super::{How, Operand, Output, each, softmax_row};
use crate::element::Element;
use crate::environment;
use crate::level::Task;
use crate::simd::widen;
use bitexact::Mode;
use bitexact::format::{Binary32, Format};
use bitexact::nn::{self, NnError};
use bitexact::reduce::{Accumulator, ReduceError};
use bitexact::tensor::View;
use core::num::NonZeroU32;

forms! {
    /// [`bitexact::nn::softmax`] of every row, in its order, in f32. `out` is row-major.
    ///
    /// ```
    /// use bitexact_slices::tensor::{View, softmax};
    /// use bitexact_slices::{Mode, bf16};
    /// let x = View::contiguous(&[1.0f32, 1.0, 5.0, f32::NEG_INFINITY], [2, 2])?;
    /// let mut out = [bf16::ZERO; 4];
    /// softmax(&x, Mode::TIES_TO_EVEN, &mut out)?;
    /// assert_eq!(out.map(bf16::to_f32), [0.5, 0.5, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NnError::Length`] for `out`; nothing has been written then.
    fn softmax[T: Operand, R: Output](
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError>;

    /// [`bitexact::nn::log_softmax`] of every row, in its order, in f32. `out` is row-major.
    ///
    /// # Errors
    ///
    /// [`NnError::Length`] for `out`; nothing has been written then.
    fn log_softmax[T: Operand, R: Output](
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError>;

    /// The mean of every row, rounded once, as in [`bitexact::reduce::mean`].
    ///
    /// # Errors
    ///
    /// [`ReduceError::TooFew`] for rows without elements; [`ReduceError::TooManyTerms`] for rows of
    /// 2^32 or more; [`ReduceError::LengthMismatch`] for `out`. Nothing has been written then.
    fn mean_rows[T: Operand, R: Format + Element](
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError>;
}

/// Elements of a thread's piece of work, at least.
const PIECE: usize = 1 << 13;

/// Some rows, and the results of each: as many as `width`.
pub(super) struct Rows<'a, 'b, T, R> {
    how: How,
    pub(super) rows: Matrix<'a, T>,
    pub(super) width: usize,
    pub(super) out: &'b mut [R],
}

/// Runs a task for pieces of rows.
pub(super) fn pieces<'a, T: Operand, R: Send>(
    how: How,
    rows: Matrix<'a, T>,
    width: usize,
    out: &mut [R],
    run: impl Fn(Rows<'a, '_, T, R>) + Send + Sync,
) {
    let [count, columns] = rows.shape;
    let piece = match how.threads() {
        1 => count,
        _ => PIECE.div_ceil(columns.max(1)),
    };
    let work = out.chunks_mut((piece * width).max(1)).enumerate();
    let work = work.map(|(i, out)| Rows {
        how,
        rows: rows.rows(i * piece, out.len() / width),
        width,
        out,
    });
    each(how, work.collect(), run);
}

/// Softmax, or its logarithm, of some rows.
struct Softmax<'a, 'b, T, R> {
    rows: Rows<'a, 'b, T, R>,
    logarithm: bool,
    mode: Mode,
}

impl<T: Operand, R: Output> Task for Softmax<'_, '_, T, R> {
    #[inline(always)]
    fn run(self) {
        let Rows {
            how,
            rows,
            width,
            out,
        } = self.rows;
        let lanes = width.div_ceil(LANES);
        let mut wide = vec![[0f32; LANES]; lanes];
        for (i, out) in out.chunks_exact_mut(width).enumerate() {
            let to = wide.as_flattened_mut();
            if let Some(from) = rows.dense_row(i) {
                for (to, x) in to.iter_mut().zip(from) {
                    *to = f32::from_bits(widen(*x));
                }
            } else {
                for (to, x) in to.iter_mut().zip(rows.row(i)) {
                    *to = f32::from_bits(widen(x));
                }
            }
            if let Some(rest) = to.get_mut(width..) {
                rest.fill(f32::NEG_INFINITY);
            }
            softmax_row::row(how.level, self.logarithm, &mut wide, width, self.mode, out);
        }
    }
}

fn softmax_by<T: Operand, R: Output>(
    how: How,
    x: &View<'_, T, 2>,
    logarithm: bool,
    mode: Mode,
    out: &mut [R],
) -> Result<(), NnError> {
    let [rows, columns] = x.shape();
    let expected = rows.saturating_mul(columns);
    let found = out.len();
    if found != expected {
        return Err(NnError::Length {
            which: "out",
            expected,
            found,
        });
    }
    if out.is_empty() {
        return Ok(());
    }
    pieces(how, Matrix::of(x), columns, out, |rows| {
        if environment::is_default() {
            how.level.run(Softmax {
                rows,
                logarithm,
                mode,
            });
            return;
        }
        // The definition in integers.
        for (i, out) in rows.out.chunks_exact_mut(columns).enumerate() {
            let row = rows.rows.contiguous_row(i);
            let done = if logarithm {
                nn::log_softmax::<T, Binary32, R>(&row, mode, out)
            } else {
                nn::softmax::<T, Binary32, R>(&row, mode, out)
            };
            debug_assert!(done.is_ok(), "a row has as many results");
        }
    });
    Ok(())
}

/// The means of some rows.
struct Means<'a, 'b, T, R> {
    rows: Rows<'a, 'b, T, R>,
    divisor: NonZeroU32,
    mode: Mode,
}

impl<T: Operand, R: Format + Element> Task for Means<'_, '_, T, R> {
    #[inline(always)]
    fn run(self) {
        let Rows { rows, out, .. } = self.rows;
        let scratch = &mut Scratch::new();
        for (i, out) in out.iter_mut().enumerate() {
            let total = &mut Accumulator::new();
            Terms {
                a: &rows.contiguous_row(i),
                b: None,
                total,
                scratch,
            }
            .run();
            *out = total.round_quotient_status(self.divisor, self.mode).0;
        }
    }
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn softmax<T: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError> {
        softmax_by(how, x, false, mode, out)
    }

    pub fn log_softmax<T: Operand, R: Output>(
        how: How,
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), NnError> {
        softmax_by(how, x, true, mode, out)
    }

    pub fn mean_rows<T: Operand, R: Format + Element>(
        how: How,
        x: &View<'_, T, 2>,
        mode: Mode,
        out: &mut [R],
    ) -> Result<(), ReduceError> {
        let [rows, columns] = x.shape();
        check_results(out, rows)?;
        if rows == 0 {
            return Ok(());
        }
        let divisor = divisor(columns, 0)?;
        pieces(how, Matrix::of(x), 1, out, |rows| {
            how.level.run(Means {
                rows,
                divisor,
                mode,
            });
        });
        Ok(())
    }
}
