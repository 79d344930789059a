//! `cargo xtask whole`: what takes longer than CI has, and its log `ci/WHOLE.md`.
//!
//! The log is a table with a line for each step: the commit that it ran at, the date, the machine,
//! the seconds, and the last line that it printed. A step is due if it has no line, or if
//! `git diff` from its commit shows a change of one of its paths.

use crate::Result;
use crate::run::{self, Verdict};
use crate::steps::{Step, WHOLE};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

const LOG: &str = "ci/WHOLE.md";

const HEAD: &str = "\
# Whole runs

What `cargo xtask whole` ran last, a line a step, each with the commit that it ran at (`dirty` where the tree had other
changes, which counts as due). `cargo xtask whole --due` says which of them are due again.

| step | commit | date | machine | seconds | printed last |
|---|---|---|---|---|---|
";

/// The lines of the log, by step: all fields after the name.
type Log = BTreeMap<String, Vec<String>>;

fn read(root: &Path) -> Log {
    let text = std::fs::read_to_string(root.join(LOG)).unwrap_or_default();
    parse(&text)
}

fn parse(text: &str) -> Log {
    let fields = |line: &str| -> Option<(String, Vec<String>)> {
        let inner = line.strip_prefix("| `")?.strip_suffix(" |")?;
        let (name, rest) = inner.split_once("` | ")?;
        Some((name.into(), rest.splitn(5, " | ").map(Into::into).collect()))
    };
    text.lines().filter_map(fields).collect()
}

fn written(log: &Log) -> String {
    let line = |step: &Step| {
        let fields = log.get(step.name)?;
        Some(format!("| `{}` | {} |\n", step.name, fields.join(" | ")))
    };
    let lines: String = WHOLE.iter().filter_map(line).collect();
    format!("{HEAD}{lines}")
}

fn write(root: &Path, log: &Log) -> Result<()> {
    std::fs::write(root.join(LOG), written(log)).map_err(|why| format!("{LOG}: {why}"))
}

/// The output of a command, or nothing where it fails.
fn output(root: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().into())
}

/// The commit, and whether the tree differs from it in more than the log.
fn commit(root: &Path) -> Result<String> {
    let head = output(root, "git", &["rev-parse", "--short=12", "HEAD"]).ok_or("git rev-parse")?;
    let others = output(
        root,
        "git",
        &["status", "--porcelain", "--", ".", ":!ci/WHOLE.md"],
    );
    Ok(match others.as_deref() {
        Some("") => head,
        _ => head + "-dirty",
    })
}

fn today(root: &Path) -> String {
    output(root, "date", &["--utc", "+%F"]).unwrap_or_default()
}

/// The number and the name of the processors.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown processor", |(_, name)| name);
    format!("{} x {name}", cores())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// The last line of an output that says something, as a field of the table.
fn last(output: &str) -> String {
    let line = output.lines().rev().find(|line| !line.trim().is_empty());
    let text = line.unwrap_or_default().trim().replace('|', "/");
    text.chars().take(160).collect()
}

/// Runs the steps of these names, or all that are due, and writes the log after each.
pub fn whole(root: &Path, names: &[String]) -> Result<bool> {
    let mut steps = run::named(WHOLE, names)?;
    if names.is_empty() {
        let log = read(root);
        steps.retain(|step| why_due(root, &log, step).is_some());
    }
    let (here, elsewhere): (Vec<&Step>, Vec<&Step>) =
        steps.into_iter().partition(|step| !step.command.is_empty());
    for step in elsewhere {
        println!("{} does not run here: {}", step.name, step.what);
    }
    let at = commit(root)?;
    let log = Mutex::new(read(root));
    // Most steps use several cores for a part of their time.
    let workers = cores().div_ceil(8).max(2);
    run::run(
        root,
        &here,
        "mpfr,slices,report,peers,cuda",
        workers,
        |done| {
            let mut log = log.lock().map_err(|why| why.to_string())?;
            let fields = [
                at.clone(),
                today(root),
                machine(),
                done.wall.to_string(),
                last(&done.output),
            ];
            match done.verdict {
                Verdict::Pass => drop(log.insert(done.step.name.into(), fields.into())),
                Verdict::Fail => drop(log.remove(done.step.name)),
                Verdict::Skip => return Ok(()),
            }
            write(root, &log)
        },
    )
}

/// Why a step is due, or nothing.
fn why_due(root: &Path, log: &Log, step: &Step) -> Option<String> {
    let Some([commit, ..]) = log.get(step.name).map(Vec::as_slice) else {
        return Some("it has no line".into());
    };
    let mut diff = vec!["diff", "--stat=72", commit, "--"];
    diff.extend(step.paths);
    match output(root, "git", &diff) {
        None => Some(format!("its commit {commit} is not known here")),
        Some(text) if text.is_empty() => None,
        Some(text) => Some(format!("since {commit}:{}", text.lines().next_back()?)),
    }
}

/// `cargo xtask whole --due`: names the steps that are due. Whether there is none.
pub fn due(root: &Path) -> Result<bool> {
    let log = read(root);
    let mut none = true;
    for step in WHOLE {
        if let Some(why) = why_due(root, &log, step) {
            // A reader may close the pipe early.
            let _ = writeln!(std::io::stdout(), "{} is due: {why}", step.name);
            none = false;
        }
    }
    Ok(none)
}

/// `cargo xtask whole --take STEP LOG`: takes over what `ci/gpu-run.sh` printed on another machine.
/// The log must say which commit it ran, and that each of its parts passed.
pub fn take(root: &Path, name: &str, file: &str) -> Result<bool> {
    let step = WHOLE
        .iter()
        .find(|step| step.name == name && step.command.is_empty())
        .ok_or_else(|| format!("`{name}` is no step that runs on another machine"))?;
    let text = std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?;
    let fields = taken(name, &text).map_err(|why| format!("{file}: {why}"))?;
    let mut log = read(root);
    log.insert(step.name.into(), fields);
    write(root, &log)?;
    Ok(true)
}

/// The parts of `ci/gpu-run.sh` that a step's log must have.
fn due_parts(step: &str) -> &'static [&'static str] {
    match step {
        "gpu" => &[
            "sweep",
            "dump and oracle",
            "tests",
            "composites",
            "tiles",
            "networks",
            "callers",
            "sanitize",
        ],
        _ => &["exhaustive"],
    }
}

fn taken(step: &str, text: &str) -> Result<Vec<String>> {
    let field = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name));
        found.ok_or_else(|| format!("it has no line `{name}...`"))
    };
    if let Some(line) = text.lines().find(|line| line.contains("NOT RUN")) {
        return Err(line.into());
    }
    let mut parts = Vec::new();
    let mut seconds = 0;
    for line in text.lines() {
        let Some((part, end)) = line
            .strip_prefix("==== ")
            .and_then(|line| line.split_once(": exit status "))
        else {
            continue;
        };
        let (status, after) = end.split_once(" after ").unwrap_or((end, ""));
        if status != "0" {
            return Err(line.into());
        }
        let number = after.split(' ').next().unwrap_or_default();
        seconds += number.parse::<u64>().unwrap_or(0);
        parts.push(part);
    }
    if let Some(part) = due_parts(step).iter().find(|part| !parts.contains(part)) {
        return Err(format!("it has no end of `{part}`"));
    }
    Ok(vec![
        field("commit: ")?.into(),
        field("date: ")?.into(),
        field("machine: ")?.into(),
        seconds.to_string(),
        format!("passed: {}", parts.join(", ")),
    ])
}

#[cfg(test)]
mod tests {
    use super::{due, due_parts, last, output, parse, why_due, written};
    use crate::steps::WHOLE;
    use std::path::Path;

    #[test]
    fn the_log_is_read_as_it_was_written() {
        let log = parse("x\n| `mpfr` | 0123 | 2026-11-28 | 2 x Y | 12 | total: a / b |\n");
        assert_eq!(log["mpfr"][4], "total: a / b");
        assert_eq!(parse(&written(&log)), log);
        assert_eq!(last("a\n b | c \n\n"), "b / c");
    }

    #[test]
    fn a_step_is_due_where_its_paths_changed_or_its_commit_is_unknown() {
        let root = std::env::temp_dir().join(format!("bitexact-whole-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let git = |arguments: &[&str]| {
            let own = [
                "-c",
                "user.name=n",
                "-c",
                "user.email=e",
                "-c",
                "commit.gpgsign=false",
            ];
            output(&root, "git", &[&own, arguments].concat()).expect("git")
        };
        let file = |name: &str, text: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        file("kernels/src/a.rs", "a");
        file("other", "a");
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-qm", "one"]);
        let commit = git(&["rev-parse", "--short=12", "HEAD"]);
        let step = WHOLE.iter().find(|step| step.name == "softfloat").unwrap();
        let log = |commit: &str| parse(&format!("| `softfloat` | {commit} | d | m | 1 | p |\n"));
        assert_eq!(why_due(&root, &log(&commit), step), None);
        file("other", "b");
        assert_eq!(why_due(&root, &log(&commit), step), None);
        file("kernels/src/a.rs", "b");
        assert!(why_due(&root, &log(&commit), step).is_some());
        assert!(why_due(&root, &log("0123456789ab"), step).is_some());
        assert!(why_due(&root, &log(&format!("{commit}-dirty")), step).is_some());
        assert!(why_due(&root, &parse(""), step).is_some());
        assert_eq!(due(Path::new(&root)), Ok(false));
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_log_of_another_machine_must_have_passed() {
        let taken = |text: &str| super::taken("gpu", text);
        let end = |part: &&str| format!("==== {part}: exit status 0 after 5 s\n");
        let ends: String = due_parts("gpu").iter().map(end).collect();
        let good = format!("commit: abc\ndate: 2026-11-28\nmachine: H100\n{ends}");
        assert_eq!(
            taken(&good).unwrap()[..4],
            ["abc", "2026-11-28", "H100", "40"]
        );
        for part in due_parts("gpu") {
            assert!(taken(&good.replace(&end(part), "")).is_err(), "{part}");
            let failed = end(part).replace("status 0", "status 1");
            assert!(taken(&good.replace(&end(part), &failed)).is_err());
        }
        assert!(taken(&good.replace("commit: abc\n", "")).is_err());
        assert!(taken(&format!("{good}NOT RUN: compare\n")).is_err());
    }
}
