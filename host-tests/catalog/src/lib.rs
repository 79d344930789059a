//! The catalog as dynamic rows.

pub mod mode;

pub use sweep_row as row;

use std::sync::LazyLock;

use bitexact::catalog::{
    self, Arguments, Kernel, ROWS, Results, Type, WrongArgument, names, types,
};
use bitexact::{Overflow, Rounding};

use crate::row::{Args, Operands, Output, ParamKind, ParamSpec, RoundingArg, Row, Ty, Value};

/// Whether a kernel is compiled in. `BITEXACT_ONLY=exp,fma` leaves out all others, so that a build
/// for `cargo xtask check` takes seconds.
const fn selected(kernel: &str) -> bool {
    let Some(only) = option_env!("BITEXACT_ONLY") else {
        return true;
    };
    let (only, kernel) = (only.as_bytes(), kernel.as_bytes());
    let (mut start, mut at) = (0, 0);
    while at <= only.len() {
        if at == only.len() || only[at] == b',' {
            let mut same = at - start == kernel.len();
            let mut k = 0;
            while same && k < kernel.len() {
                same = only[start + k] == kernel[k];
                k += 1;
            }
            if same {
                return true;
            }
            start = at + 1;
        }
        at += 1;
    }
    false
}

/// Every row of the catalog that is compiled in, in its order.
pub fn all() -> &'static [Row] {
    static ALL: LazyLock<Vec<Row>> = LazyLock::new(build);
    &ALL
}

/// The names of `PRESETS`, in its order.
pub const POLICY_NAMES: &[&str] = match catalog::describe("policy") {
    Some(policy) => policy.choices,
    None => &[],
};

/// Runs a kernel over a batch: with the arguments of these numbers, each with its index among an
/// element's outputs.
type Run = fn(&[(usize, Vec<u64>)], &[Operands], &mut [Output]);

/// A kernel with one type of arguments, run over a batch.
struct Form {
    /// The names of the numbers that form its arguments.
    numbers: &'static [&'static str],
    accepts: fn(&[u64]) -> Result<(), WrongArgument>,
    /// Runs the kernel on every element of the second slice with the arguments of each of these
    /// numbers, which differ only in their modes; each has its index among an element's outputs.
    run: Run,
}

impl Form {
    const fn of<K, O, R, A>(numbers: &'static [&'static str]) -> Self
    where
        K: Kernel<O, R, A>,
        O: catalog::Operands,
        R: Results,
        A: Arguments,
    {
        Self {
            numbers,
            accepts: accepted::<A>,
            run: |settings, operands, outputs| {
                batch(settings, operands, outputs, each::<K, O, R, A>)
            },
        }
    }
}

// What follows is compiled once for all rows with such arguments, except for `each`, once a row.

fn accepted<A: Arguments>(numbers: &[u64]) -> Result<(), WrongArgument> {
    A::of_numbers(numbers).map(drop)
}

/// Runs a kernel on operands with these arguments, in each of these modes.
type Each<A> = fn(&A, &[(usize, <A as Arguments>::Mode)], &[Operands], &mut [Output]);

fn batch<A: Arguments>(
    settings: &[(usize, Vec<u64>)],
    operands: &[Operands],
    outputs: &mut [Output],
    each: Each<A>,
) {
    let typed = settings.iter().map(|(at, numbers)| {
        let arguments = A::of_numbers(numbers).expect("arguments that the check let by");
        (*at, arguments)
    });
    let typed: Vec<(usize, A)> = typed.collect();
    let modes: Vec<(usize, A::Mode)> = typed.iter().map(|(at, of)| (*at, of.mode())).collect();
    if let Some((_, first)) = typed.first() {
        each(first, &modes, operands, outputs);
    }
}

/// The modes are the inner loop. The computation before rounding does not depend on the mode, so
/// the compiler may move it out of that loop, and the processor takes the same branches again.
fn each<K, O, R, A>(
    first: &A,
    modes: &[(usize, A::Mode)],
    operands: &[Operands],
    outputs: &mut [Output],
) where
    K: Kernel<O, R, A>,
    O: catalog::Operands,
    R: Results,
    A: Arguments,
{
    let width = outputs.len().checked_div(operands.len()).unwrap_or(1);
    assert_eq!(operands.len() * width, outputs.len());
    for (operands, outputs) in operands.iter().zip(outputs.chunks_exact_mut(width)) {
        let operands = O::of(operands);
        for (at, mode) in modes {
            let (results, status) = K::call(operands, first.with(*mode));
            outputs[*at] = Output {
                results: results.bits(),
                flags: status.bits(),
            };
        }
    }
}

/// The form of a row for these arguments, its index among all forms of the row, and the arguments
/// as its numbers.
///
/// # Panics
///
/// If the catalog has no such row, or the row does not take such arguments.
#[must_use]
pub fn form(row: &str, args: &Args) -> (&'static catalog::Form, usize, Vec<u64>) {
    let row = ROWS.iter().find(|own| own.name == row);
    let row = row.expect("a row of the catalog's");
    let forms: Vec<_> = row.forms.iter().chain(&row.stochastic).collect();
    let place = place(forms.len(), args);
    let names: Vec<_> = forms[place].numbers.iter().map(|of| of.name).collect();
    (forms[place], place, numbers(&names, args))
}

/// The index of the form for these arguments: that of stochastic rounding is the last one, and
/// bounds have one for each of their precisions.
fn place(forms: usize, args: &Args) -> usize {
    match (args.rounding, args.params.first()) {
        (RoundingArg::Stochastic(_), _) => forms - 1,
        (_, Some(Value::Choice(bound))) if forms > 2 => *bound,
        _ => 0,
    }
}

/// The arguments as the numbers of these names.
fn numbers(names: &[&str], args: &Args) -> Vec<u64> {
    let bound = usize::from(names.contains(&"min"));
    let mut params = args.params.iter().skip(bound);
    let number = |name: &&str| match (*name, args.rounding) {
        ("rounding", RoundingArg::Fixed(fixed)) => {
            let fixed = mode::rounding(fixed);
            let place = Rounding::ALL.iter().position(|rounding| *rounding == fixed);
            place.expect("one of all") as u64
        }
        ("random", RoundingArg::Stochastic(random)) => random.into(),
        ("overflow", _) => {
            let rule = mode::overflow(args.overflow);
            let place = Overflow::ALL.iter().position(|other| *other == rule);
            place.expect("one of all") as u64
        }
        ("rounding" | "random", other) => panic!("{other:?} for a form with `{name}`"),
        _ => match params.next() {
            Some(Value::Bits(_, bits)) => *bits,
            Some(Value::Choice(place)) => *place as u64,
            None => panic!("no value for `{name}`"),
        },
    };
    names.iter().map(number).collect()
}

fn accepts(forms: &[Form], args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let fixed = Args {
        rounding: RoundingArg::Fixed(sweep_inputs::Rounding::TiesToEven),
        ..args.clone()
    };
    let form = &forms[place(forms.len(), &fixed)];
    Ok((form.accepts)(&numbers(form.numbers, &fixed))?)
}

fn run(forms: &[Form], args: &[Args], operands: &[Operands], outputs: &mut [Output]) {
    for (at, form) in forms.iter().enumerate() {
        let of = |(_, args): &(usize, &Args)| place(forms.len(), args) == at;
        let own = args.iter().enumerate().filter(of);
        let own: Vec<_> = own
            .map(|(at, args)| (at, numbers(form.numbers, args)))
            .collect();
        (form.run)(&own, operands, outputs);
    }
}

/// The types as the host names them.
fn dynamic(types: &[Type]) -> &'static [Ty] {
    let named = types
        .iter()
        .map(|ty| Ty::from_name(ty.name()).expect("a type of the catalog's"));
    Box::leak(named.collect())
}

/// What a row takes in addition to its operands and its rounding.
fn params(row: &catalog::Row) -> &'static [ParamSpec] {
    let several = row.forms.len() > 1;
    let bound = several.then(|| {
        let precisions = row.forms.iter().map(|form| form.numbers[0].ty.name());
        let precisions: &[_] = Box::leak(precisions.collect());
        ParamSpec {
            name: "bound",
            kind: ParamKind::Choice(precisions),
            default: precisions[0],
            doc: "the format of min and max",
        }
    });
    let others = row.forms[0].numbers.iter().filter_map(|number| {
        let of = catalog::describe(number.name)?;
        let kind = match of.choices {
            [] if number.name == "formats" => ParamKind::Formats {
                operands: row.operands.len(),
                rounded: row.forms[0].numbers.len() > 1,
            },
            [] if number.name == "projection" => ParamKind::Projection,
            [] if several => ParamKind::RealIn("bound"),
            [] => ParamKind::Real(Ty::F32),
            choices => ParamKind::Choice(choices),
        };
        Some(ParamSpec {
            name: number.name,
            kind,
            default: of.default,
            doc: of.doc,
        })
    });
    Box::leak(bound.into_iter().chain(others).collect())
}

/// A row of the catalog, checked and run by these.
fn built(
    row: &catalog::Row,
    accepts: fn(&Args) -> Result<(), Box<dyn std::error::Error>>,
    run: fn(&[Args], &[Operands], &mut [Output]),
) -> Row {
    let takes = |name| {
        row.forms[0]
            .numbers
            .iter()
            .any(|number| number.name == name)
    };
    Row {
        name: row.name,
        op: row.kernel,
        operands: dynamic(row.operands),
        results: dynamic(row.results),
        takes_rounding: takes("rounding"),
        takes_overflow: takes("overflow"),
        has_stochastic: row.stochastic.is_some(),
        params: params(row),
        doc: row.doc,
        accepts,
        run,
    }
}

fn build() -> Vec<Row> {
    let mut listed = ROWS.iter();
    let mut rows: Vec<Row> = Vec::new();
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: $suffix:tt, operands: ($($operand:ident),*),
            results: $results:tt,
            forms: [$({
                ending: $ending:literal, arguments: $of:ty, words: $words:tt,
                numbers: ($($number:ident: $ty:ident,)*)
            })*],
            stochastic: [$({
                ending: $ending_2:literal, arguments: $of_2:ty, words: $words_2:tt,
                numbers: ($($number_2:ident: $ty_2:ident,)*)
            })?],
            $($fields:tt)*
        ) => {{
            type O = ($(types::$operand,)*);
            type R = bitexact::results!($results);
            const FORMS: &[Form] = if selected(stringify!($kernel)) {
                &[
                    $(Form::of::<names::$kernel, O, R, $of>(&[$(stringify!($number)),*]),)*
                    $(Form::of::<names::$kernel, O, R, $of_2>(&[$(stringify!($number_2)),*]))?
                ]
            } else {
                &[]
            };
            let row = listed.next().expect("the row of this place");
            if !FORMS.is_empty() {
                rows.push(built(
                    row,
                    |args| accepts(FORMS, args),
                    |args, operands, outputs| run(FORMS, args, operands, outputs),
                ));
            }
        }};
    }
    bitexact::for_each_kernel!(row);
    rows
}
