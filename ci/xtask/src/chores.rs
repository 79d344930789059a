//! `cargo xtask check` and `cargo xtask bless`.

use crate::Result;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const SWEEP: &str = "cargo run --quiet --release -p host-tests --bin sweep --";

/// The sweep with the rows of one kernel alone, built in seconds.
fn sweep_of(name: &str) -> String {
    let kernel = name.split('.').next().unwrap_or(name);
    format!(
        "BITEXACT_ONLY={kernel} cargo run --quiet --profile sweep-dev -p host-tests --bin sweep --"
    )
}

/// Runs a line of bash; its output is shown where it fails.
fn passes(root: &Path, what: &str, command: &str) -> Result<bool> {
    let begin = Instant::now();
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(|why| format!("bash: {why}"))?;
    let good = output.status.success();
    let last = String::from_utf8_lossy(&output.stdout)
        .lines()
        .rev()
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .to_string();
    println!(
        "{:<4} {what} ({:.1} s): {last}",
        if good { "pass" } else { "FAIL" },
        begin.elapsed().as_secs_f64()
    );
    if !good {
        print!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        println!("     {command}");
    }
    Ok(good)
}

/// Checks a kernel's examples, its rows against the oracle, and the oracle against the golden
/// digests.
pub fn check(root: &Path, name: &str) -> Result<bool> {
    let file = format!("/{name}.rs");
    let folders = std::fs::read_dir(root.join("kernels/src")).map_err(|why| why.to_string())?;
    let has_file = folders
        .flatten()
        .any(|folder| folder.path().join(&file[1..]).is_file());
    let examples = if has_file { file } else { name.into() };
    let sweep = sweep_of(name);
    let mut good = true;
    for (what, command) in [
        (
            "every input against the oracle",
            format!("{sweep} run --op {name}"),
        ),
        (
            "every input against the golden digests",
            format!("{sweep} run --op {name} --oracle golden"),
        ),
        (
            "its examples",
            format!("cargo test --quiet -p bitexact --doc -- {examples}"),
        ),
    ] {
        good &= passes(root, what, &command)?;
    }
    println!(
        "{name}: {}",
        if good { "all checks pass" } else { "FAILED" }
    );
    Ok(good)
}

/// Writes everything that is generated, with the golden digests of one kernel or of all.
pub fn bless(root: &Path, name: Option<&str>) -> Result<bool> {
    let golden = name.map_or_else(
        || format!("{SWEEP} golden --write"),
        |name| format!("{} golden --write --op {name}", sweep_of(name)),
    );
    let mut good = true;
    for (what, command) in [
        ("golden digests, from the oracle", golden.as_str()),
        (
            "the table of kernels",
            "BLESS=1 cargo test --quiet -p host-tests --test sweep readme",
        ),
        ("the public items", "BLESS=1 bash ci/api.sh"),
        (
            "the C and CUDA functions",
            "bash firmware/capi/header.sh --write",
        ),
        (
            "the costs on microcontrollers",
            "bash firmware/costs.sh --write && bash firmware/capi/test.sh --write",
        ),
    ] {
        good &= passes(root, what, command)?;
    }
    let _ = Command::new("git")
        .args(["status", "--short"])
        .current_dir(root)
        .status();
    Ok(good)
}
