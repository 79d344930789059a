//! A compiled device side: PTX text, a cubin that `ptxas` made from it, or a fat binary of both for
//! several architectures.

use super::error::Error;
use std::path::{Path, PathBuf};

/// A module's file in memory.
#[derive(Clone, Debug)]
pub struct Image {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The number in its `.target sm_..`; `None` for a cubin and a fat binary.
    pub(super) target: Option<u32>,
}

/// How a fat binary begins.
const FAT: &[u8] = &[0x50, 0xED, 0x55, 0xBA];

impl Image {
    /// Reads a PTX file, a cubin or a fat binary.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`], or [`Error::BadModule`] if it is none of them.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|error| Error::Unreadable {
            file: path.display().to_string(),
            why: error.to_string(),
        })?;
        Self::new(path.display().to_string(), bytes)
    }

    /// PTX text, a cubin or a fat binary; errors refer to it by `name`.
    ///
    /// # Errors
    ///
    /// [`Error::BadModule`] if it is none of them.
    pub fn new(name: String, bytes: Vec<u8>) -> Result<Self, Error> {
        if bytes.starts_with(b"\x7FELF") || bytes.starts_with(FAT) {
            let target = None;
            return Ok(Self {
                name,
                bytes,
                target,
            });
        }
        let target = std::str::from_utf8(&bytes).ok().and_then(target);
        if target.is_none() || bytes.contains(&0) {
            let why =
                "it is neither PTX (text with a `.target sm_..`) nor a cubin nor a fat binary"
                    .into();
            return Err(Error::BadModule { module: name, why });
        }
        Ok(Self {
            name,
            bytes,
            target,
        })
    }

    /// The fat binary (`*.fatbin`) of a folder, of which the driver takes what fits; in a folder
    /// without one, the `*.ptx` file for the latest architecture that this one runs.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if there is neither.
    pub fn find(folder: &Path, architecture: u32) -> Result<Self, Error> {
        let fail = |why: String| Error::Unreadable {
            file: folder.display().to_string(),
            why,
        };
        let files = std::fs::read_dir(folder).map_err(|error| fail(error.to_string()))?;
        let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        files.sort();
        let ends = |path: &PathBuf, ending: &str| path.extension().is_some_and(|is| is == ending);
        if let Some(fat) = files.iter().find(|path| ends(path, "fatbin")) {
            return Self::read(fat);
        }
        files.retain(|path| ends(path, "ptx"));
        let mut best: Option<Self> = None;
        let mut seen = Vec::new();
        for path in files {
            let image = Self::read(&path)?;
            seen.extend(image.target);
            if image.target <= Some(architecture)
                && best.as_ref().is_none_or(|best| best.target < image.target)
            {
                best = Some(image);
            }
        }
        best.ok_or_else(|| {
            let seen: Vec<_> = seen.iter().map(|target| format!("sm_{target}")).collect();
            fail(if seen.is_empty() {
                "there is no .fatbin and no .ptx file in it".into()
            } else {
                let seen = seen.join(", ");
                format!("its .ptx files are for {seen}, the device is sm_{architecture}")
            })
        })
    }

    /// The file's content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where it came from.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The number of the first line `.target sm_NN`.
fn target(text: &str) -> Option<u32> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix(".target sm_"))?;
    line.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_modules_are_taken() {
        let ptx = |text: &str| Image::new("x".into(), text.into());
        let good = ptx("// a comment\n.version 7.8\n.target sm_90\n.address_size 64\n");
        assert_eq!(good.unwrap().target, Some(90));
        assert!(matches!(ptx(""), Err(Error::BadModule { .. })));
        assert!(matches!(ptx("hello"), Err(Error::BadModule { .. })));
        assert!(matches!(
            ptx(".target sm_90\n\0"),
            Err(Error::BadModule { .. })
        ));
        let missing = Image::read(Path::new("/nonexistent.ptx"));
        assert!(matches!(missing, Err(Error::Unreadable { .. })));
    }

    #[test]
    fn a_folder_gives_its_best() {
        let folder = std::env::temp_dir().join(format!("bitexact-ptx-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for target in [75, 80, 90, 100] {
            let text = format!(".version 7.8\n.target sm_{target}\n");
            std::fs::write(folder.join(format!("{target}.ptx")), text).unwrap();
        }
        let best = |architecture| Image::find(&folder, architecture).map(|image| image.target);
        assert_eq!(best(90), Ok(Some(90)));
        assert_eq!(best(89), Ok(Some(80)));
        assert_eq!(best(120), Ok(Some(100)));
        assert!(best(70).is_err());
        std::fs::write(folder.join("all.fatbin"), FAT).unwrap();
        let all = Image::find(&folder, 70).unwrap();
        assert!(all.name.ends_with("all.fatbin") && all.target.is_none());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
