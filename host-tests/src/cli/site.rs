//! `sweep report`: the site of the committed evidence.

use super::args::ReportArgs;
use super::{Console, Failure, Outcome};
use crate::row::Row;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn run(rows: &[Row], args: &ReportArgs, console: &mut Console) -> Outcome {
    let root = args.repository.as_deref();
    let root = root.unwrap_or(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")));
    let written = sweep_site::write(root, &args.folder, rows)?;
    let index = args.folder.join("index.html");
    console.print(format_args!(
        "{}: {} pages, {} bytes\n",
        index.display(),
        written.pages,
        written.bytes
    ))?;
    if !written.explorer {
        console.print(format_args!(
            "without the explorer's kernels: ci/wasm.sh makes them, then write the site again\n"
        ))?;
    }
    if args.open {
        open(&index).map_err(|why| Failure::Usage(format!("`--open`: {why}")))?;
    }
    Ok(0)
}

/// Opens a file as the desktop does.
fn open(file: &Path) -> Result<(), String> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let file = file.canonicalize().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null());
    let started = command.stderr(Stdio::null()).spawn();
    started
        .map(drop)
        .map_err(|error| format!("{program}: {error}"))
}
