//! Products of matrices, sums, dot products, norms, softmax and `slice_scatter` at the machine's
//! speed: [`bitexact::tensor`], [`bitexact::reduce`] and [`bitexact::nn`] by vector code and
//! threads.
//!
//! The bits are the kernels', at every [`Level`]. Three methods keep them and are fast:
//!
//! - A *declared order* is a stated sequence of f32 operations for each output. Outputs are
//!   independent: vector lanes, tiles and threads compute different outputs, each in its own order
//!   (`tile`, `columns`). An order in [`Lanes`] is one of vectors, also for a single output
//!   (`lanes`).
//! - An *exact* result has no order. Sums are computed in f64 where a bound on the exponents
//!   guarantees that no addition rounds, and in integers elsewhere (`sums`).
//! - A sum that is *rounded once* may be computed with a bound on its error: where both ends of the
//!   bound round to the same number, so does the exact sum (`softmax_row`).
//!
//! | function | fast for | otherwise |
//! |---|---|---|
//! | [`gemm`], [`gemv`], [`gemm_batched`] | `Exact`; `Declared`, `Sequential` or in [`Lanes`], results in f32, [`Mode::TIES_TO_EVEN`] | the kernel |
//! | [`gemm`], [`gemv`], [`gemm_batched`] | the order of a matrix [`Unit`] with `f32` sums, toward zero, at most 25 fraction bits | the kernel |
//! | [`sum()`], [`dot`] | in [`Lanes`], results in f32, [`Mode::TIES_TO_EVEN`] | the kernel |
//! | [`sum_exact`], [`dot_exact`], [`mean_status`], [`mean_rows`], [`norm_status`], [`norm_rows`], [`variance`], [`variance_rows`], [`standard_deviation`], [`standard_deviation_rows`] | everything that they take | |
//! | [`sum_dim`] | `Exact`; `Declared` in every order, results in f32, [`Mode::TIES_TO_EVEN`] | the kernel |
//! | [`slice_scatter`](slice_scatter()), [`slice_scatter_backward`], [`slice_scatter_backward_input`], [`slice_scatter_backward_src`] | everything that they take: runs are copied as slices | |
//! | [`gemm_epilogue`], [`gemm_quantise`] | the products that [`gemm`] is fast for: in the sequential order in one pass | the kernel for the sums |
//! | [`gemm_cast`], [`linear`], [`conv2d`], [`softmax`](softmax()), [`log_softmax`], [`layer_norm`], [`rms_norm`] | everything that they take | |
//! | [`gemm_blocks`], [`gemv_blocks`] | `Exact`; `Declared(Sequential)`, results in f32, [`Mode::TIES_TO_EVEN`], not E5M2 by E5M2 or E4M3 | the kernel |
//!
//! The fast path of a declared order needs the processor's arithmetic in its default state:
//! rounding to nearest, subnormals kept. Every thread tests its own state before it computes. In
//! any other state, the same steps are computed in integers, with the same bits.
//!
//! The status of a declared order would cost another pass over every step; the kernels return it.

mod blocks;
mod columns;
mod convolution;
mod epilogue;
mod exact_product;
mod finish;
mod fma;
mod forms;
mod gemm;
mod lanes;
mod linear;
mod matrix;
mod norms;
mod pack;
mod product;
mod reduce;
mod rows;
mod slice_scatter;
mod softmax_row;
mod strided;
mod sum_dim;
mod sums;
mod tile;
mod units;

pub use bitexact::nn::Conv2d;
pub use bitexact::reduce::{Lanes, Order, Unit};
pub use bitexact::scale::BlockMatrix;
pub use bitexact::tensor::{Accumulation, Slice, TensorError, View, ViewMut};
pub use blocks::{gemm_blocks, gemv_blocks};
pub use convolution::conv2d;
pub use epilogue::{
    BlocksMut, Cast, Epilogue, QuantiseError, Steps, Sums, Then, gemm_epilogue, gemm_quantise,
};
pub(crate) use fma::fused;
pub use gemm::{gemm, gemm_batched, gemm_cast, gemv};
pub use linear::linear;
pub use norms::{
    layer_norm, norm_rows, norm_statistics, rms_norm, standard_deviation, standard_deviation_rows,
    variance, variance_rows,
};
pub use reduce::{
    dot, dot_exact, dot_exact_status, mean_status, norm_status, sum, sum_exact, sum_exact_status,
};
pub use rows::{log_softmax, mean_rows, softmax};
pub use slice_scatter::{
    slice_scatter, slice_scatter_backward, slice_scatter_backward_input, slice_scatter_backward_src,
};
pub use sum_dim::sum_dim;

use crate::level::Level;
use crate::simd::{Float, Lane, Narrow, Widen};
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::reduce::Accumulable;
use bitexact::{Mode, bf16, f16};

/// A format of operands: all except f64.
pub trait Operand: Float + Accumulable {}
impl<T: Float + Accumulable> Operand for T {}

/// A format that f32 sums are rounded to: all except f64.
pub trait Output: Float + Arithmetic {
    #[doc(hidden)]
    type Rounding: Lane<(f32,), Self, Mode>;
}

impl Output for f32 {
    type Rounding = Widen<Self>;
}

macro_rules! outputs {
    ($($ty:ty)*) => {
        $(impl Output for $ty {
            type Rounding = Narrow<Self>;
        })*
    };
}
outputs!(f16 bf16 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E2M3 E3M2 E2M1);

/// The instructions to use, and whether to use threads. No bit depends on it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub level: Level,
    pub threads: bool,
}

impl How {
    /// One thread, with the processor's best level.
    pub(crate) fn best() -> Self {
        Self {
            level: Level::best(),
            threads: false,
        }
    }

    /// All of rayon's threads.
    #[cfg(feature = "rayon")]
    pub(crate) fn parallel() -> Self {
        Self {
            threads: true,
            ..Self::best()
        }
    }

    fn threads(self) -> usize {
        #[cfg(feature = "rayon")]
        if self.threads {
            return rayon::current_num_threads();
        }
        1
    }
}

/// Does each piece of work.
fn each<W: Send>(how: How, work: Vec<W>, run: impl Fn(W) + Sync + Send) {
    #[cfg(feature = "rayon")]
    if how.threads() > 1 {
        use std::sync::{Mutex, PoisonError};
        let count = work.len();
        let work = Mutex::new(work.into_iter());
        let next = || {
            let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
            work.next()
        };
        return on_threads(count, &|| {
            while let Some(piece) = next() {
                run(piece);
            }
        });
    }
    let _ = how;
    work.into_iter().for_each(run);
}

/// Runs a function on rayon's threads, at most so many, at once. Compiled once, as the types of
/// work are many.
#[cfg(feature = "rayon")]
fn on_threads(most: usize, run: &(dyn Fn() + Sync)) {
    rayon::scope(|scope| {
        for _ in 1..most.min(rayon::current_num_threads()) {
            scope.spawn(|_| run());
        }
        run();
    });
}

/// For tests: names the implementation that a call uses.
#[doc(hidden)]
pub mod by {
    pub use super::How;
    pub use super::blocks::by::*;
    pub use super::convolution::by::*;
    pub use super::epilogue::by::*;
    pub use super::gemm::by::*;
    pub use super::linear::by::*;
    pub use super::norms::by::*;
    pub use super::reduce::by::*;
    pub use super::rows::by::*;
    pub use super::slice_scatter::by::*;
    pub use super::sum_dim::by::*;
}

/// [`par::tensor`](crate::par::tensor).
#[cfg(feature = "rayon")]
pub(crate) mod parallel {
    pub use super::blocks::parallel::*;
    pub use super::convolution::parallel::*;
    pub use super::epilogue::parallel::*;
    pub use super::gemm::parallel::*;
    pub use super::linear::parallel::*;
    pub use super::norms::parallel::*;
    pub use super::reduce::parallel::*;
    pub use super::rows::parallel::*;
    pub use super::slice_scatter::parallel::*;
    pub use super::sum_dim::parallel::*;
}
