//! Every kernel's outputs over its whole domain, in every mode, against the recorded digests of the
//! oracle's outputs.

use std::collections::BTreeSet;
use std::path::Path;

use host_tests::engine::golden::{Golden, file};
use host_tests::engine::{Filter, Plan, Work, execute, params};
use host_tests::rows;
use sweep_row::Row;

#[test]
fn every_row_has_the_recorded_digests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut wrong = Vec::new();
    let mut cells = 0;
    for row in rows::all() {
        let golden = Golden::read(&file(&folder, row.op)).unwrap();
        let mut plan = Plan::new(row, false, &Filter::default(), None);
        plan.settings
            .retain(|setting| params::in_sample(row, setting));
        let tally = execute(&plan, Work::KernelDigest, 0..plan.inputs(), &|_| ());
        assert_eq!(
            tally.seen,
            plan.inputs(),
            "{}: not every input was seen",
            row.name
        );
        cells += tally.cells.len();
        let (different, missing) = golden.compare(&plan, &tally);
        wrong.extend(
            different
                .iter()
                .map(|cell| format!("{}: {cell:?} differs", row.name)),
        );
        wrong.extend(missing.iter().map(|cell| format!("{cell} is not recorded")));
    }
    assert!(
        wrong.is_empty(),
        "{} of {cells}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
    assert!(cells > 10_000, "only {cells} digests were compared");
}

/// The rows of P3109 whose digests by the rules of July 2026 differ from those of Interim Report
/// 4.0.
fn revised(formats: &str, projection: &str) -> BTreeSet<&'static str> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    rounded()
        .filter(|row| {
            let golden = Golden::read(&file(&folder, row.op)).unwrap();
            let formats: Vec<_> = formats.split(':').collect();
            let operands = vec![formats[0]; row.operands.len()].join(":");
            let of = |revision: &str| {
                let params = format!(
                    " formats={operands}:{},projection={projection}{revision}",
                    formats[1]
                );
                let found = golden.0.iter().find(|(key, _)| key.ends_with(&params));
                *found.unwrap_or_else(|| panic!("{}{params}", row.name)).1
            };
            of("") != of(":2026-07")
        })
        .map(|row| row.name)
        .collect()
}

/// The rows of P3109 that round.
fn rounded() -> impl Iterator<Item = &'static Row> {
    let rounds = |row: &&Row| row.params.iter().any(|spec| spec.name == "projection");
    rows::all().iter().filter(rounds)
}

/// Each of the four rules of July 2026 changes the digests of those rows whose results it concerns,
/// and of no others.
#[test]
fn each_rule_of_july_2026_changes_digests() {
    // TanPi at the poles; ArcTan2(y < 0, -Inf).
    let special = BTreeSet::from(["p3109_arc_tan2", "p3109_arc_tan2_pi", "p3109_tan_pi"]);
    let changed = revised("Binary8p4se:Binary8p4se", "NearestTiesToEven:SatNone");
    assert_eq!(changed, special);

    // Results beyond 1.5, and beyond 1.25: those of all other rows.
    let short = [
        "p3109_sin",
        "p3109_cos",
        "p3109_tanh",
        "p3109_sin_pi",
        "p3109_cos_pi",
        "p3109_arc_sin_pi",
        "p3109_arc_cos_pi",
        "p3109_arc_tan_pi",
        "p3109_arc_tan2_pi",
    ];
    let long: BTreeSet<_> = rounded()
        .map(|row| row.name)
        .filter(|name| !short.contains(name))
        .collect();
    assert_eq!(long.len(), 52 - short.len());
    // SatNone in a finite domain gives NaN.
    let changed = revised("Binary8p4se:Binary3p2sf", "TowardPositive:SatNone");
    assert_eq!(&changed - &special, &long - &special);
    assert!(changed.contains("p3109_arc_tan2"));
    // ToOdd overflows to infinity in an unsigned extended format.
    let changed = revised("Binary8p4se:Binary3p3ue", "ToOdd:SatNone");
    assert_eq!(&changed - &special, &long - &special);
    assert!(changed.contains("p3109_arc_tan2"));
}
