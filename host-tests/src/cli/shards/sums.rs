//! A row's shards added up, compared with the recorded digests where there are any.

use super::folder::{Collected, Found};
use super::result::{First, PlannedRow, RowResult};
use crate::engine::Shard;
use crate::engine::golden::Golden;

/// The verdict on a row, or on a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Equal,
    Mismatch,
    /// Shards are missing, or results cannot be trusted.
    Incomplete,
    /// Some inputs were compared neither with an oracle nor with recorded digests.
    NotCompared,
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Mismatch => "mismatch",
            Self::Incomplete => "incomplete",
            Self::NotCompared => "not compared",
        }
    }
}

/// A row over all shards.
pub struct Sum {
    pub verdict: Verdict,
    pub oracle: String,
    pub seen: u128,
    pub checks: u128,
    pub second_checks: u128,
    pub mismatches: u128,
    pub seconds: f64,
    pub cells: Vec<CellSum>,
    pub notes: Vec<String>,
    /// No oracle covers it, or it has no such mode, in any shard; and no shard failed for it, since
    /// a pattern selected it.
    pub passed_over: bool,
}

/// A cell over all shards.
#[derive(Default)]
pub struct CellSum {
    /// `None` if some inputs are not in it.
    pub digest: Option<u64>,
    pub golden: Option<u64>,
    pub mismatches: u128,
    pub first: Option<First>,
}

/// Adds up a row; `whole` says whether all shards are there and none is in doubt.
pub fn sum(collected: &Collected, at: usize, golden: &Golden, whole: bool) -> Sum {
    let planned = &collected.run.plan.rows[at];
    let mut sum = Sum {
        verdict: Verdict::Incomplete,
        oracle: String::new(),
        seen: 0,
        checks: 0,
        second_checks: 0,
        mismatches: 0,
        seconds: 0.0,
        cells: recorded(planned, golden),
        notes: Vec::new(),
        passed_over: true,
    };
    let (mut compared, mut fails) = (true, false);
    let mut oracles = Vec::new();
    for (shard, found) in &collected.shards {
        let Some(Found { result, .. }) = found.first() else {
            continue;
        };
        let row = &result.rows[at];
        let span = Shard {
            index: *shard,
            of: collected.run.plan.shards,
        };
        let span = span.span(planned.inputs);
        let due = span.end - span.start;
        let idle = row.seen == 0 && due > 0 && !row.fails;
        sum.passed_over &= due == 0 || (idle && result.status == 0);
        if idle {
            // No oracle covers it, or it has no such mode.
            compared = false;
            sum.cells.iter_mut().for_each(|cell| cell.digest = None);
        } else if row.span != [span.start, span.end] || row.seen != due {
            sum.notes.push(format!(
                "shard {shard}: {} inputs of {:?} instead of {due} of {span:?}",
                row.seen, row.span
            ));
            fails = true;
        }
        sum.add(row);
        // A finding of any result of the shard counts, also of one that disagrees with the first.
        for other in found {
            let row = &other.result.rows[at];
            fails |= row.fails || row.mismatches() > 0;
            sum.find(row);
        }
        compared &= u128::from(row.checks) == u128::from(due) * planned.cells.len() as u128;
        if due > 0 && !oracles.contains(&row.oracle) {
            oracles.push(row.oracle.clone());
        }
        for note in row.notes.iter().filter(|_| due > 0) {
            sum.notes.push(format!("shard {shard}: {note}"));
        }
    }
    // Cell by cell: one that is not recorded, or has no digest, says nothing about the others.
    let pairs = || {
        sum.cells
            .iter()
            .filter_map(|cell| cell.digest.zip(cell.golden))
    };
    let (all, known) = (sum.cells.len(), pairs().count());
    let differ = pairs().filter(|(digest, golden)| digest != golden).count();
    let like_golden = whole && known == all && all > 0;
    if whole && differ > 0 {
        fails = true;
        sum.mismatches += differ as u128;
        sum.notes.push(format!(
            "{differ} of {all} digests differ from the recorded ones"
        ));
    }
    if whole && known < all && known > 0 {
        sum.notes.push(format!(
            "{known} of {all} digests were compared with recorded ones"
        ));
    }
    if like_golden {
        if !compared {
            sum.checks = sum.seen * planned.cells.len() as u128;
        }
        if !oracles.iter().any(|name| name == "golden") {
            oracles.push("golden".into());
        }
    }
    sum.oracle = oracles.join(", ");
    sum.verdict = match () {
        () if fails => Verdict::Mismatch,
        () if !whole => Verdict::Incomplete,
        () if compared || like_golden => Verdict::Equal,
        () => Verdict::NotCompared,
    };
    sum
}

/// Empty cells, with their recorded digests.
fn recorded(planned: &PlannedRow, golden: &Golden) -> Vec<CellSum> {
    let PlannedRow {
        row,
        domain,
        inputs,
        ..
    } = planned;
    let cells = planned.cells.iter().map(|cell| CellSum {
        digest: Some(0),
        golden: golden
            .0
            .get(&format!("{row} {domain} {inputs} {cell}"))
            .copied(),
        ..CellSum::default()
    });
    cells.collect()
}

impl Sum {
    fn add(&mut self, row: &RowResult) {
        self.seen += u128::from(row.seen);
        self.checks += u128::from(row.checks);
        self.second_checks += u128::from(row.second_checks);
        self.mismatches += row.mismatches();
        self.seconds += row.seconds;
        for (sum, cell) in self.cells.iter_mut().zip(&row.cells) {
            let digests = sum.digest.zip(cell.digest().flatten());
            sum.digest = digests.map(|(sum, digest)| sum.wrapping_add(digest));
            sum.mismatches += u128::from(cell.mismatches);
        }
    }

    /// Takes the first mismatch of each cell. Shards are in the order of their inputs.
    fn find(&mut self, row: &RowResult) {
        for (sum, cell) in self.cells.iter_mut().zip(&row.cells) {
            if sum.first.is_none() {
                sum.first.clone_from(&cell.first);
            }
        }
    }
}
