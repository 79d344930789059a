//! What is verified: the golden digests of each row, the runs over 2^32 inputs, and the oracles
//! that judge.

use crate::text;
use oracles::{OracleKind, for_row};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use sweep_row::{ParamKind, Row};

/// By the row's name.
pub type Verified = BTreeMap<String, Value>;

pub fn read(root: &Path, rows: &[Row]) -> Result<Verified, String> {
    let mut verified = Verified::new();
    let whole = text(&root.join("ci/WHOLE.md"))?;
    for row in rows {
        let file = format!("host-tests/golden/{}.txt", row.op);
        let prefix = format!("{} ", row.name);
        let golden = text(&root.join(&file))?;
        let lines = golden.lines().zip(1..);
        let lines: Vec<_> = lines
            .filter(|(line, _)| line.starts_with(&prefix))
            .collect();
        let (first, number) = lines
            .first()
            .ok_or_else(|| format!("{file} has no digest of {}", row.name))?;
        let mut fields = first.split(' ').skip(1);
        let all = fields.next() == Some("all");
        let inputs = fields.next().and_then(|inputs| inputs.parse::<u64>().ok());
        let inputs = inputs.ok_or_else(|| format!("{file}, line {number}: no count of inputs"))?;
        let line = format!("| `{}` |", row.name);
        let long = whole.lines().any(|other| other.starts_with(&line));
        verified.insert(
            row.name.into(),
            json!({
                "golden": file, "inputs": inputs, "all": all, "digests": lines.len(), "long": long,
                "oracles": judges(row),
            }),
        );
    }
    Ok(verified)
}

/// The oracles that cover a row, and their sources.
fn judges(row: &Row) -> Vec<Value> {
    // Where a choice decides, its first one does as well as any.
    let choice = |kind: ParamKind| match kind {
        ParamKind::Choice(names) => names.first().copied(),
        _ => None,
    };
    let params: Vec<_> = row
        .params
        .iter()
        .filter_map(|spec| Some((spec.name, oracles::ParamValue::Name(choice(spec.kind)?))))
        .collect();
    let kinds = [
        (
            OracleKind::Rational,
            "rational",
            "exact integers of any length",
        ),
        (OracleKind::Eft, "eft", "error-free transformations in f64"),
        (
            OracleKind::Real,
            "enclosure",
            "enclosures by integers of any length",
        ),
    ];
    let covers =
        |kind: OracleKind| for_row(kind, row.op, row.operands, row.results, &params).is_some();
    kinds
        .into_iter()
        .filter(|(kind, ..)| covers(*kind))
        .map(|(_, folder, how)| json!({"name": folder, "how": how, "source": format!("host-tests/oracles/src/{folder}")}))
        .collect()
}
