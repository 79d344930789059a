//! The recorded digests of the composites' cases and of the small programs built on them.
//!
//! One text file with one line per case: `sum_exact.f16.f32 256 0123456789ABCDEF`, the number of
//! outputs and their digest, from the references (a test writes it).

use crate::digest::Digest;
use crate::engine::files::{self, replace};
use crate::engine::golden::parse_digest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HEADER: &str = "\
# Digests of the composites' outputs as their references give them; written by
# `BLESS=1 cargo test -p host-tests --test kernels composites`.
# case outputs digest
";

/// By name.
pub type Recorded = BTreeMap<String, Digest>;

/// The file in the folder of golden digests.
#[must_use]
pub fn file(folder: &Path) -> PathBuf {
    folder.join("composites.txt")
}

/// The recorded digests.
///
/// # Errors
///
/// The file or the line that cannot be read.
pub fn read(folder: &Path) -> Result<Recorded, String> {
    let path = file(folder);
    let text = files::text(&path)?.ok_or_else(|| format!("there is no {}", path.display()))?;
    let line = |line: &str| {
        let mut parts = line.split(' ');
        let name = parts.next()?.to_owned();
        let count = parts.next()?.parse().ok()?;
        let sum = parse_digest(parts.next()?)?;
        parts
            .next()
            .is_none()
            .then_some((name, Digest { sum, count }))
    };
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, text)| !text.starts_with('#'))
        .map(|(number, text)| {
            line(text).ok_or_else(|| format!("{}:{}: not a digest", path.display(), number + 1))
        })
        .collect()
}

/// Writes the file.
///
/// # Errors
///
/// Why it cannot be written.
pub fn write(folder: &Path, recorded: &Recorded) -> Result<(), String> {
    let mut text = HEADER.to_owned();
    for (name, digest) in recorded {
        text += &format!("{name} {} {:016X}\n", digest.count, digest.sum);
    }
    replace(&file(folder), text.as_bytes())
}
