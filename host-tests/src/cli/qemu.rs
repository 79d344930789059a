//! `sweep run --backend qemu`: rows, composites and networks on microcontrollers, against the
//! golden digests.
//!
//! The firmware returns digests, not outputs. If a digest is wrong, the span is bisected down to a
//! single input, for which the oracle gives the expected output.

use super::args::RunArgs;
use super::json::JsonFile;
use super::plans::{no_stochastic, plans};
use super::progress::{Progress, RowBar};
use super::report::{self, Report, Verdict};
use super::{Console, Failure, Outcome, programs, select};
use crate::backend::qemu::{self, Catalog, Target};
use crate::domain::Domain;
use crate::engine::golden::{self, Golden};
use crate::engine::{self, Choice, Judges, Mismatch, Plan, Shard, Share, Tally, Work};
use crate::row::{Output, Row};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;
use sweep_inputs::job::{Answer, Job};

/// About how many kernel calls one run of the firmware makes: some seconds' work.
const PART: u64 = 4_000_000;

/// A row, its index in the catalog, and the expected digests of its cells.
struct Task {
    plan: Plan,
    row: usize,
    due: u64,
    source: &'static str,
    expected: Vec<u64>,
}

/// The jobs of one run of the firmware: (task, cell) of each.
type Part = Vec<(usize, usize)>;

/// A target and its program.
struct Device {
    target: Target,
    elf: PathBuf,
    folder: PathBuf,
}

pub fn run(rows: &[Row], args: &RunArgs, console: &mut Console) -> Outcome {
    let mut targets = qemu::targets(&args.target)?;
    if args.hostile_fpu {
        let without = targets.iter().find(|target| !target.fpu);
        if let Some(target) = without.filter(|_| !args.target.is_empty()) {
            let why = format!("`--hostile-fpu`: the target {} has no FPU", target.name);
            return Err(Failure::Usage(why));
        }
        targets.retain(|target| target.fpu);
    }
    let (programs, op) = programs::chosen(rows, &args.op);
    if let Some(pattern) = programs::left_out(&args.op, &programs, &targets, args.hostile_fpu) {
        return Err(Failure::Usage(format!(
            "not compared: `{pattern}` runs on none of these targets"
        )));
    }
    if !programs.is_empty() {
        programs::digests(args)?;
    }
    qemu::installed(&targets)?;
    let json = args.json.as_deref().map(JsonFile::open).transpose()?;
    console.people_on_stderr = json.as_ref().is_some_and(|json| json.path.is_none());
    if let Some(json) = &json {
        let folder = select::golden(args.golden.as_deref())?;
        json.is_not(|path| golden::is_of(&folder, path), "recorded digests")?;
    }
    // Patterns that name only programs select no row.
    let reports = if op.is_empty() && !args.op.is_empty() {
        Vec::new()
    } else {
        let op = op.clone();
        let args = RunArgs { op, ..args.clone() };
        swept(rows, &args, targets.clone(), console)?
    };
    let ran = programs::run(&programs, &targets, args, console)?;
    let differs = ran.iter().any(programs::Ran::differs);
    if let Some(json) = json {
        let verdict = match report::verdict(&reports) {
            _ if differs => "mismatch",
            "not compared" if !ran.is_empty() => "equal",
            verdict => verdict,
        };
        let mut value = report::json(&reports, args, Shard::WHOLE, verdict);
        value["programs"] = ran.iter().map(programs::Ran::json).collect();
        json.write(&value.to_string(), console)?;
    }
    report::mismatches(&reports, args.show, console)?;
    if !reports.is_empty() {
        report::table(&reports, console)?;
    }
    programs::tell(&ran, console)?;
    console.flush()?;
    if differs {
        return Ok(1);
    }
    match reports.is_empty() {
        true => Ok(0),
        false => report::status(rows, &op, &reports),
    }
}

/// Runs the rows on these targets.
fn swept(
    rows: &[Row],
    args: &RunArgs,
    targets: Vec<Target>,
    console: &mut Console,
) -> Outcome<Vec<Report>> {
    let (mut plans, uncovered): (Vec<_>, Vec<_>) = plans(rows, args)?
        .into_iter()
        .partition(|plan| plan.cells() > 0);
    if let Some(settings) = args.settings {
        for plan in &mut plans {
            plan.settings.truncate(settings.get());
        }
    }
    let files = goldens(&plans, args)?;
    let count = targets.len();
    let catalog = Catalog::of(rows);
    let mut reports = Vec::new();
    std::thread::scope(|scope| -> Outcome<()> {
        // Each target is built while the one before it runs.
        let (built, ready) = mpsc::channel();
        scope.spawn(move || {
            for target in targets {
                let device = Device::build(target, args.hostile_fpu);
                let failed = device.is_err();
                if built.send(device).is_err() || failed {
                    return;
                }
            }
        });
        let tasks = tasks(rows, plans, &files, args, console)?;
        let parts = parts(&tasks);
        let calls = parts.iter().map(|part| calls(&tasks, part)).sum();
        let progress = Progress::new(count);
        for device in ready {
            let device = device?;
            let start = Instant::now();
            let bar = progress.row(device.target.name, 0, calls);
            let ran = device.run(&tasks, &parts, catalog, &bar)?;
            // One line tells of the target as a whole.
            let _ = progress.end(bar, String::new());
            let first = reports.len();
            for (task, answers) in tasks.iter().zip(&ran) {
                reports.push(judged(&device, task, answers, catalog)?);
            }
            device.tell(&reports[first..], start, console);
        }
        Ok(())
    })?;
    for report in &mut reports {
        let why = no_stochastic(args, &report.plan.row);
        report.notes.extend(why.map(String::from));
    }
    reports.extend(uncovered.into_iter().map(|plan| {
        let why = no_stochastic(args, &plan.row).unwrap_or("it has none of these modes");
        Report::not_compared(plan, Verdict::NotCovered, why.into())
    }));
    Ok(reports)
}

/// The golden files of the rows' operations.
fn goldens(plans: &[Plan], args: &RunArgs) -> Result<BTreeMap<&'static str, Golden>, String> {
    let folder = select::golden(args.golden.as_deref())?;
    let mut files = BTreeMap::new();
    for plan in plans {
        if !files.contains_key(plan.row.op) {
            let file = Golden::read(&golden::file(&folder, plan.row.op))?;
            files.insert(plan.row.op, file);
        }
    }
    Ok(files)
}

/// The expected digests: for whole rows from the golden files, for the first inputs from the
/// oracle.
fn tasks(
    rows: &[Row],
    plans: Vec<Plan>,
    files: &BTreeMap<&str, Golden>,
    args: &RunArgs,
    console: &mut Console,
) -> Outcome<Vec<Task>> {
    let start = Instant::now();
    let mut tasks = Vec::new();
    for plan in plans {
        let named = |row: &Row| row.name == plan.row.name;
        let Some(row) = rows.iter().position(named) else {
            continue;
        };
        let due = match (args.first, plan.domain) {
            (Some(first), Domain::Hard(hard)) => hard.prefix(first.get()),
            _ => plan.inputs(),
        };
        let whole = due == plan.inputs();
        let recorded = whole.then(|| recorded(&plan, &files[plan.row.op]));
        let (source, expected) = match recorded.flatten() {
            Some(digests) => ("golden", digests),
            // Only the first inputs, or a new row: the oracle computes the digests here.
            None => ("oracle", asked(&plan, due)?),
        };
        tasks.push(Task {
            plan,
            row,
            due,
            source,
            expected,
        });
    }
    console.note(format_args!(
        "{} rows' digests are known after {:.1} s",
        tasks.len(),
        start.elapsed().as_secs_f64()
    ));
    Ok(tasks)
}

/// The golden digests of a row's cells, if all are recorded.
fn recorded(plan: &Plan, file: &Golden) -> Option<Vec<u64>> {
    let modes = plan.modes.len();
    let digest = |at: usize| {
        file.0
            .get(&golden::key(plan, at / modes, at % modes))
            .copied()
    };
    (0..plan.cells()).map(digest).collect()
}

/// The digests of a row's cells over its first inputs, by the oracle.
fn asked(plan: &Plan, due: u64) -> Result<Vec<u64>, String> {
    let judges = judges(plan)?;
    let tally = engine::execute(plan, Work::OracleDigest(&judges), 0..due, &|_| ());
    if tally.seen != due || tally.mismatches() > 0 {
        return Err(format!(
            "the oracle did not answer all of {}",
            plan.row.name
        ));
    }
    Ok(tally.cells.iter().map(|cell| cell.digest.sum).collect())
}

fn judges(plan: &Plan) -> Result<Vec<Judges>, String> {
    engine::judges(plan, Choice::Auto, Share { bits: 16 })
        .ok_or_else(|| format!("no oracle covers {}", plan.row.name))
}

/// All cells, in runs of about the same length.
fn parts(tasks: &[Task]) -> Vec<Part> {
    let (mut parts, mut part, mut calls) = (Vec::new(), Part::new(), 0);
    for (at, task) in tasks.iter().enumerate() {
        for cell in 0..task.plan.cells() {
            part.push((at, cell));
            calls += task.due;
            if calls >= PART {
                parts.push(std::mem::take(&mut part));
                calls = 0;
            }
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// The kernel calls of a run of the firmware.
fn calls(tasks: &[Task], part: &Part) -> u64 {
    part.iter().map(|(task, _)| tasks[*task].due).sum()
}

impl Task {
    fn job(&self, cell: usize) -> Job {
        let modes = self.plan.modes.len();
        let (setting, mode) = (cell / modes, cell % modes);
        let expected = self.expected[cell];
        qemu::job(&self.plan, self.row, setting, mode, self.due, expected)
    }
}

impl Device {
    fn build(target: Target, hostile_fpu: bool) -> Result<Self, String> {
        let elf = qemu::build(&target, "sweep", hostile_fpu)?;
        let run = format!("{}-{}", target.name, std::process::id());
        let folder = qemu::folder(&run);
        Ok(Self {
            target,
            elf,
            folder,
        })
    }

    /// Runs every part, as many at a time as there are threads; returns the cells' answers by task.
    fn run(
        &self,
        tasks: &[Task],
        parts: &[Part],
        catalog: Catalog,
        bar: &RowBar,
    ) -> Result<Vec<Vec<Answer>>, String> {
        let run = |(at, part): (usize, &Part)| {
            let job = |(task, cell): &(usize, usize)| tasks[*task].job(*cell);
            let jobs: Vec<_> = part.iter().map(job).collect();
            let folder = self.folder.join(at.to_string());
            let answers = qemu::run(&self.target, &self.elf, catalog, &jobs, &folder);
            bar.advance(calls(tasks, part));
            answers
        };
        let done: Result<Vec<_>, _> = parts
            .par_iter()
            .enumerate()
            .with_max_len(1)
            .map(run)
            .collect();
        let mut answers: Vec<_> = tasks
            .iter()
            .map(|task| vec![Answer::default(); task.plan.cells()])
            .collect();
        for (part, done) in parts.iter().zip(done?) {
            for ((task, cell), answer) in part.iter().zip(done) {
                answers[*task][*cell] = answer;
            }
        }
        Ok(answers)
    }

    /// Prints the outcome, and the firmware's log if something differs.
    fn tell(&self, reports: &[Report], start: Instant, console: &mut Console) {
        let sum = |of: fn(&Report) -> u64| reports.iter().map(of).sum::<u64>();
        console.note(format_args!(
            "{} ({}): {} rows, {} checks, {} rows differ, {:.1} s",
            self.target.name,
            self.target.doc,
            reports.len(),
            sum(|report| report.tally.checks),
            sum(|report| report.verdict.fails().into()),
            start.elapsed().as_secs_f64(),
        ));
        if reports.iter().any(|report| report.verdict.fails()) {
            let logs = std::fs::read_dir(&self.folder)
                .into_iter()
                .flatten()
                .flatten();
            let logs: String = logs
                .map(|part| qemu::logged(&self.elf, &part.path()))
                .collect();
            let errors = logs.lines().filter(|line| line.starts_with("error"));
            for line in errors.take(8) {
                console.note(format_args!("{} logged: {line}", self.target.name));
            }
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The outcome of a row on a device.
fn judged(device: &Device, task: &Task, answers: &[Answer], catalog: Catalog) -> Outcome<Report> {
    let plan = &task.plan;
    let mut tally = Tally::empty(plan.cells());
    let mut notes = Vec::new();
    tally.seen = answers.iter().map(|a| a.count).min().unwrap_or(0);
    tally.checks = answers.iter().map(|a| a.count).sum();
    let mut verdict = Verdict::Equal;
    if answers.iter().any(|answer| answer.count != task.due) {
        verdict = Verdict::Miscounted;
        notes.push(format!("{} inputs instead of {}", tally.seen, task.due));
    }
    let wrong: Vec<_> = (0..plan.cells())
        .filter(|cell| answers[*cell].sum != task.expected[*cell])
        .collect();
    for (cell, answer) in tally.cells.iter_mut().zip(answers) {
        cell.digest = qemu::digest(answer);
    }
    if let Some(cell) = wrong.first() {
        verdict = Verdict::Mismatch;
        notes.push(format!(
            "{}: {} of {} digests differ",
            device.target.name,
            wrong.len(),
            plan.cells()
        ));
        match find(device, task, *cell, catalog)? {
            Some(first) => tally.cells[*cell].miss(first),
            None => notes
                .push("but the firmware matches the oracle: the golden file is out of date".into()),
        }
    }
    // A digest that differs has at least one input that does.
    let differing = wrong.len() as u64 - tally.mismatches();
    Ok(Report {
        plan: plan.clone(),
        tally,
        differing,
        due: task.due,
        oracle: format!("{} on {}", task.source, device.target.name),
        seconds: 0.0,
        verdict,
        notes,
    })
}

/// The first input of a cell whose output differs from the oracle's.
fn find(device: &Device, task: &Task, cell: usize, catalog: Catalog) -> Outcome<Option<Mismatch>> {
    let mut plan = task.plan.clone();
    let modes = plan.modes.len();
    let (setting, mode) = (cell / modes, cell % modes);
    plan.settings = vec![plan.settings[setting].clone()];
    plan.modes = vec![plan.modes[mode]];
    let judges = judges(&plan)?;
    let folder = device.folder.join("find");
    // The answer for a span, and whether it matches the oracle's.
    let ask = |start: u64, end: u64| -> Result<(Answer, bool), String> {
        let tally = engine::execute(&plan, Work::OracleDigest(&judges), start..end, &|_| ());
        let mut job = task.job(cell);
        (job.start, job.end) = (start, end);
        job.expected = tally.cells[0].digest.sum;
        let run = |folder: &Path| qemu::run(&device.target, &device.elf, catalog, &[job], folder);
        let answer = run(&folder)?.first().copied().unwrap_or_default();
        Ok((answer, answer.sum == job.expected))
    };
    let (mut start, mut end) = (0, task.due);
    let (mut answer, equal) = ask(start, end)?;
    if equal {
        return Ok(None);
    }
    while end - start > 1 {
        let middle = start + (end - start) / 2;
        if ask(start, middle)?.1 {
            start = middle;
        } else {
            end = middle;
        }
        answer = ask(start, end)?.0;
    }
    let operands = plan.domain.get(start);
    let args = plan.args(0, 0);
    let located = judges[0].first.locate(&operands, plan.stochastic());
    Ok(Some(Mismatch {
        index: start,
        operands,
        expected: located.output(args.rounding, args.overflow),
        got: Output {
            results: answer.results,
            flags: answer.flags as u8,
        },
        oracle: judges[0].first_name.into(),
    }))
}
