//! `sweep verify`: checks vectors against a kernel.

use super::args::{TininessName, VerifyArgs};
use super::lines::{self, Lines};
use super::{Console, Outcome, eval, mode, options};
use crate::names;
use crate::number;
use crate::row::{Args, Operands, Output, RoundingArg, Row};
use core::slice;
use sweep_inputs::Rounding;

const BATCH: usize = 1024;
const INVALID: u8 = 0x10;
const UNDERFLOW: u8 = 0x02;
const INEXACT: u8 = 0x01;

/// One line.
struct Vector {
    number: u64,
    operands: Operands,
    expected: Output,
}

pub fn run(rows: &[Row], args: &VerifyArgs, console: &mut Console) -> Outcome {
    let row = names::one(rows, &args.op)?;
    options::verify(row, args)?;
    let mode = mode::args(row, &args.mode)?;
    let (mut seen, mut wrong) = (0u64, 0u64);
    let mut number = 0;
    let mut batch = Vec::with_capacity(BATCH);
    let end = loop {
        let mut lines = Lines {
            reader: &mut console.stdin,
            number,
        };
        let next = read(row, &mode, args, &mut lines);
        number = lines.number;
        match next {
            Ok(Some(vector)) => batch.push(vector),
            Ok(None) => break Ok(()),
            Err(failure) => break Err(failure),
        }
        if batch.len() == BATCH {
            seen += batch.len() as u64;
            check(row, &mode, args, &batch, &mut wrong, console)?;
            batch.clear();
        }
    };
    seen += batch.len() as u64;
    check(row, &mode, args, &batch, &mut wrong, console)?;
    if wrong > args.show as u64 {
        console.print(format_args!("... and {} more\n", wrong - args.show as u64))?;
    }
    console.print(format_args!(
        "{}: {seen} vectors, {wrong} mismatches\n",
        row.name
    ))?;
    console.flush()?;
    end?;
    if seen == 0 {
        return Err(format!("no vectors for {} on standard input", row.name).into());
    }
    Ok(u8::from(wrong > 0))
}

fn read(row: &Row, mode: &Args, args: &VerifyArgs, lines: &mut Lines) -> Outcome<Option<Vector>> {
    let Some(line) = lines.next()? else {
        return Ok(None);
    };
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (inputs, results) = (row.operands.len(), row.results.len());
    let numbers = inputs + results;
    let flagged = fields.len() == numbers + 1;
    let flagless = args.no_flags && fields.len() == numbers;
    if !flagged && !flagless {
        return Err(lines.fail(&format!(
            "{} vectors have {} and {}{}; {} there",
            row.name,
            lines::count(inputs, "operand"),
            lines::count(results, "result"),
            if args.no_flags { "" } else { " and the flags" },
            lines::count(fields.len(), "field")
        )));
    }
    let parse = || -> Result<Vector, String> {
        let mut expected = Output::default();
        let found = lines::numbers(&fields[inputs..numbers], row.results)?;
        for (result, bits) in expected.results.iter_mut().zip(found) {
            *result = bits;
        }
        if flagged {
            expected.flags = lines::flags(fields[numbers])?;
        }
        let operands = eval::operands(row, mode, &fields[..inputs])?;
        Ok(Vector {
            number: lines.number,
            operands,
            expected,
        })
    };
    parse().map(Some).map_err(|why| lines.fail(&why))
}

fn check(
    row: &Row,
    mode: &Args,
    args: &VerifyArgs,
    batch: &[Vector],
    wrong: &mut u64,
    console: &mut Console,
) -> Outcome<()> {
    let inputs: Vec<_> = batch.iter().map(|vector| vector.operands).collect();
    let mut outputs = vec![Output::default(); inputs.len()];
    (row.run)(slice::from_ref(mode), &inputs, &mut outputs);
    if args.tininess == TininessName::Before {
        tiny_before(row, mode, &inputs, &mut outputs);
    }
    for (vector, got) in batch.iter().zip(&outputs) {
        if equal(row, args, &vector.expected, got) {
            continue;
        }
        *wrong += 1;
        if *wrong > args.show as u64 {
            continue;
        }
        let show = |output: &Output| {
            let results = row.results.iter().zip(output.results);
            let words: Vec<_> = results
                .map(|(ty, bits)| {
                    format!("{} ({})", number::hex(*ty, bits), number::value(*ty, bits))
                })
                .collect();
            if args.no_flags {
                words.join(" ")
            } else {
                format!("{} flags {:02X}", words.join(" "), output.flags)
            }
        };
        let operands = row.operands.iter().zip(vector.operands);
        let operands: Vec<_> = operands
            .map(|(ty, bits)| format!("{} ({})", number::hex(*ty, bits), number::value(*ty, bits)))
            .collect();
        console.print(format_args!(
            "line {}: {} {}: expected {}, got {}\n",
            vector.number,
            row.name,
            operands.join(" "),
            show(&vector.expected),
            show(got)
        ))?;
    }
    Ok(())
}

fn equal(row: &Row, args: &VerifyArgs, expected: &Output, got: &Output) -> bool {
    let invalid = got.flags & INVALID != 0 && (args.no_flags || expected.flags & INVALID != 0);
    let mut results = row
        .results
        .iter()
        .zip(expected.results.iter().zip(got.results));
    let same = results.all(|(ty, (expected, got))| {
        *expected == got
            || !args.check_nans && number::is_nan(*ty, *expected) && number::is_nan(*ty, got)
            || args.any_invalid_integer && invalid && number::integer(*ty).is_some()
    });
    same && (args.no_flags || expected.flags == got.flags)
}

/// The flags if tininess were detected before rounding.
///
/// The two rules differ only where the exact value is below the smallest normal number and rounds
/// up to it. There the result is that number and inexact, and rounding towards zero gives a smaller
/// one; so the kernel itself identifies these inputs.
fn tiny_before(row: &Row, mode: &Args, inputs: &[Operands], outputs: &mut [Output]) {
    let Some(float) = row.results.first().and_then(|ty| number::float(*ty)) else {
        return;
    };
    if !row.takes_rounding {
        return;
    }
    let magnitude = |output: &Output| output.results[0] & float.magnitude_mask();
    let down = [Args {
        rounding: RoundingArg::Fixed(Rounding::TowardZero),
        ..mode.clone()
    }];
    for (input, output) in inputs.iter().zip(outputs) {
        if output.flags & INEXACT == 0 || magnitude(output) != float.min_normal() {
            continue;
        }
        let mut cut = [Output::default()];
        (row.run)(&down, slice::from_ref(input), &mut cut);
        if magnitude(&cut[0]) < float.min_normal() {
            output.flags |= UNDERFLOW;
        }
    }
}
