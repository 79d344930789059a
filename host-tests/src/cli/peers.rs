//! `sweep peers`: how often other libraries are wrong.

use super::args::PeersArgs;
use super::{Console, Failure, Outcome, select, table};
use crate::peers::{self, Count};
use crate::row::Row;
use std::collections::BTreeSet;
use sweep_inputs::Rounding;

pub fn run(rows: &[Row], args: &PeersArgs, console: &mut Console) -> Outcome {
    let counts = peers::compare(&select::rows(rows, &args.op)?)?;
    if counts.is_empty() {
        let why = "no peer has a function for these rows";
        return Err(Failure::Usage(why.into()));
    }
    let [even, away, zero, up, down, odd] = Rounding::ALL.map(Rounding::name).map(String::from);
    let mut lines = vec![["row".into(), "peer".into(), even, away, zero, up, down, odd]];
    for counts in &counts {
        let [even, away, zero, up, down, odd] = counts.modes.map(cell);
        let (row, peer) = (counts.row.name.into(), counts.peer.into());
        lines.push([row, peer, even, away, zero, up, down, odd]);
    }
    console.print(format_args!(
        "Wrong results out of 65,536 per row, (maximum error in ulp), results that are NaN on one side only\n{}",
        table::render(&lines, |column| column > 1)
    ))?;
    let compared: BTreeSet<_> = counts.iter().map(|counts| counts.row.name).collect();
    let left = select::unmet(rows, &args.op, |row| compared.contains(row.name));
    if let Some(pattern) = left.first() {
        let why = format!("not compared: no peer has a function for `{pattern}`");
        return Err(Failure::Usage(why));
    }
    if args.op.is_empty() {
        console.print(format_args!("\nhalf's own arithmetic, ties to even\n"))?;
        for half in peers::half()? {
            console.print(format_args!(
                "{}: {} of {} wrong\n",
                half.what, half.wrong, half.inputs
            ))?;
        }
    }
    Ok(0)
}

fn cell(count: Count) -> String {
    let mut text = count.wrong.to_string();
    if count.ulp > 0 {
        text += &format!(" ({})", count.ulp);
    }
    if count.nan > 0 {
        text += &format!(" {} NaN", count.nan);
    }
    text
}
