//! The checkpoint of a run, and the check that it belongs to this run.

use super::args::RunArgs;
use super::{Console, Failure, Outcome, this_build};
use crate::engine::checkpoint::{self, Checkpoint, Unreadable};
use crate::engine::files::{self, Lock};
use crate::engine::{Plan, Shard};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The checkpoint of this run, if it keeps one.
pub struct Saved {
    pub path: Option<PathBuf>,
    pub state: Checkpoint,
    /// No other process writes the file.
    _lock: Option<Lock>,
}

impl Saved {
    pub fn open(
        args: &RunArgs,
        plans: &[Plan],
        shard: Shard,
        console: &mut Console,
    ) -> Outcome<Self> {
        if !args.exhaustive && args.checkpoint.is_none() {
            return Ok(Self {
                path: None,
                state: Checkpoint::default(),
                _lock: None,
            });
        }
        let run = identity(args, plans, shard)?;
        let path = args.checkpoint.clone().unwrap_or_else(|| {
            let of_shards = args.out.as_ref().map(|out| out.join("checkpoints"));
            let folder = of_shards.unwrap_or_else(checkpoint::default_folder);
            folder.join(format!("{run}.json"))
        });
        let fresh = Checkpoint {
            run: run.clone(),
            rows: BTreeMap::new(),
        };
        let lock = Lock::take(&path)?;
        files::clean(&path);
        // Read even for a restart: a file that is not a checkpoint is never replaced.
        let found = match Checkpoint::read(&path) {
            Ok(found) => found.filter(|_| !args.restart),
            Err(Unreadable::Damaged(_)) if args.restart => None,
            Err(Unreadable::Damaged(why)) => {
                return Err(Failure::Usage(format!("{why}: `--restart` replaces it")));
            }
            Err(Unreadable::Foreign(why)) => return Err(Failure::Usage(why)),
        };
        let state = match found {
            None => fresh,
            Some(found) if found.run == run => found,
            Some(_) => {
                return Err(Failure::Usage(format!(
                    "{} is the checkpoint of another run or of another build of `sweep`; \
                     `--restart` begins anew",
                    path.display()
                )));
            }
        };
        for (name, progress) in &state.rows {
            let fits = |plan: &Plan| {
                let span = shard.span(plan.inputs());
                let (tally, cells) = (&progress.tally, plan.cells());
                let within = span.start <= progress.next && progress.next <= span.end;
                plan.row.name == name
                    && within
                    && tally.seen == progress.next - span.start
                    && tally.cells.len() == cells
            };
            if !plans.iter().any(fits) {
                return Err(format!(
                    "{} is damaged (its rows): `--restart` replaces it",
                    path.display()
                )
                .into());
            }
        }
        let done: u64 = state
            .rows
            .values()
            .map(|progress| progress.tally.seen)
            .sum();
        if done > 0 {
            console.note(format_args!(
                "resuming from {} after {done} inputs",
                path.display()
            ));
        }
        // If the checkpoint cannot be written, fail now, not after an hour.
        state.write(&path)?;
        Ok(Self {
            path: Some(path),
            state,
            _lock: Some(lock),
        })
    }

    /// Whether a path names the checkpoint or its lock.
    pub fn uses(&self, path: &Path) -> bool {
        let file = self.path.as_ref();
        file.is_some_and(|file| files::same(file, path) || Lock::is_of(file, path))
    }

    pub fn put(&mut self, row: &str, progress: checkpoint::Progress) -> Outcome<()> {
        self.state.rows.insert(row.into(), progress);
        if let Some(path) = &self.path {
            self.state.write(path)?;
        }
        Ok(())
    }

    pub fn forget(&mut self, row: &str) {
        self.state.rows.remove(row);
    }

    /// The run is complete and reported.
    pub fn remove(&self) {
        if let Some(path) = &self.path {
            files::remove(path);
        }
    }
}

/// The identity of a run: the program, its rows, inputs, modes, settings, oracle and shard.
fn identity(args: &RunArgs, plans: &[Plan], shard: Shard) -> Outcome<String> {
    let mut state = this_build::hash()?;
    let mut add = |text: &str| state = checkpoint::hash(state, text.as_bytes());
    add(&format!("{:?} {}/{}", args.oracle, shard.index, shard.of));
    add(&super::shards::backend_name(args));
    add(&format!("{:?}", args.backend.ptx));
    for plan in plans {
        add(&format!("{} {:?}", plan.row.name, plan.domain));
        for (setting, mode) in cells(plan) {
            add(&plan.cell_name(setting, mode).join(" "));
        }
    }
    Ok(format!("{state:016x}"))
}

fn cells(plan: &Plan) -> impl Iterator<Item = (usize, usize)> {
    let modes = plan.modes.len();
    (0..plan.cells()).map(move |at| (at / modes, at % modes))
}
