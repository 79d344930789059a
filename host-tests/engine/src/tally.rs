//! The outcome of a run so far. Tallies of different spans merge in any order.

use sweep_inputs::digest::Digest;
use sweep_row::{Operands, Output};

/// An output that differs from an oracle's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    pub index: u64,
    pub operands: Operands,
    pub expected: Output,
    pub got: Output,
    /// The oracle that differs. `panic` if the kernel or the oracle panicked on this input, so that
    /// there are no outputs.
    pub oracle: String,
}

/// One parameter setting in one mode.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    pub digest: Digest,
    pub mismatches: u64,
    /// The one with the lowest index.
    pub first: Option<Mismatch>,
}

impl Cell {
    /// Adds a mismatch.
    pub fn miss(&mut self, mismatch: Mismatch) {
        self.mismatches += 1;
        self.keep_first(mismatch);
    }

    fn keep_first(&mut self, other: Mismatch) {
        if self
            .first
            .as_ref()
            .is_none_or(|first| other.index < first.index)
        {
            self.first = Some(other);
        }
    }
}

/// All cells of a plan over some of its inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Inputs that were actually generated.
    pub seen: u64,
    /// Kernel outputs that were compared with the first oracle's.
    pub checks: u64,
    /// Kernel outputs that were compared with the second oracle's.
    pub second_checks: u64,
    /// By setting, then by mode.
    pub cells: Vec<Cell>,
}

impl Tally {
    /// Nothing yet.
    #[must_use]
    pub fn empty(cells: usize) -> Self {
        Self {
            seen: 0,
            checks: 0,
            second_checks: 0,
            cells: vec![Cell::default(); cells],
        }
    }

    /// All cells' mismatches.
    #[must_use]
    pub fn mismatches(&self) -> u64 {
        let counts = self.cells.iter().map(|cell| cell.mismatches);
        counts.fold(0, u64::saturating_add)
    }

    /// Adds another span's tally.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.seen += other.seen;
        self.checks += other.checks;
        self.second_checks += other.second_checks;
        for (cell, from) in self.cells.iter_mut().zip(other.cells) {
            cell.digest.merge(from.digest);
            cell.mismatches = cell.mismatches.saturating_add(from.mismatches);
            if let Some(first) = from.first {
                cell.keep_first(first);
            }
        }
        self
    }
}
