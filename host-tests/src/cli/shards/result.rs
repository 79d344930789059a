//! The result of one shard, and its file.
//!
//! The file is one line of JSON: the version of this form, the SHA-256 of the result's text, the
//! result. It is accepted only if it is, byte for byte, what would be written for the result in it.

use crate::cli::report::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of this form.
const FORM: u32 = 1;

/// What ran, in which build: the same in all shards of a run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub build: Build,
    pub plan: Plan,
}

/// The program that ran.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Build {
    pub version: String,
    /// The commit that it was built from, or `unknown`.
    pub commit: String,
    /// A hash of the executable.
    pub program: String,
    /// A hash of the module with a GPU's kernels; `-` if the kernels are part of the executable.
    pub module: String,
}

/// Everything that decides what is run and compared, apart from the shard.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The number of shards.
    pub shards: u64,
    pub exhaustive: bool,
    pub oracle: String,
    pub backend: String,
    pub rows: Vec<PlannedRow>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlannedRow {
    pub row: String,
    pub op: String,
    pub domain: String,
    /// Of all shards together.
    pub inputs: u64,
    /// `rounding overflow params` of each cell.
    pub cells: Vec<String>,
}

/// What one shard found, and where.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ShardResult {
    pub run: Run,
    /// Counted from 1.
    pub shard: u64,
    pub host: String,
    pub device: String,
    pub seconds: f64,
    /// The exit status of `sweep run`.
    pub status: u8,
    pub rows: Vec<RowResult>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct RowResult {
    /// The first input, and the one after the last.
    pub span: [u64; 2],
    pub verdict: String,
    /// Whether something differs or was miscounted.
    pub fails: bool,
    pub oracle: String,
    pub seen: u64,
    pub checks: u64,
    pub second_checks: u64,
    /// Digests and runs of other paths that differ as a whole.
    pub differing: u64,
    pub seconds: f64,
    pub notes: Vec<String>,
    pub cells: Vec<CellResult>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct CellResult {
    /// 16 hex digits, or null if some inputs are not in the digest.
    pub digest: Option<String>,
    pub mismatches: u64,
    pub first: Option<First>,
}

/// A cell's mismatch of the lowest input.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct First {
    /// The input's number.
    pub index: u64,
    /// Its operands, results and flags, for people.
    pub lines: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sweep_shard: u32,
    sha256: String,
    result: ShardResult,
}

impl ShardResult {
    /// The file's text, and the checksum in it.
    pub fn render(&self) -> Result<(String, String), String> {
        let result = serde_json::to_string(self).map_err(|error| error.to_string())?;
        let sum = Sha256::digest(result.as_bytes());
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        let text = format!("{{\"sweep_shard\":{FORM},\"sha256\":\"{sum}\",\"result\":{result}}}\n");
        Ok((text, sum))
    }

    /// The result in a file's bytes.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.last() != Some(&b'\n') {
            return Err("cut off".into());
        }
        let file: File = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if file.sweep_shard != FORM {
            return Err(format!(
                "form {} of a shard's result; this `sweep` reads form {FORM}",
                file.sweep_shard
            ));
        }
        let (text, sum) = file.result.render()?;
        if sum != file.sha256 {
            return Err("wrong checksum".into());
        }
        if text.as_bytes() != bytes {
            return Err("not as `sweep` writes it".into());
        }
        file.result.check()?;
        Ok(file.result)
    }

    /// Whether it has the form of its plan.
    fn check(&self) -> Result<(), String> {
        let plan = &self.run.plan;
        let index = 1 <= self.shard && self.shard <= plan.shards;
        let fits = |(planned, row): (&PlannedRow, &RowResult)| planned.fits(row);
        if !index
            || plan.rows.len() != self.rows.len()
            || !plan.rows.iter().zip(&self.rows).all(fits)
        {
            return Err("it does not fit its own plan".into());
        }
        let fails = self.rows.iter().any(|row| row.fails);
        if self.status > 2 || (self.status == 1) != fails || self.seconds < 0.0 {
            return Err("its status contradicts its rows".into());
        }
        Ok(())
    }

    /// Whether another run of the same shard found the same. Hosts, devices and times may differ;
    /// where one of them could not compare a row, only the digests that both have can differ.
    pub fn agrees(&self, other: &Self) -> bool {
        if (self.status == 2) != (other.status == 2) {
            let rows = self.rows.iter().zip(&other.rows);
            let mut cells = rows
                .filter(|(one, other)| one.seen > 0 && other.seen > 0)
                .flat_map(|(one, other)| one.cells.iter().zip(&other.cells));
            return cells.all(|(one, other)| {
                let digests = one.digest().flatten().zip(other.digest().flatten());
                digests.is_none_or(|(one, other)| one == other)
            });
        }
        let found = |result: &Self| {
            let mut result = result.clone();
            (result.host, result.device, result.seconds) = Default::default();
            for row in &mut result.rows {
                row.seconds = 0.0;
            }
            result
        };
        found(self) == found(other)
    }
}

impl PlannedRow {
    /// Whether a result can be this row's: as many cells, no more checks than inputs in all of
    /// them, mismatches where there is a first one, a verdict that says whether it fails.
    fn fits(&self, row: &RowResult) -> bool {
        let most = u128::from(row.seen) * self.cells.len() as u128;
        let cell = |cell: &CellResult| {
            let first = cell.first.as_ref().is_none_or(|first| {
                cell.mismatches > 0 && (row.span[0]..row.span[1]).contains(&first.index)
            });
            first && cell.digest().is_some() && cell.mismatches <= row.seen
        };
        let named = |verdict: &&Verdict| verdict.name() == row.verdict;
        let verdict = Verdict::ALL.iter().find(named);
        let name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        !self.cells.is_empty()
            && self.cells.len() == row.cells.len()
            && row.cells.iter().all(cell)
            && u128::from(row.checks) <= most
            && u128::from(row.second_checks) <= most
            && verdict.is_some_and(|verdict| verdict.fails() == row.fails)
            && row.seconds >= 0.0
            && self.op.bytes().all(name)
    }
}

impl RowResult {
    /// All cells' mismatches, and what differs as a whole.
    pub fn mismatches(&self) -> u128 {
        let cells = self.cells.iter().map(|cell| u128::from(cell.mismatches));
        cells.sum::<u128>() + u128::from(self.differing)
    }
}

impl CellResult {
    /// The digest: `Some(None)` if there is none, `None` if it is no digest.
    pub fn digest(&self) -> Option<Option<u64>> {
        let Some(text) = &self.digest else {
            return Some(None);
        };
        let sum = u64::from_str_radix(text, 16).ok()?;
        (*text == format!("{sum:016X}")).then_some(Some(sum))
    }
}
