//! The list of all kernels, one row each; everything else is generated from it.
//!
//! [`for_each_kernel!`](crate::for_each_kernel) passes every row, at every choice of formats, to a
//! macro of the caller: the sweep, the GPU entry points, the firmware sweep and the C functions
//! each have one. The rows are also values ([`ROWS`]), and the kernels are types (in [`names`],
//! each a [`Kernel`]). Functions of more than single elements are in [`COMPOSITES`].
//!
//! A row, as the callback gets it:
//!
//! ```text
//! callback! {
//!     kernel: add, suffix: [f16 f16 f32], operands: (f16, f16), results: f32,
//!     forms: [{
//!         ending: "", arguments: Mode, words: (mode: u32,), numbers: (rounding: u32, overflow: u32,)
//!     }],
//!     stochastic: [{
//!         ending: "_stochastic", arguments: (u16, Overflow),
//!         words: (random: u16, overflow: u32,), numbers: (random: u16, overflow: u32,)
//!     }],
//!     generic: {
//!         generics: [], arguments: Mode, take: {mode: Mode,}, give: {mode}, pattern: mode, pass: [mode]
//!     },
//!     call: arith::add_status, call_stochastic: [arith::add_stochastic_status], flags: [flags],
//!     doc: "a + b"
//! }
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `kernel` | the kernel; [`names::add`] is its type |
//! | `suffix` | the end of the row's name: `add.f16.f16.f32`; `add.f16` where all are equal |
//! | `operands`, `results` | their types, by their names in [`types`]; two results in parentheses |
//! | `forms` | every choice of other arguments: bounds have one for each precision |
//! | `.. ending` | the end of the name of the form's entry |
//! | `.. arguments` | their type, for which the kernel is a [`Kernel`] |
//! | `.. words`, `numbers` | how they are passed as plain numbers: see [`Arguments`] |
//! | `stochastic` | the form of stochastic rounding, if it has one |
//! | `generic` | the arguments of a form, generic over the precision of parameters: |
//! | `.. take`, `give` | as a function takes them, and as it gives them to a [`Kernel`] |
//! | `.. pattern`, `pass` | as a [`Kernel`] takes them, and as it passes them to the function |
//! | `call`, `call_stochastic` | the functions, from the crate's root |
//! | `flags` | `[flags]`; `[]` where it raises no exceptions, and its function returns no status |
//! | `doc` | what it computes |
//!
//! [`for_each_function!`](crate::for_each_function) calls back once per kernel, with `generics`,
//! `operands` and `results` for those three fields:
//! `[A: Arithmetic, B: Arithmetic, R: Arithmetic]`, `(a: A, b: B)`, `R`.

mod arguments;
mod composites;
mod element;
mod kernel;
mod rows;

pub use arguments::{
    Arguments, Choice, Description, Number, Parameters, Takes, WrongArgument, decode_mode,
    decode_nan, decode_overflow, decode_policy, describe, encode_mode, encode_nan, encode_overflow,
    encode_policy, parameters,
};
pub use composites::{COMPOSITES, Composite};
pub use element::{Element, Type, Word, types};
pub use kernel::{Kernel, Operands, Results, names};

/// A form of a row: its arguments, for callers without types.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The name of its entry: the row's, and the end that the form adds.
    pub entry: &'static str,
    /// The kind of its arguments.
    pub takes: Takes,
    /// The arguments as words.
    pub words: &'static [Number],
    /// The arguments as numbers.
    pub numbers: &'static [Number],
    /// The words of numbers, if these are valid.
    pub pack: fn(&[u64]) -> Result<[u64; 4], WrongArgument>,
}

/// A row: one kernel at one choice of formats.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name: `add.f16.f16.f32`.
    pub name: &'static str,
    /// Its name with underscores for dots, as its GPU entry has it: `add_f16_f16_f32`.
    pub entry: &'static str,
    /// The name of the kernel: `add`.
    pub kernel: &'static str,
    /// The types of its operands.
    pub operands: &'static [Type],
    /// The types of its one or two results.
    pub results: &'static [Type],
    /// Its other arguments, except for stochastic rounding.
    pub forms: &'static [Form],
    /// Its arguments for stochastic rounding, if it has that.
    pub stochastic: Option<Form>,
    /// Whether it can raise exceptions.
    pub flags: bool,
    /// The function, from the crate's root.
    pub call: &'static str,
    /// What it computes.
    pub doc: &'static str,
}

/// The rows, in the catalog's order. Not on targets with 16-bit addresses, where no object is as
/// large.
#[cfg(not(target_pointer_width = "16"))]
pub const ROWS: &[Row] = {
    const ALL: &([Row; MOST], usize) = &rows();
    ALL.0.split_at(ALL.1).0
};

#[cfg(not(target_pointer_width = "16"))]
fn pack<A: Arguments>(numbers: &[u64]) -> Result<[u64; 4], WrongArgument> {
    A::of_numbers(numbers).map(A::words)
}

/// The capacity of the list of rows.
#[cfg(not(target_pointer_width = "16"))]
const MOST: usize = 1024;

/// The rows and their number.
#[cfg(not(target_pointer_width = "16"))]
#[allow(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
const fn rows() -> ([Row; MOST], usize) {
    const NONE: Row = Row {
        name: "",
        entry: "",
        kernel: "",
        operands: &[],
        results: &[],
        forms: &[],
        stochastic: None,
        flags: false,
        call: "",
        doc: "",
    };
    let (mut rows, mut count) = ([NONE; MOST], 0);
    macro_rules! numbers {
        ($($name:ident: $of:ident,)*) => {
            &[$(Number { name: stringify!($name), ty: <types::$of as Element>::TYPE }),*]
        };
    }
    macro_rules! form {
        ($entry:expr, $of:ty, ($($words:tt)*) ($($numbers:tt)*)) => {
            Form {
                entry: $entry,
                takes: <$of as Arguments>::TAKES,
                words: numbers!($($words)*),
                numbers: numbers!($($numbers)*),
                pack: pack::<$of>,
            }
        };
    }
    macro_rules! forms {
        (? $kernel:ident $suffix:tt) => {
            None
        };
        (? $kernel:ident $suffix:tt $form:tt) => {
            Some(forms!(@ $kernel $suffix $form))
        };
        (@ $kernel:ident [$($suffix:ident)*] {$ending:literal $of:ty, $words:tt $numbers:tt}) => {
            form!(
                concat!(stringify!($kernel) $(, "_", stringify!($suffix))*, $ending),
                $of, $words $numbers
            )
        };
        ($kernel:ident $suffix:tt $($form:tt)*) => {
            &[$(forms!(@ $kernel $suffix $form)),*]
        };
    }
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: [$($suffix:ident)*], operands: ($($operand:ident),*),
            results: $results:tt,
            forms: [$({ending: $ending:literal, arguments: $of:ty, words: $words:tt, numbers: $numbers:tt})*],
            stochastic: [$({
                ending: $random:literal, arguments: $r:ty, words: $w:tt, numbers: $n:tt
            })?],
            generic: $generic:tt, call: $call:path, call_stochastic: $stochastic:tt,
            flags: [$($flags:ident)?], doc: $doc:literal
        ) => {
            rows[count] = Row {
                name: concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
                entry: concat!(stringify!($kernel) $(, "_", stringify!($suffix))*),
                kernel: stringify!($kernel),
                operands: <($(types::$operand,)*) as Operands>::TYPES,
                results: <crate::results!($results) as Results>::TYPES,
                forms: forms!($kernel [$($suffix)*] $({$ending $of, $words $numbers})*),
                stochastic: forms!(? $kernel [$($suffix)*] $({$random $r, $w $n})?),
                flags: !matches!(stringify!($($flags)?).len(), 0),
                call: stringify!($call),
                doc: $doc,
            };
            count += 1;
        };
    }
    crate::for_each_kernel!(row);
    (rows, count)
}

/// Parameters of a row that its kernel does not accept: the error for a caller without an
/// allocator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refused;

impl<E: core::error::Error> From<E> for Refused {
    fn from(_: E) -> Self {
        Self
    }
}
