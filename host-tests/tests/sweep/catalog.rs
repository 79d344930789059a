//! The catalog is complete: every public kernel in the sources is in it, and all of it exists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::two_oracles::AT_HAND;
use bitexact::catalog::{COMPOSITES, ROWS};
use host_tests::domain::Domain;
use host_tests::oracle::{Format, OracleKind};
use host_tests::row::{Row, Ty};
use host_tests::{engine, number, oracle, rows};

/// The folders of `kernels/src` that hold kernels.
const FOLDERS: [&str; 9] = [
    "activation",
    "arith",
    "convert",
    "math",
    "nn",
    "p3109/codes",
    "reduce",
    "scale",
    "tensor",
];

/// A kernel's other forms are not separate kernels.
const FORMS: [&str; 7] = [
    "_bits",
    "_arrays_status",
    "_arrays",
    "_stochastic_status",
    "_status",
    "_stochastic",
    "_element",
];

/// The macros that define a kernel's public functions; the name is the first identifier on a line.
const MACROS: [&str; 9] = [
    "rounded!",
    "encode!",
    "rounded_by_mode!",
    "unrounded!",
    "min_max!",
    "predicates!",
    "backward!",
    "functions!",
    "derivatives!",
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/src")
}

/// The public functions at the top level of a file that the documentation has, by name, without the
/// other forms.
fn public_functions(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let (mut in_macro, mut hidden) = (false, false);
    for line in source.lines() {
        let trimmed = line.trim_start();
        if MACROS.iter().any(|name| trimmed.starts_with(name)) {
            in_macro = true;
        } else if in_macro && (trimmed == "}" && !line.starts_with("        ")) {
            in_macro = false;
        }
        let text = if in_macro && trimmed.starts_with("pub ") {
            // What a macro that wraps another one declares.
            continue;
        } else if in_macro {
            // `"compareQuietEqual": compare_quiet_equal ...`
            match trimmed.split_once("\": ") {
                Some((_, rest)) if trimmed.starts_with('"') => rest,
                _ => trimmed,
            }
        } else {
            let declared = line
                .strip_prefix("pub fn ")
                .or(line.strip_prefix("pub const fn "));
            match declared {
                // What is hidden from the documentation serves other crates of this project.
                Some(rest) if !std::mem::take(&mut hidden) => rest,
                _ => {
                    hidden = line == "#[doc(hidden)]" || hidden && line.starts_with("#[");
                    continue;
                }
            }
        };
        let name: String = text
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
        let first_in_macro = text[name.len()..].starts_with([',', ' ']);
        if starts_well && (!in_macro || first_in_macro) && !is_form(&name) {
            names.insert(name);
        }
    }
    names
}

fn is_form(name: &str) -> bool {
    FORMS.iter().any(|form| name.ends_with(form))
}

/// Every kernel of the sources, as `folder::name`, below the crate's root.
fn kernels() -> BTreeMap<String, PathBuf> {
    let mut kernels = BTreeMap::new();
    for folder in FOLDERS {
        for path in files(&sources().join(folder)) {
            let source = fs::read_to_string(&path).unwrap();
            for name in public_functions(&source) {
                kernels.insert(
                    format!("{}::{name}", folder.replace('/', "::")),
                    path.clone(),
                );
            }
        }
    }
    kernels
}

/// A path without the white space of `stringify!`, in the kernel's plain form.
fn plainest(path: &str) -> String {
    let path: String = path.split_whitespace().collect();
    let plain = FORMS.iter().find_map(|form| path.strip_suffix(form));
    plain.unwrap_or(&path).to_owned()
}

/// The kernels in the catalog, as `folder::name`, from the functions that its rows call.
fn listed() -> BTreeSet<String> {
    let composites = COMPOSITES.iter().map(|c| c.name.to_owned());
    let rows = ROWS.iter().map(|row| plainest(row.call));
    composites.chain(rows).collect()
}

#[test]
fn every_public_kernel_is_in_the_catalog() {
    let listed = listed();
    let kernels = kernels();
    let missing: Vec<_> = kernels
        .iter()
        .filter(|(name, _)| !listed.contains(*name))
        .collect();
    assert!(
        missing.is_empty(),
        "neither a row nor a composite: {missing:#?}"
    );
    let unknown: Vec<_> = listed
        .iter()
        .filter(|name| !kernels.contains_key(*name) && *name != "scale::E8M0::reciprocal")
        .collect();
    assert!(
        unknown.is_empty(),
        "in the catalog but not in the sources: {unknown:#?}"
    );
    // The scan finds kernels; if it found none, the test would pass trivially.
    assert!(kernels.len() > 70, "only {} kernels found", kernels.len());
}

#[test]
fn the_scan_finds_what_is_not_listed() {
    let source = "/// Docs.\n#[doc(hidden)]\n#[inline]\npub fn serves() {\n}\n\
                  /// Docs.\npub fn forgotten<F: Format>(x: F) -> F {\n}\n\
                  pub const fn forgotten_bits() {}\n\
                  rounded! {\n    /// Docs, with words.\n    also_forgotten, also_forgotten_status;\n}\n\
                  impl X {\n    pub fn method(&self) {}\n}\n";
    let names: Vec<_> = public_functions(source).into_iter().collect();
    assert_eq!(names, ["also_forgotten", "forgotten"]);
}

#[test]
fn rows_have_distinct_names_and_an_oracle() {
    let mut names = BTreeSet::new();
    for row in rows::all() {
        assert!(names.insert(row.name), "{} twice", row.name);
        for setting in engine::params::stated(row) {
            let params = setting.for_oracle(row);
            let oracle = oracle::OracleKind::ALL.iter().find_map(|kind| {
                oracle::for_row(*kind, row.op, row.operands, row.results, &params)
            });
            assert!(oracle.is_some(), "no oracle for {}", row.name);
        }
    }
}

/// The operands that every row must run: both zeros, the ends of the subnormal and of the normal
/// numbers, infinities and NaNs of both kinds, where its type has them.
fn special_points(ty: Ty) -> Vec<u64> {
    let Some(format) = Format::of(ty) else {
        let top = number::mask(ty);
        return vec![0, 1, top >> 1, top];
    };
    let normal = 1 << (format.precision - 1);
    let mut magnitudes = vec![0, 1, normal - 1, normal, format.largest];
    magnitudes.extend(format.infinity());
    let nans = format
        .infinity()
        .map(|infinity| [infinity + 1, infinity | format.quiet_bit()]);
    magnitudes.extend(nans.into_iter().flatten());
    let mut points: Vec<u64> = magnitudes
        .into_iter()
        .flat_map(|code| [code, code | format.sign_bit()])
        .collect();
    points.extend(format.nan());
    points
}

/// Whether an operand is a special point: a NaN counts with either sign, since no kernel looks at
/// it.
fn meets(ty: Ty, operand: u64, point: u64) -> bool {
    let Some(format) = Format::of(ty) else {
        return operand == point;
    };
    let magnitude = |x: u64| x & !format.sign_bit();
    let is_nan = format
        .infinity()
        .is_some_and(|infinity| magnitude(point) > infinity);
    operand == point || (is_nan && magnitude(operand) == magnitude(point))
}

#[test]
fn every_row_meets_the_special_points_of_its_operands() {
    for row in rows::all() {
        let domain = engine::domain(row, false);
        if matches!(domain, Domain::All(_)) {
            continue;
        }
        let mut missing: Vec<(usize, u64)> = (0..row.operands.len())
            .flat_map(|k| {
                special_points(row.operands[k])
                    .into_iter()
                    .map(move |x| (k, x))
            })
            .collect();
        for index in 0..domain.len().unwrap() {
            let operands = domain.get(index);
            missing.retain(|(k, x)| !meets(row.operands[*k], operands[*k], *x));
            if missing.is_empty() {
                break;
            }
        }
        assert!(
            missing.is_empty(),
            "{}: operand and bits {missing:X?}: cases/inputs/src/domain lacks them",
            row.name
        );
    }
}

/// Exact, or rounded once from an exact value (`two_oracles.rs`): one oracle is enough.
fn has_one_oracle(row: &Row) -> bool {
    let to_f64 = row.results == [Ty::F64] && matches!(row.op, "convert" | "from_int");
    !row.takes_rounding || to_f64 || AT_HAND.contains(&row.op)
}

#[test]
fn every_row_that_rounds_has_a_second_oracle_and_reference_points() {
    let points: BTreeSet<(&str, &str)> = include_str!("../reference/points.txt")
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap(), words.next().unwrap())
        })
        .collect();
    let mut lacking = Vec::new();
    for row in rows::all().iter().filter(|row| !has_one_oracle(row)) {
        let covers = |kind| {
            engine::params::stated(row).into_iter().any(|setting| {
                let params = setting.for_oracle(row);
                oracle::for_row(kind, row.op, row.operands, row.results, &params).is_some()
            })
        };
        let of_points = |op| points.contains(&(op, row.operands[0].name()));
        let has = match row.op {
            "sincos" => of_points("sin") && of_points("cos"),
            _ if covers(OracleKind::Rational) => covers(OracleKind::Eft),
            op => {
                let function = op.strip_suffix("_to").unwrap_or(op);
                covers(OracleKind::Real) && covers(OracleKind::Filter) && of_points(function)
            }
        };
        if !has {
            lacking.push(row.name);
        }
    }
    assert!(
        lacking.is_empty(),
        "no second oracle in host-tests/oracles/src, or no points by host-tests/tests/reference/make.py: {lacking:?}"
    );
}

#[test]
fn composites_name_tests_that_exist() {
    for composite in COMPOSITES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/kernels")
            .join(composite.test)
            .with_extension("rs");
        let test = fs::read_to_string(&file).unwrap_or_default();
        let function = composite.name.rsplit("::").next().unwrap();
        assert!(
            is_run(&test, function) || is_run(&test, &format!("{function}_status")),
            "{} is not called in {}",
            composite.name,
            file.display()
        );
    }
}

/// Whether a source calls a function of exactly this name, or passes it on as a first argument.
/// Comments, methods and definitions of that name do not count.
fn is_run(source: &str, function: &str) -> bool {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let code: Vec<_> = source.lines().map(code).collect();
    let code = code.join("\n");
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(function).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + function.len()..]);
        let whole = !before.ends_with(part) && !after.starts_with(part);
        let other = before.ends_with('.') || before.ends_with("fn ");
        let called = after.starts_with('(') || after.starts_with("::<");
        let passed = before.ends_with('(') && after.starts_with(',');
        whole && !other && (called || passed)
    })
}

#[test]
fn another_name_is_no_call() {
    for source in [
        "sum_by(x)",
        "x.sum()",
        "fn sum() {}",
        "// sum(x)",
        "let sum = 1;",
        "my_sum(x)",
    ] {
        assert!(!is_run(source, "sum"), "{source}");
    }
    for source in ["sum(x)", "reduce::sum::<f16>(x)", "check(sum, x)"] {
        assert!(is_run(source, "sum"), "{source}");
    }
}

/// Every `.rs` file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => files(&path),
            Some(extension) if extension == "rs" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

#[test]
fn every_public_type_can_be_logged_by_defmt() {
    let (mut types, mut lacking) = (0, Vec::new());
    // The catalog's types describe kernels to other programs; they are no results that a target
    // logs.
    let results = |path: &PathBuf| !path.starts_with(sources().join("catalog"));
    for path in files(&sources()).into_iter().filter(results) {
        let source = fs::read_to_string(&path).unwrap();
        let mut derives = false;
        for line in source.lines().map(str::trim_start) {
            let declares = ["pub struct ", "pub enum "]
                .iter()
                .find_map(|start| line.strip_prefix(start));
            if let Some(name) = declares {
                types += 1;
                let ident: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
                let implements = ["<", " {"]
                    .iter()
                    .any(|next| source.contains(&format!("Format for {ident}{next}")));
                if !derives && !implements {
                    lacking.push(format!("{}: {name}", path.display()));
                }
            }
            derives |= line.contains("derive(defmt::Format)");
            derives &= declares.is_none() && !line.starts_with('}');
        }
    }
    assert!(types > 20, "only {types} types were found");
    assert!(lacking.is_empty(), "no defmt::Format: {lacking:#?}");
}
