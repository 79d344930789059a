//! All pairs of operands through the branch-free loops of add, sub, mul and div of 16-bit formats,
//! at every level, compared with the host's f64 ([`columns`]).

use super::Simd;
use core::marker::PhantomData;
use core::ops::Range;
use oracles::columns::{self, Brain, Half, Operation, Rule, Sixteen};
use rayon::prelude::*;
use sweep_engine::{Mismatch, Plan, Tally};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Output, RoundingArg, Row};
use sweep_simd::pairs::Loop;
use sweep_simd::{Level, Task, at, fpu};

/// The name of the oracle, for reports.
pub const ORACLE: &str = "columns";

/// Pairs at a time: few enough to stay in the nearest cache.
const BLOCK: usize = 2048;

/// A value that no kernel returns: a NaN that is not the canonical one.
const NOTHING: u16 = 0xFFFF;

/// A rounding, an overflow rule, and their form for the oracle.
type Mode = (Rounding, Overflow, Rule);

/// Compares a row's loops with the expected results over the pairs of one first operand, in all
/// modes.
type Pairs = fn(Loop, &Plan, &[Mode], &Simd, Range<u64>) -> Tally;

fn pairs(row: &Row) -> Option<(Loop, Pairs)> {
    let found = sweep_simd::pairs::of(row.name)?;
    let check: Pairs = match row.name {
        "add.f16" => of::<Half, columns::Add>,
        "sub.f16" => of::<Half, columns::Sub>,
        "mul.f16" => of::<Half, columns::Mul>,
        "div.f16" => of::<Half, columns::Div>,
        "add.bf16" => of::<Brain, columns::Add>,
        "sub.bf16" => of::<Brain, columns::Sub>,
        "mul.bf16" => of::<Brain, columns::Mul>,
        "div.bf16" => of::<Brain, columns::Div>,
        _ => return None,
    };
    Some((found, check))
}

/// Whether a row's loops can be checked here.
#[must_use]
pub fn covers(row: &Row) -> bool {
    pairs(row).is_some()
}

/// Checks a span of all pairs, in the plan's modes, on all threads. Flags are not compared: the
/// loops return none.
///
/// # Panics
///
/// For a row that is not [covered](covers), and for stochastic modes.
#[must_use]
pub fn check(plan: &Plan, simd: &Simd, span: Range<u64>, done: &(dyn Fn(u64) + Sync)) -> Tally {
    let (loops, pairs) = pairs(&plan.row).expect("a covered row");
    let rules: Vec<_> = plan
        .modes
        .iter()
        .map(|(rounding, overflow)| match rounding {
            RoundingArg::Fixed(fixed) => (
                *fixed,
                *overflow,
                Rule::new(plan.row.results[0], *fixed, *overflow),
            ),
            RoundingArg::Stochastic(_) => panic!("a stochastic mode"),
        })
        .collect();
    // One first operand per job.
    (span.start >> 16..(span.end + 0xFFFF) >> 16)
        .into_par_iter()
        .map(|a| {
            let (start, end) = (span.start.max(a << 16), span.end.min((a + 1) << 16));
            let tally = pairs(loops, plan, &rules, simd, start..end);
            done(end - start);
            tally
        })
        .reduce(|| Tally::empty(plan.cells()), Tally::merge)
}

/// The expected results of a block.
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

fn of<F: Sixteen, O: Operation>(
    loops: Loop,
    plan: &Plan,
    rules: &[Mode],
    simd: &Simd,
    span: Range<u64>,
) -> Tally {
    let ways = simd
        .levels
        .iter()
        .flat_map(|level| simd.states.iter().map(move |state| (*level, *state)));
    let mut tally = Tally::empty(plan.cells());
    let values = columns::values::<F>();
    let mut start = span.start;
    while start < span.end {
        let end = span.end.min(start + BLOCK as u64);
        let count = (end - start) as usize;
        let (a, first) = ((start >> 16) as u16, (start & 0xFFFF) as usize);
        let x = vec![a; count];
        let y: Vec<u16> = (first..first + count).map(|code| code as u16).collect();
        let (mut expected, mut got) = (vec![0; count], vec![0; count]);
        for ((rounding, overflow, rule), cell) in rules.iter().zip(&mut tally.cells) {
            let expect = Expect::<O, F> {
                rule,
                a: values[usize::from(a)],
                b: &values[first..first + count],
                out: &mut expected,
                of: PhantomData,
            };
            at(Level::best(), expect);
            for (level, state) in ways.clone() {
                got.fill(NOTHING);
                fpu::under(state, || {
                    loops(level, [&x, &y], &mut got, *rounding, *overflow);
                });
                let both = || expected.iter().zip(&got).map(|(e, g)| (*e, *g));
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
                        oracle: format!("{ORACLE}, {}, {}", level.name(), fpu::name(state)),
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
