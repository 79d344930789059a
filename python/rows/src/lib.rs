//! The catalog's rows, each with functions that run its slice forms over raw memory.
//!
//! Everything that depends on the catalog's form is in this crate, and most of the compiler's work:
//! the extension module is built anew without it.

use bitexact::catalog::types::*;
use bitexact::catalog::{self, Arguments};
use bitexact::{Overflow, Status};
use bitexact_slices::way::{Columns, Cost, Outputs, Way, by, cost, status_by};
use bitexact_slices::{Args as SliceArgs, Kernel, Value, kernel};
use std::error::Error;
use std::sync::LazyLock;

pub use bitexact::catalog::Type as Ty;

/// A call of a row: as many elements at each address.
#[derive(Clone, Copy)]
pub struct Call {
    pub inputs: [*const u8; 3],
    pub outputs: [*mut u8; 2],
    /// 16 random bits for each element, or null.
    pub random: *const u16,
    pub count: usize,
    /// Which of the row's forms.
    pub form: usize,
    /// The form's arguments.
    pub words: [u64; 4],
    /// The overflow rule of stochastic rounding.
    pub overflow: Overflow,
    /// Whether the exceptions are wanted.
    pub status: bool,
}

/// The exceptions of any element (none unless asked for, but of stochastic rounding).
type Outcome = Result<Status, Box<dyn Error>>;

type Run = unsafe fn(&Call) -> Outcome;

/// One of a row's forms: what runs it, and what an element costs.
struct Form {
    run: Run,
    cost: fn(&Call) -> Cost,
}

/// A row of the catalog, and what runs it.
pub struct Row {
    pub catalog: &'static catalog::Row,
    /// Whether it rounds as its arguments say.
    pub rounds: bool,
    slices: &'static [Form],
    random: Option<Run>,
}

impl std::ops::Deref for Row {
    type Target = catalog::Row;
    fn deref(&self) -> &catalog::Row {
        self.catalog
    }
}

impl Row {
    /// Runs the row.
    ///
    /// # Safety
    ///
    /// Each address holds `count` elements of the row's type there, and no output overlaps
    /// another output or an input.
    pub unsafe fn run(&self, call: &Call) -> Outcome {
        let stochastic = self.random.filter(|_| !call.random.is_null());
        let run = stochastic.or_else(|| self.slices.get(call.form).map(|form| form.run));
        // SAFETY: the caller's promise.
        run.map_or(Ok(Status::NONE), |run| unsafe { run(call) })
    }

    /// What an element of a call costs.
    pub fn cost(&self, call: &Call) -> Cost {
        let form = self.slices.get(call.form).filter(|_| call.random.is_null());
        form.map_or(Cost::KERNEL, |form| (form.cost)(call))
    }
}

/// Every row, in the catalog's order.
pub fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(build);
    &ROWS
}

/// How NumPy has a type.
pub trait Held {
    /// The name of the dtype that holds it.
    fn dtype(self) -> &'static str;
    /// The type whose dtype holds this one: the same, but where a dtype holds several.
    fn held(self) -> Self;
}

impl Held for Ty {
    fn dtype(self) -> &'static str {
        match self {
            Self::F16 => "float16",
            Self::Bf16 => "bfloat16",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::E8m0 => "float8_e8m0fnu",
            Self::E5m2 => "float8_e5m2",
            Self::E4m3fn => "float8_e4m3fn",
            Self::E5m2fnuz => "float8_e5m2fnuz",
            Self::E4m3fnuz => "float8_e4m3fnuz",
            Self::E2m3 => "float6_e2m3fn",
            Self::E3m2 => "float6_e3m2fn",
            Self::E2m1 => "float4_e2m1fn",
            Self::Mxint8 | Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::U8 | Self::Class => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::Bool => "bool",
        }
    }

    fn held(self) -> Self {
        match self {
            Self::Mxint8 => Self::I8,
            Self::Class => Self::U8,
            other => other,
        }
    }
}

unsafe fn input<'a, X>(call: &Call, at: usize) -> &'a [X] {
    // SAFETY: the caller's promise. An empty slice's address may be anything.
    unsafe {
        match call.count {
            0 => &[],
            count => std::slice::from_raw_parts(call.inputs[at].cast(), count),
        }
    }
}

unsafe fn output<'a, X>(call: &Call, at: usize) -> &'a mut [X] {
    // SAFETY: as above.
    unsafe {
        match call.count {
            0 => &mut [],
            count => std::slice::from_raw_parts_mut(call.outputs[at].cast(), count),
        }
    }
}

/// The slice form.
fn drive<K, C, U, A>(call: &Call, columns: C, out: U) -> Outcome
where
    C: Columns,
    U: Outputs,
    A: SliceArgs + Arguments,
    K: Kernel<C::Row, U::Row, A>,
{
    let args = A::of_words(&call.words)?;
    if call.status {
        return Ok(status_by::<K, C, U, A>(Way::Auto, columns, out, args)?);
    }
    by::<K, C, U, A>(Way::Auto, columns, out, args)?;
    Ok(Status::NONE)
}

/// The kernel, each element with its random bits.
unsafe fn stochastic<K, C, R>(call: &Call, columns: C, out: &mut [R]) -> Outcome
where
    C: Columns,
    R: Value,
    K: Kernel<C::Row, R, (u16, Overflow)>,
{
    // SAFETY: the caller's promise.
    let random = unsafe { std::slice::from_raw_parts(call.random, out.len()) };
    let mut all = Status::NONE;
    for ((out, row), random) in out.iter_mut().zip(columns.rows()).zip(random) {
        let (result, status) = K::call(row, (*random, call.overflow));
        *out = result;
        all |= status;
    }
    Ok(all)
}

/// A row's operands.
macro_rules! columns {
    ($call:ident ($x:ident)) => {
        (input::<$x>($call, 0),)
    };
    ($call:ident ($x:ident, $y:ident)) => {
        (input::<$x>($call, 0), input::<$y>($call, 1))
    };
    ($call:ident ($x:ident, $y:ident, $z:ident)) => {
        (
            input::<$x>($call, 0),
            input::<$y>($call, 1),
            input::<$z>($call, 2),
        )
    };
}

/// Where its results go.
macro_rules! outputs {
    ($call:ident ($r:ident, $s:ident)) => {
        (output::<$r>($call, 0), output::<$s>($call, 1))
    };
    ($call:ident $r:ident) => {
        output::<$r>($call, 0)
    };
}

/// A row's operands as a type.
macro_rules! operands {
    (($($x:ident),*)) => {
        ($($x,)*)
    };
}

/// A form.
macro_rules! form {
    ($kernel:ident $o:tt $r:tt $arguments:ty) => {{
        let run: Run = |call| {
            // SAFETY: the caller's promise.
            unsafe {
                let (columns, outputs) = (columns!(call $o), outputs!(call $r));
                drive::<kernel::$kernel, _, _, $arguments>(call, columns, outputs)
            }
        };
        let cost = |call: &Call| {
            let args = <$arguments as Arguments>::of_words(&call.words);
            args.map_or(Cost::KERNEL, |args| {
                cost::<kernel::$kernel, operands!($o), $r, $arguments>(call.count, args)
            })
        };
        Form { run, cost }
    }};
}

/// What runs the stochastic form, if there is one.
macro_rules! random {
    ($kernel:ident $o:tt $r:tt) => {
        None
    };
    ($kernel:ident $o:tt $r:tt $ending:literal) => {{
        let run: Run = |call| {
            // SAFETY: the caller's promise.
            unsafe {
                let (columns, outputs) = (columns!(call $o), outputs!(call $r));
                stochastic::<kernel::$kernel, _, _>(call, columns, outputs)
            }
        };
        Some(run)
    }};
}

fn build() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |slices: &'static [Form], random| {
        let catalog = &catalog::ROWS[rows.len()];
        rows.push(Row {
            catalog,
            rounds: catalog
                .forms
                .iter()
                .any(|form| form.takes.choices.ends_with("mode")),
            slices,
            random,
        });
    };
    // A pointer, so that the rows are as many calls, not as many copies of it.
    let add: &mut dyn FnMut(&'static [Form], Option<Run>) = &mut add;
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: $suffix:tt, operands: $o:tt, results: $r:tt,
            forms: [$({ending: $ending:literal, arguments: $arguments:ty, $($form:tt)*})*],
            stochastic: [$({ending: $random:literal, $($other:tt)*})?], $($fields:tt)*
        ) => {
            add(const { &[$(form!($kernel $o $r $arguments)),*] }, random!($kernel $o $r $($random)?));
        };
    }
    bitexact::for_each_kernel!(row);
    rows
}
