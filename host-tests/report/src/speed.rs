//! The tables of speed and cost as charts: the ratios first, then every table whole. Those of models.

use crate::markdown::{self, Table, number};
use crate::text;
use serde_json::{Value, json};
use std::path::Path;

/// The files, and what they are about.
const FILES: [(&str, &str); 6] = [
    (
        "cuda-shim/evidence/compare.md",
        "On a GPU, beside NVIDIA's headers and PyTorch",
    ),
    (
        "docs/src/speed.md",
        "On a host, beside libm, std, pxfm, micromath and half",
    ),
    ("firmware/COSTS.md", "On microcontrollers"),
    (
        "cuda-shim/evidence/tensors.md",
        "Blocks, reductions and layers on a GPU",
    ),
    ("cuda-shim/evidence/speed.txt", "Every row on a GPU"),
    (
        "python/evidence/torch_cuda.md",
        "bitexact_kernels.torch on a GPU",
    ),
];

/// The files about models, and what they are about.
const MODELS: [(&str, &str); 3] = [
    ("python/evidence/axes.md", "One answer over every axis"),
    ("python/evidence/models.md", "On a CPU"),
    ("python/evidence/models_cuda.md", "On a GPU"),
];

/// A table of more lines is only on the pages of functions.
const MOST_LINES: usize = 800;

pub fn page(root: &Path) -> Result<Value, String> {
    let mut ratios = Vec::new();
    let files = files(root, &FILES, |file, found| match file {
        "cuda-shim/evidence/compare.md" => ratios.extend(beside_torch(found)),
        "docs/src/speed.md" => ratios.extend(beside_libm(found)),
        "firmware/COSTS.md" => ratios.extend(on_boards(found)),
        _ => {}
    })?;
    Ok(json!({"ratios": ratios, "files": files}))
}

pub fn models(root: &Path) -> Result<Value, String> {
    Ok(json!({"files": files(root, &MODELS, |_, _| {})?}))
}

/// The tables of files, and what `each` makes of them.
fn files(
    root: &Path,
    files: &[(&str, &str)],
    mut each: impl FnMut(&str, &[Table]),
) -> Result<Vec<Value>, String> {
    let mut tables = Vec::new();
    for &(file, title) in files {
        let content = text(&root.join(file))?;
        let found = markdown::tables(file, &content)?;
        // What is said before the first table names the machine.
        let machine: Vec<_> = content
            .lines()
            .take_while(|line| !line.starts_with('|'))
            .collect();
        let machine = machine
            .iter()
            .find(|line| line.contains("NVIDIA") || line.contains("Intel"));
        each(file, &found);
        let shown: Vec<_> = found
            .iter()
            .filter(|table| table.rows.len() < MOST_LINES)
            .map(whole)
            .collect();
        tables.push(json!({"file": file, "title": title, "machine": machine, "tables": shown}));
    }
    Ok(tables)
}

/// A chart: lines with a label and bars, each a ratio; 1 is as fast.
fn chart(
    title: &str,
    note: &str,
    source: &str,
    names: &[&str],
    lines: Vec<(String, Vec<Option<f64>>)>,
) -> Value {
    let most = lines
        .iter()
        .flat_map(|(_, bars)| bars)
        .flatten()
        .fold(1.0, |most: f64, ratio| most.max(*ratio));
    // The bars' scale is logarithmic from 1/8 of the least power of two to the largest ratio.
    let share = |ratio: f64| {
        ((ratio.max(0.125) * 8.0).log2() / (most * 8.0).log2() * 1000.0).round() / 10.0
    };
    let line = |(label, bars): (String, Vec<Option<f64>>)| {
        let bar = |ratio: &Option<f64>| {
            ratio.map(|ratio| json!({"ratio": format!("{ratio:.2}"), "share": share(ratio), "slower": ratio < 1.0}))
        };
        json!({"label": label, "bars": bars.iter().map(bar).collect::<Vec<_>>()})
    };
    let lines: Vec<_> = lines.into_iter().map(line).collect();
    json!({"title": title, "note": note, "source": source, "names": names, "one": share(1.0), "lines": lines})
}

fn column(table: &Table, name: &str) -> Option<usize> {
    table.head.iter().position(|head| head == name)
}

fn beside_torch(tables: &[Table]) -> Option<Value> {
    let table = tables.first()?;
    let own = column(table, "bitexact")?;
    let others = [
        "PyTorch eager",
        "PyTorch compiled",
        "cuda_fp16.h, cuda_bf16.h",
    ];
    let columns = others.map(|name| column(table, name));
    let line = |row: &Vec<String>| {
        let of = number(&row[own])?;
        let bars = columns
            .iter()
            .map(|at| Some(of / number(&row[(*at)?])?))
            .collect();
        Some((row[0].clone(), bars))
    };
    Some(chart(
        "NVIDIA H200: throughput divided by that of the others",
        "2^28 elements of N(0, 1). Above 1, bitexact is faster.",
        FILES[0].0,
        &others,
        table.rows.iter().filter_map(line).collect(),
    ))
}

fn beside_libm(tables: &[Table]) -> Option<Value> {
    let table = tables.iter().find(|table| {
        column(table, "libm, 2^20 with building").is_some() && table.head[0] == "function"
    })?;
    let names = ["libm", "std", "pxfm", "micromath", "one at a time"];
    let columns = names.map(|name| column(table, name));
    let line = |row: &Vec<String>| {
        let bars = columns.iter().map(|at| number(row.get((*at)?)?)).collect();
        (row[0].clone(), bars)
    };
    Some(chart(
        "Host, f16: how many times as long the others take",
        "2^16 elements of N(0, 1) by the table, on an Intel Xeon with AVX-512; the last bar is for calls one at a time.",
        FILES[1].0,
        &names,
        table.rows.iter().map(line).collect(),
    ))
}

fn on_boards(tables: &[Table]) -> Option<Value> {
    let each = |table: &&Table| table.heading == "Each function" && table.head.len() > 8;
    let table = tables.iter().find(each)?;
    let median = |target: &str, name: &str, variant: &str| {
        let line = table.rows.iter().find(|line| {
            line[0] == target && line[1] == name && line[2] == variant && line[3] == "3"
        });
        number(&line?[8])
    };
    let boards = ["m0", "m4", "m4f"];
    let mut names: Vec<&str> = Vec::new();
    for line in &table.rows {
        if line[2] == "libm" && !names.contains(&line[1].as_str()) {
            names.push(&line[1]);
        }
    }
    let line = |name: &&str| {
        let bars =
            boards.map(|board| Some(median(board, name, "libm")? / median(board, name, "ne")?));
        ((*name).to_owned(), bars.to_vec())
    };
    Some(chart(
        "Microcontrollers: instructions of libm's f32 function, divided by bitexact's",
        "Medians of one call with conversions, ties to even, opt-level 3, counted by QEMU. Cortex-M0 and M4 have no FPU here, M4F has.",
        FILES[2].0,
        &["Cortex-M0", "Cortex-M4", "Cortex-M4F"],
        names.iter().map(line).collect(),
    ))
}

/// A whole table; a number's bar is its share of the largest in the column.
fn whole(table: &Table) -> Value {
    let largest: Vec<f64> = (0..table.head.len())
        .map(|at| {
            table
                .rows
                .iter()
                .filter_map(|row| number(row.get(at)?))
                .fold(0.0, f64::max)
        })
        .collect();
    let cell = |(at, cell): (usize, &String)| {
        let share = number(cell).filter(|value| at > 0 && *value >= 0.0 && largest[at] > 0.0);
        json!({"text": cell, "share": share.map(|value| (value / largest[at] * 100.0).round())})
    };
    let rows: Vec<Vec<_>> = table
        .rows
        .iter()
        .map(|row| row.iter().enumerate().map(cell).collect())
        .collect();
    json!({"heading": table.heading, "caption": table.caption, "head": table.head, "rows": rows})
}
