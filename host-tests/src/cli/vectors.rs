//! `sweep vectors`: packs of vectors, from the oracles.

use super::args::VectorsArgs;
use super::{Console, Outcome};
use crate::row::Row;
use crate::vectors::write::Files;
use crate::vectors::{PACKS, VERSION, pack};

pub fn run(rows: &[Row], args: &VectorsArgs, console: &mut Console) -> Outcome {
    let named: Result<Vec<_>, String> = args.pack.iter().map(|name| pack(name)).collect();
    let wanted = match named? {
        none if none.is_empty() => PACKS.iter().collect(),
        named => named,
    };
    for pack in wanted {
        let (files, summary) = Files::of(pack, &pack.cells(rows)?);
        let folder = args.dir.join(pack.name);
        files
            .write(&folder)
            .map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
        console.print(format_args!(
            "{} version {VERSION}: {} vectors in {} files, {:.1} MB, sha256 {}\n",
            pack.name,
            summary.lines,
            summary.cells,
            summary.bytes as f64 / 1e6,
            summary.digest
        ))?;
        console.flush()?;
    }
    Ok(0)
}
