//! The catalog as rows that run on the target.

use crate::digest_span::{Output, Walk};
use crate::domain::{Domain, Float, Hard, HardCases, Shape, Target};
use crate::job::{Answer, Job};
use bitexact::catalog::{Arguments, Element, Kernel, Operands, Results, Type, names, types};

/// One kernel at one choice of formats.
pub struct Row {
    /// `add.f16`
    pub name: &'static str,
    /// `add`
    pub op: &'static str,
    pub operands: &'static [Shape],
    /// Run a job, each in one form; `None` if the numbers are not valid arguments.
    forms: &'static [fn(&[u64], &Walk) -> Option<Answer>],
}

impl Row {
    /// Runs a job of this row; `None` if it is not valid.
    pub fn job(&self, job: &Job) -> Option<Answer> {
        let shape = |k: usize| self.operands.get(k).copied().unwrap_or(Shape::Absent);
        let shapes = [shape(0), shape(1), shape(2)];
        let domain = if job.hard {
            Domain::Hard(Hard {
                cases: HardCases::of(self.op, self.operands.len()),
                operands: shapes,
                target: Target {
                    precision: job.precision,
                    emin: job.emin,
                    emax: job.emax,
                },
            })
        } else {
            Domain::All(shapes.map(Shape::bits))
        };
        let span = job.start..job.end;
        if domain.len().is_some_and(|len| job.end > len) {
            return None;
        }
        let form = self.forms.get(job.form as usize)?;
        form(&job.numbers, &Walk { domain, span })
    }
}

/// The maximum number of rows.
pub const MOST: usize = 1024;
/// All rows, in the catalog's order.
pub type Rows = heapless::Vec<&'static Row, MOST>;

const fn shape(ty: Type) -> Shape {
    match Float::named(ty.name()) {
        Some(float) => Shape::Float(float),
        None => Shape::Integer {
            bits: ty.bits(),
            signed: matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64),
        },
    }
}

fn run<K, O, R, A>(numbers: &[u64], walk: &Walk) -> Option<Answer>
where
    K: Kernel<O, R, A>,
    O: Operands,
    R: Results,
    A: Arguments,
{
    let arguments: A = arguments(numbers)?;
    Some(walk.over(&|operands| {
        let (results, status) = K::call(O::of(operands), arguments);
        Output {
            results: results.bits(),
            flags: status.bits(),
        }
    }))
}

/// Never inlined: all rows with the same types share this code.
#[inline(never)]
fn arguments<A: Arguments>(numbers: &[u64]) -> Option<A> {
    A::of_numbers(numbers).ok()
}

/// Every row of the catalog, in its order; `None` if there are more than [`MOST`].
pub fn all() -> Option<Rows> {
    let mut rows = Rows::new();
    macro_rules! push {
        (
            kernel: $kernel:ident, suffix: [$($suffix:ident)*], operands: ($($operand:ident),*),
            results: $results:tt,
            forms: [$({ending: $ending:literal, arguments: $of:ty, $($form:tt)*})*],
            stochastic: [$({ending: $random:literal, arguments: $of_random:ty, $($more:tt)*})?],
            $($fields:tt)*
        ) => {{
            type O = ($(types::$operand,)*);
            type R = bitexact::results!($results);
            const ROW: &Row = &Row {
                name: concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
                op: stringify!($kernel),
                operands: &[$(shape(<types::$operand as Element>::TYPE)),*],
                forms: &[
                    $(run::<names::$kernel, O, R, $of>,)*
                    $(run::<names::$kernel, O, R, $of_random>)?
                ],
            };
            rows.push(ROW).ok()?;
        }};
    }
    bitexact::for_each_kernel!(push);
    Some(rows)
}
