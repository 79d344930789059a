//! The results in a folder.

use super::result::{Run, ShardResult};
use crate::engine::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A result and its file.
pub struct Found {
    pub path: PathBuf,
    pub result: ShardResult,
}

/// Everything in a folder that is named as a result, in the order of the names.
pub struct Folder {
    pub results: Vec<Found>,
    /// Files that are no results, and why.
    pub corrupt: Vec<(PathBuf, String)>,
}

/// The results of one run.
pub struct Collected {
    pub run: Run,
    /// By shard, counted from 1: at least one each.
    pub shards: BTreeMap<u64, Vec<Found>>,
}

/// How the names of all results begin.
pub const ANY: &str = "shard-";

/// How the names of a shard's results begin.
pub fn prefix(shard: u64, of: u64) -> String {
    let width = of.to_string().len();
    format!("{ANY}{shard:0width$}-of-{of}-")
}

/// The name of a result with this checksum.
pub fn name(shard: u64, of: u64, sum: &str) -> String {
    let sum = sum.get(..12).unwrap_or(sum);
    format!("{}{sum}.json", prefix(shard, of))
}

/// The first result of a folder, if it can be read.
pub fn first(folder: &Path) -> Result<Option<Found>, String> {
    let Some(path) = paths(folder, ANY)?.into_iter().next() else {
        return Ok(None);
    };
    let bytes = files::read(&path)?.unwrap_or_default();
    let result = ShardResult::parse(&bytes).ok();
    Ok(result.map(|result| Found { path, result }))
}

/// The files of a folder that are named as results, and begin so.
fn paths(folder: &Path, prefix: &str) -> Result<Vec<PathBuf>, String> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    let mut paths = Vec::new();
    if !folder.exists() {
        return Err(format!("there is no folder {}", folder.display()));
    }
    if !folder.is_dir() {
        return Err(format!("{} is a file, not a folder", folder.display()));
    }
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(".json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Reads the results of a folder whose names begin so.
pub fn read(folder: &Path, prefix: &str) -> Result<Folder, String> {
    let paths = paths(folder, prefix)?;
    let (mut results, mut corrupt) = (Vec::new(), Vec::new());
    for path in paths {
        let parsed = match files::read(&path) {
            Ok(Some(bytes)) => ShardResult::parse(&bytes),
            Ok(None) => continue,
            Err(why) => Err(why),
        };
        match parsed {
            Ok(result) => results.push(Found { path, result }),
            Err(why) => corrupt.push((path, why)),
        }
    }
    Ok(Folder { results, corrupt })
}

impl Folder {
    /// The results of the run that has the most shards here, if any can be read, and a line for
    /// each thing that is wrong: corrupt files, results of another run, results of one shard that
    /// disagree.
    ///
    /// # Errors
    ///
    /// There is no file that is named as a result.
    pub fn collect(self, folder: &Path) -> Result<(Option<Collected>, Vec<String>), String> {
        let Self { results, corrupt } = self;
        if results.is_empty() && corrupt.is_empty() {
            let folder = folder.display();
            return Err(format!("{folder} has no result of a shard (shard-*.json)"));
        }
        let mut problems: Vec<String> = corrupt
            .iter()
            .map(|(path, why)| format!("{} is damaged ({why}): remove it", path.display()))
            .collect();
        let mut runs: Vec<Collected> = Vec::new();
        for found in results {
            let run = &found.result.run;
            let at = runs.iter().position(|other| other.run == *run);
            let at = at.unwrap_or_else(|| {
                runs.push(Collected {
                    run: run.clone(),
                    shards: BTreeMap::new(),
                });
                runs.len() - 1
            });
            let shards = &mut runs[at].shards;
            shards.entry(found.result.shard).or_default().push(found);
        }
        // A result that lacks a comparison stands behind one of the same shard that has it.
        for found in runs.iter_mut().flat_map(|run| run.shards.values_mut()) {
            found.sort_by_key(|found| found.result.status == 2);
        }
        runs.sort_by_key(|run| std::cmp::Reverse(run.shards.len()));
        let mut runs = runs.into_iter();
        let Some(most) = runs.next() else {
            return Ok((None, problems));
        };
        problems.extend(runs.flat_map(|other| most.stranger(&other)));
        problems.extend(most.disagreements());
        Ok((Some(most), problems))
    }
}

impl Collected {
    /// The shards without a result, as ranges from the first to the last.
    pub fn missing(&self) -> Vec<[u64; 2]> {
        let (mut next, mut missing) = (1, Vec::new());
        for shard in self.shards.keys() {
            if next < *shard {
                missing.push([next, shard - 1]);
            }
            next = shard.saturating_add(1);
        }
        if next <= self.run.plan.shards && !self.shards.contains_key(&self.run.plan.shards) {
            missing.push([next, self.run.plan.shards]);
        }
        missing
    }

    /// How another run in the folder differs from this one.
    fn stranger(&self, other: &Self) -> Vec<String> {
        let mut what = Vec::new();
        let (build, others) = (&self.run.build, &other.run.build);
        for (name, one, other) in [
            ("version", &build.version, &others.version),
            ("commit", &build.commit, &others.commit),
            ("program", &build.program, &others.program),
            ("GPU module", &build.module, &others.module),
        ] {
            if one != other {
                what.push(format!("{name} {other}, the others {one}"));
            }
        }
        let (plan, others) = (&self.run.plan, &other.run.plan);
        for (name, one, other) in [
            (
                "number of shards",
                plan.shards.to_string(),
                others.shards.to_string(),
            ),
            ("oracle", plan.oracle.clone(), others.oracle.clone()),
            ("back end", plan.backend.clone(), others.backend.clone()),
            (
                "exhaustive",
                plan.exhaustive.to_string(),
                others.exhaustive.to_string(),
            ),
        ] {
            if one != other {
                what.push(format!("{name} {other}, the others {one}"));
            }
        }
        if plan.rows != others.rows {
            what.push("other rows, modes or settings".into());
        }
        let (count, what) = (self.shards.len(), what.join("; "));
        let line = |found: &Found| {
            let path = found.path.display();
            format!("{path} is of another run than {count} shards ({what}): remove it")
        };
        other.shards.values().flatten().map(line).collect()
    }

    /// Results of one shard that differ.
    fn disagreements(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (shard, found) in &self.shards {
            let mut found = found.iter();
            let Some(first) = found.next() else {
                continue;
            };
            for other in found.filter(|other| !first.result.agrees(&other.result)) {
                let (first, other) = (first.path.display(), other.path.display());
                lines.push(format!("shard {shard}: {first} and {other} disagree"));
            }
        }
        lines
    }
}

/// Ranges of shards as Slurm's `--array` takes them: `3,7-9`.
pub fn array(ranges: &[[u64; 2]]) -> String {
    let text = |[first, last]: &[u64; 2]| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    let ranges: Vec<_> = ranges.iter().map(text).collect();
    ranges.join(",")
}
