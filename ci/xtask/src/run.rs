//! Runs steps beside each other and shows what each took: `cargo xtask ci`, and the engine of
//! `whole`.

use crate::Result;
use crate::steps::{CI, Lane, Step};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Pass,
    Fail,
    /// A prerequisite is missing: exit status 77.
    Skip,
}

pub struct Done {
    pub step: &'static Step,
    pub verdict: Verdict,
    /// Seconds.
    pub wall: u64,
    /// Seconds of its processes.
    pub processor: u64,
    /// What it printed.
    pub output: String,
}

/// `cargo xtask ci [STEP...]`: two steps at a time.
pub fn ci(root: &Path, names: &[String]) -> Result<bool> {
    run(root, &named(CI, names)?, "report", 2, |_| Ok(()))
}

/// The steps of a list with these names, in the list's order; all without a name. `firmware` is all
/// of `firmware-*`.
pub fn named(list: &'static [Step], names: &[String]) -> Result<Vec<&'static Step>> {
    let fits = |step: &Step, name: &str| {
        step.name == name
            || step
                .name
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('-'))
    };
    if let Some(name) = names
        .iter()
        .find(|name| !list.iter().any(|step| fits(step, name)))
    {
        let all: Vec<&str> = list.iter().map(|step| step.name).collect();
        return Err(format!(
            "there is no step `{name}`; one of: {}",
            all.join(", ")
        ));
    }
    let chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| fits(step, name));
    Ok(list.iter().filter(chosen).collect())
}

/// Runs steps with so many workers, gives each that ended to `ended`, and prints a table. Whether
/// none failed. `features` are those of the optimised sweep, so that it is built once for all
/// steps.
pub fn run(
    root: &Path,
    steps: &[&'static Step],
    features: &str,
    workers: usize,
    ended: impl Fn(&Done) -> Result<()> + Sync,
) -> Result<bool> {
    struct Queue {
        waiting: Vec<&'static Step>,
        running: Vec<&'static Step>,
        done: Vec<Done>,
    }
    let begin = Instant::now();
    let queue = Mutex::new(Queue {
        waiting: steps.to_vec(),
        running: Vec::new(),
        done: Vec::new(),
    });
    let changed = Condvar::new();
    let work = || -> Result<()> {
        let mut held = queue.lock().map_err(|why| why.to_string())?;
        while !held.waiting.is_empty() {
            let lane_is_free = |step: &Step| {
                step.lane == Lane::Own || held.running.iter().all(|other| other.lane != step.lane)
            };
            let is_unfinished = |name: &&str| {
                let mut all = held.waiting.iter().chain(&held.running);
                all.any(|step| step.name == *name)
            };
            let next = held
                .waiting
                .iter()
                .position(|step| lane_is_free(step) && !step.needs.iter().any(is_unfinished));
            let Some(at) = next else {
                held = changed.wait(held).map_err(|why| why.to_string())?;
                continue;
            };
            let step = held.waiting.remove(at);
            held.running.push(step);
            drop(held);
            let done = execute(root, step, features).and_then(|done| ended(&done).map(|()| done));
            held = queue.lock().map_err(|why| why.to_string())?;
            held.running.retain(|other| other.name != step.name);
            changed.notify_all();
            held.done.push(done?);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a worker panicked".to_string())?)
    })?;
    let done = queue.into_inner().map_err(|why| why.to_string())?.done;
    println!("\n{:<24} {:>11} {:>10}", "step", "wall s", "processor");
    for step in steps {
        if let Some(done) = done.iter().find(|done| done.step.name == step.name) {
            println!("{}", line(done));
        }
    }
    let count = |verdict| done.iter().filter(|done| done.verdict == verdict).count();
    let processor: u64 = done.iter().map(|done| done.processor).sum();
    println!(
        "{} s, {processor} s of the processor",
        begin.elapsed().as_secs()
    );
    let failed = count(Verdict::Fail);
    println!(
        "{} passed, {failed} failed, {} skipped",
        count(Verdict::Pass),
        count(Verdict::Skip)
    );
    Ok(failed == 0)
}

fn line(done: &Done) -> String {
    let verdict = match done.verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::Skip => "SKIP",
    };
    format!(
        "{:<24} {verdict} {:>6} {:>10}",
        done.step.name, done.wall, done.processor
    )
}

/// Runs a step. Its output is kept in ci/ of the target folder and shown when it ends.
fn execute(root: &Path, step: &'static Step, features: &str) -> Result<Done> {
    println!("-------- {} begins", step.name);
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let log = target.join("ci").join(format!("{}.log", step.name));
    let times = log.with_extension("times");
    let open = || -> std::io::Result<std::fs::File> {
        std::fs::create_dir_all(target.join("ci"))?;
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
        .env("SWEEP_FEATURES", features)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(other)
        .status()
        .map_err(|why| format!("bash: {why}"))?;
    let output = std::fs::read(&log).unwrap_or_default();
    let done = Done {
        step,
        verdict: match status.code() {
            Some(0) => Verdict::Pass,
            Some(77) => Verdict::Skip,
            _ => Verdict::Fail,
        },
        wall: begin.elapsed().as_secs(),
        processor: children(&std::fs::read_to_string(&times).unwrap_or_default()),
        output: String::from_utf8_lossy(&output).into_owned(),
    };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\n======== {}: {}", step.name, step.command);
    let _ = out.write_all(done.output.as_bytes());
    let _ = writeln!(out, "{}", line(&done));
    Ok(done)
}

/// Processor seconds of the children, from the output of bash's `times`: bash's own in the first
/// line, the children's in the second, as `1m2.345s 0m0.678s`.
fn children(times: &str) -> u64 {
    let seconds = |time: &str| -> Option<f64> {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let line = times.lines().nth(1).unwrap_or_default();
    line.split(' ').filter_map(seconds).sum::<f64>().round() as u64
}

#[cfg(test)]
mod tests {
    use super::{children, named, run};
    use crate::steps::{CI, Lane, Step};
    use std::sync::Mutex;

    #[test]
    fn bash_says_what_children_took() {
        assert_eq!(children("0m9.000s 0m9.000s\n1m2.500s 0m0.600s\n"), 63);
        assert_eq!(children(""), 0);
    }

    #[test]
    fn steps_are_found_by_name_and_by_what_they_begin_with() {
        let names = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(|name| (*name).into()).collect();
            named(CI, &given).map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["test"]), Ok(vec!["test"]));
        assert_eq!(names(&["firmware"]).unwrap().len(), 5);
        assert_eq!(names(&[]).unwrap().len(), CI.len());
        assert!(names(&["firm"]).is_err());
    }

    #[test]
    fn lanes_needs_and_verdicts() {
        const fn made(lane: Lane, name: &'static str, command: &'static str) -> Step {
            Step {
                name,
                what: "",
                lane,
                command,
                needs: &[],
                paths: &[],
            }
        }
        static STEPS: [Step; 4] = [
            Step {
                needs: &["b"],
                ..made(Lane::Own, "a", "true")
            },
            made(Lane::Host, "b", "sleep 0.2"),
            made(Lane::Host, "c", "exit 77"),
            made(Lane::Cross, "d", "exit 1"),
        ];
        let order = Mutex::new(Vec::new());
        let scratch = std::env::temp_dir().join(format!("bitexact-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).unwrap();
        let steps: Vec<&Step> = STEPS.iter().collect();
        let ended = |done: &super::Done| {
            order.lock().unwrap().push((done.step.name, done.verdict));
            Ok(())
        };
        assert_eq!(run(&scratch, &steps, "", 2, ended), Ok(false));
        let order = order.into_inner().unwrap();
        let at = |name| order.iter().position(|(other, _)| *other == name).unwrap();
        assert!(at("b") < at("a") && at("b") < at("c"), "{order:?}");
        assert_eq!(order[at("c")].1, super::Verdict::Skip);
        assert_eq!(order[at("d")].1, super::Verdict::Fail);
        std::fs::remove_dir_all(&scratch).unwrap();
    }
}
