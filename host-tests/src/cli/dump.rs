//! `sweep dump`: raw outputs.

use super::args::DumpArgs;
use super::{Console, Failure, Outcome, mode, options, select};
use crate::domain;
use crate::engine::{self, Runner};
use crate::names;
use crate::row::{Args, Operands, Output, Row};
use core::ops::Range;
use core::slice;
use rayon::prelude::*;

/// Inputs that a thread takes at a time.
const CHUNK: u128 = 4096;
/// Inputs between writes.
const BLOCK: u128 = 64 * CHUNK;

pub fn run(rows: &[Row], args: &DumpArgs, console: &mut Console) -> Outcome {
    console.ends_with_reader = true;
    let row = names::one(rows, &args.op)?;
    let mode = mode::args(row, &args.mode)?;
    let mut widths = [0; 3];
    for (width, ty) in widths.iter_mut().zip(row.operands) {
        *width = ty.bits();
    }
    options::dump(args)?;
    let backend = select::backend(&args.backend)?;
    let runner = backend.as_deref().map(|backend| backend as &dyn Runner);
    let range = range(row, &widths, args.range.as_deref())?;
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start.saturating_add(BLOCK));
        let chunks = (end - start).div_ceil(CHUNK) as u64;
        let parts: Result<Vec<Vec<u8>>, String> = (0..chunks)
            .into_par_iter()
            .map(|k| {
                let from = start + u128::from(k) * CHUNK;
                let inputs: Vec<_> = (from..end.min(from + CHUNK))
                    .map(|index| domain::split(widths, index))
                    .collect();
                bytes(runner, row, &mode, &inputs, args.flags)
            })
            .collect();
        for part in parts? {
            console.write(&part)?;
        }
        start = end;
    }
    Ok(0)
}

fn bytes(
    runner: Option<&dyn Runner>,
    row: &Row,
    mode: &Args,
    inputs: &[Operands],
    flags: bool,
) -> Result<Vec<u8>, String> {
    let mut outputs = vec![Output::default(); inputs.len()];
    engine::run(runner, row, slice::from_ref(mode), inputs, &mut outputs)?;
    let mut bytes = Vec::new();
    for output in &outputs {
        for (ty, bits) in row.results.iter().zip(output.results) {
            let width = ty.bits().div_ceil(8) as usize;
            bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
        }
        if flags {
            bytes.push(output.flags);
        }
    }
    Ok(bytes)
}

/// The inputs that `A..B` names; without it all inputs, if the operands have at most 16 bits.
fn range(row: &Row, widths: &[u32; 3], text: Option<&str>) -> Outcome<Range<u128>> {
    let width: u32 = widths.iter().sum();
    // 2^128 does not fit: no row has four 32-bit operands.
    let len = 1u128.checked_shl(width).unwrap_or(u128::MAX);
    let Some(text) = text else {
        if width > 16 {
            return Err(Failure::Usage(format!(
                "{}: name a part with `--range A..B`",
                select::inputs(row)
            )));
        }
        return Ok(0..len);
    };
    let bad = |why: &str| Failure::Usage(format!("`--range {text}`: {why}"));
    let (from, to) = text
        .split_once("..")
        .ok_or_else(|| bad("A..B was expected"))?;
    let end = |text: &str, default: u128| {
        if text.is_empty() {
            return Ok(default);
        }
        number(text).ok_or_else(|| bad(&format!("`{text}` is not a number (decimal or 0x...)")))
    };
    let range = end(from, 0)?..end(to, len)?;
    if range.start > range.end {
        return Err(bad("the end is below the start"));
    }
    if range.end > len {
        return Err(bad(&format!(
            "{} has only 2^{width} inputs ({len})",
            row.name
        )));
    }
    Ok(range)
}

fn number(text: &str) -> Option<u128> {
    let plain = |digits: &str, radix| {
        let fine = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        fine.then(|| u128::from_str_radix(digits, radix).ok())
            .flatten()
    };
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => plain(digits, 16),
        None => plain(text, 10),
    }
}
