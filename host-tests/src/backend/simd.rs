//! The slice forms (`bitexact-slices`), by every way that a call can go: the kernel in a loop,
//! tables, and branch-free loops at every level of this machine.
//!
//! The kernels are run as on the host, and their digests are compared with the golden ones as
//! there; every way must give the same results, input by input, and the same exceptions in all.
//! Runs over all pairs are [`pairs`]'.

pub mod pairs;

use super::Swept;
use crate::digest::Digest;
use crate::engine::{Cell, Plan, Tally};
use crate::row::{Args, Operands, Output, RoundingArg};
use crate::rows::{Raw, at_bound, bounds, nan, policy, singles};
use bitexact::activation;
use bitexact::arith::Class;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{Mode, Status, bf16, f16};
use bitexact_slices::way::{Columns, Way, by, status_by};
use bitexact_slices::{Args as SliceArgs, Element, Kernel, Level, Value, kernel, stochastic};
use core::ops::Range;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::LazyLock;

/// Inputs at a time: all of those of 16 bits, since every time a table is made anew.
const SPAN: u64 = 1 << 16;

/// Results of one way: of the plain form, and of the one with status (there is none of stochastic
/// rounding) with the exceptions of all of them.
type Got = (Vec<[u64; 2]>, Option<(Vec<[u64; 2]>, Status)>);

/// A row's slice form, by a way.
type Form = fn(&Args, Way, &[Operands]) -> Got;

/// Runs a span of a plan by every way, the loops at these levels.
#[must_use]
pub fn sweep(plan: &Plan, levels: &[Level], span: Range<u64>, done: &dyn Fn(u64)) -> Swept {
    let levels = levels.iter().map(|level| Way::Level(*level));
    let ways: Vec<_> = [Way::Kernel, Way::Table]
        .into_iter()
        .chain(levels)
        .collect();
    let form = form(plan.row.name);
    let mut swept = Swept {
        tally: Tally::empty(plan.cells()),
        paths: (ways.len() * plan.cells()) as u64,
        wrong_paths: Vec::new(),
    };
    let mut start = span.start;
    while start < span.end {
        let end = span.end.min(start + SPAN);
        let inputs: Vec<Operands> = (start..end).map(|index| plan.domain.get(index)).collect();
        let cells: Vec<(Cell, Vec<String>)> = (0..plan.cells())
            .into_par_iter()
            .map(|at| cell(plan, form, &ways, at, start, &inputs))
            .collect();
        let mut tally = Tally::empty(plan.cells());
        tally.seen = end - start;
        for (to, (cell, wrong)) in tally.cells.iter_mut().zip(cells) {
            *to = cell;
            swept.wrong_paths.extend(wrong);
        }
        swept.tally = swept.tally.merge(tally);
        done(end - start);
        start = end;
    }
    swept
}

/// One setting in one mode: the kernel's digest, and which ways give something else.
fn cell(
    plan: &Plan,
    form: Form,
    ways: &[Way],
    at: usize,
    start: u64,
    inputs: &[Operands],
) -> (Cell, Vec<String>) {
    let (setting, mode) = (at / plan.modes.len(), at % plan.modes.len());
    let args = plan.args(setting, mode);
    let mut outputs = vec![Output::default(); inputs.len()];
    (plan.row.run)(std::slice::from_ref(&args), inputs, &mut outputs);
    let mut digest = Digest::default();
    let mut raised = 0;
    for (index, output) in (start..).zip(&outputs) {
        digest.add(index, output.results, output.flags);
        raised |= output.flags;
    }
    let mut wrong = Vec::new();
    for way in ways {
        let (plain, with_status) = form(&args, *way, inputs);
        let (second, status) = with_status.unzip();
        let name = || plan.cell_name(setting, mode).join(" ");
        let same = |(output, results): (&Output, &[u64; 2])| output.results == *results;
        for results in [Some(plain), second].into_iter().flatten() {
            assert_eq!(results.len(), outputs.len());
            if let Some(first) = outputs.iter().zip(&results).position(|pair| !same(pair)) {
                wrong.push(format!(
                    "{}: {way:?} gives {:X?} for {:X?}, the kernel {:X?}",
                    name(),
                    results[first],
                    inputs[first],
                    outputs[first].results
                ));
            }
        }
        if status.is_some_and(|status| status.bits() != raised) {
            wrong.push(format!("{}: {way:?} gives other exceptions", name()));
        }
    }
    let cell = Cell {
        digest,
        ..Cell::default()
    };
    (cell, wrong)
}

fn mode(args: &Args) -> Mode {
    match args.rounding {
        RoundingArg::Fixed(rounding) => Mode::new(rounding, args.overflow),
        RoundingArg::Stochastic(_) => panic!("a stochastic rounding for a row that has none"),
    }
}

fn form(name: &str) -> Form {
    static FORMS: LazyLock<BTreeMap<&str, Form>> = LazyLock::new(forms);
    FORMS[name]
}

fn column<X: Element>(inputs: &[Operands], at: usize) -> Vec<X> {
    inputs.iter().map(|codes| X::of_code(codes[at])).collect()
}

/// One result or two, and calls into slices for them.
trait Results: Sized {
    fn call<K, C, A>(way: Way, columns: C, args: A) -> Got
    where
        C: Columns,
        A: SliceArgs,
        K: Kernel<C::Row, Self, A>;
}

const EQUAL: &str = "slices of one length";

impl<R: Value + Raw> Results for R {
    fn call<K, C, A>(way: Way, columns: C, args: A) -> Got
    where
        C: Columns,
        A: SliceArgs,
        K: Kernel<C::Row, R, A>,
    {
        let mut out = vec![R::get(0); columns.count()];
        let bits = |out: &[R]| out.iter().map(|r| [r.put(), 0]).collect();
        by::<K, C, _, A>(way, columns, &mut out[..], args).expect(EQUAL);
        let plain = bits(&out);
        out.fill(R::get(0));
        let status = status_by::<K, C, _, A>(way, columns, &mut out[..], args).expect(EQUAL);
        (plain, Some((bits(&out), status)))
    }
}

impl<R: Value + Raw, S: Value + Raw> Results for (R, S) {
    fn call<K, C, A>(way: Way, columns: C, args: A) -> Got
    where
        C: Columns,
        A: SliceArgs,
        K: Kernel<C::Row, (R, S), A>,
    {
        let mut out = vec![R::get(0); columns.count()];
        let mut second = vec![S::get(0); columns.count()];
        let bits = |out: &[R], second: &[S]| {
            let pairs = out.iter().zip(second);
            pairs.map(|(r, s)| [r.put(), s.put()]).collect()
        };
        by::<K, C, _, A>(way, columns, (&mut out[..], &mut second[..]), args).expect(EQUAL);
        let plain = bits(&out, &second);
        out.fill(R::get(0));
        second.fill(S::get(0));
        let slices = (&mut out[..], &mut second[..]);
        let status = status_by::<K, C, _, A>(way, columns, slices, args).expect(EQUAL);
        (plain, Some((bits(&out, &second), status)))
    }
}

/// A call of a kernel with a row's columns.
macro_rules! call {
    ($kernel:ident ($x:ident) $r:tt $inputs:ident $way:ident $args:expr) => {{
        let x = column::<$x>($inputs, 0);
        <$r as Results>::call::<kernel::$kernel, _, _>($way, (&x[..],), $args)
    }};
    ($kernel:ident ($x:ident, $y:ident) $r:tt $inputs:ident $way:ident $args:expr) => {{
        let (x, y) = (column::<$x>($inputs, 0), column::<$y>($inputs, 1));
        <$r as Results>::call::<kernel::$kernel, _, _>($way, (&x[..], &y[..]), $args)
    }};
    ($kernel:ident ($x:ident, $y:ident, $z:ident) $r:tt $inputs:ident $way:ident $args:expr) => {{
        let (x, y) = (column::<$x>($inputs, 0), column::<$y>($inputs, 1));
        let z = column::<$z>($inputs, 2);
        <$r as Results>::call::<kernel::$kernel, _, _>($way, (&x[..], &y[..], &z[..]), $args)
    }};
}

/// A call of a stochastic form: the same random bits for every element.
macro_rules! random {
    ($kernel:ident ($x:ident) $r:ident $inputs:ident $word:ident $overflow:expr) => {{
        let x = column::<$x>($inputs, 0);
        random!(@ $kernel {x} $r $word $overflow)
    }};
    ($kernel:ident ($x:ident, $y:ident) $r:ident $inputs:ident $word:ident $overflow:expr) => {{
        let (x, y) = (column::<$x>($inputs, 0), column::<$y>($inputs, 1));
        random!(@ $kernel {x y} $r $word $overflow)
    }};
    ($kernel:ident ($x:ident, $y:ident, $z:ident) $r:ident $inputs:ident $word:ident $overflow:expr) => {{
        let (x, y) = (column::<$x>($inputs, 0), column::<$y>($inputs, 1));
        let z = column::<$z>($inputs, 2);
        random!(@ $kernel {x y z} $r $word $overflow)
    }};
    (@ $kernel:ident {$($x:ident)*} $r:ident $word:ident $overflow:expr) => {{
        let count = [$($x.len()),*][0];
        let mut out = vec![<$r as Raw>::get(0); count];
        stochastic::$kernel($(&$x,)* &mut out, &vec![$word; count], $overflow).expect(EQUAL);
        (out.iter().map(|r| [Raw::put(*r), 0]).collect(), None)
    }};
}

macro_rules! form {
    (stochastic $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| match args.rounding {
            RoundingArg::Fixed(_) => call!($kernel $o $r inputs way mode(args)),
            RoundingArg::Stochastic(word) => random!($kernel $o $r inputs word args.overflow),
        }
    };
    (mode $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| call!($kernel $o $r inputs way mode(args))
    };
    (policy $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| call!($kernel $o $r inputs way *policy(args))
    };
    (bounds $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| at_bound!(args, B => {
            call!($kernel $o $r inputs way (bounds::<B>(args), mode(args)))
        })
    };
    (bounds_nan $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| at_bound!(args, B => {
            call!($kernel $o $r inputs way (bounds::<B>(args), nan(args)))
        })
    };
    (nan $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| call!($kernel $o $r inputs way nan(args))
    };
    (nan_mode $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| call!($kernel $o $r inputs way (nan(args), mode(args)))
    };
    (with([$($p:ident)*] {$($check:tt)*} $arguments:tt $kind:ident) $kernel:ident $o:tt $r:tt) => {
        |args, way, inputs| {
            let parameters = || -> Result<_, Box<dyn Error>> {
                let [$($p),*] = singles(args);
                $($check)*
                Ok(form!(@parameters {$($check)*} $arguments))
            };
            let parameters = parameters().expect("parameters that the check let by");
            call!($kernel $o $r inputs way (parameters, form!(@choice $kind args)))
        }
    };
    // Numbers as they are, or what a check has made of them.
    (@parameters {} ($($p:ident)*)) => { ($($p,)*) };
    (@parameters $checks:tt ($p:ident)) => { $p };
    (@choice exact $args:ident) => { () };
    (@choice mode $args:ident) => { mode($args) };
    (@choice nan $args:ident) => { nan($args) };
    (@choice nan_mode $args:ident) => { (nan($args), mode($args)) };
    // Exact and silent.
    ($kind:ident $kernel:ident $o:tt $r:tt) => {
        |_, way, inputs| call!($kernel $o $r inputs way ())
    };
}

fn forms() -> BTreeMap<&'static str, Form> {
    let mut forms: BTreeMap<&str, Form> = BTreeMap::new();
    macro_rules! row {
        (
            $kernel:ident [$($suffix:ident)*] $o:tt -> $r:tt;
            $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
        ) => {
            forms.insert(
                concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
                form!($kind $(($($with)*))? $kernel $o $r),
            );
        };
    }
    bitexact::for_each_kernel!(row);
    forms
}
