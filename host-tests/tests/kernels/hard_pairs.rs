//! Pairs of operands whose results are close to a rounding boundary, beside those that hard sets
//! begin with.

use host_tests::domain::Float;
use host_tests::engine::Filter;
use host_tests::oracle::{OracleKind, for_row};
use host_tests::row::{Args, Output, RoundingArg, Row};
use host_tests::rows;
use rayon::prelude::*;

fn row(name: &str) -> &'static Row {
    rows::all().iter().find(|row| row.name == name).unwrap()
}

/// A kernel and the enclosures on integers of any length, on these operands in every fixed mode.
fn compare(row: &Row, pairs: &[[u64; 3]]) {
    let oracle = for_row(OracleKind::Real, row.op, row.operands, row.results, &[]).unwrap();
    let modes: Vec<Args> = Filter::default()
        .modes(row)
        .into_iter()
        .filter(|(rounding, _)| matches!(rounding, RoundingArg::Fixed(_)))
        .map(|(rounding, overflow)| Args {
            rounding,
            overflow,
            params: Vec::new(),
        })
        .collect();
    pairs.par_iter().for_each(|pair| {
        let answer = oracle.answer(pair);
        let mut outputs = vec![Output::default(); modes.len()];
        (row.run)(&modes, std::slice::from_ref(pair), &mut outputs);
        for (mode, output) in modes.iter().zip(outputs) {
            let due = answer.output(mode.rounding, mode.overflow);
            assert_eq!(output, due, "{} {pair:04X?} {mode:?}", row.name);
        }
    });
}

/// `atan(q)` is less than `q` by at most `q^3/3`. `atan2` takes it to be next to `q` for ratios
/// below 2^-12; from 2^-11 on, there are quotients above a number of 12 bits whose arc tangent is
/// below it. These are all of them up to 2^-9, by the significands of f16.
#[test]
fn quotients_and_their_arc_tangents_on_both_sides_of_a_boundary() {
    let mut pairs = Vec::new();
    for apart in [13, 12, 11, 10] {
        let before = pairs.len();
        for (m, k) in (1024..2048u64).flat_map(|m| (1024..2048).map(move |k| (m, k))) {
            // The quotient's remainder beyond 12 bits is less than the cube says.
            let numerator = (if m < k { 2 * m } else { m }) << 11;
            let rest = (u128::from(numerator % k) * u128::from(3 * k * k)) << (2 * apart);
            if rest != 0 && rest < u128::from(numerator * m * m) {
                let code = |significand, exponent| Float::F16.pack(significand, exponent - 10);
                pairs.push([code(m.into(), -apart), code(k.into(), 0), 0]);
            }
        }
        println!(
            "{} pairs with exponents {apart} apart",
            pairs.len() - before
        );
    }
    assert_eq!(pairs.len(), 483);
    compare(row("atan2.f16"), &pairs);
}

/// Powers of fourth roots that are not exact, so near to a boundary that the first approximation
/// does not decide: were the integer parts of the roots taken for the roots, these would be exact
/// powers.
#[test]
fn powers_of_inexact_roots() {
    // 377/4096 to the power 3.75, and 177 to the power 2.25.
    compare(row("pow.f16"), &[[0x2DE4, 0x4380, 0]]);
    compare(row("pow.bf16"), &[[0x4331, 0x4010, 0]]);
}
