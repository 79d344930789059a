//! `sweep run --out`: a shard's result, written whole or not at all.

use super::folder;
use super::result::{Build, CellResult, First, Plan, PlannedRow, RowResult, Run, ShardResult};
use crate::cli::args::RunArgs;
use crate::cli::report::{Report, first_lines};
use crate::cli::this_build;
use crate::cli::{Console, Failure, Outcome};
use crate::engine::{self, Backend, Shard, files};
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The folder of `--out`, and the run that this shard is part of.
pub struct Out {
    folder: PathBuf,
    run: Run,
    shard: Shard,
    device: String,
    start: Instant,
}

impl Out {
    /// Checks that the folder can be written, before anything runs.
    pub fn open(
        folder: &Path,
        args: &RunArgs,
        plans: &[engine::Plan],
        shard: Shard,
        backend: Option<&dyn Backend>,
    ) -> Outcome<Self> {
        if folder.exists() && !folder.is_dir() {
            let why = format!("`--out {}` is a file, not a folder", folder.display());
            return Err(Failure::Usage(why));
        }
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        files::check(&folder.join(folder::name(shard.index, shard.of, "")))?;
        let build = Build {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: this_build::COMMIT.into(),
            program: format!("{:016x}", this_build::hash()?),
            module: backend.map_or_else(|| "-".into(), Backend::module),
        };
        let plan = Plan {
            shards: shard.of,
            exhaustive: args.exhaustive,
            oracle: name(args.oracle),
            backend: backend_name(args),
            rows: plans.iter().map(planned).collect(),
        };
        let run = Run { build, plan };
        // One result stands for all: thousands of shards may be there.
        let other = |found: &folder::Found| found.result.run.plan != run.plan;
        if let Some(other) = folder::first(folder)?.filter(other) {
            return Err(Failure::Usage(format!(
                "{} is a result of another plan (other rows, modes, settings, oracle or number of \
                 shards): name another folder, or remove it",
                other.path.display()
            )));
        }
        Ok(Self {
            folder: folder.into(),
            run,
            shard,
            device: backend.map_or_else(|| "host".into(), |backend| backend.label()),
            start: Instant::now(),
        })
    }

    /// The exit status of this very shard, if its result is already there.
    pub fn found(&self, console: &mut Console) -> Outcome<Option<u8>> {
        let prefix = folder::prefix(self.shard.index, self.shard.of);
        let found = folder::read(&self.folder, &prefix)?;
        let same = |one: &&folder::Found| {
            let result = &one.result;
            // 2 is a row that was not compared: what it lacked may be there now.
            result.run == self.run && result.shard == self.shard.index && result.status < 2
        };
        let Some(found) = found.results.iter().find(same) else {
            return Ok(None);
        };
        console.note(format_args!(
            "{} has this shard's result: nothing to run (`--restart` runs it again)",
            found.path.display()
        ));
        Ok(Some(found.result.status))
    }

    /// Writes the result; returns its file.
    pub fn write(&self, reports: &[Report], status: u8) -> Outcome<PathBuf> {
        let result = ShardResult {
            run: self.run.clone(),
            shard: self.shard.index,
            host: gethostname::gethostname().to_string_lossy().into_owned(),
            device: self.device.clone(),
            seconds: self.start.elapsed().as_secs_f64(),
            status,
            rows: reports.iter().map(|report| self.row(report)).collect(),
        };
        let (text, sum) = result.render()?;
        // The checksum keeps apart the results of a shard that ran twice.
        let path = self
            .folder
            .join(folder::name(self.shard.index, self.shard.of, &sum));
        files::replace(&path, text.as_bytes())?;
        // So that the name, too, is on disk. Not every file system can do this for a folder.
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(path)
    }

    fn row(&self, report: &Report) -> RowResult {
        let (plan, tally) = (&report.plan, &report.tally);
        let span = self.shard.span(plan.inputs());
        let cells = tally.cells.iter().enumerate().map(|(at, cell)| {
            let (setting, mode) = (at / plan.modes.len(), at % plan.modes.len());
            let whole = cell.digest.count == tally.seen;
            CellResult {
                digest: whole.then(|| format!("{:016X}", cell.digest.sum)),
                mismatches: cell.mismatches,
                first: cell.first.as_ref().map(|first| First {
                    index: first.index,
                    lines: first_lines(plan, setting, mode, first),
                }),
            }
        });
        RowResult {
            span: [span.start, span.end],
            verdict: report.verdict.name().into(),
            fails: report.verdict.fails(),
            oracle: report.oracle.clone(),
            seen: tally.seen,
            checks: tally.checks,
            second_checks: tally.second_checks,
            differing: report.differing,
            seconds: report.seconds,
            notes: report.notes.clone(),
            cells: cells.collect(),
        }
    }
}

fn planned(plan: &engine::Plan) -> PlannedRow {
    let cells = (0..plan.cells()).map(|at| {
        let (setting, mode) = (at / plan.modes.len(), at % plan.modes.len());
        plan.cell_name(setting, mode).join(" ")
    });
    PlannedRow {
        row: plan.row.name.into(),
        op: plan.row.op.into(),
        domain: plan.domain_name().to_string(),
        inputs: plan.inputs(),
        cells: cells.collect(),
    }
}

/// A value's name on the command line.
fn name(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The back end, with what it was limited to, in any order.
pub fn backend_name(args: &RunArgs) -> String {
    let mut backend = name(args.backend.backend);
    for names in [&args.backend.level, &args.backend.fpu] {
        let names: BTreeSet<_> = names.iter().map(String::as_str).collect();
        if !names.is_empty() {
            let names: Vec<_> = names.into_iter().collect();
            backend = format!("{backend} {}", names.join(","));
        }
    }
    backend
}
