//! The plain reference that a GPU's runs over all inputs are checked against, held here against
//! the oracle of rationals: the same source, every row that it covers, every fixed mode, flags
//! included.

use cuda_shim::reference_answer;
use host_tests::engine::{Filter, Plan};
use host_tests::oracle::{OracleKind, for_row};
use host_tests::row::{Output, RoundingArg};
use host_tests::rows;
use rayon::prelude::*;

#[test]
fn it_is_what_the_oracle_says() {
    let mut covered = Vec::new();
    for row in rows::all() {
        let mode = bitexact::Mode::TIES_TO_EVEN;
        if reference_answer(row.name, [0; 3], mode).is_none() {
            continue;
        }
        covered.push(row.name);
        let plan = Plan::new(row, false, &Filter::default(), None);
        let oracle = for_row(OracleKind::Rational, row.op, row.operands, row.results, &[]).unwrap();
        let fixed: Vec<_> = plan
            .modes
            .iter()
            .filter_map(|(rounding, overflow)| match rounding {
                RoundingArg::Fixed(fixed) => {
                    Some((*rounding, bitexact::Mode::new(*fixed, *overflow)))
                }
                RoundingArg::Stochastic(_) => None,
            })
            .collect();
        assert_eq!(fixed.len(), 18);
        let seen: u64 = (0..plan.inputs())
            .into_par_iter()
            .map(|index| {
                let operands = plan.domain.get(index);
                let located = oracle.answer(&operands);
                for (rounding, mode) in &fixed {
                    let (bits, flags) = reference_answer(row.name, operands, *mode).unwrap();
                    let got = Output {
                        results: [bits, 0],
                        flags,
                    };
                    let due = located.output(*rounding, mode.overflow);
                    assert_eq!(got, due, "{} {operands:X?} {mode:?}", row.name);
                }
                1
            })
            .sum();
        assert_eq!(seen, plan.inputs());
        assert!(seen > 50_000, "{}: {seen} inputs only", row.name);
    }
    assert_eq!(covered.len(), 29, "{covered:?}");
}
