//! The file of the JSON report.

use super::{Console, Outcome};
use crate::engine::replace;
use std::path::{Path, PathBuf};

/// Where the JSON report goes.
pub struct JsonFile {
    /// `None` is standard output.
    pub path: Option<PathBuf>,
}

impl JsonFile {
    /// Checks that the file can be written, before anything runs; its content stays.
    pub fn open(path: &Path) -> Outcome<Self> {
        if path == Path::new("-") {
            return Ok(Self { path: None });
        }
        replace::check(path)?;
        Ok(Self {
            path: Some(path.to_path_buf()),
        })
    }

    pub fn write(&self, text: &str, console: &mut Console) -> Outcome<()> {
        let Some(path) = &self.path else {
            console.print(format_args!("{text}\n"))?;
            return console.flush();
        };
        Ok(replace::replace(path, format!("{text}\n").as_bytes())?)
    }
}
