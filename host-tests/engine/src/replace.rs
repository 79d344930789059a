//! Files that are replaced as a whole: whoever reads one, or is left with it after a kill, has the
//! old content or the new one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How the names of unfinished files end, after six letters or digits: no other program's files do.
const PART: &str = ".sweep-part";

/// Writes a file: to a new one in the same folder, which is made if there is none, and then
/// renamed. A symbolic link stays, and what it names is replaced.
///
/// # Errors
///
/// The file and why: a device, a pipe and a folder cannot be replaced.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let write = || -> std::io::Result<()> {
        let path = regular(path)?.ok_or(ErrorKind::Unsupported)?;
        fs::create_dir_all(folder(&path))?;
        let mut part = part(&path)?;
        part.write_all(bytes)?;
        part.as_file().sync_all()?;
        part.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Whether [`replace`] could write a file, which stays as it is. A device or a pipe cannot be
/// replaced, and is opened for writing: a pipe waits for its reader here, once.
///
/// # Errors
///
/// The file and why it could not.
pub fn check(path: &Path) -> Result<Option<File>, String> {
    let open = || -> std::io::Result<Option<File>> {
        let Some(path) = regular(path)? else {
            return OpenOptions::new().write(true).open(path).map(Some);
        };
        if path.exists() {
            OpenOptions::new().append(true).open(&path)?;
        }
        part(&path).map(|_| None)
    };
    open().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Whether two paths name one file, there or not, directly or through symbolic links.
pub fn same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let path = regular(path).ok()??;
        let folder = fs::canonicalize(folder(&path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    whole(one).is_some_and(|one| whole(other) == Some(one))
}

/// Removes the unfinished files that dead processes left next to a file. Only for the one process
/// that writes it.
pub fn clean(path: &Path) {
    let Ok(Some(path)) = regular(path) else {
        return;
    };
    let start = prefix(&path);
    for entry in fs::read_dir(folder(&path)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let (name, start) = (name.as_encoded_bytes(), start.as_encoded_bytes());
        let middle = name
            .strip_prefix(start)
            .and_then(|name| name.strip_suffix(PART.as_bytes()));
        // Not those of `NAME.more`, which another process may write.
        if middle
            .is_some_and(|middle| middle.len() == 6 && middle.iter().all(u8::is_ascii_alphanumeric))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The regular file that a path names, there or not, through symbolic links; `None` for a folder, a
/// device or a pipe.
fn regular(path: &Path) -> std::io::Result<Option<PathBuf>> {
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(ErrorKind::IsADirectory.into());
    }
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Ok(None),
        Ok(_) => fs::canonicalize(path).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A link may name a file that is not there yet.
            let target = fs::read_link(path).map(|target| folder(path).join(target));
            Ok(Some(target.unwrap_or_else(|_| path.to_path_buf())))
        }
        Err(error) => Err(error),
    }
}

fn folder(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or_else(|| Path::new("."))
}

/// `NAME.`: what unfinished files of a file begin with.
fn prefix(path: &Path) -> OsString {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name
}

/// `FILE.lock`.
fn lock(path: &Path) -> PathBuf {
    let mut name = prefix(path);
    name.push("lock");
    path.with_file_name(name)
}

/// A new file next to a file, removed unless it is renamed.
fn part(path: &Path) -> std::io::Result<NamedTempFile> {
    let prefix = prefix(path);
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(PART);
    // Readable by all whom the umask allows, as other files are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(path))
}

/// The right to be the one process that uses a file, held until it is dropped or the process ends.
pub struct Lock {
    /// The lock is on this file, which stays: the file itself is replaced.
    _file: File,
}

impl Lock {
    /// Whether a path names `FILE.lock` of this file.
    pub fn is_of(file: &Path, path: &Path) -> bool {
        matches!(regular(file), Ok(Some(file)) if same(&lock(&file), path))
    }

    /// Locks `FILE.lock`.
    ///
    /// # Errors
    ///
    /// The file, if another process holds the lock or it cannot be made.
    pub fn take(path: &Path) -> Result<Self, String> {
        let path = regular(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?
            .ok_or_else(|| format!("{} is not a regular file", path.display()))?;
        let lock = lock(&path);
        let fail = |error| format!("cannot lock {}: {error}", lock.display());
        fs::create_dir_all(folder(&path)).map_err(fail)?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock);
        let file = file.map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(fs::TryLockError::WouldBlock) => Err(format!(
                "{} is used by another process that is still running",
                path.display()
            )),
            Err(fs::TryLockError::Error(error)) => Err(fail(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_left_beside_the_file() {
        let scratch = scratch();
        let file = scratch.path().join("x");
        check(&file).unwrap();
        assert!(names(scratch.path()).is_empty());
        replace(&file, b"old").unwrap();
        replace(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names(scratch.path()), ["x"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay() {
        use std::os::unix::fs::symlink;
        let scratch = scratch();
        let (file, link) = (scratch.path().join("x"), scratch.path().join("link"));
        symlink("x", &link).unwrap();
        replace(&link, b"1").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"1");
        replace(&link, b"2").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"2");
        assert!(link.is_symlink());
        let mut null = check(Path::new("/dev/null")).unwrap().unwrap();
        null.write_all(b"3").unwrap();
        assert!(replace(scratch.path(), b"4").is_err() && check(scratch.path()).is_err());
        let folder = scratch.path().join("new/");
        assert!(replace(&folder, b"5").is_err() && check(&folder).is_err() && !folder.exists());
        assert!(same(&link, &file) && !same(&link, Path::new("/dev/null")));
        symlink(scratch.path(), scratch.path().join("again")).unwrap();
        let (one, other) = (scratch.path().join("y"), scratch.path().join("again/y"));
        assert!(same(&one, &other) && !same(&one, &file));
        assert!(Lock::is_of(&link, &scratch.path().join("again/x.lock")));
    }

    #[test]
    fn unfinished_files_of_the_dead_are_removed() {
        let scratch = scratch();
        let file = scratch.path().join("x");
        // Those of `x.2` may be a living process's, and `x.iso.part` is no file of ours.
        let others = [
            "x",
            "x.2.aB3dEf.sweep-part",
            "x.iso.part",
            "x.json",
            "xy.aB3dEf.sweep-part",
        ];
        for name in others
            .iter()
            .chain(&["x.aB3dEf.sweep-part", "x.123456.sweep-part"])
        {
            fs::write(scratch.path().join(name), "").unwrap();
        }
        clean(&file);
        assert_eq!(names(scratch.path()), others);
    }

    #[test]
    fn a_lock_is_held_once() {
        let scratch = scratch();
        let file = scratch.path().join("x");
        let lock = Lock::take(&file).unwrap();
        assert!(Lock::take(&file).is_err());
        drop(lock);
        Lock::take(&file).unwrap();
    }
}
