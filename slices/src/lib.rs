//! The kernels of [`bitexact`] over slices, at the speed of the machine.
//!
//! Every function has the name that its kernel has in the catalog ([`bitexact::catalog`]), takes
//! slices of operands and writes a slice of results of the same length. The bits are those of the
//! kernel, one element at a time, on every machine, whatever the way there.
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
//! | [`mx`] | MX blocks, there and back |
//! | `par` (feature `rayon`) | all of them by several threads |
//!
//! # How it is fast
//!
//! There are two mechanisms, and no trick for a function:
//!
//! - Where the operands have at most 16 bits together, a **table** of all results, filled by the
//!   kernel itself when so many elements have gone through it one by one as the table has.
//!   At most [`MOST_TABLES`] are kept.
//! - Conversions between f32 and the 16-bit formats, from f32 to the 8-, 6- and 4-bit ones, E8M0
//!   scales from and to f32, MX blocks, add, sub and mul of f16, bf16 and f32, div of 16-bit formats
//!   and fma of 16-bit factors are **branch-free loops** that LLVM
//!   vectorises, compiled for several [`Level`]s of which the machine's best is taken; in ties to
//!   even f16 is converted by the processor's own instruction where it has one.
//!
//! On 64-bit ARM the loops are those of the target's baseline, NEON, which every such processor
//! has; f16 is converted by the loop for every mode. On other targets they are what LLVM makes of
//! them for the baseline.
//!
//! Both write results that are too many for the caches past them (x86-64).
//!
//! Everything else is the kernel in a loop. [`status`](mod@status) has no branch-free loops.
//!
//! # Why it is a crate of its own
//!
//! `bitexact` has no standard library, no state and no unsafe code. Tables need memory and a place
//! to be kept, and a function compiled for other processors than the target's can only be called
//! by unsafe code: here it stands in three small modules, `level`, `stream` and `lanes/f16c`.

mod args;
mod element;
mod forms;
mod lanes;
mod level;
pub mod mx;
mod rows;
mod run;
mod stream;
mod table;

pub use args::{Args, Choice, Parameters};
pub use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
pub use element::{Element, LengthError, Operands, Value};
pub use level::Level;
pub use rows::{Kernel, kernel};
pub use table::{MOST_TABLES, clear_tables, tables};

/// What the proofs and benches need to name the way that a call goes.
#[doc(hidden)]
pub mod way {
    pub use crate::element::{Columns, Outputs};
    pub use crate::level::{Task, at};
    pub use crate::run::{Way, by, status_by};
}

use bitexact::activation::{Bounds, Lambda, NanGradient, Threshold};
use bitexact::format::{Arithmetic, Format};
use bitexact::scale::ScalePolicy;
use run::results as drive;

type Outcome = Result<(), LengthError>;

macro_rules! row {
    ($($row:tt)*) => {
        forms::first_row! { form $($row)* }
    };
}
use forms::form;
bitexact::for_each_kernel!(row);

/// The same functions, which return the exceptions that any element raised.
///
/// ```
/// use bitexact_slices::{Mode, Status, f16, status};
/// let mut out = [f16::ZERO; 2];
/// let raised = status::log(&[f16::ONE, f16::NEG_ONE], &mut out, Mode::TIES_TO_EVEN)?;
/// assert_eq!(raised, Status::INVALID);
/// # Ok::<(), bitexact_slices::LengthError>(())
/// ```
pub mod status {
    use crate::run::status as drive;
    use crate::{
        Arithmetic, Bounds, Element, Format, Kernel, Lambda, LengthError, Mode, NanGradient,
        ScalePolicy, Status, Threshold, Value, form, forms, kernel,
    };

    type Outcome = Result<Status, LengthError>;
    bitexact::for_each_kernel!(row);
}

/// Stochastic rounding: every element takes 16 random bits of its own.
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
    use crate::forms::stochastic_form;
    use crate::run::stochastic as drive;
    use crate::{Element, Kernel, LengthError, Overflow, Value, forms, kernel};

    type Outcome = Result<(), LengthError>;
    macro_rules! row {
        ($($row:tt)*) => {
            forms::first_row! { stochastic_form $($row)* }
        };
    }
    bitexact::for_each_kernel!(row);
}

/// The same functions by rayon's threads. Neither their number nor the pieces decide a bit.
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
    use crate::run::parallel::results as drive;
    use crate::{
        Arithmetic, Bounds, Element, Format, Kernel, Lambda, LengthError, Mode, NanGradient,
        ScalePolicy, Threshold, Value, form, forms, kernel,
    };

    type Outcome = Result<(), LengthError>;
    bitexact::for_each_kernel!(row);

    /// [`mx`](mod@crate::mx) by rayon's threads.
    pub mod mx {
        pub use crate::mx::parallel::{dequantise, quantise};
    }

    /// [`status`](mod@crate::status) by rayon's threads.
    pub mod status {
        use crate::run::parallel::status as drive;
        use crate::{
            Arithmetic, Bounds, Element, Format, Kernel, Lambda, LengthError, Mode, NanGradient,
            ScalePolicy, Status, Threshold, Value, form, forms, kernel,
        };

        type Outcome = Result<Status, LengthError>;
        bitexact::for_each_kernel!(row);
    }

    /// [`stochastic`](crate::stochastic) by rayon's threads.
    pub mod stochastic {
        use crate::forms::stochastic_form;
        use crate::run::parallel::stochastic as drive;
        use crate::{Element, Kernel, LengthError, Overflow, Value, forms, kernel};

        type Outcome = Result<(), LengthError>;
        macro_rules! row {
            ($($row:tt)*) => {
                forms::first_row! { stochastic_form $($row)* }
            };
        }
        bitexact::for_each_kernel!(row);
    }
}
