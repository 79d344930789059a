//! The kernels of [`bitexact`] over slices, at the speed of the machine.
//!
//! Every function has the name that its kernel has in the catalog ([`bitexact::catalog`]), takes
//! slices of operands and writes a slice of results of the same length. The bits are those of the
//! kernel, one element at a time, on every machine and by every implementation.
//!
//! ```
//! use bitexact_slices::{Mode, bf16, convert, exp, f16};
//!
//! let x = [0.5f32, 1.0, f32::NAN];
//! let mut narrow = [bf16::ZERO; 3];
//! convert(&x, &mut narrow, Mode::TIES_TO_EVEN)?;
//! let mut y = [bf16::ZERO; 3];
//! exp(&narrow, &mut y, Mode::TOWARD_ZERO)?;
//! assert_eq!(y.map(|y| y.to_bits()), [0x3FD3, 0x402D, 0x7FC0]);
//!
//! // Lengths that differ are an error, and nothing is written.
//! let error = exp(&[f16::ONE; 2], &mut [f16::ZERO; 3], Mode::TIES_TO_EVEN).unwrap_err();
//! assert_eq!(error.to_string(), "slice 1 has 3 elements and the first one 2");
//! # Ok::<(), bitexact_slices::LengthError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | the root | the results |
//! | [`status`](mod@status) | the results, and the exceptions that any of them raised |
//! | [`stochastic`] | stochastic rounding, with random bits for every element |
//! | [`vec`](mod@vec) | the results as vectors; `vec::stochastic` (feature `rand`) draws the random bits |
//! | [`KernelIterator`] | kernels as adaptors of iterators |
//! | `ndarray` (feature `ndarray`) | arrays of any shape and strides |
//! | [`mx`] | quantising, also stochastically, and dequantising MX and NVFP4 blocks; packing their elements |
//! | [`tensor`] | products of matrices and their epilogues, sums, also along a dim, dot products, variances, norms, softmax, `slice_scatter` |
//! | `par` (feature `rayon`) | all of them on several threads |
//!
//! # Features
//!
//! None is on by default, and none changes a result.
//!
//! | feature | what it adds |
//! |---|---|
//! | `rayon` | the module `par`: everything on several threads |
//! | `ndarray` | the module `ndarray`: arrays of any shape and strides |
//! | `rand` | `vec::stochastic`: stochastic rounding with the bits of a generator |
//!
//! # One number at a time, and the oldest compiler
//!
//! [`bitexact`] has the same kernels for one number at a time, without the standard library: the
//! formats, modes and policies are its types. It builds with Rust 1.85; this crate needs 1.89, for
//! AVX-512.
//!
//! # How it is fast
//!
//! Speed comes from two shared mechanisms, tables and vector loops:
//!
//! - Where the operands have at most 16 bits together, a **table** of results, filled in pages of
//!   256 entries: by the kernel itself, or, for some functions of one f16 or bf16 in the default
//!   floating-point state, by approximations with error bounds where these decide the result (AVX2,
//!   AVX-512 and NEON). A page is filled once as many elements have asked for it as it has entries
//!   (an eighth of them, if an approximation fills it). At most [`MOST_TABLES`] are kept.
//! - Conversions between f32 and the 16-bit formats, from f32 to the 8-, 6- and 4-bit ones, from
//!   f64, E8M0 scales from and to f32, MX and NVFP4 blocks, add, sub and mul of f16, bf16 and f32,
//!   div of 16-bit formats, fma of 16-bit factors, in ties to even (with AVX-512 in the directed
//!   modes too) div of f32, sqrt of f16, bf16 and f32 and fma of f32 factors with results in f32,
//!   integral values of these three formats with IEEE's rule for overflow, and comparisons, minimum
//!   and maximum, signs, neighbours, classes, relu and relu6 are **branch-free loops** that LLVM
//!   vectorises, compiled for several [`Level`]s, of which the machine's best is used. Numbers of
//!   f16 are converted by the processor's own instruction where it has one for the mode: F16C's for
//!   ties to even and the directed modes, 64-bit ARM's for ties to even.
//!
//! On 64-bit ARM the loops are compiled for the target's baseline, NEON, which every such processor
//! has. On other targets they are compiled for the baseline too.
//!
//! Everything else is the kernel in a loop. [`status`](mod@status) uses the same tables. For
//! comparisons, minimum and maximum, signs, neighbours, classes, relu and relu6 it also uses the
//! loops, at every level and in every floating-point state. For other rows it uses the loops only
//! in the thread's default floating-point state, not for conversions from f64 and E8M0 scales, and
//! at the level `baseline` only for other conversions, for sqrt, for integral values and for div
//! and fma of f32.
//!
//! # Why it is a separate crate
//!
//! `bitexact` has no standard library, no state and no unsafe code. Tables need memory and a global
//! list, and a function compiled for other processors than the target's baseline can only be called
//! by unsafe code, which is in eight small modules: `environment`, `level`, `typed`,
//! `simd/avx512`, `simd/f16c`, `simd/fcvt`, `simd/operation` and `tensor/tile`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code, missing_docs)]
#![deny(
    clippy::indexing_slicing,
    clippy::undocumented_unsafe_blocks,
    clippy::unwrap_used,
    clippy::panic
)]

mod args;
mod cost;
mod element;
mod environment;
mod forms;
mod interpolation;
mod iter;
mod level;
pub mod mx;
#[cfg(feature = "ndarray")]
pub mod ndarray;
mod rows;
mod run;
mod simd;
mod table;
pub mod tensor;
mod typed;
pub mod vec;

pub use args::{Args, Choice, Parameters};
pub use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
pub use element::{Element, LengthError, Operands, Value};
pub use iter::{KernelIterator, Kernels, Single};
pub use level::Level;
pub use rows::{Kernel, kernel};
pub use table::{MOST_TABLES, clear_tables, tables};

/// For tests, benches and Python: names the implementation that a call uses, and cuts work up.
#[doc(hidden)]
pub mod way {
    #[cfg(feature = "rayon")]
    pub use crate::cost::spread;
    pub use crate::cost::{Cost, Threads};
    pub use crate::element::{Columns, Outputs};
    pub use crate::level::{Task, at};
    pub use crate::run::{Way, by, cost, is_kernel, status_by, stochastic};
}

macro_rules! function {
    ($($fields:tt)*) => {
        crate::forms::form! { [crate::run::results], Result<(), crate::LengthError>, $($fields)* }
    };
}
bitexact::for_each_function!(function);

/// The same functions, returning the exceptions that any element raised.
///
/// ```
/// use bitexact_slices::{Mode, Status, f16, status};
/// let mut out = [f16::ZERO; 2];
/// let raised = status::log(&[f16::ONE, f16::NEG_ONE], &mut out, Mode::TIES_TO_EVEN)?;
/// assert_eq!(raised, Status::INVALID);
/// # Ok::<(), bitexact_slices::LengthError>(())
/// ```
pub mod status {
    macro_rules! function {
        ($($fields:tt)*) => {
            crate::forms::form! { [crate::run::status], Result<crate::Status, crate::LengthError>, $($fields)* }
        };
    }
    bitexact::for_each_function!(function);
}

/// Stochastic rounding: every element takes its own 16 random bits.
///
/// ```
/// use bitexact_slices::{Overflow, bf16, stochastic};
/// let mut out = [bf16::ZERO; 2];
/// let x = f32::from_bits(0x3F80_4000); // a quarter of the way from 1 to the next bf16
/// stochastic::convert(&[x, x], &mut out, &[0xBFFF, 0xC000], Overflow::Ieee)?;
/// assert_eq!(out.map(|x| x.to_bits()), [0x3F80, 0x3F81]);
/// # Ok::<(), bitexact_slices::LengthError>(())
/// ```
pub mod stochastic {
    macro_rules! function {
        ($($fields:tt)*) => {
            crate::forms::stochastic_form! { [crate::run::stochastic], $($fields)* }
        };
    }
    bitexact::for_each_function!(function);
}

/// The same functions on rayon's threads. No bit depends on their number or on how the slices are
/// split.
///
/// An elementwise call that takes less than about 80 us on one thread, by an estimate, runs on the
/// calling thread alone. So threads are used from 10,000 elements of a kernel on, from 290,000 of a
/// table, from 330,000 to 2,000,000 of a loop of conversions or of arithmetic to nearest, and from
/// a fifth of that in other modes. In a longer call the calling thread takes the first piece.
/// [`par::mx`](mod@crate::par::mx) follows the same estimate, and so do copies in
/// [`par::tensor`](mod@crate::par::tensor), whose other functions always use threads.
///
/// ```
/// use bitexact_slices::{Mode, f16, par};
/// let x = vec![f16::ONE; 100_000];
/// let mut out = vec![f16::ZERO; x.len()];
/// par::exp(&x, &mut out, Mode::TIES_TO_EVEN)?;
/// assert!(out.iter().all(|x| x.to_bits() == 0x4170));
/// # Ok::<(), bitexact_slices::LengthError>(())
/// ```
#[cfg(feature = "rayon")]
pub mod par {
    macro_rules! function {
        ($($fields:tt)*) => {
            crate::forms::form! { [crate::run::parallel::results], Result<(), crate::LengthError>, $($fields)* }
        };
    }
    bitexact::for_each_function!(function);

    /// [`mx`](mod@crate::mx) on rayon's threads.
    pub mod mx {
        pub use crate::mx::parallel::{
            dequantise, nvfp4_dequantise, nvfp4_quantise, nvfp4_quantise_stochastic, pack,
            quantise, quantise_stochastic, unpack,
        };
    }

    /// [`tensor`](mod@crate::tensor) on rayon's threads.
    pub mod tensor {
        pub use crate::tensor::parallel::*;
    }

    /// [`status`](mod@crate::status) on rayon's threads.
    pub mod status {
        macro_rules! function {
            ($($fields:tt)*) => {
                crate::forms::form! { [crate::run::parallel::status], Result<crate::Status, crate::LengthError>, $($fields)* }
            };
        }
        bitexact::for_each_function!(function);
    }

    /// [`stochastic`](crate::stochastic) on rayon's threads.
    pub mod stochastic {
        macro_rules! function {
            ($($fields:tt)*) => {
                crate::forms::stochastic_form! { [crate::run::parallel::stochastic], $($fields)* }
            };
        }
        bitexact::for_each_function!(function);
    }
}
