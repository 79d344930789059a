//! `sweep run`: rows against an oracle.

use super::args::{OracleName, RoundingName, RunArgs};
use super::progress::Progress;
use super::report::{self, Report, Verdict};
use super::{Console, Failure, Outcome, mode, select};
use crate::engine::checkpoint::{self, Checkpoint};
use crate::engine::golden::{self, Golden};
use crate::engine::{self, Choice, Filter, Judges, Plan, Shard, Share, Tally, Work, params};
use crate::oracle::OracleKind;
use crate::row::{RoundingArg, Row};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Inputs between two looks at the clock: less than a minute's work with the slowest oracle.
const BLOCK: u64 = 1 << 20;
/// At least this long between two checkpoints of a row.
const PAUSE: Duration = Duration::from_secs(2);

pub fn run(rows: &[Row], args: &RunArgs, console: &mut Console) -> Outcome {
    let shard = select::shard(args.shard.as_deref())?;
    let choice = choice(args.oracle)?;
    if choice.is_none() && shard != Shard::WHOLE {
        let why = "`--oracle golden` compares whole rows: it does not go with `--shard`";
        return Err(Failure::Usage(why.into()));
    }
    let plans = plans(rows, args)?;
    if args.exhaustive && !args.op.is_empty() && plans.iter().all(|plan| !all(plan)) {
        let why = "none of these rows has 32 bits of operands or less, as `--exhaustive` needs";
        return Err(Failure::Usage(why.into()));
    }
    let json = args.json.as_deref().map(JsonFile::open).transpose()?;
    console.people_on_stderr = json.as_ref().is_some_and(|json| json.path.is_none());
    let saved = Saved::open(args, &plans, shard, console)?;
    let share = Share { bits: if args.exhaustive { 16 } else { 6 } };
    let folder = select::golden(args.golden.as_deref());
    let mut sweep = Sweep { shard, saved, share, progress: Progress::new(plans.len()) };
    quiet_panics();
    let mut reports = Vec::with_capacity(plans.len());
    let mut files = BTreeMap::new();
    for plan in plans {
        let report = match choice {
            Some(choice) => sweep.judged(plan, choice, console)?,
            None => sweep.golden(plan, &folder, &mut files, console)?,
        };
        reports.push(report);
    }
    sweep.progress.clear();
    if reports.iter().all(|report| report.verdict == Verdict::Skipped) {
        return Err(Failure::Usage("the oracle covers none of these rows".into()));
    }
    let fails = reports.iter().any(|report| report.verdict.fails());
    console.outlive_reader = true;
    report::mismatches(&reports, args.show, console)?;
    report::table(&reports, console)?;
    console.flush()?;
    if let Some(json) = json {
        let verdict = if fails { "mismatch" } else { "equal" };
        json.write(&report::json(&reports, args, shard, verdict).to_string(), console)?;
    }
    sweep.saved.remove();
    Ok(u8::from(fails))
}

fn all(plan: &Plan) -> bool {
    matches!(plan.domain, crate::domain::Domain::All(_))
}

/// `None` for the golden digests.
fn choice(name: OracleName) -> Result<Option<Choice>, String> {
    let only = |name: &str| {
        let kind = OracleKind::ALL.iter().copied().find(|kind| kind.name() == name);
        kind.map(|kind| Some(Choice::Only(kind)))
            .ok_or_else(|| format!("this `sweep` was built without the oracle `{name}` (cargo feature)"))
    };
    match name {
        OracleName::Auto => Ok(Some(Choice::Auto)),
        OracleName::Golden => Ok(None),
        OracleName::Rational => only("rational"),
        OracleName::Eft => only("eft"),
        OracleName::Real => only("real"),
        OracleName::Filter => only("filter"),
        OracleName::Mpfr => only("mpfr"),
    }
}

/// The rows that are asked for, with their modes.
fn plans(rows: &[Row], args: &RunArgs) -> Outcome<Vec<Plan>> {
    let selected = select::rows(rows, &args.op)?;
    let filter = filter(args)?;
    let given = mode::pairs(&args.params)?;
    let mut plans = Vec::new();
    for row in &selected {
        let setting =
            if given.is_empty() { None } else { Some(params::parse(row, &given)?) };
        let plan = Plan::new(row, args.exhaustive, &filter, setting);
        if plan.cells() > 0 {
            plans.push(plan);
        }
    }
    if plans.is_empty() {
        return Err(Failure::Usage("none of these rows has such a rounding".into()));
    }
    Ok(plans)
}

fn filter(args: &RunArgs) -> Outcome<Filter> {
    let words: Result<Vec<u16>, _> = args.bits.iter().map(|text| mode::random_bits(text)).collect();
    let words = words?;
    let stochastic = args.rounding.contains(&RoundingName::Stochastic);
    if !words.is_empty() && !stochastic {
        let why = "`--bits` is for `--rounding stochastic` only";
        return Err(Failure::Usage(why.into()));
    }
    let words = if words.is_empty() { engine::RANDOM_WORDS.to_vec() } else { words };
    let mut roundings = Vec::new();
    for name in &args.rounding {
        match mode::fixed(*name) {
            Some(fixed) => roundings.push(RoundingArg::Fixed(fixed)),
            None => roundings.extend(words.iter().copied().map(RoundingArg::Stochastic)),
        }
    }
    let overflows: Vec<_> = args.overflow.iter().copied().map(mode::overflow).collect();
    Ok(Filter {
        roundings: (!roundings.is_empty()).then(|| once(roundings)),
        overflows: (!overflows.is_empty()).then(|| once(overflows)),
    })
}

/// Each thing once, in the order of its first mention.
fn once<T: PartialEq>(things: Vec<T>) -> Vec<T> {
    let mut kept = Vec::new();
    for thing in things {
        if !kept.contains(&thing) {
            kept.push(thing);
        }
    }
    kept
}

/// Everything that the rows of one sweep share.
struct Sweep {
    shard: Shard,
    saved: Saved,
    share: Share,
    progress: Progress,
}

impl Sweep {
    /// A row against an oracle.
    fn judged(&mut self, plan: Plan, choice: Choice, console: &mut Console) -> Outcome<Report> {
        let span = self.shard.span(plan.inputs());
        let Some(judges) = engine::judges(&plan, choice, self.share) else {
            return Ok(self.unjudged(plan, choice));
        };
        let (tally, seconds) = self.execute(&plan, Work::Check(&judges), console)?;
        let due = span.end - span.start;
        let mut notes = Vec::new();
        let verdict = if tally.seen != due {
            notes.push(format!("{} inputs were made where {due} were due", tally.seen));
            Verdict::Miscounted
        } else if tally.mismatches() > 0 {
            Verdict::Mismatch
        } else {
            Verdict::Equal
        };
        let oracle = judges.first().map_or_else(String::new, Judges::label);
        let report = Report { plan, tally, due, oracle, seconds, verdict, notes };
        Ok(report)
    }

    fn unjudged(&self, plan: Plan, choice: Choice) -> Report {
        let (verdict, note) = match choice {
            Choice::Auto => (Verdict::Unjudged, "no oracle covers this row".to_owned()),
            Choice::Only(kind) => {
                (Verdict::Skipped, format!("the oracle {} does not cover this row", kind.name()))
            }
        };
        let tally = Tally::empty(plan.cells());
        let (due, oracle, notes) = (0, "none".into(), vec![note]);
        Report { plan, tally, due, oracle, seconds: 0.0, verdict, notes }
    }

    /// A row against its recorded digests; where they differ, against an oracle.
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
        let (tally, seconds) = self.execute(&plan, Work::KernelDigest, console)?;
        let due = plan.inputs();
        let (different, missing) = files[op].compare(&plan, &tally);
        if let Some(key) = missing.first() {
            let notes = vec![format!(
                "no golden digest for `{key}` and {} others; `sweep golden --write` makes them",
                missing.len() - 1
            )];
            let (verdict, oracle) = (Verdict::Unjudged, "golden".into());
            return Ok(Report { plan, tally, due, oracle, seconds, verdict, notes });
        }
        if different.is_empty() {
            let verdict = if tally.seen == due { Verdict::Equal } else { Verdict::Miscounted };
            let mut tally = tally;
            tally.checks = tally.seen * plan.cells() as u64;
            let (oracle, notes) = ("golden".into(), Vec::new());
            return Ok(Report { plan, tally, due, oracle, seconds, verdict, notes });
        }
        self.saved.forget(plan.row.name);
        let mut report = self.judged(plan, Choice::Auto, console)?;
        report.seconds += seconds;
        report.oracle = format!("golden, then {}", report.oracle);
        let digests = format!("{} of {} digests differ", different.len(), report.plan.cells());
        if report.verdict == Verdict::Equal {
            report.verdict = Verdict::Mismatch;
            report.notes.push(format!(
                "{digests}, yet the kernel equals the oracle: the golden file is out of date"
            ));
        } else {
            report.notes.push(digests);
        }
        Ok(report)
    }

    /// Runs this shard's span of a plan, from where the checkpoint left it.
    fn execute(
        &mut self,
        plan: &Plan,
        work: Work,
        console: &mut Console,
    ) -> Outcome<(Tally, f64)> {
        let span = self.shard.span(plan.inputs());
        let name = plan.row.name;
        let (mut next, mut tally, before) = match self.saved.state.rows.get(name) {
            Some(progress) => (progress.next, progress.tally.clone(), progress.seconds),
            None => (span.start, Tally::empty(plan.cells()), 0.0),
        };
        let bar = self.progress.row(name, next - span.start, span.end - span.start);
        let start = Instant::now();
        let mut last = start;
        while next < span.end {
            let end = span.end.min(next.saturating_add(BLOCK));
            tally = tally.merge(engine::execute(plan, work, next..end, &|n| bar.advance(n)));
            next = end;
            if self.saved.path.is_some() && (last.elapsed() >= PAUSE || next == span.end) {
                let seconds = before + start.elapsed().as_secs_f64();
                self.saved.put(name, checkpoint::Progress { next, tally: tally.clone(), seconds })?;
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

/// The checkpoint of this run, if it keeps one.
struct Saved {
    path: Option<PathBuf>,
    state: Checkpoint,
}

impl Saved {
    fn open(args: &RunArgs, plans: &[Plan], shard: Shard, console: &mut Console) -> Outcome<Self> {
        if !args.exhaustive && args.checkpoint.is_none() {
            return Ok(Self { path: None, state: Checkpoint::default() });
        }
        let run = identity(args, plans, shard)?;
        let path = args.checkpoint.clone().unwrap_or_else(|| {
            checkpoint::default_folder().join(format!("{run}.json"))
        });
        let fresh = Checkpoint { run: run.clone(), rows: BTreeMap::new() };
        let found = if args.restart { None } else { Checkpoint::read(&path)? };
        let state = match found {
            None => fresh,
            Some(found) if found.run == run => found,
            Some(_) => {
                return Err(Failure::Usage(format!(
                    "{} is the checkpoint of another run or of another build of `sweep`; \
                     `--restart` begins anew",
                    path.display()
                )));
            }
        };
        for plan in plans {
            let fits = |progress: &checkpoint::Progress| {
                let span = shard.span(plan.inputs());
                let within = span.start <= progress.next && progress.next <= span.end;
                within && progress.tally.cells.len() == plan.cells()
            };
            if state.rows.get(plan.row.name).is_some_and(|progress| !fits(progress)) {
                return Err(format!("{} is damaged; `--restart` begins anew", path.display()).into());
            }
        }
        let done: u64 = state.rows.values().map(|progress| progress.tally.seen).sum();
        if done > 0 {
            console.note(format_args!("going on from {} after {done} inputs", path.display()));
        }
        // A checkpoint that cannot be written should be known now, not after an hour.
        state.write(&path)?;
        Ok(Self { path: Some(path), state })
    }

    fn put(&mut self, row: &str, progress: checkpoint::Progress) -> Outcome<()> {
        self.state.rows.insert(row.into(), progress);
        if let Some(path) = &self.path {
            self.state.write(path)?;
        }
        Ok(())
    }

    fn forget(&mut self, row: &str) {
        self.state.rows.remove(row);
    }

    /// The run is complete and reported.
    fn remove(&self) {
        if let Some(path) = &self.path {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// What makes two runs the same: the program, its rows, inputs, modes, settings, oracle and shard.
fn identity(args: &RunArgs, plans: &[Plan], shard: Shard) -> Outcome<String> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(|error| format!("cannot read this program: {error}"))?;
    let mut state = checkpoint::hash(1, &program);
    let mut add = |text: &str| state = checkpoint::hash(state, text.as_bytes());
    add(&format!("{:?} {}/{}", args.oracle, shard.index, shard.of));
    for plan in plans {
        add(&format!("{} {:?}", plan.row.name, plan.domain));
        for (setting, mode) in cells(plan) {
            add(&plan.cell_name(setting, mode).join(" "));
        }
    }
    Ok(format!("{state:016x}"))
}

fn cells(plan: &Plan) -> impl Iterator<Item = (usize, usize)> {
    let modes = plan.modes.len();
    (0..plan.cells()).map(move |at| (at / modes, at % modes))
}

/// Where the JSON report goes.
struct JsonFile {
    /// `None` is standard output.
    path: Option<PathBuf>,
}

impl JsonFile {
    /// Makes sure that the file can be written, before anything runs; what it holds stays.
    fn open(path: &Path) -> Outcome<Self> {
        if path == Path::new("-") {
            return Ok(Self { path: None });
        }
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
        opened.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(Self { path: Some(path.to_path_buf()) })
    }

    fn write(&self, text: &str, console: &mut Console) -> Outcome<()> {
        let Some(path) = &self.path else {
            console.print(format_args!("{text}\n"))?;
            return console.flush();
        };
        // In place: the path may be a device or a pipe.
        std::fs::write(path, format!("{text}\n"))
            .map_err(|error| format!("cannot write {}: {error}", path.display()).into())
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
