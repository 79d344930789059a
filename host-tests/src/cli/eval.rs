//! `sweep eval`: results in TestFloat's line format.

use super::args::EvalArgs;
use super::lines::{self, Lines};
use super::{Console, Failure, Outcome, blocks, mode};
use crate::engine::params;
use crate::names;
use crate::number;
use crate::row::{Args, Operands, Output, Row};
use core::slice;

/// Lines that are read before their results are written, unless the input pauses.
const BATCH: usize = 1024;

pub fn run(rows: &[Row], args: &EvalArgs, console: &mut Console) -> Outcome {
    console.ends_with_reader = true;
    if let Some(line) = blocks::line(args) {
        console.print(format_args!("{}\n", line.map_err(Failure::Usage)?))?;
        return Ok(0);
    }
    let row = names::one(rows, &args.op)?;
    if args.dialect.is_some() {
        return Err(Failure::Usage(format!(
            "`--dialect` has no effect on {}",
            row.name
        )));
    }
    let mode = mode::args(row, &args.mode)?;
    let arity = row.operands.len();
    if !args.operands.is_empty() {
        if !args.operands.len().is_multiple_of(arity) {
            return Err(Failure::Usage(format!(
                "{} takes {}; {} given",
                row.name,
                lines::count(arity, "operand"),
                lines::count(args.operands.len(), "number")
            )));
        }
        let fields: Vec<&str> = args.operands.iter().map(String::as_str).collect();
        let inputs: Result<Vec<_>, _> = fields
            .chunks(arity)
            .map(|fields| operands(row, &mode, fields))
            .collect();
        answer(row, &mode, &inputs?, console)?;
        return Ok(0);
    }
    let mut batch = Vec::with_capacity(BATCH);
    let mut number = 0;
    loop {
        // A reader that waits for each result (a pipe both ways) must get it, so only lines that
        // have already arrived are batched.
        let (next, more) = {
            let mut lines = Lines {
                reader: &mut console.stdin,
                number,
            };
            let next = read(row, &mode, &mut lines);
            number = lines.number;
            (next, console.stdin.buffer().contains(&b'\n'))
        };
        match next {
            Ok(Some(input)) => batch.push(input),
            Ok(None) => {
                answer(row, &mode, &batch, console)?;
                return Ok(0);
            }
            Err(failure) => {
                // The bad line decides the status, whether or not these results can be written.
                let _ = answer(row, &mode, &batch, console);
                return Err(failure);
            }
        }
        if batch.len() == BATCH || !more {
            answer(row, &mode, &batch, console)?;
            console.flush()?;
            batch.clear();
        }
    }
}

fn read(row: &Row, mode: &Args, lines: &mut Lines) -> Outcome<Option<Operands>> {
    let Some(line) = lines.next()? else {
        return Ok(None);
    };
    let fields: Vec<&str> = line.split_whitespace().collect();
    if fields.len() != row.operands.len() {
        return Err(lines.fail(&format!(
            "{} takes {}; {} there",
            row.name,
            lines::count(row.operands.len(), "operand"),
            lines::count(fields.len(), "field")
        )));
    }
    operands(row, mode, &fields)
        .map(Some)
        .map_err(|why| lines.fail(&why))
}

/// The operands in the first fields.
pub fn operands(row: &Row, mode: &Args, fields: &[&str]) -> Result<Operands, String> {
    let mut operands = Operands::default();
    for (operand, bits) in operands
        .iter_mut()
        .zip(lines::numbers(fields, row.operands)?)
    {
        *operand = bits;
    }
    params::codes(row, &mode.params, &operands)?;
    Ok(operands)
}

fn answer(row: &Row, mode: &Args, inputs: &[Operands], console: &mut Console) -> Outcome<()> {
    let mut outputs = vec![Output::default(); inputs.len()];
    (row.run)(slice::from_ref(mode), inputs, &mut outputs);
    for (input, output) in inputs.iter().zip(&outputs) {
        console.print(format_args!("{}\n", line(row, input, output)))?;
    }
    Ok(())
}

/// `operands results flags`.
pub fn line(row: &Row, input: &Operands, output: &Output) -> String {
    let operands = row.operands.iter().zip(input);
    let results = row.results.iter().zip(&output.results);
    let numbers = operands
        .chain(results)
        .map(|(ty, bits)| number::hex(*ty, *bits));
    let numbers: Vec<_> = numbers.collect();
    format!("{} {:02X}", numbers.join(" "), output.flags)
}
