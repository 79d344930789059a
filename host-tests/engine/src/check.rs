//! The inner loop: generate inputs, run the kernel and the oracle, compare.
//!
//! The oracle locates an input once (and a run of inputs once, where all of them must have the same
//! answer), for all modes; the kernel runs a block at a time, an input in all modes before the next
//! one. A panic in a kernel or an oracle is a finding like any other: the batch is run again input
//! by input, and the inputs that panic are reported.

use super::judge::Judges;
use super::plan::{Mode, Plan};
use super::runner;
use super::tally::{Cell, Mismatch, Tally};
use core::ops::Range;
use oracles::Answer;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use sweep_inputs::digest::{self, Digest};
use sweep_row::{Args, Operands, Output};

/// Inputs per call of a kernel.
const BATCH: u64 = 1024;
/// Inputs whose outputs in all modes are computed together: few enough to stay in the first cache.
const BLOCK: usize = 64;
/// Inputs per unit of a thread's work.
const CHUNK: u64 = 4096;

/// What to compute for a span.
#[derive(Clone, Copy)]
pub enum Work<'a> {
    /// The kernel's outputs, compared with the oracle's; the digest is the kernel's.
    Check(&'a [Judges]),
    /// The kernel's digest alone.
    KernelDigest,
    /// The oracle's digest alone: the kernel is not run.
    OracleDigest(&'a [Judges]),
}

/// Runs a span of a plan on all threads. `done` is called for each finished piece of work.
#[must_use]
pub fn execute(plan: &Plan, work: Work, span: Range<u64>, done: &(dyn Fn(u64) + Sync)) -> Tally {
    let chunks = (span.end - span.start).div_ceil(CHUNK);
    (0..chunks)
        .into_par_iter()
        .map(|k| {
            let start = span.start + k * CHUNK;
            let end = span.end.min(start + CHUNK);
            let tally = chunk(plan, work, start..end);
            done(end - start);
            tally
        })
        .reduce(|| Tally::empty(plan.cells()), Tally::merge)
}

fn chunk(plan: &Plan, work: Work, span: Range<u64>) -> Tally {
    let mut tally = Tally::empty(plan.cells());
    let mut space = Space::default();
    let mut start = span.start;
    while start < span.end {
        let end = span.end.min(start + BATCH);
        let attempt = |space: &mut Space, tally: &mut Tally, span: Range<u64>| {
            catch_unwind(AssertUnwindSafe(|| batch(plan, work, space, tally, span))).is_ok()
        };
        let before = tally.clone();
        if !attempt(&mut space, &mut tally, start..end) {
            tally = before;
            for index in start..end {
                let before = tally.clone();
                if !attempt(&mut space, &mut tally, index..index + 1) {
                    tally = before;
                    panicked(plan, &mut tally, index);
                }
            }
        }
        start = end;
    }
    tally
}

/// Records an input that cannot be run.
fn panicked(plan: &Plan, tally: &mut Tally, index: u64) {
    let operands = catch_unwind(AssertUnwindSafe(|| plan.domain.get(index))).unwrap_or_default();
    tally.seen += 1;
    for cell in &mut tally.cells {
        let (expected, got) = Default::default();
        cell.miss(Mismatch {
            index,
            operands,
            expected,
            got,
            oracle: "panic".into(),
        });
    }
}

/// Buffers for one batch, reused between batches.
#[derive(Default)]
struct Space {
    operands: Vec<Operands>,
    outputs: Vec<Output>,
    answers: Vec<Answer>,
    picked: Vec<usize>,
    picked_operands: Vec<Operands>,
    picked_answers: Vec<Answer>,
}

fn batch(plan: &Plan, work: Work, space: &mut Space, tally: &mut Tally, span: Range<u64>) {
    space.operands.clear();
    space
        .operands
        .extend(span.clone().map(|index| plan.domain.get(index)));
    let count = space.operands.len();
    tally.seen += count as u64;
    let fractions = plan.stochastic();
    let modes = plan.modes.len();
    for (setting, cells) in tally.cells.chunks_exact_mut(modes).enumerate() {
        let args: Vec<Args> = (0..modes).map(|mode| plan.args(setting, mode)).collect();
        let judges = match work {
            Work::Check(judges) | Work::OracleDigest(judges) => judges.get(setting),
            Work::KernelDigest => None,
        };
        if let (Some(judges), Work::Check(_), Some(magnitude)) = (judges, work, plan.scan(&span))
            && !second_has_some(judges, &span)
            && constant_run(plan, &args, judges, space, magnitude)
        {
            tally.checks += (count * modes) as u64;
            continue;
        }
        if let Some(judges) = judges {
            judges
                .first
                .locate_all(&space.operands, fractions, &mut space.answers);
            assert_eq!(space.answers.len(), count, "the oracle left inputs out");
            pick(judges, space, span.start, fractions);
        }
        let mut sums = vec![0; modes];
        if matches!(work, Work::OracleDigest(_)) {
            let mut outputs = Vec::with_capacity(modes);
            for (index, answer) in span.clone().zip(&space.answers) {
                outputs.clear();
                outputs.extend(answer_in(&plan.modes, answer));
                add(&mut sums, index, &outputs);
            }
        } else {
            let mut picked = space.picked.iter().zip(&space.picked_answers).peekable();
            let (operands, room) = (&space.operands, &mut space.outputs);
            run(plan, &args, operands, room, |at, outputs| {
                let index = span.start + at as u64;
                add(&mut sums, index, outputs);
                let Some(judges) = judges else {
                    return;
                };
                let mut seen = Seen {
                    index,
                    operands: operands[at],
                    outputs,
                    right: true,
                };
                seen.compare(&plan.modes, &space.answers[at], judges.first_name, cells);
                let second = picked.next_if(|(place, _)| **place == at);
                if let (true, Some((_, answer)), Some((_, name, _))) =
                    (seen.right, second, &judges.second)
                {
                    seen.compare(&plan.modes, answer, name, cells);
                }
            });
            if judges.is_some() {
                tally.checks += (count * modes) as u64;
                tally.second_checks += (space.picked.len() * modes) as u64;
            }
        }
        for (cell, sum) in cells.iter_mut().zip(sums) {
            let count = count as u64;
            cell.digest.merge(Digest { sum, count });
        }
    }
}

/// An oracle's outputs for an input, mode by mode.
fn answer_in(modes: &[Mode], answer: &Answer) -> impl Iterator<Item = Output> {
    let modes = modes.iter();
    modes.map(|(rounding, overflow)| answer.output(*rounding, *overflow))
}

/// The kernel's output for an input.
struct Seen<'a> {
    index: u64,
    operands: Operands,
    outputs: &'a [Output],
    /// Whether no oracle differs. An input on which the first one differs is not given to the
    /// second.
    right: bool,
}

impl Seen<'_> {
    #[inline]
    fn compare(&mut self, modes: &[Mode], answer: &Answer, oracle: &str, cells: &mut [Cell]) {
        if !answer_in(modes, answer).eq(self.outputs.iter().copied()) {
            self.miss(modes, answer, oracle, cells);
        }
    }

    #[cold]
    fn miss(&mut self, modes: &[Mode], answer: &Answer, oracle: &str, cells: &mut [Cell]) {
        self.right = false;
        let (index, operands) = (self.index, self.operands);
        for ((expected, got), cell) in answer_in(modes, answer).zip(self.outputs).zip(cells) {
            if expected != *got {
                cell.miss(Mismatch {
                    index,
                    operands,
                    expected,
                    got: *got,
                    oracle: oracle.into(),
                });
            }
        }
    }
}

/// Adds one input's outputs, each to the sum of its mode.
fn add(sums: &mut [u64], index: u64, outputs: &[Output]) {
    let mix = |output: &Output| digest::mix(index, output.results, output.flags);
    let mut last = outputs[0];
    let mut mixed = mix(&last);
    for (sum, output) in sums.iter_mut().zip(outputs) {
        // Most modes give the same as the mode before them.
        if *output != last {
            last = *output;
            mixed = mix(output);
        }
        *sum = sum.wrapping_add(mixed);
    }
}

/// Checks a batch of consecutive operands of a monotone kernel at once, if the oracle gives the
/// same answer for all except the first. True if that was done and all outputs were correct.
///
/// The exact result is a monotone function of the operand's magnitude, so an answer (the
/// neighbours and the place between them) that holds at both ends of a run holds inside it. An
/// encoder's answer has no place in it, only whether the operand is a power of two; the run is
/// aligned, so that only its first operand can be one.
fn constant_run(
    plan: &Plan,
    args: &[Args],
    judges: &Judges,
    space: &mut Space,
    magnitude: u64,
) -> bool {
    let operands = &space.operands;
    let count = operands.len();
    if magnitude < BATCH || !magnitude.is_multiple_of(BATCH) || count != BATCH as usize {
        return false;
    }
    let answer = |at: usize| judges.first.locate(&operands[at], plan.stochastic());
    let (first, second, last) = (answer(0), answer(1), answer(count - 1));
    if second != last {
        return false;
    }
    let outputs_of = |answer| -> Vec<Output> { answer_in(&plan.modes, &answer).collect() };
    let (first, rest) = (outputs_of(first), outputs_of(second));
    let mut right = true;
    run(plan, args, operands, &mut space.outputs, |at, outputs| {
        right &= outputs == if at == 0 { &first } else { &rest };
    });
    right
}

/// Runs the kernel in all modes, and passes on every input's index and outputs. An error of a GPU
/// is a finding like a panic.
fn run(
    plan: &Plan,
    args: &[Args],
    operands: &[Operands],
    outputs: &mut Vec<Output>,
    mut each: impl FnMut(usize, &[Output]),
) {
    let remote = plan.runner.as_ref().is_some_and(|other| other.is_remote());
    let block = if remote { operands.len() } else { BLOCK };
    for (at, operands) in operands.chunks(block).enumerate() {
        outputs.resize(operands.len() * args.len(), Output::default());
        let runner = plan.runner.as_deref();
        if let Err(error) = runner::run(runner, &plan.row, args, operands, outputs) {
            panic!("{error}");
        }
        for (k, outputs) in outputs.chunks_exact(args.len()).enumerate() {
            each(at * block + k, outputs);
        }
    }
}

/// Whether any input of a span is in the second oracle's share.
fn second_has_some(judges: &Judges, span: &Range<u64>) -> bool {
    let share = judges.second.as_ref().map(|(_, _, share)| *share);
    share.is_some_and(|share| span.clone().any(|index| share.has(index)))
}

/// Gives the second oracle its share of the batch.
fn pick(judges: &Judges, space: &mut Space, start: u64, fractions: bool) {
    space.picked.clear();
    space.picked_operands.clear();
    space.picked_answers.clear();
    if let Some((oracle, _, share)) = &judges.second {
        for (at, operands) in space.operands.iter().enumerate() {
            if share.has(start + at as u64) {
                space.picked.push(at);
                space.picked_operands.push(*operands);
            }
        }
        oracle.locate_all(&space.picked_operands, fractions, &mut space.picked_answers);
        assert_eq!(
            space.picked_answers.len(),
            space.picked.len(),
            "the oracle left inputs out"
        );
    }
}
