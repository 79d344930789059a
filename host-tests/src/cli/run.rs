//! `sweep run`: rows against an oracle.

use super::args::{BackendName, OracleName, RunArgs};
use super::json::JsonFile;
use super::plans::{no_stochastic, plans};
use super::progress::Progress;
use super::report::{self, Report, Verdict};
use super::saved::Saved;
use super::self_check;
use super::shards::Out;
use super::{Console, Failure, Outcome, options, select};
use crate::engine::checkpoint;
use crate::engine::files;
use crate::engine::golden::{self, Golden};
use crate::engine::{
    self, Backend, Choice, Filter, Judges, Plan, Runner, Shard, Share, Tally, Work, params,
};
use crate::oracle::OracleKind;
use crate::row::Row;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Inputs between two checks of the clock: less than a minute's work with the slowest oracle.
const BLOCK: u64 = 1 << 20;
/// At least this long between two checkpoints of a row.
const PAUSE: Duration = Duration::from_secs(2);

pub fn run(rows: &[Row], args: &RunArgs, console: &mut Console) -> Outcome {
    let shard = select::shard(args)?;
    let choice = match (args.oracle, args.backend.backend) {
        (OracleName::Auto, BackendName::Cuda | BackendName::HostSimd) => None,
        (OracleName::Device, BackendName::Cuda) => None,
        (oracle, _) => choice(oracle)?,
    };
    let mut plans = plans(rows, args)?;
    let own = self_check::choose(args, &mut plans)?;
    let device = args.oracle == OracleName::Device;
    let by_digests = |plan: &Plan| choice.is_none() && !device && !own(plan);
    options::golden(args, plans.iter().any(by_digests))?;
    if shard != Shard::WHOLE && args.out.is_none() && plans.iter().any(by_digests) {
        let why = "the recorded digests are those of whole rows: with `--shard`, `--oracle golden` \
                   needs `--out`, and `sweep merge` compares";
        return Err(Failure::Usage(why.into()));
    }
    let more = |plan: &Plan| all(plan) || params::takes_formats(&plan.row);
    if args.exhaustive && !args.op.is_empty() && !plans.iter().any(more) {
        let others = " (with `--backend cuda`, fma.f16 and fma.bf16 have all their 2^48 triples)";
        return Err(Failure::Usage(select::not_exhaustive(others)));
    }
    let empty = |plan: &Plan| shard.span(plan.inputs()).is_empty();
    if plans.iter().all(empty) {
        console.note(format_args!(
            "shard {}/{} has no input of any of these rows",
            shard.index, shard.of
        ));
    }
    let backend = select::backend(&args.backend)?;
    for plan in &mut plans {
        plan.runner = backend.clone().map(|backend| backend as Arc<dyn Runner>);
    }
    let folder = select::golden(args.golden.as_deref())?;
    let json = args.json.as_deref().map(JsonFile::open).transpose()?;
    console.people_on_stderr = json.as_ref().is_some_and(|json| json.path.is_none());
    let out = match &args.out {
        None => None,
        Some(out) => Some(Out::open(out, args, &plans, shard, backend.as_deref())?),
    };
    if let Some(out) = out.as_ref().filter(|_| !args.restart)
        && let Some(status) = out.found(console)?
    {
        return Ok(status);
    }
    let saved = Saved::open(args, &plans, shard, console)?;
    if let Some(json) = &json {
        json.is_not(|path| saved.uses(path), "the checkpoint or its lock")?;
        json.is_not(|path| golden::is_of(&folder, path), "recorded digests")?;
        let read = |path: &Path| {
            let program = std::env::current_exe().ok();
            let read = [args.backend.ptx.as_deref(), program.as_deref()];
            read.into_iter()
                .flatten()
                .any(|file| files::same(file, path))
        };
        json.is_not(read, "what the run reads")?;
    }
    if let Some(other) = &backend {
        console.note(format_args!("{}", other.label()));
    }
    let share = Share {
        bits: if args.exhaustive { 16 } else { 6 },
    };
    let mut sweep = Sweep {
        shard,
        saved,
        share,
        backend,
        progress: Progress::new(plans.len()),
    };
    quiet_panics();
    let mut reports = Vec::with_capacity(plans.len());
    let mut files = BTreeMap::new();
    for plan in plans {
        let no_stochastic = no_stochastic(args, &plan.row);
        let uncovered = |plan, why: &str| {
            let verdict = Verdict::NotCovered;
            Report::not_compared(plan, verdict, why.to_owned())
        };
        if let (0, Some(why)) = (plan.cells(), no_stochastic) {
            reports.push(uncovered(plan, why));
            continue;
        }
        let mut report = match choice {
            _ if empty(&plan) => {
                let why = "this shard has no input of it".to_owned();
                Report::not_compared(plan, Verdict::Empty, why)
            }
            Some(choice) => sweep.judged(plan, choice, console)?,
            None if own(&plan) => sweep.own(plan, args.oracle, console)?,
            None if device => uncovered(
                plan,
                "`--oracle device` does not cover it, or not all its inputs",
            ),
            None => sweep.golden(plan, &folder, &mut files, console)?,
        };
        report.notes.extend(no_stochastic.map(String::from));
        reports.push(report);
    }
    sweep.progress.clear();
    let status = report::status(rows, &args.op, &reports);
    // The files first: they are left if standard output is full. If they cannot be written, what
    // was found is printed before the error, and the checkpoint stays.
    let written = write(args, shard, out, json, &reports, &status, console);
    report::mismatches(&reports, args.show, console)?;
    report::table(&reports, console)?;
    console.flush()?;
    written?;
    sweep.saved.remove();
    status
}

/// Writes the shard's result and the report.
fn write(
    args: &RunArgs,
    shard: Shard,
    out: Option<Out>,
    json: Option<JsonFile>,
    reports: &[Report],
    status: &Outcome,
    console: &mut Console,
) -> Outcome<()> {
    if let Some(out) = out {
        let path = out.write(reports, *status.as_ref().unwrap_or(&2))?;
        console.note(format_args!("{}", path.display()));
    }
    if let Some(json) = json {
        // Where a row should have been compared and was not, the others do not make it equal.
        let verdict = match status {
            Ok(_) => report::verdict(reports),
            Err(_) => "not compared",
        };
        let report = report::json(reports, args, shard, verdict);
        json.write(&report.to_string(), console)?;
    }
    Ok(())
}

fn all(plan: &Plan) -> bool {
    !matches!(plan.domain, crate::domain::Domain::Hard(_))
}

/// What to do about a digest that is not recorded: only those of all modes and stated settings can
/// be.
fn what_to_do(plan: &Plan, key: &golden::Key) -> &'static str {
    let recorded = |exhaustive| {
        let plan = Plan::new(&plan.row, exhaustive, &Filter::default(), None);
        golden::keys(&plan).contains(key)
    };
    match (recorded(false), recorded(true)) {
        (true, _) => "`sweep golden --write` records them",
        (false, true) => "`sweep golden --write --exhaustive` records them",
        (false, false) => "such modes or settings are not recorded: `--oracle auto` judges them",
    }
}

/// `None` for the golden digests.
fn choice(name: OracleName) -> Result<Option<Choice>, String> {
    let only = |name: &str| {
        let kind = OracleKind::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == name);
        kind.map(|kind| Some(Choice::Only(kind))).ok_or_else(|| {
            format!("this `sweep` was built without the oracle `{name}` (cargo feature)")
        })
    };
    match name {
        OracleName::Auto => Ok(Some(Choice::Auto)),
        OracleName::Golden => Ok(None),
        OracleName::Device => Err("`--oracle device` is for `--backend cuda` only".into()),
        OracleName::Rational => only("rational"),
        OracleName::Eft => only("eft"),
        OracleName::Real => only("real"),
        OracleName::Filter => only("filter"),
        OracleName::Mpfr => only("mpfr"),
    }
}

/// A row that no oracle covers, or not the requested one.
fn unjudged(plan: Plan, choice: Choice) -> Report {
    let (verdict, why) = match choice {
        Choice::Auto => (Verdict::Unjudged, "no oracle covers this row".to_owned()),
        Choice::Only(kind) => (
            Verdict::NotCovered,
            format!("the oracle {} does not cover this row", kind.name()),
        ),
    };
    Report::not_compared(plan, verdict, why)
}

/// The state shared by the rows of one sweep.
struct Sweep {
    shard: Shard,
    saved: Saved,
    share: Share,
    progress: Progress,
    backend: Option<Arc<dyn Backend>>,
}

impl Sweep {
    /// Compares a row with an oracle.
    fn judged(&mut self, plan: Plan, choice: Choice, console: &mut Console) -> Outcome<Report> {
        let span = self.shard.span(plan.inputs());
        let share = match all(&plan) {
            true => self.share,
            false => Share { bits: 6 },
        };
        let Some(judges) = engine::judges(&plan, choice, share) else {
            return Ok(unjudged(plan, choice));
        };
        let (tally, seconds) = self.execute(&plan, Work::Check(&judges), console)?;
        let oracle = judges.first().map_or_else(String::new, Judges::label);
        Ok(Report::checked(plan, tally, span, oracle, seconds))
    }

    /// A row checked by its backend.
    fn own(&mut self, plan: Plan, oracle: OracleName, console: &mut Console) -> Outcome<Report> {
        let Some(backend) = self.backend.clone() else {
            let why = "only a GPU and the slice forms can check themselves";
            return Err(Failure::Usage(why.into()));
        };
        let (name, hardware) = (plan.row.name, oracle == OracleName::Auto);
        let (tally, seconds) = self.walk(&plan, backend.block(&plan), console, |span, done| {
            let checked = backend.check(&plan, hardware, span, done);
            Ok(checked.map_err(|error| format!("{name}: {error}"))?)
        })?;
        let span = self.shard.span(plan.inputs());
        let oracle = backend.judge(&plan, hardware);
        Ok(Report::checked(plan, tally, span, oracle, seconds))
    }

    /// Compares a row with its recorded digests and, if they differ, with an oracle.
    fn golden(
        &mut self,
        plan: Plan,
        folder: &Path,
        files: &mut BTreeMap<&'static str, Golden>,
        console: &mut Console,
    ) -> Outcome<Report> {
        let op = plan.row.op;
        if !files.contains_key(op) {
            files.insert(op, Golden::read(&golden::file(folder, op))?);
        }
        let (tally, seconds, wrong_paths) = match self.backend.clone().as_deref() {
            None => {
                let (tally, seconds) = self.execute(&plan, Work::KernelDigest, console)?;
                (tally, seconds, Vec::new())
            }
            Some(other) => self.paths(&plan, other, console)?,
        };
        let span = self.shard.span(plan.inputs());
        let due = span.end - span.start;
        let part = self.shard != Shard::WHOLE;
        let (mut different, missing) = files[op].compare(&plan, &tally);
        if part {
            different.clear();
        }
        let remote = plan.runner.as_ref().is_some_and(|other| other.is_remote());
        if !missing.is_empty() && remote {
            return self.like_here(plan, tally, seconds, wrong_paths, console);
        }
        let differing = wrong_paths.len() as u64;
        // What is known to differ is said, whether or not all digests are recorded.
        if let Some(key) = missing.first().filter(|_| different.is_empty()) {
            let mut notes = vec![format!(
                "no golden digest for `{key}` and {} others; {}",
                missing.len() - 1,
                what_to_do(&plan, key)
            )];
            let verdict = if wrong_paths.is_empty() {
                Verdict::Unjudged
            } else {
                Verdict::Mismatch
            };
            notes.extend(wrong_paths);
            return Ok(Report {
                plan,
                tally,
                differing,
                due,
                oracle: "golden".into(),
                seconds,
                verdict,
                notes,
            });
        }
        if different.is_empty() {
            let verdict = if tally.seen != due {
                Verdict::Miscounted
            } else if !wrong_paths.is_empty() {
                Verdict::Mismatch
            } else if part {
                Verdict::Deferred
            } else {
                Verdict::Equal
            };
            let mut tally = tally;
            if !part {
                tally.checks = tally.seen * plan.cells() as u64;
            }
            let (oracle, notes) = ("golden".into(), wrong_paths);
            return Ok(Report {
                plan,
                tally,
                differing,
                due,
                oracle,
                seconds,
                verdict,
                notes,
            });
        }
        self.saved.forget(plan.row.name);
        let mut report = self.judged(plan, Choice::Auto, console)?;
        report.notes.extend(wrong_paths);
        report.differing = differing;
        report.seconds += seconds;
        report.oracle = format!("golden, then {}", report.oracle);
        let digests = format!(
            "{} of {} digests differ",
            different.len(),
            report.plan.cells()
        );
        if report.verdict == Verdict::Equal {
            report.verdict = Verdict::Mismatch;
            report.differing += different.len() as u64;
            report.notes.push(format!(
                "{digests}, but the kernel matches the oracle: the golden file is out of date"
            ));
        } else {
            report.notes.push(digests);
        }
        Ok(report)
    }

    /// A row whose digests come from a GPU and are not recorded: the same kernels on this machine
    /// must give the same digests.
    fn like_here(
        &mut self,
        plan: Plan,
        tally: Tally,
        seconds: f64,
        mut notes: Vec<String>,
        console: &mut Console,
    ) -> Outcome<Report> {
        let mut here = plan.clone();
        here.runner = None;
        let (expected, more) = self.execute(&here, Work::KernelDigest, console)?;
        let cells = tally.cells.iter().zip(&expected.cells).enumerate();
        for (at, (cell, expected)) in cells {
            if cell.digest != expected.digest {
                let name = plan.cell_name(at / plan.modes.len(), at % plan.modes.len());
                let name = name.join(" ");
                notes.push(format!("{name}: results or flags differ from the host's"));
            }
        }
        let span = self.shard.span(plan.inputs());
        let due = span.end - span.start;
        let verdict = if tally.seen != due {
            Verdict::Miscounted
        } else if notes.is_empty() {
            Verdict::Equal
        } else {
            Verdict::Mismatch
        };
        let mut tally = tally;
        tally.checks = tally.seen * plan.cells() as u64;
        let report = Report {
            plan,
            tally,
            differing: notes.len() as u64,
            due,
            oracle: "host (no golden)".into(),
            seconds: seconds + more,
            verdict,
            notes,
        };
        Ok(report)
    }

    /// Runs this shard's span of a row by several paths for its digests; returns the paths whose
    /// results differ.
    fn paths(
        &self,
        plan: &Plan,
        backend: &dyn Backend,
        console: &mut Console,
    ) -> Outcome<(Tally, f64, Vec<String>)> {
        let name = plan.row.name;
        let span = self.shard.span(plan.inputs());
        let bar = self.progress.row(name, 0, span.end - span.start);
        let start = Instant::now();
        let swept = backend
            .sweep(plan, span, &|n| bar.advance(n))
            .map_err(|error| format!("{name}: {error}"))?;
        let seconds = start.elapsed().as_secs_f64();
        let line = format!(
            "{name}: {} inputs, {} digests, {} runs of faster paths, {seconds:.2} s",
            swept.tally.seen,
            plan.cells(),
            swept.paths
        );
        if let Some(line) = self.progress.end(bar, line) {
            console.note(format_args!("{line}"));
        }
        Ok((swept.tally, seconds, swept.wrong_paths))
    }

    /// Runs this shard's span of a plan on all threads.
    fn execute(&mut self, plan: &Plan, work: Work, console: &mut Console) -> Outcome<(Tally, f64)> {
        self.walk(plan, BLOCK, console, |span, done| {
            Ok(engine::execute(plan, work, span, done))
        })
    }

    /// Runs this shard's span of a plan block by block, starting at the checkpoint.
    fn walk(
        &mut self,
        plan: &Plan,
        block: u64,
        console: &mut Console,
        run: impl Fn(Range<u64>, &(dyn Fn(u64) + Sync)) -> Outcome<Tally>,
    ) -> Outcome<(Tally, f64)> {
        let span = self.shard.span(plan.inputs());
        let name = plan.row.name;
        let (mut next, mut tally, before) = match self.saved.state.rows.get(name) {
            Some(progress) => (progress.next, progress.tally.clone(), progress.seconds),
            None => (span.start, Tally::empty(plan.cells()), 0.0),
        };
        let bar = self
            .progress
            .row(name, next - span.start, span.end - span.start);
        let start = Instant::now();
        let mut last = start;
        while next < span.end {
            let end = span.end.min(next.saturating_add(block));
            tally = tally.merge(run(next..end, &|n| bar.advance(n))?);
            next = end;
            if self.saved.path.is_some() && (last.elapsed() >= PAUSE || next == span.end) {
                let seconds = before + start.elapsed().as_secs_f64();
                self.saved.put(
                    name,
                    checkpoint::Progress {
                        next,
                        tally: tally.clone(),
                        seconds,
                    },
                )?;
                last = Instant::now();
            }
        }
        let seconds = before + start.elapsed().as_secs_f64();
        let line = format!(
            "{name}: {} inputs, {} checks, {} mismatches, {seconds:.2} s",
            tally.seen,
            tally.checks,
            tally.mismatches()
        );
        if let Some(line) = self.progress.end(bar, line) {
            console.note(format_args!("{line}"));
        }
        Ok((tally, seconds))
    }
}

/// A kernel that panics on every input must not fill the terminal.
fn quiet_panics() {
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};
    static ONCE: Once = Once::new();
    static SHOWN: AtomicU32 = AtomicU32::new(0);
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if SHOWN.fetch_add(1, Ordering::Relaxed) < 3 {
                usual(info);
            }
        }));
    });
}
