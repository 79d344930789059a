//! The progress of a long run, on disk: an interrupted run resumes from its last checkpoint.
//!
//! A checkpoint holds, for every row that was begun, its progress and its whole tally up to there,
//! the first mismatches included, so no finding is lost. It belongs to one run: the same program
//! (by a hash of the executable), the same rows, inputs, modes, settings, oracle and shard. It is
//! replaced atomically, so an interruption during a write leaves the previous one.
//!
//! The file has two lines: the checksum of the second line, and the rows. A file with another
//! checksum, or with counts that no run can have, is damaged, and no run starts from it.

use super::files::{self, replace};
use super::tally::{Cell, Mismatch, Tally};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use sweep_inputs::digest::{Digest, finalise};
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

impl Checkpoint {
    /// The checkpoint in a file; `None` if there is no file, or an empty one.
    ///
    /// # Errors
    ///
    /// The file, if it cannot be read, is not a checkpoint, or is a damaged one.
    pub fn read(path: &Path) -> Result<Option<Self>, Unreadable> {
        let bytes = files::read(path).map_err(Unreadable::Foreign)?;
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else {
            return Ok(None);
        };
        let parsed = str::from_utf8(&bytes).ok().and_then(Self::parse);
        parsed.map(Some).ok_or_else(|| {
            let path = path.display();
            if bytes.starts_with(MARK.as_bytes()) {
                Unreadable::Damaged(format!("{path} is damaged (wrong checksum or counts)"))
            } else {
                let why = "is not a checkpoint of `sweep`: name another file";
                Unreadable::Foreign(format!("{path} {why}"))
            }
        })
    }

    /// The checkpoint in a file's text, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (_, body) = text.split_once('\n')?;
        let body = body.strip_suffix('\n')?;
        if text != sealed(body) {
            return None;
        }
        from_json(&serde_json::from_str(body).ok()?)
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.rows.iter();
        let rows: serde_json::Map<_, _> = rows
            .map(|(row, progress)| (row.clone(), to_json(progress)))
            .collect();
        sealed(&json!({ "run": self.run, "rows": rows }).to_string())
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

/// Why a file has no checkpoint that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It is a checkpoint that is damaged, and may be replaced by a new one.
    Damaged(String),
    /// It cannot be read, or is somebody else's.
    Foreign(String),
}

/// How the file of every checkpoint begins.
const MARK: &str = "sweep checkpoint ";

/// A file's text: its second line after the checksum of it.
#[must_use]
pub fn sealed(body: &str) -> String {
    let checksum = hash(0, body.as_bytes());
    format!("{MARK}2 {checksum:016x}\n{body}\n")
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
    let progress = Progress {
        next: number("next")?,
        seconds: value.get("seconds")?.as_f64()?,
        tally: Tally {
            seen: number("seen")?,
            checks: number("checks")?,
            second_checks: number("second_checks")?,
            cells: cells?,
        },
    };
    possible(&progress).then_some(progress)
}

/// Whether a run can have such counts and seconds.
fn possible(progress: &Progress) -> bool {
    let Progress {
        next,
        tally,
        seconds,
    } = progress;
    let outputs = u128::from(tally.seen) * tally.cells.len() as u128;
    let cell = |cell: &Cell| {
        cell.digest.count <= tally.seen
            && cell.mismatches <= tally.seen.saturating_mul(PATHS)
            && (cell.mismatches == 0) == cell.first.is_none()
            && cell.first.as_ref().is_none_or(|first| first.index < *next)
    };
    let mismatches = tally.cells.iter().map(|cell| u128::from(cell.mismatches));
    (0.0..f64::INFINITY).contains(seconds)
        && tally.seen <= *next
        && u128::from(tally.checks.max(tally.second_checks)) <= outputs
        && outputs <= u128::from(u64::MAX)
        && mismatches.sum::<u128>() <= u128::from(u64::MAX)
        && tally.cells.iter().all(cell)
}

/// More than the implementations of a kernel that are compared at the same input in one row.
const PATHS: u64 = 16;

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
        tally.seen = 1 << 62;
        tally.cells[0].digest = Digest {
            sum: u64::MAX,
            count: 3,
        };
        tally.cells[1].miss(Mismatch {
            index: 6,
            operands: [1, u64::MAX, 3],
            expected: Output {
                results: [u64::MAX, 0],
                flags: 0x1F,
            },
            got: Output::default(),
            oracle: "eft".into(),
        });
        let progress = Progress {
            next: 1 << 62,
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
        let damaged = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let damaged = |unreadable| matches!(unreadable, Unreadable::Damaged(_));
            Checkpoint::read(&path).map_err(damaged)
        };
        assert_eq!(damaged("{"), Err(false));
        assert_eq!(damaged("sweep checkpoint 2 "), Err(true));
        assert_eq!(damaged(""), Ok(None));
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// A checkpoint of one row, all of whose numbers can be replaced.
    fn body() -> String {
        let cell = r#"[7,90,2,{"index":99,"operands":[1,2,3],"oracle":"eft","expected":[[1,0],0],"got":[[2,0],0]}]"#;
        format!(
            r#"{{"run":"abc","rows":{{"add.f16":{{"next":100,"seconds":1.5,"seen":90,"checks":90,"second_checks":3,"cells":[{cell}]}}}}}}"#
        )
    }

    #[test]
    fn any_changed_byte_is_noticed() {
        let text = sealed(&body());
        assert!(Checkpoint::parse(&text).is_some());
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(Checkpoint::parse(&changed), None, "byte {at}");
            assert_eq!(Checkpoint::parse(&text[..at]), None, "cut at {at}");
        }
    }

    #[test]
    fn counts_that_no_run_can_have_are_refused() {
        for (from, to) in [
            (r#""seconds":1.5"#, r#""seconds":-1.5"#),
            (r#""seconds":1.5"#, r#""seconds":1e999"#),
            (r#""seconds":1.5"#, r#""seconds":null"#),
            (r#""seconds":1.5"#, r#""seconds":"NaN""#),
            (r#""seen":90"#, r#""seen":101"#),
            (r#""seen":90"#, r#""seen":18446744073709551615"#),
            (r#""checks":90"#, r#""checks":91"#),
            (r#""second_checks":3"#, r#""second_checks":91"#),
            ("[7,90,2,", "[7,91,2,"),
            ("[7,90,2,", "[7,90,18446744073709551615,"),
            ("[7,90,2,", "[7,90,0,"),
            (r#""index":99"#, r#""index":100"#),
            (r#""next":100"#, r#""next":-1"#),
        ] {
            let body = body();
            assert!(body.contains(from), "{from}");
            let text = sealed(&body.replace(from, to));
            assert_eq!(Checkpoint::parse(&text), None, "{to}");
        }
    }
}
