//! The slice forms (`bitexact-slices`), by each implementation that a call can go through.
//!
//! The kernels run as on the host, and their digests are compared with the golden ones. Every
//! implementation must give the same results, input by input, and the same exceptions for each
//! call. [`pairs`] runs over all pairs.

pub mod pairs;

use rayon::prelude::*;
use std::ops::Range;
use sweep_engine::{Backend, Cell, Plan, Runner, Swept, Tally};
use sweep_inputs::digest::Digest;
use sweep_row::{Args, Operands, Output, Row};
use sweep_simd::{Form, Level, Way, form, fpu};

/// Inputs at a time: all 16-bit inputs, since a table is built each time.
const SPAN: u64 = 1 << 16;
/// Pairs in each mode between two checks of the clock.
const BLOCK: u64 = 1 << 27;

/// This process, and also the slice forms at these levels and in these states of the floating-point
/// unit, which must give the same results.
pub struct Simd {
    pub levels: Vec<Level>,
    pub states: Vec<u32>,
}

impl Runner for Simd {
    fn label(&self) -> String {
        let levels: Vec<_> = self.levels.iter().map(|level| level.name()).collect();
        let label = format!("host, slices by kernel, table, {}", levels.join(", "));
        let states: Vec<_> = self.states.iter().map(|state| fpu::name(*state)).collect();
        match self.states.iter().copied().eq(fpu::states().take(1)) {
            true => label,
            false => format!("{label}; floating-point unit {}", states.join(", ")),
        }
    }

    fn run(
        &self,
        row: &Row,
        args: &[Args],
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), String> {
        (row.run)(args, operands, outputs);
        Ok(())
    }

    fn is_remote(&self) -> bool {
        false
    }
}

impl Backend for Simd {
    fn sweep(
        &self,
        plan: &Plan,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Swept, String> {
        Ok(sweep(plan, self, span, done))
    }

    fn module(&self) -> String {
        "-".into()
    }

    fn judge(&self, _: &Plan, _: bool) -> String {
        pairs::ORACLE.to_owned()
    }

    fn block(&self, plan: &Plan) -> u64 {
        (BLOCK / plan.cells().max(1) as u64).next_power_of_two()
    }

    fn check(
        &self,
        plan: &Plan,
        _: bool,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Tally, String> {
        Ok(pairs::check(plan, self, span, done))
    }
}

/// Runs a span of a plan by every implementation.
fn sweep(plan: &Plan, simd: &Simd, span: Range<u64>, done: &dyn Fn(u64)) -> Swept {
    let levels = simd.levels.iter().map(|level| Way::Level(*level));
    let ways = [Way::Kernel, Way::Table].into_iter().chain(levels);
    let ways: Vec<_> = ways
        .flat_map(|way| simd.states.iter().map(move |state| (way, *state)))
        .collect();
    let form = form(plan.row.name);
    let mut swept = Swept {
        tally: Tally::empty(plan.cells()),
        paths: 0,
        wrong_paths: Vec::new(),
    };
    let mut start = span.start;
    while start < span.end {
        let end = span.end.min(start + SPAN);
        let inputs: Vec<Operands> = (start..end).map(|index| plan.domain.get(index)).collect();
        let cells: Vec<(Cell, u64, Vec<String>)> = (0..plan.cells())
            .into_par_iter()
            .map(|at| cell(plan, form, &ways, at, start, &inputs))
            .collect();
        let mut tally = Tally::empty(plan.cells());
        tally.seen = end - start;
        let mut paths = 0;
        for (to, (cell, ways, wrong)) in tally.cells.iter_mut().zip(cells) {
            *to = cell;
            paths += ways;
            swept.wrong_paths.extend(wrong);
        }
        // The same for each part of the span.
        swept.paths = paths;
        swept.tally = swept.tally.merge(tally);
        done(end - start);
        start = end;
    }
    swept
}

/// One setting in one mode: the kernel's digest, how many implementations in how many states there
/// are, and those that differ.
fn cell(
    plan: &Plan,
    form: Form,
    ways: &[(Way, u32)],
    at: usize,
    start: u64,
    inputs: &[Operands],
) -> (Cell, u64, Vec<String>) {
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
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (way, state) in ways {
        // The kernels' results above are of the default state.
        let got = fpu::under(*state, || form(&args, *way, inputs));
        let Some((plain, with_status)) = got else {
            continue;
        };
        count += 1;
        let (second, status) = with_status.unzip();
        let name = || {
            let cell = plan.cell_name(setting, mode).join(" ");
            format!("{cell}: {way:?}, {}", fpu::name(*state))
        };
        let same = |(output, results): (&Output, &[u64; 2])| output.results == *results;
        for results in [Some(plain), second].into_iter().flatten() {
            assert_eq!(results.len(), outputs.len());
            if let Some(first) = outputs.iter().zip(&results).position(|pair| !same(pair)) {
                wrong.push(format!(
                    "{} gives {:X?} for {:X?}, the kernel {:X?}",
                    name(),
                    results[first],
                    inputs[first],
                    outputs[first].results
                ));
            }
        }
        if status.is_some_and(|status| status.bits() != raised) {
            wrong.push(format!("{} gives different exceptions", name()));
        }
    }
    let cell = Cell {
        digest,
        ..Cell::default()
    };
    (cell, count, wrong)
}
