//! From `run`'s arguments to the rows, modes and settings that are swept.

use super::args::{BackendName, OverflowName, RoundingName, RunArgs};
use super::{Failure, Outcome, mode, select};
use crate::engine::{self, Filter, Plan, params};
use crate::row::{RoundingArg, Row};
use clap::ValueEnum;
use std::collections::BTreeSet;

/// The requested rows, with their modes: none for a row without any of the requested roundings.
pub fn plans(rows: &[Row], args: &RunArgs) -> Outcome<Vec<Plan>> {
    #[cfg_attr(not(feature = "cuda"), expect(unused_mut))]
    let mut selected = select::rows(rows, &args.op)?;
    #[cfg(feature = "cuda")]
    if args.backend.backend == BackendName::Cuda && args.op.is_empty() {
        selected.retain(|row| cuda_shim::has_entry(row.name));
    }
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

/// Refuses `--rounding` and `--overflow` where no row takes them. Operations of P3109 have both in
/// their projection.
fn refuse_modes(rows: &[Row], args: &RunArgs) -> Outcome<()> {
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
            let projects = rows.iter().find(|row| params::projects(row));
            let no_effect = || format!("`{option}` has no effect: none of these rows takes it");
            let why = projects.map_or_else(no_effect, |row| mode::in_projection(row, option));
            return Err(Failure::Usage(why));
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
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    };
    // In one order, each once: however they are given, the plan is the same.
    let mut roundings = Vec::new();
    for name in RoundingName::value_variants() {
        match mode::fixed(*name) {
            _ if !args.rounding.contains(name) => {}
            Some(fixed) => roundings.push(RoundingArg::Fixed(fixed)),
            None => roundings.extend(words.iter().copied().map(RoundingArg::Stochastic)),
        }
    }
    let given = |name: &&OverflowName| args.overflow.contains(name);
    let overflows = OverflowName::value_variants().iter().filter(given);
    let overflows: Vec<_> = overflows.copied().map(mode::overflow).collect();
    Ok(Filter {
        roundings: (!roundings.is_empty()).then_some(roundings),
        overflows: (!overflows.is_empty()).then_some(overflows),
    })
}
