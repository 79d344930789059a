//! A sweep in shards: `run --out` writes one file a shard, `merge` proves that together they are
//! the whole run, `missing` names the shards to submit again.
//!
//! | file | what |
//! |---|---|
//! | `result` | a shard's result, and its file with a checksum |
//! | `write` | `run --out`: from reports to that file |
//! | `folder` | all files of a folder, sorted into those of one run and everything else |
//! | `sums` | a row's shards added up, and its verdict |
//! | `merge`, `missing` | the commands |

mod folder;
mod merge;
mod missing;
mod result;
mod sums;
mod write;

pub use merge::merge;
pub use missing::missing;
pub use write::{Out, backend_name};
