//! `sweep golden`: compares the recorded digests with the oracle's, or records them again.

use super::args::GoldenArgs;
use super::progress::Progress;
use super::{Console, Failure, Outcome, select};
use crate::engine::golden::{self, Golden};
use crate::engine::{self, Choice, Filter, Plan, Share, Work};
use crate::row::Row;
use std::collections::BTreeMap;

pub fn run(rows: &[Row], args: &GoldenArgs, console: &mut Console) -> Outcome {
    let selected = select::rows(rows, &args.op)?;
    // A row that is written may be new.
    let folder = match &args.golden {
        Some(folder) if args.write => folder.clone(),
        given => select::golden(given.as_deref())?,
    };
    let mut files: BTreeMap<&str, Golden> = BTreeMap::new();
    for row in &selected {
        if !files.contains_key(row.op) {
            // Existing entries are kept, unless everything is written again: rows may have been
            // removed.
            let keep = !args.write || !args.op.is_empty() || args.exhaustive;
            let path = golden::file(&folder, row.op);
            files.insert(
                row.op,
                if keep {
                    Golden::read(&path)?
                } else {
                    Golden::default()
                },
            );
        }
    }
    let (mut cells, mut wrong) = (0, 0);
    let progress = Progress::new(selected.len());
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
        let Some(file) = files.get_mut(row.op) else {
            continue;
        };
        if args.write {
            file.remove(&plan);
            file.put(&plan, &tally);
            continue;
        }
        let (different, missing) = file.compare(&plan, &tally);
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
    if args.write {
        for (op, file) in &files {
            file.write(&golden::file(&folder, op))?;
        }
        console.print(format_args!(
            "{cells} digests of {} rows written\n",
            selected.len()
        ))?;
        return Ok(0);
    }
    console.print(format_args!(
        "{cells} digests of {} rows, {wrong} wrong\n",
        selected.len()
    ))?;
    Ok(u8::from(wrong > 0))
}
