//! Tells the program which commit it is built from.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let describe = [
        "describe",
        "--always",
        "--dirty",
        "--abbrev=40",
        "--exclude=*",
    ];
    let commit = git(&describe).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=SWEEP_COMMIT={commit}");
    // A commit changes the first; an edit that makes the tree dirty is an edit of a source.
    if let Some(log) = git(&[
        "rev-parse",
        "--path-format=absolute",
        "--git-path",
        "logs/HEAD",
    ]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let folders = [
        "kernels/src",
        "slices/src",
        "cases",
        "cuda-shim/src",
        "kernels/enclosures/src",
        "firmware/src",
        "host-tests/catalog/src",
        "host-tests/engine/src",
        "host-tests/oracles/src",
        "host-tests/peers/src",
        "host-tests/row/src",
        "host-tests/simd/src",
        "host-tests/src",
    ];
    for folder in folders {
        println!("cargo::rerun-if-changed=../{folder}");
    }
    println!("cargo::rerun-if-changed=../Cargo.lock");
}
