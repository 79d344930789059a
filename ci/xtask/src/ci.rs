//! `cargo xtask ci`: runs the steps, two at a time, and shows the time of each.

use crate::evidence;
use crate::readme;
use crate::record::{self, Age, Record};
use crate::steps::{Lane, Long, STEPS, Step};
use crate::tree::{self, Compilers, Key, Result, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The number of steps that run at a time.
const WORKERS: usize = 2;

/// Folders of the target folder, and the steps that use them, by their names or what these begin with.
const FOLDERS: &[(&str, &[&str])] = &[
    (
        "cross",
        &[
            "no-panic",
            "firmware",
            "commands",
            "costs",
            "ptx-sm_",
            "ptx-callers",
            "cross-builds",
        ],
    ),
    ("entries", &["ptx-sm_", "ptx-reproducible"]),
    ("firmware-tools", &["firmware", "commands", "costs"]),
    ("vectorised", &["vectorised"]),
    ("zero-cost", &["zero-cost"]),
    ("neon", &["neon"]),
    ("networks-debug", &["networks"]),
    ("networks-release", &["networks"]),
    ("networks-native", &["networks"]),
    ("networks-size", &["networks"]),
    ("python", &["python"]),
    ("api", &["api", "documentation"]),
    ("features", &["features"]),
    ("msrv", &["msrv"]),
    ("miri", &["miri"]),
    ("miri-blocks", &["miri"]),
    ("proofs", &["proofs"]),
];

#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    Pass,
    Fail,
    /// A prerequisite is missing.
    Skip,
}

struct Done {
    step: &'static Step,
    verdict: Verdict,
    wall: u64,
    processor: u64,
    note: String,
}

pub struct Options {
    pub steps: Vec<String>,
    pub whole: bool,
    /// Records are written.
    pub record: bool,
    /// Whether this is CI's own run: a step fails that exceeds twice its budget, and a build folder is removed when no step is left
    /// that uses it, since the clone is thrown away and its disk is small.
    pub strict: bool,
    pub seed: Option<u64>,
}

/// The steps to run, the reasons, and the steps whose records are fresh.
struct Choice {
    run: Vec<&'static Step>,
    rest: Vec<String>,
}

pub fn run(root: &Path, options: &Options) -> Result<bool> {
    let begin = Instant::now();
    if let Some(gib) = free(root) {
        println!("{gib:.1} GiB of disk free");
    }
    let mut done = Vec::new();
    let chosen = named(&options.steps)?;
    // The compiler that they install is part of the other steps' keys.
    let setups: Vec<&Step> = STEPS.iter().filter(|step| step.is_setup()).collect();
    let wanted = |setup: &&&Step| match &chosen {
        None => true,
        Some(chosen) => chosen
            .iter()
            .any(|step| step.name == setup.name || step.needs.contains(&setup.name)),
    };
    for setup in setups.iter().filter(wanted) {
        done.push(execute(root, setup, options)?);
    }
    let compilers = Compilers::here();
    let tree = Tree::open(root)?;
    let choice = match chosen {
        Some(chosen) => Choice {
            run: chosen,
            rest: Vec::new(),
        },
        None => choose(&tree, &compilers, options)?,
    };
    let run: Vec<_> = choice
        .run
        .iter()
        .copied()
        .filter(|step| !step.is_setup())
        .collect();
    // A record is of what was there when its step began.
    let keys = run
        .iter()
        .filter_map(|step| Some((step.name, step.key(&tree, &compilers)?)));
    let keys = keys
        .map(|(name, key)| Ok((name, key?)))
        .collect::<Result<_>>()?;
    let keeper = options.record.then_some(Keeper {
        root,
        keys,
        compilers,
        whole: options.whole,
    });
    done.extend(schedule(root, &run, options, keeper.as_ref())?);
    if options.record && !options.whole {
        let taken = done.iter().filter(|done| done.verdict == Verdict::Pass);
        readme::write(
            root,
            &taken
                .map(|done| (done.step.name, (done.wall, done.processor)))
                .collect(),
        )?;
    }
    done.sort_by_key(|done| STEPS.iter().position(|step| step.name == done.step.name));
    table(&done, &choice.rest);
    let count = |verdict| done.iter().filter(|done| done.verdict == verdict).count();
    let failed = count(Verdict::Fail);
    println!("{} s", begin.elapsed().as_secs());
    println!(
        "{} passed, {failed} failed, {} skipped",
        count(Verdict::Pass),
        count(Verdict::Skip)
    );
    Ok(failed == 0)
}

/// The steps of these names; `firmware` is all of `firmware-*`.
fn named(names: &[String]) -> Result<Option<Vec<&'static Step>>> {
    let mut found = BTreeSet::new();
    for name in names {
        let fits = |step: &Step| {
            step.name == name
                || step
                    .name
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.starts_with('-'))
        };
        let places: Vec<usize> = (0..STEPS.len()).filter(|&at| fits(&STEPS[at])).collect();
        if places.is_empty() {
            let all: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            return Err(format!(
                "there is no step `{name}`; one of: {}",
                all.join(", ")
            ));
        }
        found.extend(places);
    }
    if let Some(step) = found
        .iter()
        .map(|&at| &STEPS[at])
        .find(|step| step.command.is_empty())
    {
        return match step.long {
            Long::Elsewhere(how) => Err(format!("`{}` does not run here: {how}", step.name)),
            _ => Err(format!("`{}` has no command", step.name)),
        };
    }
    Ok((!names.is_empty()).then(|| found.into_iter().map(|at| &STEPS[at]).collect()))
}

/// Processor time of stale steps, by their records, for which CI's 90 minutes on two cores have room beside the steps that always run.
/// It ran out of them at 4,758 s, and took 48 minutes at 3,232 s.
const ROOM: u64 = 3_300;

/// `cargo xtask ci --stale`: lists the steps whose inputs have changed since their records, with what they took, and the stale
/// evidence. Runs nothing, and fails where the steps would take CI too long.
pub fn stale(root: &Path) -> Result<bool> {
    let (compilers, tree) = (Compilers::here(), Tree::open(root)?);
    let mut processor = 0;
    for step in STEPS.iter().filter(|step| !step.command.is_empty()) {
        match record::of(&tree, step, false, &compilers)? {
            Some((Age::Stale(changed), record)) => {
                processor += record.processor;
                println!(
                    "{}: {} s of the processor: {}",
                    step.name,
                    record.processor,
                    changed.join(", ")
                );
            }
            Some((Age::Missing, _)) => println!("{}: no record", step.name),
            _ => {}
        }
    }
    println!("{processor} s of the processor");
    if processor > ROOM {
        println!(
            "more than {ROOM} s: CI may run out of time. `cargo xtask ci --record STEP...`, and commit the records"
        );
    }
    for (_, line) in evidence::ages(&tree, &compilers)?
        .iter()
        .filter(|(fresh, _)| !fresh)
    {
        println!("{line}");
    }
    Ok(processor <= ROOM)
}

/// The stale steps, a random tenth of the fresh ones, and the steps without a record.
fn choose(tree: &Tree, compilers: &Compilers, options: &Options) -> Result<Choice> {
    let mut run = BTreeSet::new();
    let mut fresh = Vec::new();
    let mut rest = Vec::new();
    for (at, step) in STEPS.iter().enumerate() {
        let long = step.long != Long::No;
        if long
            && let Some((age, record)) =
                record::of(tree, step, step.long == Long::Whole, compilers)?
        {
            let how = match step.long {
                Long::Elsewhere(how) => how.to_string(),
                _ => format!("WHOLE=1 cargo xtask ci --record {}", step.name),
            };
            let name = record::name(step, step.long == Long::Whole);
            rest.push(match age {
                Age::Fresh => format!("{name}: fresh, of {}", record.date),
                Age::Stale(changed) => format!(
                    "{name}: STALE, of {}; since then changed: {}. {how}",
                    record.date,
                    changed.join(", ")
                ),
                Age::Missing => format!("{name}: MISSING. {how}"),
            });
        }
        if step.command.is_empty() {
            continue;
        }
        let age = record::of(
            tree,
            step,
            options.whole && step.long == Long::Whole,
            compilers,
        )?;
        match age {
            Some((Age::Fresh, record)) if !options.whole => fresh.push((at, record)),
            Some((Age::Stale(changed), _)) => {
                println!("{}: stale: {}", step.name, changed.join(", "));
                run.insert(at);
            }
            _ => drop(run.insert(at)),
        }
    }
    let evidence = evidence::ages(tree, compilers)?;
    rest.extend(evidence.into_iter().map(|(_, line)| line));
    let seed = options.seed.unwrap_or_else(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_secs())
    });
    println!(
        "a tenth of {} fresh records is repeated: CI_SEED={seed}",
        fresh.len()
    );
    for at in sample(fresh.len(), seed) {
        println!("{}: fresh, chosen", STEPS[fresh[at].0].name);
        run.insert(fresh[at].0);
    }
    // First the steps that it needs.
    let needed = |&at: &usize| {
        STEPS[at]
            .needs
            .iter()
            .filter_map(|name| STEPS.iter().position(|step| step.name == *name))
    };
    loop {
        let more: BTreeSet<usize> = run.iter().flat_map(needed).collect();
        let before = run.len();
        run.extend(more);
        if run.len() == before {
            break;
        }
    }
    // A build that no step of this run uses is omitted.
    let used = |at: usize| {
        run.iter()
            .any(|&other| STEPS[other].needs.contains(&STEPS[at].name))
    };
    let run: Vec<_> = run
        .iter()
        .filter(|&&at| STEPS[at].name != "sweep" || used(at))
        .map(|&at| &STEPS[at])
        .collect();
    for (at, record) in fresh
        .iter()
        .filter(|(at, _)| !run.iter().any(|step| step.name == STEPS[*at].name))
    {
        rest.push(format!(
            "{}: fresh, of {}, {} s of the processor",
            record::name(&STEPS[*at], false),
            record.date,
            record.processor
        ));
    }
    Ok(Choice { run, rest })
}

/// A tenth of the numbers below `n`, rounded up.
fn sample(n: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..n).collect();
    let mut state = seed;
    // SplitMix64.
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let mut chosen = Vec::new();
    for _ in 0..n.div_ceil(10) {
        chosen.push(numbers.swap_remove((random() % numbers.len() as u64) as usize));
    }
    chosen
}

/// The state shared by the workers.
struct Queue {
    waiting: Vec<&'static Step>,
    running: Vec<&'static Step>,
    done: Vec<Done>,
}

impl Queue {
    /// The first step whose lane is free and that does not wait for another.
    fn take(&mut self) -> Option<&'static Step> {
        let free = |step: &&Step| {
            step.lane == Lane::Own || self.running.iter().all(|other| other.lane != step.lane)
        };
        let due = |name: &&str| {
            self.waiting
                .iter()
                .chain(&self.running)
                .any(|step| *step.name == **name)
        };
        let at = self
            .waiting
            .iter()
            .position(|step| free(step) && !step.needs.iter().any(due))?;
        let step = self.waiting.remove(at);
        self.running.push(step);
        Some(step)
    }

    /// The folders that this step used and no step will.
    fn unused(&self, step: &Step) -> impl Iterator<Item = &'static str> {
        let used = |step: &Step, by: &[&str]| by.iter().any(|name| step.name.starts_with(name));
        FOLDERS
            .iter()
            .filter(move |(_, by)| {
                used(step, by)
                    && !self
                        .waiting
                        .iter()
                        .chain(&self.running)
                        .any(|other| used(other, by))
            })
            .map(|(folder, _)| *folder)
    }
}

fn schedule(
    root: &Path,
    steps: &[&'static Step],
    options: &Options,
    keeper: Option<&Keeper>,
) -> Result<Vec<Done>> {
    let queue = Mutex::new(Queue {
        waiting: steps.to_vec(),
        running: Vec::new(),
        done: Vec::new(),
    });
    let changed = Condvar::new();
    let work = || -> Result<()> {
        let mut held = queue.lock().map_err(|why| why.to_string())?;
        while !held.waiting.is_empty() {
            let Some(step) = held.take() else {
                held = changed.wait(held).map_err(|why| why.to_string())?;
                continue;
            };
            drop(held);
            let done = execute(root, step, options).and_then(|mut done| {
                keeper.map_or(Ok(()), |keeper| keeper.keep(&mut done))?;
                Ok(done)
            });
            held = queue.lock().map_err(|why| why.to_string())?;
            held.running.retain(|other| other.name != step.name);
            if options.strict {
                for folder in held.unused(step) {
                    let _ = std::fs::remove_dir_all(target(root).join(folder));
                }
            }
            changed.notify_all();
            held.done.push(done?);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a worker panicked".to_string())?)
    })?;
    Ok(queue.into_inner().map_err(|why| why.to_string())?.done)
}

fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

pub fn log(root: &Path, step: &Step) -> PathBuf {
    target(root).join("ci").join(format!("{}.log", step.name))
}

/// The free space where the builds are, in GiB, by `df`.
fn free(root: &Path) -> Option<f64> {
    let df = Command::new("df").arg("-Pk").arg(root).output().ok()?;
    let text = String::from_utf8(df.stdout).ok()?;
    let kib: f64 = text
        .lines()
        .nth(1)?
        .split_whitespace()
        .nth(3)?
        .parse()
        .ok()?;
    Some(kib / f64::from(1 << 20))
}

/// Runs a step; its output is shown when it ends, and kept in ci/ of the target folder.
/// What .ci/run sets, by hand too: two steps that run at a time would build the optimised sweep anew for each other.
fn sweep_features() -> Option<(&'static str, &'static str)> {
    let name = "SWEEP_FEATURES";
    std::env::var_os(name)
        .is_none()
        .then_some((name, "mpfr,slices"))
}

fn execute(root: &Path, step: &'static Step, options: &Options) -> Result<Done> {
    println!("-------- {} begins", step.name);
    let log = log(root, step);
    let times = log.with_extension("times");
    let open = || -> std::io::Result<std::fs::File> {
        std::fs::create_dir_all(log.parent().unwrap_or(root))?;
        std::fs::File::create(&log)
    };
    let file = open().map_err(|why| format!("{}: {why}", log.display()))?;
    let other = file.try_clone().map_err(|why| why.to_string())?;
    let begin = Instant::now();
    // Bash knows the processor time of its children, theirs included.
    let status = Command::new("bash")
        .args([
            "-c",
            "eval \"$1\"; code=$?; times >\"$2\"; exit $code",
            "bash",
            step.command,
        ])
        .arg(&times)
        .envs(sweep_features())
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(other)
        .status()
        .map_err(|why| format!("bash: {why}"))?;
    let wall = begin.elapsed().as_secs();
    let processor = children(&std::fs::read_to_string(&times).unwrap_or_default());
    let mut note = String::new();
    let mut verdict = match status.code() {
        Some(0) => Verdict::Pass,
        Some(77) => Verdict::Skip,
        _ => Verdict::Fail,
    };
    if processor > step.budget.into() && !options.whole {
        note = format!(
            "over its budget by {} s",
            processor - u64::from(step.budget)
        );
        // A slower machine and a cold cache can double a step's time.
        if options.strict && verdict == Verdict::Pass && processor > 2 * u64::from(step.budget) {
            verdict = Verdict::Fail;
        }
    }
    if verdict == Verdict::Fail
        && let Some(gib) = free(root).filter(|&gib| gib < 1.0)
    {
        note = format!("the disk is full: {gib:.2} GiB free");
    }
    let output = std::fs::read(&log).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\n======== {}: {}", step.name, step.command);
    let _ = out.write_all(&output);
    let _ = writeln!(out, "{}", line(step, &verdict, wall, processor, &note));
    Ok(Done {
        step,
        verdict,
        wall,
        processor,
        note,
    })
}

/// Processor seconds of the children, from the output of bash's `times`: bash's own in the first line, the children's
/// in the second, as `1m2.345s 0m0.678s`.
fn children(times: &str) -> u64 {
    let seconds = |time: &str| -> Option<f64> {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let line = times.lines().nth(1).unwrap_or_default();
    line.split(' ').filter_map(seconds).sum::<f64>().round() as u64
}

fn line(step: &Step, verdict: &Verdict, wall: u64, processor: u64, note: &str) -> String {
    let verdict = match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::Skip => "SKIP",
    };
    format!(
        "{:<24} {verdict} {wall:>6} {processor:>10} {:>7}  {note}",
        step.name, step.budget
    )
    .trim_end()
    .into()
}

fn table(done: &[Done], rest: &[String]) {
    if !rest.is_empty() {
        println!("\nrecords:");
        for line in rest {
            println!("  {line}");
        }
    }
    println!(
        "\n{:<24} {:>11} {:>10} {:>7}",
        "step", "wall s", "processor", "budget"
    );
    for done in done {
        println!(
            "{}",
            line(
                done.step,
                &done.verdict,
                done.wall,
                done.processor,
                &done.note
            )
        );
    }
}

/// Writes the record of a step that passed, and takes away that of one that failed.
struct Keeper<'a> {
    root: &'a Path,
    keys: BTreeMap<&'static str, Key>,
    compilers: Compilers,
    whole: bool,
}

impl Keeper<'_> {
    fn keep(&self, done: &mut Done) -> Result<()> {
        let step = done.step;
        let Some(key) = self.keys.get(step.name) else {
            return Ok(());
        };
        let whole = self.whole && step.long == Long::Whole;
        if done.verdict == Verdict::Fail {
            let _ = std::fs::remove_file(self.root.join(record::name(step, whole)));
        }
        if done.verdict != Verdict::Pass {
            return Ok(());
        }
        let now = step
            .key(&Tree::open(self.root)?, &self.compilers)
            .transpose()?;
        if now.as_ref() != Some(key) {
            done.note = "not recorded: its inputs changed while it ran".into();
            return Ok(());
        }
        let record = Record {
            key: key.clone(),
            date: record::now(),
            wall: done.wall,
            processor: done.processor,
        };
        let output = std::fs::read(log(self.root, step)).unwrap_or_default();
        let text = record::text(
            self.root,
            step,
            &record,
            &self.compilers,
            &record::machine(),
            &String::from_utf8_lossy(&output),
        );
        record::write(self.root, step, whole, &text)
    }
}

/// The parts that must have passed in a log of `ci/gpu-run.sh`.
const ON_A_GPU: [&str; 8] = [
    "sweep",
    "dump and oracle",
    "tests",
    "composites",
    "tiles",
    "networks",
    "callers",
    "sanitize",
];

/// `cargo xtask record`: writes the record of a run on another machine, if it ran the present sources, whole, and
/// passed.
pub fn record(root: &Path, name: &str, log: &str) -> Result<bool> {
    let step = STEPS
        .iter()
        .find(|step| step.name == name && matches!(step.long, Long::Elsewhere(_)));
    let step =
        step.ok_or_else(|| format!("`{name}` is not a step that runs on another machine"))?;
    let text = std::fs::read_to_string(log).map_err(|why| format!("{log}: {why}"))?;
    let (tree, compilers) = (Tree::open(root)?, Compilers::here());
    let key = step.key(&tree, &compilers).ok_or("it has no inputs")??;
    let whole = tree::whole(&key);
    if !text
        .lines()
        .any(|line| line.strip_prefix("evidence key: ") == Some(&whole))
    {
        return Err(format!(
            "{log} is not of the present sources: it has no line `evidence key: {whole}`"
        ));
    }
    let ended = |part: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(&format!("==== {part}: exit status ")))
    };
    if let Some(line) = text.lines().find(|line| line.contains("NOT RUN")) {
        return Err(format!("{log}: {line}"));
    }
    let mut wall = 0;
    for part in ON_A_GPU {
        let end = ended(part).ok_or_else(|| format!("{log} has no end of `{part}`"))?;
        let (status, seconds) = end.split_once(" after ").unwrap_or((end, ""));
        if status != "0" {
            return Err(format!("{log}: `{part}` has exit status {status}"));
        }
        wall += seconds
            .split(' ')
            .next()
            .and_then(|seconds| seconds.parse::<u64>().ok())
            .unwrap_or(0);
    }
    let machine = text
        .lines()
        .find(|line| line.contains("MiB"))
        .unwrap_or("a machine that the log does not name");
    let date = text
        .lines()
        .find(|line| line.ends_with(" UTC"))
        .map_or_else(record::now, String::from);
    let record = Record {
        key,
        date,
        wall,
        processor: 0,
    };
    let shown: String = text
        .lines()
        .filter(|line| {
            line.starts_with("==== ") && line.contains(": exit") || line.contains("digests made on")
        })
        .map(|line| format!("{line}\n"))
        .collect();
    record::write(
        root,
        step,
        false,
        &record::text(root, step, &record, &compilers, machine, &shown),
    )?;
    Ok(true)
}

/// `cargo xtask key`.
pub fn key(root: &Path, name: &str) -> Result<bool> {
    if let Some(key) = evidence::key(root, name) {
        println!("{}", key?);
        return Ok(true);
    }
    let step = STEPS.iter().find(|step| step.name == name);
    let key = step.and_then(|step| step.key(&Tree::open(root).ok()?, &Compilers::here()));
    let key = key.ok_or_else(|| format!("no step `{name}` has a record"))??;
    println!("{}", tree::whole(&key));
    Ok(true)
}

/// `cargo xtask release-check`: checks that every record is fresh, those of whole runs and of a GPU
/// included, and all evidence.
pub fn release_check(root: &Path) -> Result<bool> {
    let (tree, compilers) = (Tree::open(root)?, Compilers::here());
    let mut good = true;
    for step in STEPS {
        for whole in [false, true] {
            if whole && step.long != Long::Whole {
                continue;
            }
            let Some((age, record)) = record::of(&tree, step, whole, &compilers)? else {
                continue;
            };
            let name = record::name(step, whole);
            match age {
                Age::Fresh => println!("{name}: fresh, of {}", record.date),
                Age::Stale(ref changed) => println!("{name}: STALE: {}", changed.join(", ")),
                Age::Missing => println!("{name}: MISSING"),
            }
            good &= age == Age::Fresh;
        }
    }
    for (fresh, line) in evidence::ages(&tree, &compilers)? {
        println!("{line}");
        good &= fresh;
    }
    Ok(good)
}

#[cfg(test)]
mod tests {
    use super::{FOLDERS, Queue, STEPS, children, sample};

    #[test]
    fn bash_says_what_children_took() {
        assert_eq!(children("0m9.000s 0m9.000s\n1m2.500s 0m0.600s\n"), 63);
        assert_eq!(children(""), 0);
    }

    #[test]
    fn a_folder_goes_with_the_last_step_that_uses_it() {
        let step = |name: &str| STEPS.iter().find(|step| step.name == name).expect(name);
        let queue = |waiting: &[&str], running: &[&str]| Queue {
            waiting: waiting.iter().map(|name| step(name)).collect(),
            running: running.iter().map(|name| step(name)).collect(),
            done: Vec::new(),
        };
        let unused = |queue: Queue, last| queue.unused(step(last)).collect::<Vec<_>>();
        assert_eq!(
            unused(queue(&["costs"], &["test"]), "ptx-sm_100"),
            ["entries"]
        );
        assert!(
            unused(
                queue(&["test"], &["ptx-reproducible", "costs"]),
                "ptx-sm_100"
            )
            .is_empty()
        );
        assert_eq!(
            unused(queue(&["test"], &[]), "ptx-sm_100"),
            ["cross", "entries"]
        );
        assert!(unused(queue(&[], &[]), "test").is_empty());
        for by in FOLDERS.iter().flat_map(|(_, by)| *by) {
            assert!(STEPS.iter().any(|step| step.name.starts_with(by)), "{by}");
        }
    }

    #[test]
    fn a_tenth_and_no_step_twice() {
        assert!(sample(0, 1).is_empty());
        for (n, tenth) in [(1, 1), (10, 1), (11, 2), (35, 4)] {
            let mut chosen = sample(n, 7);
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen.len(), tenth);
            assert!(chosen.iter().all(|&at| at < n));
        }
        assert_eq!(sample(35, 7), sample(35, 7));
        assert!((0..100).any(|seed| sample(35, seed) != sample(35, 7)));
    }
}
