//! The reference for all pairs of 16-bit operands (`--exhaustive --backend host-simd`), compared
//! here with the oracle of rationals on the hard sets, in every fixed mode.

use crate::rationals;
use host_tests::names;
use host_tests::oracle::columns::{
    Add, Brain, Div, Half, Mul, Operation, Rule, Sixteen, Sub, results, values,
};
use host_tests::rows;

fn check<O: Operation, F: Sixteen>(op: &str) {
    let name = format!("{op}.{}", F::TY.name());
    let row = names::many(rows::all(), &name).unwrap()[0];
    let rules: Vec<_> = rationals::fixed_modes(row)
        .iter()
        .map(|(rounding, overflow)| Rule::new(F::TY, *rounding, *overflow))
        .collect();
    let value = |code: u64| values::<F>()[code as usize];
    rationals::for_each(row, |operands @ [a, b, _], mode, at, due| {
        let mut got = [0];
        results::<O, F>(&rules[at], value(*a), &[value(*b)], &mut got);
        assert_eq!(
            u64::from(got[0]),
            due.results[0],
            "{name} {operands:X?} {mode:?}"
        );
    });
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
