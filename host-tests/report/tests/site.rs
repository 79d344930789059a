//! The site of this repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!("{attribute}=\"");
    let after = page.split(start.as_str()).skip(1);
    after
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .collect()
}

#[test]
fn every_cell_leads_to_a_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = tempfile::tempdir().unwrap();
    let rows = sweep_catalog::all();
    let written = sweep_site::write(&root, out.path(), rows).unwrap();
    let ops: BTreeSet<&str> = rows.iter().map(|row| row.op).collect();
    assert_eq!(written.pages, ops.len() + 5);
    let module = root.join("docs/site/explorer.wasm.gz").is_file();
    assert_eq!(written.explorer, module);
    let page = |name: &str| fs::read_to_string(out.path().join(name)).unwrap();
    let index = page("index.html");
    let mut cells = 0;
    for link in values(&index, "href") {
        let Some((file, id)) = link
            .split_once('#')
            .filter(|(file, _)| file.starts_with("functions/"))
        else {
            continue;
        };
        let target = page(file);
        assert!(values(&target, "id").contains(&id), "{link} leads nowhere");
        cells += 1;
    }
    assert!(cells > 600, "{cells} cells");
    // One answer over every axis, and every model of the tables.
    let models = page("models.html");
    for due in [
        "prefill in chunks of 17, static cache",
        "<th scope=\"row\">Llama</th>",
        "GPT-2 small, 8 x 512",
    ] {
        assert!(models.contains(due), "no {due}");
    }
    // PyTorch's gelu of bf16 on a CPU, as the Python package counted it too
    // (python/evidence/torch_cpu.md).
    assert!(page("functions/gelu.html").contains("<td class=\"bad\">851</td>"));
}

#[test]
fn a_repository_without_evidence_is_refused() {
    let (root, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let why = sweep_site::write(root.path(), out.path(), sweep_catalog::all()).unwrap_err();
    assert!(
        why.starts_with("cannot read ") && why.contains("peers"),
        "{why}"
    );
}
