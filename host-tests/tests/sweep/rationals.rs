//! A reference that answers one row and mode at a time, against the oracle of rationals.

use host_tests::engine::{Filter, Plan};
use host_tests::oracle::{OracleKind, for_row};
use host_tests::row::{Operands, Output, RoundingArg, Row};
use rayon::prelude::*;
use sweep_inputs::{Overflow, Rounding};

/// Passes on every input of a row's default run in every fixed mode (by its index), with the
/// oracle's output.
pub fn for_each(row: &Row, check: impl Fn(&Operands, (Rounding, Overflow), usize, Output) + Sync) {
    let modes = fixed_modes(row);
    let plan = Plan::new(row, false, &Filter::default(), None);
    let oracle = for_row(OracleKind::Rational, row.op, row.operands, row.results, &[]).unwrap();
    let seen: u64 = (0..plan.inputs())
        .into_par_iter()
        .map(|index| {
            let operands = plan.domain.get(index);
            let located = oracle.answer(&operands);
            for (at, &(rounding, overflow)) in modes.iter().enumerate() {
                let due = located.output(RoundingArg::Fixed(rounding), overflow);
                check(&operands, (rounding, overflow), at, due);
            }
            1
        })
        .sum();
    assert_eq!(seen, plan.inputs());
    assert!(seen > 50_000, "{}: {seen} inputs only", row.name);
}

/// The modes that are not stochastic: 18.
pub fn fixed_modes(row: &Row) -> Vec<(Rounding, Overflow)> {
    let modes = Filter::default().modes(row);
    let fixed: Vec<_> = modes
        .into_iter()
        .filter_map(|(rounding, overflow)| match rounding {
            RoundingArg::Fixed(fixed) => Some((fixed, overflow)),
            RoundingArg::Stochastic(_) => None,
        })
        .collect();
    assert_eq!(fixed.len(), 18);
    fixed
}
