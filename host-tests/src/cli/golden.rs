//! `sweep golden`: compares the recorded digests with the oracle's, or records them again.

use super::args::GoldenArgs;
use super::progress::Progress;
use super::{Console, Failure, Outcome, select};
use crate::composites;
use crate::domain::Domain;
use crate::engine::files;
use crate::engine::golden::{self, Golden};
use crate::engine::{self, Choice, Filter, Plan, Share, Work};
use crate::row::Row;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub fn run(rows: &[Row], args: &GoldenArgs, console: &mut Console) -> Outcome {
    let selected = select::rows(rows, &args.op)?;
    let all = |row: &Row| !matches!(engine::domain(row, true), Domain::Hard(_));
    if args.exhaustive && !args.op.is_empty() && !selected.iter().any(all) {
        return Err(Failure::Usage(select::not_exhaustive("")));
    }
    // A row that is written may be new.
    let folder = match &args.golden {
        Some(folder) if args.write && !folder.exists() => folder.clone(),
        given => select::golden(given.as_deref())?,
    };
    let mut recorded: BTreeMap<&str, Golden> = BTreeMap::new();
    for row in &selected {
        if !recorded.contains_key(row.op) {
            recorded.insert(row.op, existing(&folder, row.op, args.write)?);
        }
    }
    if args.write {
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        // What cannot be written is found before the work.
        for op in recorded.keys() {
            files::check(&golden::file(&folder, op))?;
        }
    }
    let mut stale = Vec::new();
    for (op, file) in &recorded {
        let path = golden::file(&folder, op);
        let keys = stale_keys(rows, &selected, op, file);
        stale.extend(keys.into_iter().map(|key| (path.clone(), key)));
    }
    let unknown = if args.op.is_empty() {
        unknown_files(&folder, rows)?
    } else {
        Vec::new()
    };
    let (mut cells, mut wrong) = (0, 0);
    let progress = Progress::new(selected.len());
    let mut computed = Vec::new();
    for row in &selected {
        let plan = Plan::new(row, args.exhaustive, &Filter::default(), None);
        let judges = engine::judges(&plan, Choice::Auto, Share { bits: 16 })
            .ok_or_else(|| Failure::Usage(format!("no oracle covers {}", row.name)))?;
        let bar = progress.row(row.name, 0, plan.inputs());
        let work = Work::OracleDigest(&judges);
        let tally = engine::execute(&plan, work, 0..plan.inputs(), &|n| bar.advance(n));
        if tally.seen != plan.inputs() || tally.mismatches() > 0 {
            return Err(Failure::Usage(format!(
                "the oracle did not answer all of {}",
                row.name
            )));
        }
        cells += plan.cells();
        let line = format!("{}: {} digests", row.name, plan.cells());
        if let Some(line) = progress.end(bar, line) {
            console.note(format_args!("{line}"));
        }
        if args.write {
            computed.push((plan, tally));
            continue;
        }
        let (different, missing) = recorded[row.op].compare(&plan, &tally);
        wrong += different.len() + missing.len();
        for at in different {
            let key = golden::key(&plan, at / plan.modes.len(), at % plan.modes.len());
            let digest = tally.cells[at].digest.sum;
            console.print(format_args!(
                "{key}: recorded digest is not {digest:016X}\n"
            ))?;
        }
        for key in missing {
            console.print(format_args!("{key}: no digest recorded\n"))?;
        }
    }
    progress.clear();
    for (path, key) in &stale {
        let done = if args.write { "removed" } else { "stale" };
        console.print(format_args!(
            "{}: {done}: `{key}` is of no row, mode, setting or inputs that there are\n",
            path.display()
        ))?;
    }
    for path in &unknown {
        let path = path.display();
        console.print(format_args!("{path}: stale: there is no such operation\n"))?;
    }
    if args.write {
        // Another process may have written since: only the lines of these rows are replaced.
        let _lock = files::Lock::folder(&folder)?;
        // Unless everything is written again, lines of other inputs stay.
        let keep = !args.op.is_empty() || args.exhaustive;
        for op in recorded.keys() {
            let mut file = existing(&folder, op, true)?;
            if !keep {
                file = Golden::default();
            }
            for key in stale_keys(rows, &selected, op, &file) {
                file.0.remove(&key);
            }
            for (plan, tally) in computed.iter().filter(|(plan, _)| plan.row.op == *op) {
                file.remove(plan);
                file.put(plan, tally);
            }
            file.write(&golden::file(&folder, op))?;
        }
        console.print(format_args!(
            "{cells} digests of {} rows written\n",
            selected.len()
        ))?;
        return Ok(0);
    }
    let stale = stale.len() + unknown.len();
    console.print(format_args!(
        "{cells} digests of {} rows, {wrong} wrong, {stale} stale\n",
        selected.len()
    ))?;
    Ok(u8::from(wrong + stale > 0))
}

/// The digests of an operation in the folder; a file that is to be written must be our own.
fn existing(folder: &Path, op: &str, write: bool) -> Result<Golden, String> {
    let path = golden::file(folder, op);
    match write {
        true => Golden::read_own(&path),
        false => Golden::read(&path),
    }
}

/// The lines of an operation's file that are of no row, mode, setting or inputs. A line of another
/// operation's row is never read here, wherever else that row has its own.
fn stale_keys(rows: &[Row], selected: &[Row], op: &str, file: &Golden) -> Vec<golden::Key> {
    let here = |row: &&Row| row.op == op;
    let selected: Vec<Row> = selected.iter().filter(here).cloned().collect();
    let names = rows.iter().filter(here).map(|row| row.name).collect();
    file.stale(&selected, &names).into_iter().cloned().collect()
}

/// The files in the folder that are of no operation; that of the composites has digests of its own.
fn unknown_files(folder: &Path, rows: &[Row]) -> Result<Vec<PathBuf>, String> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| format!("{}: {error}", folder.display()))?,
    };
    let known = |path: &PathBuf| {
        *path == composites::file(folder)
            || rows.iter().any(|row| *path == golden::file(folder, row.op))
    };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| !known(path));
    files.sort();
    Ok(files)
}
