//! The oracles against the standards' text, recorded vectors, points computed with high precision,
//! and each other.

mod agreement;
mod decoding;
mod enclosure;
mod literature;
mod reference;
mod roundings;
mod singles;
mod vectors;

use oracles::{Answer, Datum, Format, Oracle, OracleKind, ParamValue, for_row};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Operands, Output, RoundingArg, Ty};

/// The comparators for rational operations.
const BOTH: [OracleKind; 2] = [OracleKind::Rational, OracleKind::Eft];

fn oracle(kind: OracleKind, op: &str, operands: &[Ty], results: &[Ty]) -> Box<dyn Oracle> {
    for_row(kind, op, operands, results, &[])
        .unwrap_or_else(|| panic!("{}: {op} {operands:?} {results:?}", kind.name()))
}

/// Result bits and flags of both comparators, which must agree.
fn both(op: &str, operands: &[Ty], result: Ty, x: &[u64], rounding: Rounding) -> (u64, u8) {
    let mut all = [0; 3];
    all[..x.len()].copy_from_slice(x);
    let outputs = BOTH.map(|kind| {
        let answer = oracle(kind, op, operands, &[result]).answer(&all);
        answer.output(RoundingArg::Fixed(rounding), Overflow::Ieee)
    });
    assert_eq!(outputs[0], outputs[1], "{op} {x:X?} {rounding:?}");
    (outputs[0].results[0], outputs[0].flags)
}
