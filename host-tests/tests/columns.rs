//! The results that all pairs of 16-bit operands are checked against (`--exhaustive --backend
//! host-simd`), held here against the oracle of rationals on the hard sets, in every fixed mode.

use host_tests::engine::{Filter, Plan};
use host_tests::names;
use host_tests::oracle::columns::{
    Add, Brain, Div, Half, Mul, Operation, Rule, Sixteen, Sub, results, values,
};
use host_tests::oracle::{OracleKind, for_row};
use host_tests::row::RoundingArg;
use host_tests::rows;
use rayon::prelude::*;

fn check<O: Operation, F: Sixteen>(op: &str) {
    let name = format!("{op}.{}", F::TY.name());
    let row = names::many(rows::all(), &name).unwrap()[0];
    let plan = Plan::new(row, false, &Filter::default(), None);
    let oracle = for_row(OracleKind::Rational, row.op, row.operands, row.results, &[]).unwrap();
    let fixed: Vec<_> = plan
        .modes
        .iter()
        .filter_map(|(rounding, overflow)| match rounding {
            RoundingArg::Fixed(fixed) => {
                Some(((*rounding, *overflow), Rule::new(F::TY, *fixed, *overflow)))
            }
            RoundingArg::Stochastic(_) => None,
        })
        .collect();
    assert_eq!(fixed.len(), 18);
    let value = |code: u64| values::<F>()[code as usize];
    let seen: u64 = (0..plan.inputs())
        .into_par_iter()
        .map(|index| {
            let operands @ [a, b, _] = plan.domain.get(index);
            let located = oracle.answer(&operands);
            for ((rounding, overflow), rule) in &fixed {
                let mut got = [0];
                results::<O, F>(rule, value(a), &[value(b)], &mut got);
                let due = located.output(*rounding, *overflow).results[0];
                assert_eq!(
                    u64::from(got[0]),
                    due,
                    "{name} {operands:X?} {rounding:?} {overflow:?}"
                );
            }
            1
        })
        .sum();
    assert_eq!(seen, plan.inputs());
    assert!(seen > 50_000, "{name}: {seen} inputs only");
}

#[test]
fn they_are_what_the_oracle_says() {
    check::<Add, Half>("add");
    check::<Sub, Half>("sub");
    check::<Mul, Half>("mul");
    check::<Div, Half>("div");
    check::<Add, Brain>("add");
    check::<Sub, Brain>("sub");
    check::<Mul, Brain>("mul");
    check::<Div, Brain>("div");
}
