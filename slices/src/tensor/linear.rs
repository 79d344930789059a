//! Fully connected layers.

use super::How;
use super::epilogue::Sums;
use super::finish::{Finish, Results};
use super::forms::forms;
use super::matrix::{Matrix, Target};
use super::product::Product;
use super::tile::Step;
use bitexact::nn::NnError;
use bitexact::tensor::View;

type Outcome = Result<(), NnError>;

forms! {
    /// `out[i, o]` = `bias[o]` plus the products of row o of `weights` with row i of `x`:
    /// [`bitexact::nn::linear`] of every row of `x`, in its order (the bias first; every product
    /// and every sum is rounded).
    ///
    /// `out` is row-major, with a row for each row of `x`.
    ///
    /// ```
    /// use bitexact_slices::tensor::{View, linear};
    /// let x = View::contiguous(&[1.0, 2.0, 1.0, 0.0], [2, 2])?;
    /// let weights = View::contiguous(&[3.0, 4.0, 5.0, 6.0], [2, 2])?;
    /// let mut out = [0f32; 4];
    /// linear(&x, &weights, Some(&[0.5, -1.0]), &mut out)?;
    /// assert_eq!(out, [11.5, 16.0, 3.5, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NnError::Zero`] for rows of `x` without elements; [`NnError::Length`] for `weights`,
    /// `bias` and `out`. Nothing has been written then.
    fn linear[](
        x: &View<'_, f32, 2>,
        weights: &View<'_, f32, 2>,
        bias: Option<&[f32]>,
        out: &mut [f32],
    ) -> Outcome;
}

fn check_length(which: &'static str, found: usize, expected: usize) -> Outcome {
    if found == expected {
        return Ok(());
    }
    Err(NnError::Length {
        which,
        expected,
        found,
    })
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn linear(
        how: How,
        x: &View<'_, f32, 2>,
        weights: &View<'_, f32, 2>,
        bias: Option<&[f32]>,
        out: &mut [f32],
    ) -> Outcome {
        let ([m, k], [n, columns]) = (x.shape(), weights.shape());
        if k == 0 {
            return Err(NnError::Zero { which: "x" });
        }
        check_length("weights", n.saturating_mul(columns), n.saturating_mul(k))?;
        check_length("bias", bias.map_or(n, <[f32]>::len), n)?;
        check_length("out", out.len(), m.saturating_mul(n))?;
        if out.is_empty() {
            return Ok(());
        }
        let product = Product {
            how,
            step: Step::Separate,
            starts: bias.unwrap_or_default(),
        };
        let out = Target {
            data: out,
            down: n,
            across: 1,
            shape: [m, n],
        };
        let weights = Matrix::of(weights).transposed();
        let none = &mut vec![(); m * n];
        let out = Results::without_blocks(out, none);
        product.run(Matrix::of(x), weights, Finish::by(&Sums), out);
        Ok(())
    }
}
