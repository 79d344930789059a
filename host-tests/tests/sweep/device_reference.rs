//! The simple reference for a GPU's runs over all inputs, compared here with the oracle of
//! rationals: the same source, every row that it covers, every fixed mode, flags included.

use crate::rationals;
use cuda_shim::reference_answer;
use host_tests::row::Output;
use host_tests::rows::{self, mode};

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
            let (bits, flags) =
                reference_answer(row.name, *operands, mode::of(mode.0, mode.1)).unwrap();
            let got = Output {
                results: [bits, 0],
                flags,
            };
            assert_eq!(got, due, "{} {operands:X?} {mode:?}", row.name);
        });
    }
    assert_eq!(covered.len(), 29, "{covered:?}");
}
