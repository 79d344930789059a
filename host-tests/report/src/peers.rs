//! The records of other libraries: `docs/site/peers`, and the counts of NVIDIA's headers in
//! `cuda-shim/evidence/compare.md`.

use crate::{markdown, names, text};
use serde_json::{Map, Value, json};
use std::path::Path;
use sweep_row::{Row, Ty, number};

/// The columns, in their order.
const ORDER: [&str; 11] = [
    "torch-cpu-eager",
    "torch-cpu-compiled",
    "torch-cuda-eager",
    "torch-cuda-compiled",
    "cuda-headers",
    "jax",
    "numpy",
    "rust-std",
    "rust-libm",
    "rust-micromath",
    "rust-pxfm",
];

const COMPARE: &str = "cuda-shim/evidence/compare.md";
/// The columns of that file that count wrong results, for what has no record of its own: the
/// column, the name of the record.
const COUNTED: [(&str, &str, &str); 3] = [
    ("cuda_fp16.h, cuda_bf16.h", "cuda-headers", "CUDA headers"),
    ("PyTorch eager", "torch-cuda-eager", "PyTorch CUDA eager"),
    (
        "PyTorch compiled",
        "torch-cuda-compiled",
        "PyTorch CUDA compiled",
    ),
];

/// A library.
pub struct Peer {
    pub id: String,
    head: Value,
    results: Map<String, Value>,
}

/// All of them, and this library's error in each of 512 ranges of the inputs.
pub struct Peers {
    pub all: Vec<Peer>,
    own: Map<String, Value>,
}

pub fn read(root: &Path) -> Result<Peers, String> {
    let folder = root.join("docs/site/peers");
    let mut all = Vec::new();
    let mut own = Map::new();
    for name in names(&folder)? {
        let Some(id) = name.strip_suffix(".json") else {
            continue;
        };
        let parsed = serde_json::from_str(&text(&folder.join(&name))?);
        let mut head: Value = parsed.map_err(|error| format!("docs/site/peers/{name}: {error}"))?;
        if !head.is_object() {
            return Err(format!("docs/site/peers/{name} is no record of a library"));
        }
        let Value::Object(results) = head["results"].take() else {
            return Err(format!("docs/site/peers/{name} has no results"));
        };
        head["record"] = json!(format!("docs/site/peers/{name}"));
        if id == "own" {
            own = results;
        } else {
            all.push(Peer {
                id: id.into(),
                head,
                results,
            });
        }
    }
    counted(root, &mut all)?;
    let place = |peer: &Peer| {
        ORDER
            .iter()
            .position(|id| *id == peer.id)
            .unwrap_or(ORDER.len())
    };
    all.sort_by_key(place);
    Ok(Peers { all, own })
}

/// The peers of which there are only counts.
fn counted(root: &Path, all: &mut Vec<Peer>) -> Result<(), String> {
    let text = text(&root.join(COMPARE))?;
    let line = |start: &str| {
        let found = text.lines().find(|line| line.starts_with(start));
        found.unwrap_or_default().to_owned()
    };
    let tables = markdown::tables(COMPARE, &text)?;
    let table = tables
        .first()
        .ok_or_else(|| format!("{COMPARE} has no table"))?;
    for (column, id, name) in COUNTED {
        let Some(at) = table.head.iter().position(|head| head == column) else {
            return Err(format!("{COMPARE} has no column `{column}`"));
        };
        if all.iter().any(|peer| peer.id == id) {
            continue;
        }
        let wrong = |row: &Vec<String>| {
            let count = row[at]
                .split_once(';')?
                .1
                .trim()
                .replace(',', "")
                .parse::<u64>();
            Some((row[0].clone(), json!({"wrong": count.ok()?})))
        };
        let version = line(if id == "cuda-headers" {
            "Cuda compilation"
        } else {
            "PyTorch"
        });
        let head = json!({
            "peer": name, "version": version, "device": "NVIDIA H200", "date": "", "record": COMPARE,
            "command": "ci/gpu-bundle.sh FOLDER; FOLDER/run.sh FOLDER (counts only)",
        });
        let results = table.rows.iter().filter_map(wrong).collect();
        all.push(Peer {
            id: id.into(),
            head,
            results,
        });
    }
    Ok(())
}

impl Peers {
    /// What the columns are.
    pub fn heads(&self) -> Vec<Value> {
        let head = |peer: &Peer| {
            let mut head = peer.head.clone();
            head["id"] = json!(peer.id);
            head["rows"] = json!(peer.results.len());
            head["right"] = json!(peer.results.values().filter(|of| of["wrong"] == 0).count());
            head
        };
        self.all.iter().map(head).collect()
    }

    /// The table of all: a line for each row of the catalog that some library has.
    pub fn table(&self, rows: &[Row]) -> Vec<Value> {
        let line = |row: &Row| {
            let cells: Vec<_> = self.all.iter().map(|peer| self.cell(row, peer)).collect();
            let any = cells.iter().any(|cell| !cell.is_null());
            let format = row.name.split_once('.').map_or("", |(_, format)| format);
            any.then(|| json!({"name": row.name, "op": row.op, "format": format, "doc": row.doc, "cells": cells}))
        };
        // Conversions stand first in the catalog, and are the least of interest.
        let (conversions, functions): (Vec<_>, Vec<_>) =
            rows.iter().partition(|row| row.op == "convert");
        functions
            .into_iter()
            .chain(conversions)
            .filter_map(line)
            .collect()
    }

    fn cell(&self, row: &Row, peer: &Peer) -> Value {
        let Some(found) = peer.results.get(row.name) else {
            return Value::Null;
        };
        let mut cell = found.clone();
        cell["id"] = json!(peer.id);
        cell["peer"] = peer.head["peer"].clone();
        if let Value::Object(cell) = &mut cell {
            cell.remove("buckets");
            cell.remove("points");
        }
        let code = |at: usize| u64::from_str_radix(found["worst"][at].as_str()?, 16).ok();
        if let (Some(x), Some(expected), Some(given)) = (code(0), code(1), code(2)) {
            let show = |ty: Ty, bits: u64| json!({"hex": number::hex(ty, bits), "value": number::value(ty, bits)});
            let (from, to) = (row.operands[0], row.results[0]);
            let fits = |ty: Ty, code: u64| code.checked_shr(ty.bits()).unwrap_or(0) == 0;
            if !(fits(from, x) && fits(to, expected) && fits(to, given)) {
                return Value::Null;
            }
            cell["worst"] = json!({"x": show(from, x), "expected": show(to, expected), "given": show(to, given)});
        }
        cell
    }

    /// A row of the catalog in every library that has it: the lines of its table.
    pub fn of_row(&self, row: &Row) -> Vec<Value> {
        let cells = self.all.iter().map(|peer| self.cell(row, peer));
        cells.filter(|cell| !cell.is_null()).collect()
    }

    /// What its plot shows: nothing where this library's own error is not recorded.
    pub fn plot(&self, row: &Row) -> Option<Value> {
        let band = self.own.get(row.name)?.get("band")?;
        let of = |peer: &Peer| {
            let found = peer.results.get(row.name)?;
            let buckets = found.get("buckets")?;
            Some(
                json!({"id": peer.id, "peer": peer.head["peer"], "wrong": found["wrong"], "buckets": buckets, "points": found["points"]}),
            )
        };
        let peers: Vec<_> = self.all.iter().filter_map(of).collect();
        Some(json!({
            "row": row.name, "operand": row.operands[0].name(), "result": row.results[0].name(), "band": band, "peers": peers,
        }))
    }
}
