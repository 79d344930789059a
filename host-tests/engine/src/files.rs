//! The files of a run. One that is written is replaced as a whole: whoever reads it, or is left
//! with it after a kill, has the old content or the new one.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How the names of unfinished files end, after six letters or digits: no other program's files do.
const PART: &str = ".sweep-part";

/// The bytes of a file; `None` if there is none.
///
/// # Errors
///
/// The file and why: a pipe and a device may never end, and are not read.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            return Err(format!(
                "{} is {}, not a file",
                path.display(),
                kind(&metadata)
            ));
        }
        _ => {}
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

/// The text of a file; `None` if there is none.
///
/// # Errors
///
/// As [`read`]; and the file, if it is not text.
pub fn text(path: &Path) -> Result<Option<String>, String> {
    let text = |bytes| {
        String::from_utf8(bytes).map_err(|_| format!("{} is not text (UTF-8)", path.display()))
    };
    read(path)?.map(text).transpose()
}

/// What a path names that is not a file.
fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        "a folder"
    } else {
        "a device or a pipe"
    }
}

/// Writes a file: to a new one in the same folder, which is made if there is none, and then
/// renamed. A symbolic link stays, and what it names at its end is replaced. The mode and the owner
/// stay; a file with several names, or whose owner cannot be kept, is overwritten in its place, and
/// a kill may then leave a part of it.
///
/// # Errors
///
/// The file and why: a device, a pipe and a folder cannot be replaced.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let write = || -> io::Result<()> {
        let path = regular(path)?.ok_or(ErrorKind::Unsupported)?;
        fs::create_dir_all(folder(&path))?;
        let mut part = part(&path)?;
        part.write_all(bytes)?;
        part.as_file().sync_all()?;
        let old = fs::metadata(&path).ok();
        if old.is_some_and(|old| !take_over(part.as_file(), &old)) {
            let mut file = OpenOptions::new().write(true).truncate(true).open(&path)?;
            file.write_all(bytes)?;
            return file.sync_all();
        }
        part.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| cannot_write(path, &error))
}

/// Gives a new file the mode and the owner of the one that it replaces; `false` if it cannot stand
/// for it.
fn take_over(part: &File, old: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let owner = |metadata: &Metadata| (metadata.uid(), metadata.gid());
        let owned = part.metadata().is_ok_and(|new| owner(&new) == owner(old));
        if old.nlink() > 1 || !(owned || fchown(part, Some(old.uid()), Some(old.gid())).is_ok()) {
            return false;
        }
    }
    part.set_permissions(old.permissions()).is_ok()
}

/// `cannot write FILE: why`; a folder that is not there is named.
fn cannot_write(path: &Path, error: &io::Error) -> String {
    let folder = folder(path);
    match error.kind() {
        ErrorKind::NotFound if !folder.exists() => {
            format!(
                "cannot write {}: there is no folder {}",
                path.display(),
                folder.display()
            )
        }
        ErrorKind::Unsupported => format!("cannot write {}: it is not a file", path.display()),
        _ => format!("cannot write {}: {error}", path.display()),
    }
}

/// Whether [`replace`] could write a file, which stays as it is. Otherwise returns what must be
/// written instead: a device or a pipe cannot be replaced, and is opened (a pipe waits for its
/// reader here, once); a file that this process has open for writing, as by the shell's `> FILE`,
/// is written through that descriptor, so that the shell's name for it keeps its meaning.
///
/// # Errors
///
/// The file and why it could not.
pub fn check(path: &Path) -> Result<Option<File>, String> {
    let open = || -> io::Result<Option<File>> {
        let Some(path) = regular(path)? else {
            return OpenOptions::new().write(true).open(path).map(Some);
        };
        if let Ok(metadata) = fs::metadata(&path) {
            if let Some(file) = descriptors::open_for_writing(&metadata)? {
                return Ok(Some(file));
            }
            OpenOptions::new().append(true).open(&path)?;
        }
        part(&path).map(|_| None)
    };
    open().map_err(|error| cannot_write(path, &error))
}

pub use descriptors::is_stdout;

/// The files that this process was given open.
#[cfg(unix)]
mod descriptors {
    use rustix::fd::{AsFd, OwnedFd};
    use rustix::fs::OFlags;
    use std::fs::{self, File, Metadata};
    use std::io::{self, IsTerminal};
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    use std::path::Path;

    fn same(one: &Metadata, other: &Metadata) -> bool {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }

    /// Whether a path names what standard output is: a file, a pipe or a terminal.
    pub fn is_stdout(path: &Path) -> bool {
        let stdout = || {
            let stdout = io::stdout();
            let terminal = stdout.is_terminal();
            let stdout = File::from(stdout.as_fd().try_clone_to_owned()?).metadata()?;
            let path = fs::metadata(path)?;
            let device = path.file_type().is_char_device() && !terminal;
            Ok::<_, io::Error>(!device && same(&stdout, &path))
        };
        stdout().unwrap_or(false)
    }

    /// The descriptor through which this process writes a file, if it has one.
    pub fn open_for_writing(file: &Metadata) -> io::Result<Option<File>> {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        for stream in [stdout.as_fd(), stderr.as_fd()] {
            if let Some(file) = writes(stream.try_clone_to_owned()?, file)? {
                return Ok(Some(file));
            }
        }
        let folder = Path::new("/dev/fd");
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.parse().ok());
            let there = fs::metadata(folder.join(&name));
            if let (Some(number @ 3..), true) = (number, there.is_ok_and(|one| same(&one, file)))
                && let Some(file) = writes(duplicate(number)?, file)?
            {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// The descriptor as a file, if it is this one, open for writing.
    fn writes(descriptor: OwnedFd, file: &Metadata) -> io::Result<Option<File>> {
        let mode = rustix::fs::fcntl_getfl(&descriptor)? & OFlags::RWMODE;
        let open = File::from(descriptor);
        let found = mode != OFlags::RDONLY && same(&open.metadata()?, file);
        Ok(found.then_some(open))
    }

    /// Another descriptor of the same open file, with the same offset.
    #[cfg(target_os = "linux")]
    fn duplicate(number: i32) -> io::Result<OwnedFd> {
        use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
        let own = pidfd_open(getpid(), PidfdFlags::empty())?;
        Ok(pidfd_getfd(own, number, PidfdGetfdFlags::empty())?)
    }

    /// Another descriptor of the same open file: elsewhere than on Linux, opening its name gives one.
    #[cfg(not(target_os = "linux"))]
    fn duplicate(number: i32) -> io::Result<OwnedFd> {
        let name = format!("/dev/fd/{number}");
        Ok(fs::OpenOptions::new().append(true).open(name)?.into())
    }
}

#[cfg(not(unix))]
mod descriptors {
    use std::fs::{File, Metadata};
    use std::io;
    use std::path::Path;

    /// Standard output has no path here.
    pub fn is_stdout(_: &Path) -> bool {
        false
    }

    pub fn open_for_writing(_: &Metadata) -> io::Result<Option<File>> {
        Ok(None)
    }
}

/// Whether two paths name one file, there or not, directly or through symbolic links.
pub fn same(one: &Path, other: &Path) -> bool {
    place(one).is_some_and(|one| place(other) == Some(one))
}

/// Whether a path names a file of this folder, there or not, whose name fits.
pub fn is_in(path: &Path, folder: &Path, fits: impl Fn(&str) -> bool) -> bool {
    place(path).is_some_and(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.parent() == fs::canonicalize(folder).ok().as_deref() && fits(&name)
    })
}

/// A file's folder without links, and its name in it.
fn place(path: &Path) -> Option<PathBuf> {
    let path = regular(path).ok()??;
    let folder = fs::canonicalize(folder(&path)).ok()?;
    Some(folder.join(path.file_name()?))
}

/// Removes a file. A symbolic link stays, and what it names at its end is removed.
pub fn remove(path: &Path) {
    if let Ok(Some(path)) = regular(path) {
        let _ = fs::remove_file(path);
    }
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
fn regular(path: &Path) -> io::Result<Option<PathBuf>> {
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let why = "it names a folder, not a file";
        return Err(io::Error::new(ErrorKind::IsADirectory, why));
    }
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Ok(None),
        Ok(_) => fs::canonicalize(path).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // The last of a chain of links may name a file that is not there yet.
            let mut path = path.to_path_buf();
            while let Ok(target) = fs::read_link(&path) {
                path = folder(&path).join(target);
            }
            Ok(Some(path))
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

/// The right to be the one process that uses a file or a folder, held until it is dropped or the
/// process ends.
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

    /// Locks a folder itself, after the process that holds it, and leaves no file there.
    ///
    /// # Errors
    ///
    /// The folder that cannot be locked.
    pub fn folder(path: &Path) -> Result<Self, String> {
        let lock = || {
            let file = File::open(path)?;
            file.lock().map(|()| file)
        };
        lock()
            .map(|file| Self { _file: file })
            .map_err(|error| format!("cannot lock {}: {error}", path.display()))
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
