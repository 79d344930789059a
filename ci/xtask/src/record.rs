//! The record of a verification, with date, machine and result: ci/evidence/NAME.txt.

use crate::steps::Step;
use crate::tree::{self, Compilers, Key, Result, Tree};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// How many of the last lines of a check's output are kept.
const LINES: usize = 12;

#[derive(Clone, Default, Debug)]
pub struct Record {
    pub key: Key,
    pub date: String,
    pub wall: u64,
    pub processor: u64,
}

/// Whether a record is still valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Age {
    Fresh,
    /// The inputs that have changed.
    Stale(Vec<String>),
    Missing,
}

/// The file of a step's record; a run with WHOLE=1 has a separate one.
pub fn name(step: &Step, whole: bool) -> String {
    format!(
        "ci/evidence/{}{}.txt",
        step.name,
        if whole { "-whole" } else { "" }
    )
}

pub fn read(tree: &Tree, name: &str) -> Option<Record> {
    let text = String::from_utf8(tree.read(name).ok()?).ok()?;
    let mut record = Record::default();
    for line in text.lines().take_while(|line| *line != "---") {
        let (field, value) = line.split_once(' ')?;
        let value = value.trim();
        match field {
            "input" => {
                let (input, digest) = value.rsplit_once(' ')?;
                record.key.insert(input.trim().into(), digest.into());
            }
            "date" => record.date = value.into(),
            "wall" => record.wall = value.split(' ').next()?.parse().ok()?,
            "processor" => record.processor = value.split(' ').next()?.parse().ok()?,
            _ => {}
        }
    }
    Some(record)
}

pub fn age(record: Option<&Record>, key: &Key) -> Age {
    let Some(record) = record else {
        return Age::Missing;
    };
    let names = record.key.keys().chain(key.keys());
    let mut changed: Vec<String> = names
        .filter(|name| record.key.get(*name) != key.get(*name))
        .cloned()
        .collect();
    changed.sort();
    changed.dedup();
    if changed.is_empty() {
        Age::Fresh
    } else {
        Age::Stale(changed)
    }
}

/// Whether a step's record is fresh, and the record.
pub fn of(
    tree: &Tree,
    step: &Step,
    whole: bool,
    compilers: &Compilers,
) -> Result<Option<(Age, Record)>> {
    let Some(key) = step.key(tree, compilers).transpose()? else {
        return Ok(None);
    };
    let record = read(tree, &name(step, whole));
    Ok(Some((
        age(record.as_ref(), &key),
        record.unwrap_or_default(),
    )))
}

/// A file's text, without the lines of the output that name folders of this machine.
pub fn text(
    root: &Path,
    step: &Step,
    record: &Record,
    compilers: &Compilers,
    machine: &str,
    output: &str,
) -> String {
    let compiler = step.inputs.map(|inputs| compilers.of(inputs.compiler));
    let mut text = head(record, compiler.unwrap_or("none"), step.command, machine);
    let lines = kept(root, output);
    for line in &lines[lines.len().saturating_sub(LINES)..] {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// What stands above the output.
pub fn head(record: &Record, compiler: &str, command: &str, machine: &str) -> String {
    let mut text = format!("key       {}\n", tree::whole(&record.key));
    let _ = writeln!(text, "date      {}\nmachine   {machine}", record.date);
    let _ = writeln!(text, "compiler  {compiler}\ncommand   {command}");
    let _ = writeln!(
        text,
        "wall      {} s\nprocessor {} s",
        record.wall, record.processor
    );
    for (input, digest) in &record.key {
        let _ = writeln!(text, "input     {input} {digest}");
    }
    text.push_str("---\n");
    text
}

/// The lines of an output that are kept.
pub fn kept<'a>(root: &Path, output: &'a str) -> Vec<&'a str> {
    output
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !is_progress(line) && !names_machine(root, line))
        .collect()
}

/// Cargo's report of its own work, which names folders of the machine and proves nothing.
fn is_progress(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let progress = [
        "Compiling",
        "Checking",
        "Documenting",
        "Finished",
        "Running",
        "Downloaded",
    ];
    line.starts_with("   ") && progress.contains(&word)
}

/// Whether a line names a place on this machine: other programs report these too.
fn names_machine(root: &Path, line: &str) -> bool {
    [root, &std::env::temp_dir()]
        .iter()
        .any(|folder| line.contains(&format!("{}/", folder.display())))
}

pub fn write(root: &Path, step: &Step, whole: bool, text: &str) -> Result<()> {
    let path = root.join(name(step, whole));
    let folder = path.parent().unwrap_or(root);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|why| format!("{}: {why}", path.display()))
}

/// The output of a command, in one line.
pub fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The processor, the number of processors, and the system.
pub fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> = cpus
        .lines()
        .filter(|line| line.starts_with("model name"))
        .collect();
    let model = models
        .first()
        .and_then(|line| line.split(": ").nth(1))
        .unwrap_or("an unknown processor");
    format!(
        "{} x {model}, {}",
        models.len().max(1),
        said("uname", &["-srm"])
    )
}

pub fn now() -> String {
    said("date", &["-u", "+%Y-%m-%dT%H:%M:%SZ"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::STEPS;

    #[test]
    fn a_record_names_no_folder_of_the_machine() {
        let compilers = Compilers::default();
        let root = Path::new("/home/someone/bitexact");
        let output = format!(
            "Found Python at /home/someone/bitexact/target/python\nBuilt {}/x.whl\n3 passed\n",
            std::env::temp_dir().display()
        );
        let text = text(root, &STEPS[0], &Record::default(), &compilers, "", &output);
        assert!(text.ends_with("---\n3 passed\n"), "{text}");
    }
}
