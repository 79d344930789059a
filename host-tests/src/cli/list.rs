//! `sweep list`.

use super::args::ListArgs;
use super::{Console, Outcome, select, table};
use crate::names;
use crate::row::{ParamKind, ParamSpec, Row, Ty};
use serde_json::{Value, json};
use sweep_inputs::{Overflow, Rounding};

pub fn run(rows: &[Row], args: &ListArgs, console: &mut Console) -> Outcome {
    let rows = select::rows(rows, &args.op)?;
    if args.json {
        let array: Vec<_> = rows.iter().map(describe).collect();
        let text = serde_json::to_string_pretty(&array).map_err(|error| error.to_string())?;
        console.print(format_args!("{text}\n"))?;
        return Ok(0);
    }
    let mut lines = vec![["row", "alias", "types", "takes", "what"].map(String::from)];
    for row in &rows {
        let types = |types: &[Ty]| {
            types
                .iter()
                .map(|ty| ty.name())
                .collect::<Vec<_>>()
                .join(",")
        };
        let mut takes = Vec::new();
        if row.takes_rounding {
            takes.push("rounding".to_owned());
        }
        if row.has_stochastic {
            takes.push("bits".to_owned());
        }
        if row.takes_overflow {
            takes.push("overflow".to_owned());
        }
        takes.extend(row.params.iter().map(|spec| spec.name.to_owned()));
        lines.push([
            row.name.into(),
            names::alias(row).unwrap_or_else(|| "-".into()),
            format!("{}->{}", types(row.operands), types(row.results)),
            if takes.is_empty() {
                "-".into()
            } else {
                takes.join(",")
            },
            row.doc.into(),
        ]);
    }
    console.print(format_args!("{}", table::left(&lines)))?;
    Ok(0)
}

fn describe(row: &Row) -> Value {
    let types = |types: &[Ty]| types.iter().map(|ty| ty.name()).collect::<Vec<_>>();
    let mut roundings: Vec<&str> = Vec::new();
    if row.takes_rounding {
        roundings.extend(Rounding::ALL.map(Rounding::name));
    }
    if row.has_stochastic {
        roundings.push("stochastic");
    }
    let overflows: Vec<_> = if row.takes_overflow {
        Overflow::ALL.map(Overflow::name).to_vec()
    } else {
        Vec::new()
    };
    json!({
        "name": row.name,
        "op": row.op,
        "aliases": names::alias(row).into_iter().collect::<Vec<_>>(),
        "operands": types(row.operands),
        "results": types(row.results),
        "roundings": roundings,
        "overflows": overflows,
        "params": row.params.iter().map(param).collect::<Vec<_>>(),
        "doc": row.doc,
    })
}

fn param(spec: &ParamSpec) -> Value {
    let (kind, choices) = match spec.kind {
        ParamKind::Choice(names) => ("choice".to_owned(), json!(names)),
        ParamKind::Real(ty) => (format!("number in {}", ty.name()), Value::Null),
        ParamKind::RealIn(by) => (format!("number in the format of {by}"), Value::Null),
        ParamKind::Formats { operands, rounded } => {
            let count = operands + usize::from(rounded);
            (format!("{count} formats"), Value::Null)
        }
        ParamKind::Projection => ("projection".to_owned(), Value::Null),
    };
    json!({
        "name": spec.name, "kind": kind, "choices": choices, "default": spec.default,
        "doc": spec.doc,
    })
}
