//! Every row that rounds is checked by two oracles that share no arithmetic (cargo feature `mpfr`).

/// Rounded once from an exact integer or rational (a shift, a product, a sum, a sixth): only the
/// rational oracle. The conversions to f64, the one target that `eft` lacks, are of this kind too.
pub const AT_HAND: [&str; 12] = [
    "scalbn",
    "e8m0_decode",
    "mxint8_decode",
    "hardtanh",
    "hardsigmoid",
    "hardsigmoid_backward",
    "hardswish",
    "hardswish_backward",
    "leaky_relu",
    "leaky_relu_backward",
    "softshrink",
    "threshold",
];

#[cfg(feature = "mpfr")]
#[test]
fn every_row_that_rounds_has_two_oracles() {
    use host_tests::engine::{self, Choice, Filter, Plan, Share, params};
    use host_tests::oracle::OracleKind;
    use host_tests::row::Ty;
    use host_tests::rows;
    let mut lacking = Vec::new();
    for row in rows::all().iter().filter(|row| row.takes_rounding) {
        let to_f64 = row.results == [Ty::F64] && matches!(row.op, "convert" | "from_int");
        if AT_HAND.contains(&row.op) || to_f64 {
            continue;
        }
        // At some parameters: for infinite, NaN or zero ones the results are tabled.
        let covers = |kind| {
            params::stated(row).into_iter().any(|setting| {
                let plan = Plan::new(row, false, &Filter::default(), Some(setting));
                engine::judges(&plan, Choice::Only(kind), Share { bits: 0 }).is_some()
            })
        };
        // `Filter` uses `Real` where it does not decide, so they count as one.
        let kinds = [
            OracleKind::Rational,
            OracleKind::Eft,
            OracleKind::Real,
            OracleKind::Mpfr,
        ];
        if kinds.into_iter().filter(|kind| covers(*kind)).count() < 2 {
            lacking.push(row.name);
        }
    }
    assert!(lacking.is_empty(), "one oracle only: {lacking:?}");
}
