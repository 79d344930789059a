//! What the packages have, as docs/src/packages.md says: nothing is left out, and every name is
//! there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bitexact::catalog::COMPOSITES;
use host_tests::cli::blocks::OPERATIONS;
use host_tests::row::Ty;
use host_tests::rows;

/// Functions of integers, and methods, which the catalog of kernels does not list.
const BESIDE: [&str; 8] = [
    "counter::philox4x32",
    "counter::threefry2x32",
    "counter::philox_bits",
    "counter::threefry_bits",
    "scale::Recipe::tensor_factor",
    "scale::Recipe::quantise",
    "scale::Recipe::dequantise",
    "scale::Hadamard::apply",
];

/// C functions that tell of the library or of a format, and of no number.
const NOT_OPERATIONS: [&str; 2] = ["abi", "bits"];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The names between quotes in the first list after a text.
fn listed(source: &str, begin: &str, end: char) -> Vec<String> {
    let (_, rest) = source
        .split_once(begin)
        .unwrap_or_else(|| panic!("no {begin}"));
    let list = rest.split(end).next().unwrap();
    let names = list.split('"').skip(1).step_by(2).map(str::to_owned);
    // A constant or a class is no operation.
    names
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
}

/// The catalog's composites, and what is beside them.
fn of_bitexact() -> BTreeSet<String> {
    let api = read("ci/api/bitexact.txt");
    for name in BESIDE {
        let declared = format!("fn bitexact::{name}");
        let found = api.lines().any(|line| {
            let line = line.strip_prefix("const ").unwrap_or(line);
            let rest = line.strip_prefix(&declared);
            rest.is_some_and(|rest| rest.starts_with(['(', '<']))
        });
        assert!(found, "ci/api/bitexact.txt has no {name}");
    }
    let composites = COMPOSITES.iter().map(|one| one.name);
    composites.chain(BESIDE).map(str::to_owned).collect()
}

/// The functions of the modules of slices and tensors, without their other forms.
fn of_slices() -> BTreeSet<String> {
    let api = read("ci/api/bitexact-slices.txt");
    let functions = api.lines().filter_map(|line| {
        let path = line.strip_prefix("fn bitexact_slices::")?;
        let path = path.split(['<', '(']).next()?;
        let (module, name) = path.split_once("::")?;
        let form = name.ends_with("_status") || name.ends_with("_stochastic");
        (matches!(module, "mx" | "tensor") && name.chars().all(is_part) && !form)
            .then(|| path.to_owned())
    });
    functions.collect()
}

/// The functions of the C header, without the formats of their names.
fn of_c() -> BTreeSet<String> {
    let header = read("firmware/capi/bitexact_composites.h");
    let names = header.split("bitexact_").skip(1).filter_map(|rest| {
        let name: String = rest.chars().take_while(|c| is_part(*c)).collect();
        rest[name.len()..].starts_with('(').then_some(name)
    });
    let is_format = |word: &&str| Ty::ALL.iter().any(|ty| ty.name() == *word);
    names
        .map(|name| {
            let words: Vec<_> = name.split('_').filter(|word| !is_format(word)).collect();
            words.join("_")
        })
        .filter(|name| !NOT_OPERATIONS.contains(&name.as_str()) && !name.starts_with("p3109_"))
        .collect()
}

fn of_numpy() -> BTreeSet<String> {
    let mut names = listed(
        &read("python/bitexact_kernels/__init__.py"),
        "\"_composites\": (",
        ')',
    );
    for module in ["mx", "nn"] {
        let source = read(&format!("python/bitexact_kernels/{module}.py"));
        let own = listed(&source, "__all__ = [", ']');
        names.extend(own.into_iter().map(|name| format!("{module}.{name}")));
    }
    names.into_iter().collect()
}

fn of_pytorch() -> BTreeSet<String> {
    let mut names = listed(
        &read("python/bitexact_kernels/torch/functions.py"),
        "\nNAMES = (",
        ')',
    );
    let own = listed(
        &read("python/bitexact_kernels/torch/mx.py"),
        "__all__ = [",
        ']',
    );
    names.extend(own.into_iter().map(|name| format!("mx.{name}")));
    names.into_iter().collect()
}

/// Requests of the browser's catalog that are none of rows.
fn of_browser() -> BTreeSet<String> {
    let source = read("docs/site/wasm/src/lib.rs");
    let arms = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" =>"));
    let names = arms.map(|(name, _)| name.to_owned());
    names
        .filter(|name| !matches!(name.as_str(), "rows" | "eval" | "digest" | "dialects"))
        .collect()
}

#[test]
fn every_function_is_in_the_table_and_each_absence_has_a_reason() {
    let page = read("docs/src/packages.md");
    let mut columns: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 7];
    let mut letters = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), columns.len(), "{line}");
        if line.contains("`bitexact-slices`") {
            continue;
        }
        for (column, cell) in columns.iter_mut().zip(cells) {
            if cell.starts_with('`') {
                let names = cell
                    .split(' ')
                    .map(|name| name.trim_matches('`').to_owned());
                column.extend(names);
            } else {
                assert_eq!(
                    cell.len(),
                    1,
                    "{cell:?} is neither names nor a reason's letter"
                );
                letters.insert(cell.to_owned());
            }
        }
    }
    let reasons = page.lines().filter_map(|line| {
        let (letter, why) = line.strip_prefix("- ")?.split_once(": ")?;
        (why.len() > 10).then(|| letter.to_owned())
    });
    assert_eq!(
        letters,
        reasons.collect(),
        "letters of cells, and of reasons"
    );
    let packages = [
        ("bitexact", of_bitexact()),
        ("bitexact-slices", of_slices()),
        ("C", of_c()),
        ("NumPy", of_numpy()),
        ("PyTorch", of_pytorch()),
        ("sweep eval", OPERATIONS.map(str::to_owned).into()),
        ("browser", of_browser()),
    ];
    for ((name, has), column) in packages.iter().zip(&columns) {
        assert!(!has.is_empty(), "{name} has nothing");
        let missing: Vec<_> = has.difference(column).collect();
        let unknown: Vec<_> = column.difference(has).collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "{name}: docs/src/packages.md lacks {missing:?}, and has {unknown:?}, which the package has not"
        );
    }
}

/// The lists of the others are the catalog's by their making.
#[test]
fn every_row_is_in_python_and_in_c() {
    let stubs = read("python/bitexact_kernels/_ops.pyi");
    let stubs: BTreeSet<_> = stubs
        .lines()
        .filter_map(|line| line.strip_prefix("def ")?.split('(').next())
        .collect();
    let header = read("firmware/capi/bitexact_functions.h");
    let declared: BTreeSet<_> = header
        .split("bitexact_")
        .skip(1)
        .map(|rest| rest.split(|c| !is_part(c)).next().unwrap())
        .collect();
    let mut ops = BTreeSet::new();
    for row in rows::all() {
        ops.insert(row.op);
        let function = row.name.replace('.', "_");
        assert!(
            declared.contains(function.as_str()),
            "bitexact_functions.h has no bitexact_{function}"
        );
    }
    assert_eq!(ops, stubs, "operations of rows, and of _ops.pyi");
}
