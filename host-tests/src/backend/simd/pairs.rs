//! All pairs of operands through the branch-free loops of add, sub, mul and div of 16-bit formats, at
//! every level, against what the host's f64 says ([`columns`]).

use crate::engine::{Mismatch, Plan, Tally};
use crate::oracle::columns::{self, Brain, Half, Operation, Rule, Sixteen};
use crate::row::{Output, RoundingArg, Row};
use bitexact::{Mode, bf16, f16};
use bitexact_slices::way::{Task, Way, at, by};
use bitexact_slices::{Element, Kernel, Level, kernel};
use core::marker::PhantomData;
use core::ops::Range;
use rayon::prelude::*;

/// Who judges, for reports.
pub const ORACLE: &str = "columns";

/// Pairs at a time: few enough to stay in the nearest cache.
const BLOCK: usize = 2048;

/// What no kernel gives: a NaN that is not the canonical one.
const NOTHING: u16 = 0xFFFF;

/// A row's loops over the pairs of one first operand, in all modes.
type Pairs = fn(&Plan, &[(Mode, Rule)], &[Level], Range<u64>) -> Tally;

fn pairs(row: &Row) -> Option<Pairs> {
    Some(match row.name {
        "add.f16" => of::<kernel::add, f16, columns::Add>,
        "sub.f16" => of::<kernel::sub, f16, columns::Sub>,
        "mul.f16" => of::<kernel::mul, f16, columns::Mul>,
        "div.f16" => of::<kernel::div, f16, columns::Div>,
        "add.bf16" => of::<kernel::add, bf16, columns::Add>,
        "sub.bf16" => of::<kernel::sub, bf16, columns::Sub>,
        "mul.bf16" => of::<kernel::mul, bf16, columns::Mul>,
        "div.bf16" => of::<kernel::div, bf16, columns::Div>,
        _ => return None,
    })
}

/// Whether a row's loops can be checked here.
#[must_use]
pub fn covers(row: &Row) -> bool {
    pairs(row).is_some()
}

/// Checks a span of all pairs, in the plan's modes, on all threads. Flags are not looked at: the
/// loops give none.
///
/// # Panics
///
/// For a row that is not [covered](covers), and for stochastic modes.
#[must_use]
pub fn check(
    plan: &Plan,
    levels: &[Level],
    span: Range<u64>,
    done: &(dyn Fn(u64) + Sync),
) -> Tally {
    let pairs = pairs(&plan.row).expect("a covered row");
    let rules: Vec<_> = plan
        .modes
        .iter()
        .map(|(rounding, overflow)| match rounding {
            RoundingArg::Fixed(fixed) => (
                Mode::new(*fixed, *overflow),
                Rule::new(plan.row.results[0], *fixed, *overflow),
            ),
            RoundingArg::Stochastic(_) => panic!("a stochastic mode"),
        })
        .collect();
    // One first operand each.
    (span.start >> 16..(span.end + 0xFFFF) >> 16)
        .into_par_iter()
        .map(|a| {
            let (start, end) = (span.start.max(a << 16), span.end.min((a + 1) << 16));
            let tally = pairs(plan, &rules, levels, start..end);
            done(end - start);
            tally
        })
        .reduce(|| Tally::empty(plan.cells()), Tally::merge)
}

/// A 16-bit format of ours, and what its columns are called.
trait Format: Element {
    type Columns: Sixteen;
    fn bits(self) -> u16;
}

impl Format for f16 {
    type Columns = Half;
    #[inline]
    fn bits(self) -> u16 {
        self.to_bits()
    }
}

impl Format for bf16 {
    type Columns = Brain;
    #[inline]
    fn bits(self) -> u16 {
        self.to_bits()
    }
}

/// What a block's results must be.
struct Expect<'a, O, F> {
    rule: &'a Rule,
    a: f64,
    b: &'a [f64],
    out: &'a mut [u16],
    of: PhantomData<(O, F)>,
}

impl<O: Operation, F: Sixteen> Task for Expect<'_, O, F> {
    #[inline(always)]
    fn run(self) {
        columns::results::<O, F>(self.rule, self.a, self.b, self.out);
    }
}

fn of<K, F, O>(plan: &Plan, rules: &[(Mode, Rule)], levels: &[Level], span: Range<u64>) -> Tally
where
    K: Kernel<(F, F), F, Mode>,
    F: Format,
    O: Operation,
{
    let mut tally = Tally::empty(plan.cells());
    let values = columns::values::<F::Columns>();
    let mut start = span.start;
    while start < span.end {
        let end = span.end.min(start + BLOCK as u64);
        let count = (end - start) as usize;
        let (a, first) = ((start >> 16) as u16, (start & 0xFFFF) as usize);
        let x = vec![F::of_code(a.into()); count];
        let y: Vec<F> = (first..first + count)
            .map(|code| F::of_code(code as u64))
            .collect();
        let (mut expected, mut got) = (vec![0; count], vec![F::of_code(0); count]);
        for ((mode, rule), cell) in rules.iter().zip(&mut tally.cells) {
            let expect = Expect::<O, F::Columns> {
                rule,
                a: values[usize::from(a)],
                b: &values[first..first + count],
                out: &mut expected,
                of: PhantomData,
            };
            at(Level::best(), expect);
            for level in levels {
                got.fill(F::of_code(NOTHING.into()));
                by::<K, _, _, _>(Way::Level(*level), (&x[..], &y[..]), &mut got[..], *mode)
                    .expect("slices of one length");
                let both = || expected.iter().zip(&got).map(|(e, g)| (*e, g.bits()));
                // Without a branch, since nearly always all are equal.
                if both().fold(0, |different, (e, g)| different | (e ^ g)) == 0 {
                    continue;
                }
                for (index, (e, g)) in (start..).zip(both()).filter(|(_, (e, g))| e != g) {
                    let output = |bits: u16| Output {
                        results: [bits.into(), 0],
                        flags: 0,
                    };
                    cell.miss(Mismatch {
                        index,
                        operands: plan.domain.get(index),
                        expected: output(e),
                        got: output(g),
                        oracle: format!("{ORACLE}, {}", level.name()),
                    });
                }
            }
        }
        start = end;
    }
    tally.seen = span.end - span.start;
    tally.checks = tally.seen * rules.len() as u64;
    tally
}
