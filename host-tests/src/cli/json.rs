//! The file of the JSON report.

use super::{Console, Failure, Outcome};
use crate::engine::files;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the JSON report goes.
pub struct JsonFile {
    /// `None` is standard output.
    pub path: Option<PathBuf>,
    /// The path, open, where it names a device, a pipe, or a file that is open already. A pipe's
    /// reader sees its end only after the report.
    open: Option<File>,
}

impl JsonFile {
    /// Checks that the file can be written, before anything runs; its content stays.
    pub fn open(path: &Path) -> Outcome<Self> {
        // A path of standard output is written through it, behind what is there.
        if path == Path::new("-") || files::is_stdout(path) {
            return Ok(Self {
                path: None,
                open: None,
            });
        }
        Ok(Self {
            open: files::check(path)?,
            path: Some(path.to_path_buf()),
        })
    }

    pub fn write(self, text: &str, console: &mut Console) -> Outcome<()> {
        let Some(path) = self.path else {
            console.print(format_args!("{text}\n"))?;
            return console.flush();
        };
        let text = format!("{text}\n");
        match self.open {
            None => files::replace(&path, text.as_bytes())?,
            Some(mut file) => file
                .write_all(text.as_bytes())
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?,
        }
        Ok(())
    }

    /// Refuses a file that the run itself uses.
    pub fn is_not(&self, uses: impl Fn(&Path) -> bool, whose: &str) -> Outcome<()> {
        match &self.path {
            Some(path) if uses(path) => Err(Failure::Usage(format!(
                "`--json` names {whose}, {}",
                path.display()
            ))),
            _ => Ok(()),
        }
    }
}
