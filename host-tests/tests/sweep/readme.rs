//! The book's table of kernels is the catalog's. (The examples are the library's doctests.)

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use bitexact::catalog::{COMPOSITES, ROWS};
use host_tests::row::{ParamKind, ParamSpec, Row, Ty};
use host_tests::rows;

const BEGIN: &str = "<!-- kernels: written by `cargo xtask bless` -->\n";
const END: &str = "<!-- end of kernels -->\n";

/// The formats of a kernel's rows, in a few words.
fn formats(rows: &[&Row]) -> String {
    if is_p3109(rows) {
        let row = ROWS.iter().find(|row| row.kernel == rows[0].op).unwrap();
        let takes = row.forms[0].takes.choices;
        return match takes.contains("K up to 8") {
            true => "P3109's with K up to 8; results also binary16, BFloat16".to_owned(),
            false => "P3109's of up to 32 bits".to_owned(),
        };
    }
    let names = |types: &[Ty]| {
        types
            .iter()
            .map(|ty| ty.name())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let suffixes: Vec<&str> = rows
        .iter()
        .map(|row| row.name[row.op.len()..].trim_start_matches('.'))
        .collect();
    if suffixes.iter().all(|suffix| !suffix.contains('.')) {
        return match suffixes[..] {
            [""] => names(rows[0].operands),
            _ => suffixes.join(" "),
        };
    }
    let mut lists: Vec<Vec<&str>> = Vec::new();
    for suffix in suffixes.iter().filter(|suffix| suffix.contains('.')) {
        for (at, ty) in suffix.split('.').enumerate() {
            if lists.len() <= at {
                lists.push(Vec::new());
            }
            if !lists[at].contains(&ty) {
                lists[at].push(ty);
            }
        }
    }
    let mut text = lists
        .iter()
        .map(|list| list.join(" "))
        .collect::<Vec<_>>()
        .join(" → ");
    let same: Vec<&str> = suffixes
        .into_iter()
        .filter(|suffix| !suffix.contains('.') && !lists[0].contains(suffix))
        .collect();
    if !same.is_empty() {
        let _ = write!(text, "; {}", same.join(" "));
    }
    text
}

/// Whether formats are an argument.
fn is_p3109(rows: &[&Row]) -> bool {
    let formats = |spec: &ParamSpec| matches!(spec.kind, ParamKind::Formats { .. });
    rows[0].params.iter().any(formats)
}

fn table() -> String {
    let mut kernels: Vec<&str> = Vec::new();
    let mut by_kernel: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows::all() {
        if !kernels.contains(&row.op) {
            kernels.push(row.op);
        }
        by_kernel.entry(row.op).or_default().push(row);
    }
    let mut text = String::from("| kernel | what | formats | rounds |\n|---|---|---|---|\n");
    for kernel in kernels {
        let rows = &by_kernel[kernel];
        let rounds = match (rows[0].takes_rounding, rows[0].has_stochastic) {
            (true, true) => "yes, and stochastically",
            (true, false) => "yes",
            _ if rows[0]
                .params
                .iter()
                .any(|spec| spec.kind == ParamKind::Projection) =>
            {
                "as its projection says"
            }
            _ => "no",
        };
        let doc = rows[0].doc.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| `{kernel}` | {doc} | {} | {rounds} |",
            formats(rows)
        );
    }
    let rows = rows::all().len();
    let _ = writeln!(text, "\n{rows} rows in all. Of whole slices and tensors:\n");
    text.push_str("| composite | what |\n|---|---|\n");
    for composite in COMPOSITES {
        let _ = writeln!(text, "| `{}` | {} |", composite.name, composite.doc);
    }
    text
}

#[test]
fn the_table_of_kernels_is_the_catalogs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/kernels.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).expect("the table's first marker");
    let (old, tail) = rest.split_once(END).expect("the table's last marker");
    let new = table();
    if old != new && std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{new}{END}{tail}")).unwrap();
        return;
    }
    assert!(
        old == new,
        "docs/src/kernels.md is out of date: `cargo xtask bless` writes it"
    );
}
