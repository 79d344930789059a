//! `sweep p3109`: the operations of IEEE P3109 Interim Report 4.0, line by line.

mod declare;
mod line;
mod prove;
mod text;

use super::args::{P3109Args, P3109Command, RevisionName};
use super::{Console, Failure, Outcome};
use std::io::{BufRead, Read};

/// Longer lines are refused.
const LONGEST: u64 = 1 << 24;
/// The mismatches that are shown.
const SHOWN: u64 = 20;

pub fn run(args: &P3109Args, console: &mut Console) -> Outcome {
    let revision = args.revision.revision();
    let fixed = matches!(args.command, P3109Command::Prove | P3109Command::Declare);
    if fixed && args.revision != RevisionName::Interim4 {
        let why = "`--revision` is for `eval` and `verify` only: `prove` and `declare` are by Interim Report 4.0";
        return Err(Failure::Usage(why.into()));
    }
    match args.command {
        P3109Command::Eval => {
            console.ends_with_reader = true;
            eval(console, revision)
        }
        P3109Command::Verify => verify(console, revision),
        P3109Command::Prove => prove::run(console),
        P3109Command::Declare => declare::run(console),
    }
}

fn eval(console: &mut Console, revision: bitexact::p3109::Revision) -> Outcome {
    each_line(console, |console, number, line| {
        let answer = line::answer(line, revision).map_err(|error| error.at(number))?;
        answer.must_be_open().map_err(|error| error.at(number))?;
        console.print(format_args!("{} : {}\n", answer.question, answer.results()))?;
        // A reader that waits for each result must get it.
        if !console.stdin.buffer().contains(&b'\n') {
            console.flush()?;
        }
        Ok(())
    })
    .map(|_| 0)
}

fn verify(console: &mut Console, revision: bitexact::p3109::Revision) -> Outcome {
    let mut wrong = 0u64;
    let lines = each_line(console, |console, number, line| {
        let answer = line::answer(line, revision).map_err(|error| error.at(number))?;
        let matches = answer.matches().map_err(|error| error.at(number))?;
        if !matches {
            wrong += 1;
            if wrong <= SHOWN {
                let (given, results) = (line.trim(), answer.results());
                console.print(format_args!("line {number}: {given}: must be {results}\n"))?;
            }
        }
        Ok(())
    });
    if wrong > SHOWN {
        console.print(format_args!("... and {} more\n", wrong - SHOWN))?;
    }
    let lines = lines?;
    console.print(format_args!("p3109: {lines} lines, {wrong} mismatches\n"))?;
    if lines == 0 {
        return Err(Failure::Usage("no line on standard input".into()));
    }
    Ok(u8::from(wrong > 0))
}

/// Calls for each line that is neither empty nor a comment; returns their number.
fn each_line(
    console: &mut Console,
    mut judge: impl FnMut(&mut Console, u64, &str) -> Outcome<()>,
) -> Outcome<u64> {
    let (mut number, mut lines) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        number += 1;
        bytes.clear();
        let fail = |why: String| Failure::Usage(format!("line {number} of standard input: {why}"));
        (&mut console.stdin)
            .take(LONGEST + 1)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| fail(format!("cannot be read: {error}")))?;
        if bytes.is_empty() {
            return Ok(lines);
        }
        if bytes.len() as u64 > LONGEST {
            return Err(fail(format!("longer than {LONGEST} bytes")));
        }
        let line = std::str::from_utf8(&bytes).map_err(|_| fail("not text (UTF-8)".into()))?;
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        lines += 1;
        judge(console, number, line.trim_end_matches(['\n', '\r']))?;
    }
}
