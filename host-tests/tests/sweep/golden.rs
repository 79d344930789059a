//! Every kernel's outputs over its whole domain, in every mode, against the recorded digests of the
//! oracle's outputs.

use std::path::Path;

use host_tests::engine::golden::{Golden, file};
use host_tests::engine::{Filter, Plan, Work, execute};
use host_tests::rows;

#[test]
fn every_row_has_the_recorded_digests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut wrong = Vec::new();
    let mut cells = 0;
    for row in rows::all() {
        let golden = Golden::read(&file(&folder, row.op)).unwrap();
        let plan = Plan::new(row, false, &Filter::default(), None);
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
