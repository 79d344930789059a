//! `sweep merge`: whether the shards in a folder are one whole run, and what it found.

use super::folder::{self, Collected};
use super::sums::{self, Sum, Verdict};
use crate::cli::args::MergeArgs;
use crate::cli::json::JsonFile;
use crate::cli::report::HEAD;
use crate::cli::{Console, Outcome, select, table};
use crate::engine::files;
use crate::engine::golden::{self, Golden};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

pub fn merge(args: &MergeArgs, console: &mut Console) -> Outcome {
    let (collected, mut problems) = folder::read(&args.dir, folder::ANY)?.collect(&args.dir)?;
    let golden = select::golden(args.golden.as_deref())?;
    let json = args.json.as_deref().map(JsonFile::open).transpose()?;
    console.people_on_stderr = json.as_ref().is_some_and(|json| json.path.is_none());
    if let Some(json) = &json {
        let result = |path: &Path| {
            files::is_in(path, &args.dir, |name| name.starts_with(folder::ANY))
                || files::is_in(path, &args.dir.join("checkpoints"), |_| true)
        };
        json.is_not(result, "a shard's result or checkpoint")?;
        json.is_not(|path| golden::is_of(&golden, path), "recorded digests")?;
    }
    let missing = collected.as_ref().map(Collected::missing);
    if let Some(missing) = missing.as_ref().filter(|missing| !missing.is_empty()) {
        let shards = folder::array(missing);
        problems.push(format!("no result of these shards: {shards}"));
    }
    let sums = match &collected {
        Some(collected) => add_up(collected, &golden, problems.is_empty())?,
        None => Vec::new(),
    };
    let verdict = verdict(&sums, &problems);
    // The file first: it is left if standard output is full. If it cannot be written, the error
    // comes after the report.
    let report = report(collected.as_ref(), &sums, &problems, verdict);
    let written = json.map_or(Ok(()), |json| json.write(&report.to_string(), console));
    if let Some(collected) = &collected {
        describe(collected, console)?;
        findings(collected, &sums, args.show, console)?;
        rows(collected, &sums, console)?;
    }
    for problem in &problems {
        console.tell(format_args!("{problem}"))?;
    }
    console.tell(format_args!("{}", verdict.name()))?;
    console.flush()?;
    written?;
    Ok(u8::from(verdict != Verdict::Equal))
}

/// The sum of every row.
fn add_up(collected: &Collected, folder: &Path, whole: bool) -> Outcome<Vec<Sum>> {
    let rows = &collected.run.plan.rows;
    let mut files: BTreeMap<&str, Golden> = BTreeMap::new();
    for row in rows {
        if !files.contains_key(&*row.op) {
            files.insert(&row.op, Golden::read(&golden::file(folder, &row.op))?);
        }
    }
    let sum = |(at, row): (usize, &super::result::PlannedRow)| {
        sums::sum(collected, at, &files[&*row.op], whole)
    };
    Ok(rows.iter().enumerate().map(sum).collect())
}

/// The worst of all rows; nothing that is missing or in doubt is `equal`. Rows of a pattern that no
/// oracle covers are left out, as `run` leaves them out, unless nothing else is there.
fn verdict(sums: &[Sum], problems: &[String]) -> Verdict {
    let left_out = |sum: &&Sum| sum.verdict == Verdict::NotCompared && sum.passed_over;
    let all = sums.iter().all(|sum| left_out(&sum));
    let any = |verdict| {
        let mut sums = sums.iter().filter(|sum| all || !left_out(sum));
        sums.any(|sum| sum.verdict == verdict)
    };
    if any(Verdict::Mismatch) {
        Verdict::Mismatch
    } else if !problems.is_empty() || sums.is_empty() || any(Verdict::Incomplete) {
        Verdict::Incomplete
    } else if any(Verdict::NotCompared) {
        Verdict::NotCompared
    } else {
        Verdict::Equal
    }
}

/// The run and its shards.
fn describe(collected: &Collected, console: &mut Console) -> Outcome<()> {
    let (build, plan) = (&collected.run.build, &collected.run.plan);
    let module = match &*build.module {
        "-" => String::new(),
        module => format!(", GPU module {module}"),
    };
    console.tell(format_args!(
        "sweep {} of commit {}, program {}{module}",
        build.version, build.commit, build.program
    ))?;
    let exhaustive = if plan.exhaustive { ", exhaustive" } else { "" };
    console.tell(format_args!(
        "back end {}, oracle {}{exhaustive}",
        plan.backend, plan.oracle
    ))?;
    let results = || {
        collected
            .shards
            .values()
            .flatten()
            .map(|found| &found.result)
    };
    let names = |of: fn(&super::result::ShardResult) -> &str| {
        let mut names: Vec<_> = results().map(of).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let (hosts, devices) = (names(|one| &one.host), names(|one| &one.device));
    console.tell(format_args!(
        "{} of {} shards, {} results, {:.1} s",
        collected.shards.len(),
        plan.shards,
        results().count(),
        results().map(|one| one.seconds).sum::<f64>()
    ))?;
    console.tell(format_args!("hosts: {}", hosts.join(", ")))?;
    for device in devices {
        console.tell(format_args!("device: {device}"))?;
    }
    Ok(())
}

/// The mismatches, up to `show` modes of each row, with the first input of each.
fn findings(
    collected: &Collected,
    sums: &[Sum],
    show: usize,
    console: &mut Console,
) -> Outcome<()> {
    for (planned, sum) in collected.run.plan.rows.iter().zip(sums) {
        let row = &planned.row;
        let cells = planned.cells.iter().zip(&sum.cells);
        let wrong: Vec<_> = cells
            .filter_map(|(name, cell)| Some((name, cell.mismatches, cell.first.as_ref()?)))
            .collect();
        for (name, count, first) in wrong.iter().take(show) {
            let name: Vec<_> = name.split(' ').filter(|part| *part != "-").collect();
            let name = name.join(" ");
            console.tell(format_args!("{row} {name}: {count} mismatches, the first:"))?;
            for line in &first.lines {
                console.tell(format_args!("{line}"))?;
            }
        }
        if wrong.len() > show {
            let more = wrong.len() - show;
            console.tell(format_args!("{row}: mismatches in {more} more modes"))?;
        }
        for note in &sum.notes {
            console.tell(format_args!("{row}: {note}"))?;
        }
    }
    Ok(())
}

/// The table of the rows.
fn rows(collected: &Collected, sums: &[Sum], console: &mut Console) -> Outcome<()> {
    let mut lines = vec![HEAD.map(String::from)];
    for (planned, sum) in collected.run.plan.rows.iter().zip(sums) {
        lines.push([
            planned.row.clone(),
            sum.oracle.clone(),
            sum.verdict.name().into(),
            planned.domain.clone(),
            planned.cells.len().to_string(),
            sum.seen.to_string(),
            sum.checks.to_string(),
            sum.mismatches.to_string(),
            format!("{:.2}", sum.seconds),
        ]);
    }
    let text = table::render(&lines, |column| column > 3);
    console.tell(format_args!("{}", text.trim_end()))
}

/// The report for scripts.
fn report(
    collected: Option<&Collected>,
    sums: &[Sum],
    problems: &[String],
    verdict: Verdict,
) -> Value {
    let Some(collected) = collected else {
        return json!({ "schema": 1, "verdict": verdict.name(), "problems": problems });
    };
    let plan = &collected.run.plan;
    let shards = collected.shards.values().flatten().map(|found| {
        let (result, path) = (&found.result, &found.path);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        json!({
            "shard": result.shard, "file": file, "host": result.host, "device": result.device,
            "seconds": result.seconds,
        })
    });
    let hex = |sum: Option<u64>| sum.map(|sum| format!("{sum:016X}"));
    let rows = plan.rows.iter().zip(sums).map(|(planned, sum)| {
        let cells = planned.cells.iter().zip(&sum.cells).map(|(name, cell)| {
            json!({
                "mode": name, "digest": hex(cell.digest), "golden": hex(cell.golden),
                "mismatches": number(cell.mismatches), "first": cell.first,
            })
        });
        json!({
            "row": planned.row, "domain": planned.domain, "domain_inputs": planned.inputs,
            "verdict": sum.verdict.name(), "oracle": sum.oracle, "inputs": number(sum.seen),
            "checks": number(sum.checks), "second_checks": number(sum.second_checks),
            "mismatches": number(sum.mismatches), "seconds": sum.seconds,
            "modes": cells.collect::<Vec<_>>(), "notes": sum.notes,
        })
    });
    json!({
        "schema": 1, "verdict": verdict.name(), "problems": problems,
        "build": collected.run.build, "backend": plan.backend, "oracle": plan.oracle,
        "exhaustive": plan.exhaustive, "shards": plan.shards,
        "results": shards.collect::<Vec<_>>(), "rows": rows.collect::<Vec<_>>(),
    })
}

/// A count as a number, or as text where it is above 2^64.
fn number(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count))
}
