//! The slice forms (`bitexact-slices`) of every row, by each implementation that a call can go
//! through: the kernel in a loop, tables, and branch-free loops at every level of this machine.
#![cfg(feature = "rows")]

/// The states of the floating-point unit, which the tests of the slices use too.
#[path = "../../../slices/tests/common/fpu.rs"]
pub mod fpu;
pub mod pairs;

use bitexact::catalog::{Arguments, Results, types};
use bitexact::{Overflow, Status};
use bitexact_slices::way::{Columns, by, is_kernel, status_by, stochastic};
use bitexact_slices::{
    Args as SliceArgs, Element, Kernel, Operands as SliceOperands, Value, kernel,
};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use sweep_row::{Args, Operands};

pub use bitexact_slices::Level;
pub use bitexact_slices::way::{Task, Way, at};

/// Results of one implementation: of the plain form, and of the form with status (which stochastic
/// rounding lacks) with the union of the exceptions.
pub type Got = (Vec<[u64; 2]>, Option<(Vec<[u64; 2]>, Status)>);

/// A row's slice form, by one implementation. None where this is the kernel in a loop, for another
/// [`Way`] than that.
pub type Form = fn(&Args, Way, &[Operands]) -> Option<Got>;

/// The slice form of a row.
#[must_use]
pub fn form(name: &str) -> Form {
    static FORMS: LazyLock<BTreeMap<&str, Form>> = LazyLock::new(forms);
    FORMS[name]
}

fn column<X: Element>(inputs: &[Operands], at: usize) -> Vec<X> {
    inputs.iter().map(|codes| X::of(codes[at])).collect()
}

/// The operands of a row, as columns.
trait Inputs: SliceOperands {
    fn plain<K: Kernel<Self, R, A>, R: Outcome<N>, N, A: SliceArgs>(
        way: Way,
        inputs: &[Operands],
        args: A,
    ) -> Option<Got>;
    fn random<K: Kernel<Self, R, (u16, Overflow)>, R: Value>(
        inputs: &[Operands],
        args: (u16, Overflow),
    ) -> Got;
}

macro_rules! inputs {
    ($($($x:ident $at:literal),+;)*) => {
        $(
            #[allow(non_snake_case, reason = "a column is named as its type")]
            impl<$($x: Element),+> Inputs for ($($x,)+) {
                fn plain<K: Kernel<Self, R, A>, R: Outcome<N>, N, A: SliceArgs>(
                    way: Way,
                    inputs: &[Operands],
                    args: A,
                ) -> Option<Got> {
                    $(let $x = column::<$x>(inputs, $at);)+
                    R::call::<K, _, A>(way, ($(&$x[..],)+), args)
                }
                fn random<K: Kernel<Self, R, (u16, Overflow)>, R: Value>(
                    inputs: &[Operands],
                    (word, overflow): (u16, Overflow),
                ) -> Got {
                    $(let $x = column::<$x>(inputs, $at);)+
                    let mut out = vec![R::ZERO; inputs.len()];
                    let random = vec![word; inputs.len()];
                    stochastic::<K, _, R>(($(&$x[..],)+), &mut out, &random, overflow)
                        .expect(EQUAL);
                    (out.iter().map(|r| [r.bits(), 0]).collect(), None)
                }
            }
        )*
    };
}

inputs! {
    X 0;
    X 0, Y 1;
    X 0, Y 1, Z 2;
}

/// One result or two, and calls into slices for them; `N` says which, so that no type is both.
trait Outcome<N>: Results {
    fn call<K, C, A>(way: Way, columns: C, args: A) -> Option<Got>
    where
        C: Columns,
        A: SliceArgs,
        K: Kernel<C::Row, Self, A>;
}

const EQUAL: &str = "slices of one length";

/// One result.
struct One;
/// Two results.
struct Two;

impl<R: Value> Outcome<One> for R {
    fn call<K, C, A>(way: Way, columns: C, args: A) -> Option<Got>
    where
        C: Columns,
        A: SliceArgs,
        K: Kernel<C::Row, R, A>,
    {
        let mut out = vec![R::ZERO; columns.count()];
        if way != Way::Kernel && is_kernel::<K, C::Row, R, A>(way, args) {
            return None;
        }
        let bits = |out: &[R]| out.iter().map(|r| Results::bits(*r)).collect();
        by::<K, C, _, A>(way, columns, &mut out[..], args).expect(EQUAL);
        let plain = bits(&out);
        out.fill(R::ZERO);
        let status = status_by::<K, C, _, A>(way, columns, &mut out[..], args).expect(EQUAL);
        Some((plain, Some((bits(&out), status))))
    }
}

impl<R: Value, S: Value> Outcome<Two> for (R, S) {
    fn call<K, C, A>(way: Way, columns: C, args: A) -> Option<Got>
    where
        C: Columns,
        A: SliceArgs,
        K: Kernel<C::Row, (R, S), A>,
    {
        let mut out = vec![R::ZERO; columns.count()];
        let mut second = vec![S::ZERO; columns.count()];
        if way != Way::Kernel && is_kernel::<K, C::Row, (R, S), A>(way, args) {
            return None;
        }
        let bits = |out: &[R], second: &[S]| {
            let pairs = out.iter().zip(second);
            pairs.map(|(r, s)| Results::bits((*r, *s))).collect()
        };
        by::<K, C, _, A>(way, columns, (&mut out[..], &mut second[..]), args).expect(EQUAL);
        let plain = bits(&out, &second);
        out.fill(R::ZERO);
        second.fill(S::ZERO);
        let slices = (&mut out[..], &mut second[..]);
        let status = status_by::<K, C, _, A>(way, columns, slices, args).expect(EQUAL);
        Some((plain, Some((bits(&out, &second), status))))
    }
}

/// A row's form, its arguments as numbers.
type Typed = fn(&[u64], Way, &[Operands]) -> Option<Got>;

fn typed<K, O, R, N, A>(numbers: &[u64], way: Way, inputs: &[Operands]) -> Option<Got>
where
    K: Kernel<O, R, A>,
    O: Inputs,
    R: Outcome<N>,
    A: SliceArgs,
{
    O::plain::<K, R, N, A>(way, inputs, A::of_numbers(numbers).expect(ACCEPTED))
}

fn random<K, O, R>(numbers: &[u64], way: Way, inputs: &[Operands]) -> Option<Got>
where
    K: Kernel<O, R, (u16, Overflow)>,
    O: Inputs,
    R: Value,
{
    // There is one implementation.
    let arguments = Arguments::of_numbers(numbers).expect(ACCEPTED);
    (way == Way::Kernel).then(|| O::random::<K, R>(inputs, arguments))
}

const ACCEPTED: &str = "arguments that the row accepts";

fn forms() -> BTreeMap<&'static str, Form> {
    let mut forms: BTreeMap<&str, Form> = BTreeMap::new();
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: [$($suffix:ident)*], operands: ($($operand:ident),*),
            results: $results:tt,
            forms: [$({ending: $ending:literal, arguments: $of:ty, $($form:tt)*})*],
            stochastic: [$({ending: $last:literal, $($more:tt)*})?], $($fields:tt)*
        ) => {{
            type O = ($(types::$operand,)*);
            type R = bitexact::results!($results);
            const NAME: &str = concat!(stringify!($kernel) $(, ".", stringify!($suffix))*);
            const FORMS: &[Typed] = &[
                $(typed::<kernel::$kernel, O, R, _, $of>,)*
                $({ let _ = $last; random::<kernel::$kernel, O, R> })?
            ];
            forms.insert(NAME, |args, way, inputs| {
                let (_, place, numbers) = sweep_catalog::form(NAME, args);
                FORMS[place](&numbers, way, inputs)
            });
        }};
    }
    bitexact::for_each_kernel!(row);
    forms
}
