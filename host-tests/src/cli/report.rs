//! The report of a sweep: a table and mismatches for people, JSON for scripts.

use super::args::RunArgs;
use super::{Console, Failure, Outcome, select, table};
use crate::engine::{Mismatch, Plan, Shard, Tally};
use crate::names;
use crate::number;
use crate::row::{Output, RoundingArg, Row, Ty};
use core::ops::Range;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The outcome of one row.
pub struct Report {
    pub plan: Plan,
    pub tally: Tally,
    /// Digests, and runs of other paths, that differ as a whole, besides the tally's mismatches.
    pub differing: u64,
    /// The expected number of inputs.
    pub due: u64,
    pub oracle: String,
    pub seconds: f64,
    pub verdict: Verdict,
    /// Further remarks.
    pub notes: Vec<String>,
}

impl Report {
    /// A row whose outputs were each compared over a span of its inputs.
    pub fn checked(
        plan: Plan,
        tally: Tally,
        span: Range<u64>,
        oracle: String,
        seconds: f64,
    ) -> Self {
        let due = span.end - span.start;
        let checks = due * plan.cells() as u64;
        let mut notes = Vec::new();
        // An input that panics counts as a mismatch, and is not compared.
        let verdict = if tally.seen == due && tally.mismatches() > 0 {
            Verdict::Mismatch
        } else if (tally.seen, tally.checks) != (due, checks) {
            notes.push(format!(
                "{} inputs and {} checks instead of {due} and {checks}",
                tally.seen, tally.checks
            ));
            Verdict::Miscounted
        } else {
            Verdict::Equal
        };
        Self {
            plan,
            tally,
            differing: 0,
            due,
            oracle,
            seconds,
            verdict,
            notes,
        }
    }

    /// A row of which nothing was compared.
    pub fn not_compared(plan: Plan, verdict: Verdict, why: String) -> Self {
        Self {
            tally: Tally::empty(plan.cells()),
            plan,
            differing: 0,
            due: 0,
            oracle: "none".into(),
            seconds: 0.0,
            verdict,
            notes: vec![why],
        }
    }

    /// What differs: outputs, digests, runs of other paths.
    pub fn mismatches(&self) -> u64 {
        self.tally.mismatches() + self.differing
    }
}

/// The verdict on a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Equal,
    Mismatch,
    /// The number of inputs is not that of the domain.
    Miscounted,
    /// Nothing was compared: no oracle covers the row, or no digest is recorded.
    Unjudged,
    /// Nothing was compared: the requested oracle does not cover the row, or it has no such mode.
    NotCovered,
    /// Nothing was compared: the shard has no input of this row.
    Empty,
    /// Nothing was compared yet: the recorded digests are those of the whole row, and `sweep merge`
    /// compares them.
    Deferred,
}

impl Verdict {
    pub const ALL: [Self; 7] = [
        Self::Equal,
        Self::Mismatch,
        Self::Miscounted,
        Self::Unjudged,
        Self::NotCovered,
        Self::Empty,
        Self::Deferred,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Mismatch => "mismatch",
            Self::Miscounted => "miscounted",
            Self::Unjudged | Self::NotCovered | Self::Empty | Self::Deferred => "not compared",
        }
    }

    /// Whether something was wrong.
    pub const fn fails(self) -> bool {
        matches!(self, Self::Mismatch | Self::Miscounted)
    }

    /// Whether anything was compared.
    pub const fn compared(self) -> bool {
        matches!(self, Self::Equal) || self.fails()
    }
}

/// The verdict on all rows.
pub fn verdict(reports: &[Report]) -> &'static str {
    let any = |of: fn(Verdict) -> bool| reports.iter().any(|report| of(report.verdict));
    if any(Verdict::fails) {
        "mismatch"
    } else if any(Verdict::compared) {
        "equal"
    } else {
        "not compared"
    }
}

/// The exit status, or what was not compared although it should have been: a row for which there is
/// nothing to compare with, or all rows that a name stands for. A shard without inputs is complete.
pub fn status(rows: &[Row], patterns: &[String], reports: &[Report]) -> Outcome {
    if reports.iter().any(|report| report.verdict.fails()) {
        return Ok(1);
    }
    let of = |report: &Report| {
        let why = report.notes.first().map_or("", String::as_str);
        Failure::Usage(format!("not compared: {}: {why}", report.plan.row.name))
    };
    let unjudged = |report: &&Report| report.verdict == Verdict::Unjudged;
    if let Some(report) = reports.iter().find(unjudged) {
        return Err(of(report));
    }
    let complete = |report: &&Report| {
        let later = matches!(report.verdict, Verdict::Empty | Verdict::Deferred);
        later || report.verdict.compared()
    };
    let names: BTreeSet<_> = reports
        .iter()
        .filter(complete)
        .map(|report| report.plan.row.name)
        .collect();
    let all = ["*".to_owned()];
    let patterns = if patterns.is_empty() { &all } else { patterns };
    match select::unmet(rows, patterns, |row| names.contains(row.name)).first() {
        None => Ok(0),
        Some(pattern) => {
            let matched = |report: &&Report| {
                let row = std::slice::from_ref(&report.plan.row);
                names::many(row, pattern).is_ok()
            };
            Err(reports
                .iter()
                .find(matched)
                .map_or_else(|| Failure::Usage(format!("not compared: `{pattern}`")), of))
        }
    }
}

/// Prints the mismatches, up to `show` modes of each row, with the first input of each.
pub fn mismatches(reports: &[Report], show: usize, console: &mut Console) -> Outcome<()> {
    for report in reports {
        let modes = report.plan.modes.len();
        let wrong = |(at, cell): (usize, _)| {
            let cell: &crate::engine::Cell = cell;
            cell.first
                .as_ref()
                .map(|first| (at, cell.mismatches, first))
        };
        let wrong: Vec<_> = report
            .tally
            .cells
            .iter()
            .enumerate()
            .filter_map(wrong)
            .collect();
        for (at, count, first) in wrong.iter().take(show) {
            let (setting, mode) = (at / modes, at % modes);
            describe(&report.plan, setting, mode, *count, first, console)?;
        }
        if wrong.len() > show {
            let (name, more) = (report.plan.row.name, wrong.len() - show);
            console.tell(format_args!("{name}: mismatches in {more} more modes"))?;
        }
        for note in &report.notes {
            console.tell(format_args!("{}: {note}", report.plan.row.name))?;
        }
    }
    Ok(())
}

fn describe(
    plan: &Plan,
    setting: usize,
    mode: usize,
    count: u64,
    first: &Mismatch,
    console: &mut Console,
) -> Outcome<()> {
    let row = &plan.row;
    let [rounding, overflow, params] = plan.cell_name(setting, mode);
    let name = [rounding, overflow, params]
        .into_iter()
        .filter(|part| part != "-");
    let name: Vec<_> = [row.name.to_owned()].into_iter().chain(name).collect();
    console.tell(format_args!(
        "{}: {count} mismatches, the first:",
        name.join(" ")
    ))?;
    for line in first_lines(plan, setting, mode, first) {
        console.tell(format_args!("{line}"))?;
    }
    Ok(())
}

/// A mismatch's operands, results and flags.
pub fn first_lines(plan: &Plan, setting: usize, mode: usize, first: &Mismatch) -> Vec<String> {
    let row = &plan.row;
    let words = |types: &[Ty], bits: &[u64]| {
        let words = types.iter().zip(bits);
        let words: Vec<_> = words
            .map(|(ty, bits)| {
                format!(
                    "{} ({})",
                    number::hex(*ty, *bits),
                    number::value(*ty, *bits)
                )
            })
            .collect();
        words.join(" ")
    };
    let output = |output: &Output| {
        format!(
            "{} flags {:02X}",
            words(row.results, &output.results),
            output.flags
        )
    };
    let input = words(row.operands, &first.operands);
    let mut lines = vec![format!("  input     {input}, number {}", first.index)];
    if first.oracle == "panic" {
        lines.push("  the kernel or the oracle panicked".into());
    } else {
        let (expected, got) = (output(&first.expected), output(&first.got));
        lines.push(format!("  expected  {expected} by {}", first.oracle));
        lines.push(format!("  got       {got}"));
    }
    lines.push(format!("  again     {}", again(plan, setting, mode, first)));
    lines
}

/// The command that shows the kernel's result.
fn again(plan: &Plan, setting: usize, mode: usize, first: &Mismatch) -> String {
    let row = &plan.row;
    let mut command = format!("sweep eval {}", row.name);
    if row.takes_rounding {
        let (rounding, overflow) = plan.modes[mode];
        command.push_str(&match rounding {
            RoundingArg::Fixed(_) => {
                format!(" --rounding {}", crate::engine::rounding_name(rounding))
            }
            RoundingArg::Stochastic(bits) => format!(" --rounding stochastic --bits {bits:04X}"),
        });
        if row.takes_overflow {
            command.push_str(&format!(" --overflow {}", overflow.name()));
        }
    }
    for (name, text) in plan.settings[setting].parts(row) {
        command.push_str(&format!(" --param {name}={text}"));
    }
    for (ty, bits) in row.operands.iter().zip(first.operands) {
        command.push_str(&format!(" {}", number::hex(*ty, bits)));
    }
    command
}

/// Sums over all rows.
struct Total {
    rows: usize,
    not_compared: usize,
    inputs: u64,
    checks: u64,
    second: u64,
    mismatches: u64,
    seconds: f64,
}

fn total(reports: &[Report]) -> Total {
    let sum = |of: fn(&Report) -> u64| reports.iter().map(of).sum();
    let not_compared = reports
        .iter()
        .filter(|report| !report.verdict.compared())
        .count();
    Total {
        rows: reports.len() - not_compared,
        not_compared,
        inputs: sum(|report| report.tally.seen),
        checks: sum(|report| report.tally.checks),
        second: sum(|report| report.tally.second_checks),
        mismatches: sum(Report::mismatches),
        seconds: reports.iter().map(|report| report.seconds).sum(),
    }
}

/// The columns of a table of rows.
pub const HEAD: [&str; 9] = [
    "row",
    "oracle",
    "verdict",
    "domain",
    "modes",
    "inputs",
    "checks",
    "mismatches",
    "seconds",
];

/// The table at the end.
pub fn table(reports: &[Report], console: &mut Console) -> Outcome<()> {
    let mut lines = vec![HEAD.map(String::from)];
    for report in reports {
        let (plan, tally) = (&report.plan, &report.tally);
        lines.push([
            plan.row.name.into(),
            report.oracle.clone(),
            report.verdict.name().into(),
            plan.domain_name().into(),
            plan.cells().to_string(),
            tally.seen.to_string(),
            tally.checks.to_string(),
            report.mismatches().to_string(),
            format!("{:.2}", report.seconds),
        ]);
    }
    let text = table::render(&lines, |column| column > 3);
    console.tell(format_args!("{}", text.trim_end()))?;
    let total = total(reports);
    let not_compared = match total.not_compared {
        0 => String::new(),
        n => format!(", {n} rows not compared"),
    };
    console.tell(format_args!(
        "total: {} rows, {} inputs, {} checks ({} again by a second oracle), {} mismatches{not_compared}, {:.1} s",
        total.rows, total.inputs, total.checks, total.second, total.mismatches, total.seconds
    ))
}

/// The report for scripts. Only `seconds` depends on the machine.
pub fn json(reports: &[Report], args: &RunArgs, shard: Shard, verdict: &str) -> Value {
    let total = total(reports);
    json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "exhaustive": args.exhaustive,
        "backend": reports.first().map(|report| {
            report.plan.runner.as_ref().map_or_else(|| "host".into(), |other| other.label())
        }),
        "shard": { "index": shard.index, "of": shard.of },
        "verdict": verdict,
        "rows": reports.iter().map(row_json).collect::<Vec<_>>(),
        "total": {
            "rows": total.rows, "not_compared": total.not_compared, "inputs": total.inputs,
            "checks": total.checks, "second_checks": total.second,
            "mismatches": total.mismatches, "seconds": total.seconds,
        },
    })
}

fn row_json(report: &Report) -> Value {
    let (plan, tally) = (&report.plan, &report.tally);
    let row = &plan.row;
    let types = |types: &[Ty]| types.iter().map(|ty| ty.name()).collect::<Vec<_>>();
    let modes: Vec<_> = tally
        .cells
        .iter()
        .enumerate()
        .map(|(at, cell)| {
            let (setting, mode) = (at / plan.modes.len(), at % plan.modes.len());
            let [rounding, overflow, params] = plan.cell_name(setting, mode);
            json!({
                "rounding": rounding, "overflow": overflow, "params": params,
                "mismatches": cell.mismatches,
                "digest": digest(cell, tally.seen),
                "first": cell.first.as_ref().map(|first| first_json(row, first)),
            })
        })
        .collect();
    json!({
        "row": row.name, "op": row.op, "operands": types(row.operands),
        "results": types(row.results), "verdict": report.verdict.name(),
        "oracle": report.oracle, "domain": plan.domain_name(), "domain_inputs": plan.inputs(),
        "inputs_due": report.due, "inputs": tally.seen, "checks": tally.checks,
        "second_checks": tally.second_checks, "mismatches": report.mismatches(),
        "seconds": report.seconds, "modes": modes, "notes": report.notes,
    })
}

/// The kernel's digest, or null if some inputs are not in it (see `Plan::scan`).
fn digest(cell: &crate::engine::Cell, seen: u64) -> Value {
    let whole = cell.digest.count == seen;
    whole.then(|| format!("{:016X}", cell.digest.sum)).into()
}

fn first_json(row: &Row, first: &Mismatch) -> Value {
    let hex = |types: &[Ty], bits: &[u64]| {
        types
            .iter()
            .zip(bits)
            .map(|(ty, bits)| number::hex(*ty, *bits))
            .collect::<Vec<_>>()
    };
    let values = |types: &[Ty], bits: &[u64]| {
        types
            .iter()
            .zip(bits)
            .map(|(ty, bits)| number::value(*ty, *bits))
            .collect::<Vec<_>>()
    };
    let output = |output: &Output| {
        json!({
            "bits": hex(row.results, &output.results),
            "values": values(row.results, &output.results),
            "flags": format!("{:02X}", output.flags),
        })
    };
    json!({
        "index": first.index,
        "operands": hex(row.operands, &first.operands),
        "values": values(row.operands, &first.operands),
        "oracle": first.oracle,
        "expected": output(&first.expected),
        "got": output(&first.got),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Filter;

    /// Slices, or another machine's digests, that differ where every result of the kernel is right.
    #[test]
    fn a_mismatch_is_counted_whatever_differs() {
        let plan = Plan::new(&crate::rows::all()[0], false, &Filter::default(), None);
        let report = Report {
            differing: 3,
            ..Report::not_compared(plan, Verdict::Mismatch, String::new())
        };
        assert_eq!(row_json(&report)["mismatches"], 3);
        let mut out = Vec::new();
        let mut err = std::io::sink();
        let mut stdin = std::io::empty();
        let mut console = Console::new(&mut stdin, &mut out, &mut err);
        table(&[report], &mut console).unwrap();
        let text = String::from_utf8(out).unwrap();
        let row: Vec<_> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!((row[2], row[7]), ("mismatch", "3"), "{text}");
        assert!(text.contains(" 3 mismatches"), "{text}");
    }
}
