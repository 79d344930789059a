//! Prints every entry that the host side may launch, a line each, in the order of names:
//! `cuda-shim/entries.txt`, by which `ci/ptx.sh` checks the PTX and `ci/launch-bounds.sh` writes
//! launch bounds into it. A line has, `-` where there is none:
//!
//! - the name, and the class of its float instructions;
//! - the threads of a block, and bytes of memory that they share;
//! - blocks that a multiprocessor holds at least, on sm_90 and on others;
//! - blocks of a cluster, and the only architecture;
//! - the parameters' bytes, and for entries that are declared in `gpu_plans` their names and types.

use cuda_shim::{check_entries, enclosed_entries};
use gpu_plans::Entry;
use gpu_plans::entry::class;
use std::fmt::Write;

/// The lines.
pub fn list() -> String {
    let mut lines = Vec::new();
    for entry in entries() {
        let shape = entry.shape;
        let [measured, other] = match shape.least {
            Some(least) => least.map(|blocks| blocks.to_string()),
            None => ["-".into(), "-".into()],
        };
        let size = |size: usize, given: bool| match given {
            true => size.to_string(),
            false => "-".into(),
        };
        let shape = format!(
            "{} {} {measured} {other} {} {}",
            size(shape.threads, shape.threads > 0),
            size(shape.memory, shape.threads > 0),
            size(shape.cluster, shape.cluster > 0),
            shape.only.unwrap_or("-")
        );
        let signature: Vec<_> = entry.signature.split_whitespace().collect();
        let signature = signature.join(" ").replace(" :", ":").replace("* ", "*");
        lines.push(line(entry.name, &shape, entry.bytes, &signature));
    }
    lines.sort();
    lines.concat()
}

fn line(name: &str, shape: &str, bytes: &[usize], signature: &str) -> String {
    let bytes: Vec<_> = bytes.iter().map(usize::to_string).collect();
    let mut line = format!("{name} {} {shape} {}", class(name), bytes.join(","));
    let _ = write!(line, " {signature}");
    line.truncate(line.trim_end().len());
    line.push('\n');
    line
}

/// All of them: the declared ones, and those that check rows or enclose functions.
fn entries() -> impl Iterator<Item = &'static Entry> {
    gpu_plans::entries()
        .chain(check_entries())
        .chain(enclosed_entries())
}

#[allow(dead_code, reason = "a test takes the list")]
fn main() {
    print!("{}", list());
}
