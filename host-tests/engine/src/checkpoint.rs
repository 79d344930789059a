//! The progress of a long run, on disk: an interrupted run resumes from its last checkpoint.
//!
//! A checkpoint holds, for every row that was begun, its progress and its whole tally up to there,
//! the first mismatches included, so no finding is lost. It belongs to one run: the same program
//! (by a hash of the executable), the same rows, inputs, modes, settings, oracle and shard. It is
//! replaced atomically, so an interruption during a write leaves the previous one.

use super::tally::{Cell, Mismatch, Tally};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use sweep_core::digest::{Digest, finalise};
use sweep_row::Output;

/// A row's progress.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// The first input that is not yet in the tally.
    pub next: u64,
    pub tally: Tally,
    pub seconds: f64,
}

/// A run's progress, by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checkpoint {
    pub run: String,
    pub rows: BTreeMap<String, Progress>,
}

/// A 64-bit hash of bytes, for telling runs apart.
#[must_use]
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let start = finalise(seed ^ bytes.len() as u64);
    bytes.chunks(8).fold(start, |state, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        finalise(state.rotate_left(7) ^ u64::from_le_bytes(word))
    })
}

/// The folder of checkpoints: in the user's cache, or `target` if there is none.
#[must_use]
pub fn default_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = from("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| from("HOME").map(|home| Path::new(&home).join(".cache")))
        .unwrap_or_else(|| "target".into());
    cache.join("bitexact-sweep")
}

/// Writes a file atomically: to a file next to it, which is then renamed.
///
/// # Errors
///
/// The file and why.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let write = || -> io::Result<()> {
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            fs::create_dir_all(folder)?;
        }
        let mut file = fs::File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&part);
        format!("cannot write {}: {error}", path.display())
    })
}

impl Checkpoint {
    /// The checkpoint in a file, if there is one.
    ///
    /// # Errors
    ///
    /// The file, if it cannot be read or is not a checkpoint.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("{} is not a regular file", path.display()));
        }
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
        };
        Self::parse(&text)
            .map(Some)
            .ok_or_else(|| format!("{} is not a checkpoint of sweep", path.display()))
    }

    /// The checkpoint in a file's text, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        from_json(&serde_json::from_str(text).ok()?)
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.rows.iter();
        let rows: serde_json::Map<_, _> = rows
            .map(|(row, progress)| (row.clone(), to_json(progress)))
            .collect();
        json!({ "sweep_checkpoint": 1, "run": self.run, "rows": rows }).to_string()
    }

    /// Replaces the file.
    ///
    /// # Errors
    ///
    /// The file and why.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        replace(path, self.text().as_bytes())
    }
}

fn to_json(progress: &Progress) -> Value {
    let tally = &progress.tally;
    let output = |output: &Output| json!([output.results, output.flags]);
    let first = |first: &Mismatch| {
        json!({
            "index": first.index, "operands": first.operands, "oracle": first.oracle,
            "expected": output(&first.expected), "got": output(&first.got),
        })
    };
    let cells: Vec<_> = tally
        .cells
        .iter()
        .map(|cell| {
            json!([
                cell.digest.sum,
                cell.digest.count,
                cell.mismatches,
                cell.first.as_ref().map(first)
            ])
        })
        .collect();
    json!({
        "next": progress.next, "seconds": progress.seconds, "seen": tally.seen,
        "checks": tally.checks, "second_checks": tally.second_checks, "cells": cells,
    })
}

fn from_json(value: &Value) -> Option<Checkpoint> {
    if value.get("sweep_checkpoint")?.as_u64()? != 1 {
        return None;
    }
    let rows = value.get("rows")?.as_object()?;
    let rows: Option<_> = rows
        .iter()
        .map(|(row, value)| Some((row.clone(), progress(value)?)))
        .collect();
    Some(Checkpoint {
        run: value.get("run")?.as_str()?.into(),
        rows: rows?,
    })
}

fn progress(value: &Value) -> Option<Progress> {
    let number = |name: &str| value.get(name)?.as_u64();
    let cells: Option<Vec<_>> = value.get("cells")?.as_array()?.iter().map(cell).collect();
    Some(Progress {
        next: number("next")?,
        seconds: value.get("seconds")?.as_f64()?,
        tally: Tally {
            seen: number("seen")?,
            checks: number("checks")?,
            second_checks: number("second_checks")?,
            cells: cells?,
        },
    })
}

fn cell(value: &Value) -> Option<Cell> {
    let first = value.get(3)?;
    Some(Cell {
        digest: Digest {
            sum: value.get(0)?.as_u64()?,
            count: value.get(1)?.as_u64()?,
        },
        mismatches: value.get(2)?.as_u64()?,
        first: if first.is_null() {
            None
        } else {
            Some(mismatch(first)?)
        },
    })
}

fn mismatch(value: &Value) -> Option<Mismatch> {
    let words = |value: &Value, at: usize| value.get(at)?.as_u64();
    let output = |value: &Value| {
        let results = value.get(0)?;
        let flags = u8::try_from(value.get(1)?.as_u64()?).ok()?;
        Some(Output {
            results: [words(results, 0)?, words(results, 1)?],
            flags,
        })
    };
    let operands = value.get("operands")?;
    Some(Mismatch {
        index: value.get("index")?.as_u64()?,
        operands: [
            words(operands, 0)?,
            words(operands, 1)?,
            words(operands, 2)?,
        ],
        expected: output(value.get("expected")?)?,
        got: output(value.get("got")?)?,
        oracle: value.get("oracle")?.as_str()?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survives_the_disk() {
        let folder = std::env::temp_dir().join(format!("sweep-checkpoint-{}", std::process::id()));
        let path = folder.join("deep/one.json");
        assert_eq!(Checkpoint::read(&path), Ok(None));
        let mut tally = Tally::empty(2);
        tally.seen = u64::MAX;
        tally.cells[0].digest = Digest {
            sum: u64::MAX,
            count: 3,
        };
        tally.cells[1].miss(Mismatch {
            index: u64::MAX,
            operands: [1, u64::MAX, 3],
            expected: Output {
                results: [u64::MAX, 0],
                flags: 0x1F,
            },
            got: Output::default(),
            oracle: "eft".into(),
        });
        let progress = Progress {
            next: 7,
            tally,
            seconds: 0.1,
        };
        let rows = [("add.f16".to_owned(), progress)].into();
        let checkpoint = Checkpoint {
            run: "abc".into(),
            rows,
        };
        checkpoint.write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path), Ok(Some(checkpoint)));
        fs::write(&path, "{").unwrap();
        assert!(Checkpoint::read(&path).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
