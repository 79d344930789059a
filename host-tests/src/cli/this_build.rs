//! What this program was built from.

use crate::engine::checkpoint;

/// The commit, or `unknown` if it was not built in a clone; `-dirty` follows where the tree
/// differed from it.
pub const COMMIT: &str = env!("SWEEP_COMMIT");

/// A hash of the executable.
pub fn hash() -> Result<u64, String> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(|error| format!("cannot read this program: {error}"))?;
    Ok(checkpoint::hash(1, &program))
}
