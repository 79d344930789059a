//! The page of each function: its definition, how others err, costs, what is verified.

use crate::markdown::{self, Table, number};
use crate::peers::Peers;
use crate::verified::Verified;
use crate::{script, special, text};
use bitexact::catalog::ROWS;
use serde_json::{Value, json};
use std::path::Path;
use sweep_row::Row;

const COSTS: &str = "firmware/COSTS.md";
const GPU: &str = "cuda-shim/evidence/compare.md";
const GPU_ALL: &str = "cuda-shim/evidence/speed.txt";
const HOST: &str = "docs/src/speed.md";
const EXHAUSTIVE: &str = "cuda-shim/evidence/exhaustive.md";
const ROUNDINGS: &str = "host-tests/evidence/peers.txt";

/// The columns of `COSTS.md`'s table of each function.
mod cost {
    pub const TARGET: usize = 0;
    pub const FUNCTION: usize = 1;
    pub const VARIANT: usize = 2;
    pub const LEVEL: usize = 3;
    pub const FLASH: usize = 4;
    pub const STACK: usize = 6;
    pub const MEDIAN: usize = 8;
    pub const MOST: usize = 9;
}

/// The pages, in the catalog's order.
pub fn all(
    root: &Path,
    rows: &[Row],
    peers: &Peers,
    verified: &Verified,
) -> Result<Vec<Value>, String> {
    let read = |file: &str| markdown::tables(file, &text(&root.join(file))?);
    let costs = read(COSTS)?
        .into_iter()
        .find(|table| table.heading == "Each function" && table.head.len() > cost::MOST);
    let costs = costs.ok_or_else(|| format!("{COSTS} has no table of each function"))?;
    let (gpu, gpu_all, host) = (read(GPU)?, read(GPU_ALL)?, read(HOST)?);
    let exhaustive = read(EXHAUSTIVE)?;
    let roundings = text(&root.join(ROUNDINGS))?;
    let mut ops: Vec<&str> = Vec::new();
    for row in rows {
        if ops.last() != Some(&row.op) {
            ops.push(row.op);
        }
    }
    let page = |(at, op): (usize, &&str)| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.op == *op).collect();
        let first = ROWS.iter().find(|row| row.kernel == *op);
        let first = first.ok_or_else(|| format!("the catalog has no `{op}`"))?;
        let plots: Vec<Value> = own.iter().filter_map(|row| peers.plot(row)).collect();
        let compared: Vec<Value> = own
            .iter()
            .map(|row| json!({"row": row.name, "format": format(row), "result": row.results[0].name(), "peers": peers.of_row(row)}))
            .filter(|of| of["peers"].as_array().is_some_and(|peers| !peers.is_empty()))
            .collect();
        let special: Vec<Value> = own
            .iter()
            .filter_map(|row| Some(json!({"row": row.name, "table": special::table(row)?})))
            .collect();
        let rows: Vec<Value> = own
            .iter()
            .map(|row| json!({"name": row.name, "verified": verified.get(row.name)}))
            .collect();
        Ok(json!({
            "name": op, "title": op, "root": "../", "doc": first.doc, "call": first.call.trim_end_matches("_status"),
            "source": source(root, first.call, op), "rows": rows, "compared": compared, "special": special,
            "plots": script(&json!(plots)), "has_plots": !plots.is_empty(),
            "roundings": of_roundings(&roundings, &own), "exhaustive": of_exhaustive(&exhaustive, op),
            "costs": of_costs(&costs, &own), "gpu": of_gpu(&gpu, &own), "gpu_all": of_gpu(&gpu_all, &own), "host": of_host(&host, op),
            "previous": at.checked_sub(1).map(|at| ops[at]), "next": ops.get(at + 1),
        }))
    };
    ops.iter().enumerate().map(page).collect()
}

/// `f16`; `f16.bf16` of a conversion.
fn format<'a>(row: &Row) -> &'a str {
    row.name.split_once('.').map_or("", |(_, format)| format)
}

/// The file or folder of a kernel.
fn source(root: &Path, call: &str, op: &str) -> String {
    let module = call.split("::").next().unwrap_or_default();
    let stem = op.strip_suffix("_backward").unwrap_or(op);
    let names = [op, stem].map(|name| format!("kernels/src/{module}/{name}.rs"));
    let found = names.into_iter().find(|name| root.join(name).is_file());
    found.unwrap_or_else(|| format!("kernels/src/{module}"))
}

/// On microcontrollers: for each row and target the median of each variant at the highest level.
fn of_costs(costs: &Table, own: &[&Row]) -> Vec<Value> {
    let mut lines: Vec<Value> = Vec::new();
    for row in own {
        let name = match row.op {
            "convert" => row
                .name
                .replacen('.', "/", 1)
                .replace('.', "_")
                .replacen('/', ".", 1),
            _ => row.name.to_owned(),
        };
        let of = costs
            .rows
            .iter()
            .filter(|line| line[cost::FUNCTION] == name && line[cost::LEVEL] == "3");
        for line in of {
            let (target, variant) = (&line[cost::TARGET], &line[cost::VARIANT]);
            let known = lines
                .iter()
                .position(|one| one["row"] == row.name && one["target"] == *target);
            let at = known.unwrap_or_else(|| {
                lines.push(json!({"row": row.name, "target": target}));
                lines.len() - 1
            });
            lines[at][variant.as_str()] = json!({
                "median": line[cost::MEDIAN], "most": line[cost::MOST], "flash": line[cost::FLASH], "stack": line[cost::STACK],
            });
        }
    }
    for line in &mut lines {
        let median = |variant: &str| line[variant]["median"].as_str().and_then(number);
        let ratio = |variant| Some((median(variant)? / median("ne")? * 100.0).round() / 100.0);
        (line["libm_ratio"], line["micromath_ratio"]) =
            (json!(ratio("libm")), json!(ratio("micromath")));
    }
    lines
}

/// The lines of tables of GPUs whose first cell names one of the rows.
fn of_gpu(tables: &[Table], own: &[&Row]) -> Value {
    let found = tables.iter().map(|table| {
        let ours = |line: &&Vec<String>| own.iter().any(|row| row.name == line[0]);
        json!({"head": table.head, "rows": table.rows.iter().filter(ours).collect::<Vec<_>>()})
    });
    found
        .filter(|table| {
            table["rows"]
                .as_array()
                .is_some_and(|rows| !rows.is_empty())
        })
        .collect()
}

/// The lines of tables of a host whose first cell is the function.
fn of_host(tables: &[Table], op: &str) -> Value {
    let found = tables.iter().map(|table| {
        let rows: Vec<_> = table.rows.iter().filter(|line| line[0] == op).collect();
        json!({"head": table.head, "caption": table.caption, "rows": rows})
    });
    found
        .filter(|table| {
            table["rows"]
                .as_array()
                .is_some_and(|rows| !rows.is_empty())
        })
        .collect()
}

/// The lines of `sweep peers` of these rows: the row, the library, a cell for each rounding.
fn of_roundings(text: &str, own: &[&Row]) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        let cells = line.split("  ").map(str::trim);
        cells
            .filter(|cell| !cell.is_empty())
            .map(String::from)
            .collect()
    };
    let lines = text.lines().map(cells);
    lines
        .filter(|line| own.iter().any(|row| line.len() == 8 && row.name == line[0]))
        .collect()
}

/// The runs over 2^32 inputs and more on GPUs that name an operation.
fn of_exhaustive(tables: &[Table], op: &str) -> Vec<Vec<String>> {
    let words = |cell: &str| {
        cell.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == op)
    };
    let table = tables.first();
    let rows = table.map_or(&[][..], |table| &table.rows);
    rows.iter().filter(|row| words(&row[0])).cloned().collect()
}
