//! From `run`'s arguments to the rows, modes and settings that are swept.

use super::args::{BackendName, RoundingName, RunArgs};
use super::{Failure, Outcome, mode, select};
use crate::engine::{self, Filter, Plan, params};
use crate::row::{RoundingArg, Row};

/// The requested rows, with their modes: none for a row without any of the requested roundings.
pub fn plans(rows: &[Row], args: &RunArgs) -> Outcome<Vec<Plan>> {
    let selected = select::rows(rows, &args.op)?;
    refuse_modes(&selected, args)?;
    let filter = filter(args)?;
    let given = mode::pairs(&args.params)?;
    // Other back ends are compared with recorded digests, which takes as long for all settings as
    // an oracle for four.
    let host = args.backend.backend == BackendName::Host;
    let sampled = host && given.is_empty() && !args.exhaustive;
    let mut plans = Vec::new();
    for row in &selected {
        let setting = if given.is_empty() {
            None
        } else {
            Some(params::parse(row, &given)?)
        };
        let mut plan = Plan::new(row, args.exhaustive, &filter, setting);
        if sampled {
            plan.settings
                .retain(|setting| params::in_sample(row, setting));
        }
        plans.push(plan);
    }
    if plans.iter().all(|plan| plan.cells() == 0) {
        return Err(Failure::Usage(
            "none of these rows has such a rounding".into(),
        ));
    }
    Ok(plans)
}

/// Refuses `--rounding` and `--overflow` where only operations of P3109 would take them, whose
/// projection says both.
fn refuse_modes(rows: &[Row], args: &RunArgs) -> Outcome<()> {
    let Some(row) = rows.iter().find(|row| params::projects(row)) else {
        return Ok(());
    };
    for (given, taken, option) in [
        (
            !args.rounding.is_empty(),
            rows.iter().any(|row| row.takes_rounding),
            "--rounding",
        ),
        (
            !args.overflow.is_empty(),
            rows.iter().any(|row| row.takes_overflow),
            "--overflow",
        ),
    ] {
        if given && !taken {
            return Err(Failure::Usage(mode::in_projection(row, option)));
        }
    }
    Ok(())
}

/// Why a row is not compared in stochastic rounding, if that was requested and it has none.
pub fn no_stochastic(args: &RunArgs, row: &Row) -> Option<&'static str> {
    let asked = args.rounding.contains(&RoundingName::Stochastic);
    (asked && row.takes_rounding && !row.has_stochastic)
        .then_some("it has no stochastic rounding, so it is not compared in it")
}

fn filter(args: &RunArgs) -> Outcome<Filter> {
    let words: Result<Vec<u16>, _> = args
        .bits
        .iter()
        .map(|text| mode::random_bits(text))
        .collect();
    let words = words?;
    let stochastic = args.rounding.contains(&RoundingName::Stochastic);
    if !words.is_empty() && !stochastic {
        let why = "`--bits` is for `--rounding stochastic` only";
        return Err(Failure::Usage(why.into()));
    }
    let words = if words.is_empty() {
        engine::RANDOM_WORDS.to_vec()
    } else {
        words
    };
    let mut roundings = Vec::new();
    for name in &args.rounding {
        match mode::fixed(*name) {
            Some(fixed) => roundings.push(RoundingArg::Fixed(fixed)),
            None => roundings.extend(words.iter().copied().map(RoundingArg::Stochastic)),
        }
    }
    let overflows: Vec<_> = args.overflow.iter().copied().map(mode::overflow).collect();
    Ok(Filter {
        roundings: (!roundings.is_empty()).then(|| once(roundings)),
        overflows: (!overflows.is_empty()).then(|| once(overflows)),
    })
}

/// Removes duplicates, keeping the first of each.
fn once<T: PartialEq>(things: Vec<T>) -> Vec<T> {
    let mut kept = Vec::new();
    for thing in things {
        if !kept.contains(&thing) {
            kept.push(thing);
        }
    }
    kept
}
