//! Prints every entry that the host side may launch, a line each, in the order of names:
//! `cuda-shim/entries.txt`, by which `ci/ptx.sh` checks the PTX and `ci/launch-bounds.sh` writes
//! launch bounds into it. A line has, `-` where there is none:
//!
//! - the name, and the class of its float instructions;
//! - the threads of a block, and bytes of memory that they share;
//! - blocks that a multiprocessor holds at least, on sm_90 and on others;
//! - blocks of a cluster, and the only architecture;
//! - the parameters' bytes, and for entries that are declared in `gpu_plans` their names and types.

use cuda_shim::{Row, bodies, check_entries, has_hardware, has_vector, rows};
use gpu_plans::entry::class;
use std::fmt::Write;

/// The lines.
pub fn list() -> String {
    let mut lines = Vec::new();
    for entry in gpu_plans::entries() {
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
    let declared: Vec<_> = gpu_plans::entries().map(|entry| entry.name).collect();
    for (name, bytes) in others() {
        if !declared.contains(&name.as_str()) {
            lines.push(line(&name, "- - - - - -", &bytes, ""));
        }
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

/// Those of rows, tables, checks and bodies.
fn others() -> Vec<(String, Vec<usize>)> {
    let mut found = Vec::new();
    let mut add = |name: String, bytes: &[usize], more: &[usize]| {
        found.push((name, [bytes, more].concat()));
    };
    for row in rows()
        .iter()
        .filter(|row| gpu_plans::mixed::formats(row).is_none())
    {
        let (name, plain) = (row.entry, slices(row));
        let sizes = |form: &bitexact::catalog::Form| -> Vec<usize> {
            form.words.iter().map(|word| word.ty.bytes()).collect()
        };
        for form in row.forms {
            add(format!("{name}{}", form.ending), &plain, &sizes(form));
        }
        if let Some(form) = row.stochastic {
            // The random bits are an additional slice.
            let more = [vec![8], sizes(&form).split_off(1)].concat();
            add(format!("{name}{}", form.ending), &plain, &more);
        }
        if has_vector(row) {
            add(format!("{name}_vector"), &[8; 3], &sizes(&row.forms[0]));
        }
        if let Some(more) = has_hardware(row) {
            add(format!("{name}_hw"), &[8; 3], more);
        }
    }
    add("e8m0_encode_f32_table".into(), &[8; 2], &[]);
    add("e8m0_encode_f32_steps".into(), &[8; 5], &[]);
    for bits in [8, 16, 32, 64] {
        add(format!("lookup_{bits}"), &[8; 4], &[]);
    }
    for bits in [8, 16] {
        add(format!("lookup_{bits}_shared"), &[8; 5], &[]);
    }
    for bits in [8, 16, 32] {
        add(format!("lookup_words_{bits}"), &[8; 4], &[4]);
        add(format!("lookup_words_{bits}_shared"), &[8; 4], &[4, 8]);
    }
    for bits in [8, 32] {
        add(format!("lookup_prefix_{bits}"), &[8; 4], &[]);
        add(format!("lookup_prefix_{bits}_shared"), &[8; 5], &[]);
    }
    for sum in ["f16_f16", "f16_f32", "bf16_bf16", "bf16_f32", "f32_f32"] {
        add(format!("sum_{sum}"), &[8; 5], &[4, 4]);
    }
    for check in check_entries() {
        add(check.into(), &[8, 8, 4, 4, 8], &[]);
    }
    for body in bodies() {
        add(body.name.into(), body.sizes, &[]);
    }
    add("copy_16".into(), &[8; 3], &[]);
    add("operands".into(), &[8, 8, 8, 4, 8, 4, 8, 4], &[]);
    add("digest".into(), &[8, 8, 8, 4, 8, 4, 8, 8], &[]);
    found
}

/// Operands, results, flags, n.
fn slices(row: &Row) -> Vec<usize> {
    vec![8; row.operands.len() + row.results.len() + 2]
}

#[allow(dead_code, reason = "a test takes the list")]
fn main() {
    print!("{}", list());
}
