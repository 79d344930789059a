//! The plain reference that a GPU's runs over all inputs are checked against, held here against
//! the oracle of rationals: the same source, every row that it covers, every fixed mode, flags
//! included.

mod common;

use common::rationals;
use cuda_shim::reference_answer;
use host_tests::row::Output;
use host_tests::rows;

#[test]
fn it_is_what_the_oracle_says() {
    let mut covered = Vec::new();
    for row in rows::all() {
        let mode = bitexact::Mode::TIES_TO_EVEN;
        if reference_answer(row.name, [0; 3], mode).is_none() {
            continue;
        }
        covered.push(row.name);
        rationals::for_each(row, |operands, mode, _, due| {
            let (bits, flags) = reference_answer(row.name, *operands, mode).unwrap();
            let got = Output {
                results: [bits, 0],
                flags,
            };
            assert_eq!(got, due, "{} {operands:X?} {mode:?}", row.name);
        });
    }
    assert_eq!(covered.len(), 29, "{covered:?}");
}
