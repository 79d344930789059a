//! Golden digests: the digests of all outputs of a row, computed by the oracle.
//!
//! One text file per operation, with one sorted line per cell:
//!
//! ```text
//! row domain inputs rounding overflow params digest
//! add.f16 hard1 65536 ties-to-even ieee - 0123456789ABCDEF
//! ```
//!
//! `-` stands for something that a row does not take. `sweep_inputs::digest` defines the mix,
//! `sweep_inputs::domain` defines `all`, `hard1` and `hard2`.

use super::files;
use super::plan::{Filter, Plan};
use super::tally::Tally;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use sweep_row::Row;

const HEADER: &str = "\
# Digests of all outputs as the oracle gives them; written by `sweep golden --write`.
# row domain inputs rounding overflow params digest
";

/// `row domain inputs rounding overflow params` of a line.
pub type Key = String;

/// The digests of one operation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Golden(pub BTreeMap<Key, u64>);

/// The key of a cell.
#[must_use]
pub fn key(plan: &Plan, setting: usize, mode: usize) -> Key {
    let [rounding, overflow, params] = plan.cell_name(setting, mode);
    let (row, domain, inputs) = (plan.row.name, plan.domain_name(), plan.inputs());
    format!("{row} {domain} {inputs} {rounding} {overflow} {params}")
}

/// The keys of a plan's cells.
#[must_use]
pub fn keys(plan: &Plan) -> Vec<Key> {
    let modes = plan.modes.len();
    (0..plan.cells())
        .map(|at| key(plan, at / modes, at % modes))
        .collect()
}

/// A digest as it is written: 16 hexadecimal digits in upper case.
#[must_use]
pub fn parse_digest(text: &str) -> Option<u64> {
    let fine = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
    let fine = text.len() == 16 && text.bytes().all(fine);
    fine.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

/// The file of an operation.
#[must_use]
pub fn file(folder: &Path, op: &str) -> PathBuf {
    folder.join(format!("{op}.txt"))
}

/// Whether a path names a file of recorded digests in this folder, there or not.
#[must_use]
pub fn is_of(folder: &Path, path: &Path) -> bool {
    files::is_in(path, folder, |name| name.ends_with(".txt"))
}

impl Golden {
    /// The digests in a file; none if it does not exist.
    ///
    /// # Errors
    ///
    /// The file and the line that cannot be read.
    pub fn read(path: &Path) -> Result<Self, String> {
        let parse =
            |text: String| Self::parse(&text).map_err(|why| format!("{}, {why}", path.display()));
        files::text(path)?.map_or_else(|| Ok(Self::default()), parse)
    }

    /// The digests in a file that is to be written again.
    ///
    /// # Errors
    ///
    /// The file, if it has anything in it that [`Golden::write`] would not write.
    pub fn read_own(path: &Path) -> Result<Self, String> {
        let golden = Self::read(path)?;
        match files::text(path)? {
            Some(text) if !text.is_empty() && text != golden.text() => Err(format!(
                "{} is not as `sweep golden --write` writes it (comments, order or ends of lines): \
                 move it away",
                path.display()
            )),
            _ => Ok(golden),
        }
    }

    /// The digests in a file's text.
    ///
    /// # Errors
    ///
    /// The line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut golden = Self::default();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = |why: &str| format!("line {}: {why}", number + 1);
            if line.split(' ').count() != 7 {
                return Err(bad("seven fields were expected"));
            }
            let (key, digest) = line.rsplit_once(' ').ok_or_else(|| bad("no digest"))?;
            let digest = parse_digest(digest).ok_or_else(|| {
                bad("the digest is not 16 hexadecimal digits (upper case, no sign)")
            })?;
            if golden.0.insert(key.into(), digest).is_some() {
                return Err(bad("this digest was given before"));
            }
        }
        Ok(golden)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    ///
    /// The file that could not be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        files::replace(path, self.text().as_bytes())
    }

    /// The file's text.
    fn text(&self) -> String {
        let mut text = HEADER.to_owned();
        for (key, digest) in &self.0 {
            text.push_str(&format!("{key} {digest:016X}\n"));
        }
        text
    }

    /// Adds the digests of a finished row.
    pub fn put(&mut self, plan: &Plan, tally: &Tally) {
        for (at, cell) in tally.cells.iter().enumerate() {
            let (setting, mode) = (at / plan.modes.len(), at % plan.modes.len());
            self.0.insert(key(plan, setting, mode), cell.digest.sum);
        }
    }

    /// Removes everything about these inputs of a row.
    pub fn remove(&mut self, plan: &Plan) {
        let prefix = format!("{} {} ", plan.row.name, plan.domain_name());
        self.0.retain(|key, _| !key.starts_with(&prefix));
    }

    /// The keys that are of none of these rows' cells, neither in a default run nor in an
    /// exhaustive one. Lines of other rows, which `of_all` names, are not looked at.
    #[must_use]
    pub fn stale(&self, rows: &[Row], of_all: &BTreeSet<&str>) -> Vec<&Key> {
        let plans = rows.iter().flat_map(|row| {
            [false, true].map(|exhaustive| Plan::new(row, exhaustive, &Filter::default(), None))
        });
        let valid: BTreeSet<Key> = plans.flat_map(|plan| keys(&plan)).collect();
        let looked_at = |key: &&Key| {
            let name = key.split(' ').next().unwrap_or_default();
            rows.iter().any(|row| row.name == name) || !of_all.contains(name)
        };
        let all = self.0.keys().filter(looked_at);
        all.filter(|key| !valid.contains(*key)).collect()
    }

    /// The cells whose digest differs from the golden one, and the keys that have none.
    #[must_use]
    pub fn compare(&self, plan: &Plan, tally: &Tally) -> (Vec<usize>, Vec<Key>) {
        let (mut different, mut missing) = (Vec::new(), Vec::new());
        for (at, cell) in tally.cells.iter().enumerate() {
            let key = key(plan, at / plan.modes.len(), at % plan.modes.len());
            match self.0.get(&key) {
                None => missing.push(key),
                Some(digest) if *digest != cell.digest.sum => different.push(at),
                Some(_) => {}
            }
        }
        (different, missing)
    }
}
