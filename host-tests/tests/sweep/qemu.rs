//! `sweep --backend qemu` without QEMU: what it refuses before it builds anything, and that nothing
//! it started outlives it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder for PATH with programs of these names, each a script of the shell.
fn programs(scripts: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, script) in scripts {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn sweep(path: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweep"));
    command
        .args("run --backend qemu --target m4".split(' '))
        .args(args.split(' '))
        .env("PATH", format!("{}:/usr/bin:/bin", path.display()))
        .env("XDG_CACHE_HOME", path)
        .env("SEEN", path.join("seen"));
    command
}

/// Runs it with a build that only leaves a file; returns the exit status, standard error, and
/// whether a build began.
fn refused(scripts: &[(&str, &str)], args: &str) -> (Option<i32>, String, bool) {
    let folder = programs(scripts);
    let output = sweep(folder.path(), args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    (
        output.status.code(),
        error,
        folder.path().join("seen").exists(),
    )
}

const BUILD: (&str, &str) = ("bash", r#"echo "$BITEXACT_INSTALL" >"$SEEN"; exit 1"#);
const QEMU: (&str, &str) = ("qemu-system-arm", "exit 1");

#[test]
fn arguments_are_checked_before_a_build() {
    for (args, word) in [
        ("--op sqrt.f16 --golden /nowhere", "/nowhere"),
        ("--op gelu_net.small.* --golden /nowhere", "/nowhere"),
        ("--op no_such_row.f16", "no_such_row"),
        ("--op gelu_net.small.native --hostile-fpu", "no FPU"),
    ] {
        let (status, error, built) = refused(&[BUILD, QEMU], args);
        assert!(
            status == Some(2) && error.contains(word),
            "{args}: {status:?} {error}"
        );
        assert!(!built, "{args}: a build began");
    }
}

#[test]
fn a_build_may_install_nothing() {
    let folder = programs(&[BUILD, QEMU]);
    let output = sweep(folder.path(), "--op sqrt.f16").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let seen = fs::read_to_string(folder.path().join("seen")).unwrap();
    assert_eq!(seen.trim(), "never");
}

/// Whether a process runs.
fn runs(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // A process that has ended, but is not waited for, is a zombie.
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < limit {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
#[cfg(target_os = "linux")]
fn what_it_started_ends_with_it() {
    // The build's own child, as cargo's rustc is.
    let build = (
        "bash",
        r#"sleep 1000 & echo $! >"$SEEN.new"; mv "$SEEN.new" "$SEEN"; wait"#,
    );
    let folder = programs(&[build, QEMU]);
    for signal in ["TERM", "INT", "HUP"] {
        let seen = folder.path().join("seen");
        let mut child = sweep(folder.path(), "--op sqrt.f16")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let limit = Duration::from_secs(60);
        assert!(within(limit, || seen.exists()), "the build does not begin");
        let sleeper = fs::read_to_string(&seen).unwrap().trim().to_owned();
        assert!(runs(&sleeper));
        let kill = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        assert!(!child.wait().unwrap().success(), "{signal}");
        assert!(
            within(limit, || !runs(&sleeper)),
            "{signal}: {sleeper} runs on"
        );
        fs::remove_file(seen).unwrap();
    }
}
