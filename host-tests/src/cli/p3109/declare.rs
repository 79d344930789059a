//! `sweep p3109 declare`: which specialisations of operations there are (4.6 of the report).

use super::super::{Console, Outcome};
use bitexact::p3109::{Comparison, ExactResult, FormatSpec, Operation, Predicate, Revision};

const HEAD: &str = "\
# Written by `sweep p3109 declare`.
# This implements Interim Report 4.0 of IEEE P3109, an unapproved draft; it claims no conformance.
";

/// Whether operands of the widest range are taken.
fn takes_all(operation: Operation) -> bool {
    let widest = FormatSpec::from_name("Binary16p1ue").expect("a format of the report");
    let operands = vec![(widest, 0); operation.arity()];
    ExactResult::of(operation, &operands, Revision::Interim4).is_ok()
}

/// `fx, fy` and so on.
fn formats(operation: Operation) -> &'static str {
    match (operation, operation.arity()) {
        (Operation::ArcTan2 | Operation::ArcTan2Pi, _) => "fy, fx",
        (Operation::Clamp, _) => "fx, flo, fhi",
        (_, 1) => "fx",
        (_, 2) => "fx, fy",
        _ => "fx, fy, fz",
    }
}

/// Each format with its scale's.
fn scaled(formats: &str) -> String {
    let pairs: Vec<_> = formats
        .split(", ")
        .map(|format| format!("(fs{}, {format})", &format[1..]))
        .collect();
    pairs.join(", ")
}

pub fn run(console: &mut Console) -> Outcome {
    let mut text = String::from(HEAD);
    let mut line = |indent: usize, words: &str| {
        text.push_str(&" ".repeat(indent));
        text.push_str(words);
        text.push('\n');
    };
    line(0, "Configurations:");
    line(2, "report: Interim Report 4.0, 26 June 2026");
    line(2, "revision: 2026-07 (rules of 14 July 2026) on request");
    line(
        2,
        "method: direct computation, one projection of the exact result",
    );
    line(0, "Profiles:");
    for k in 3..=16 {
        let names: Vec<_> = FormatSpec::all_of(k).map(|f| f.to_string()).collect();
        line(2, &format!("K{k}: [{}]", names.join(", ")));
    }
    line(2, "External: [binary16, BFloat16, binary32, binary64]");
    let all: Vec<_> = (3..=16).map(|k| format!("K{k}")).collect();
    line(2, &format!("Binary: [{}]", all.join(", ")));
    line(2, "All: [Binary, External]");
    line(0, "Constraints:");
    line(
        2,
        "f: every format is any of All, independently of the others, unless stated",
    );
    line(2, "rho: (rounding, saturation)");
    line(
        2,
        "rounding: [NearestTiesToEven, NearestTiesToAway, TowardPositive, TowardNegative, TowardZero, ToOdd, \
         StochasticA, StochasticB, StochasticC]",
    );
    line(2, "random: N from 1 to 16");
    line(2, "saturation: [SatFinite, SatPropagate, SatNone]");
    line(
        2,
        "B: from 1 on; below 2^32 in BlockReduceAdd and BlockDotProduct",
    );
    line(2, "operations:");
    for &operation in Operation::ALL {
        let (name, formats) = (operation.name(), formats(operation));
        let limit = if takes_all(operation) {
            ""
        } else {
            " # formats (a scale's and its element's: their product) below 2^1537"
        };
        let pairs = scaled(formats);
        line(4, &format!("- {name}<{formats}, fr, rho>{limit}"));
        line(4, &format!("- Scaled{name}<{pairs}, fr, rho>{limit}"));
        line(4, &format!("- Block{name}<B, {pairs}, fs, fr, rho>{limit}"));
    }
    for comparison in Comparison::ALL {
        line(4, &format!("- {}<fx, fy>", comparison.name()));
    }
    for predicate in Predicate::ALL {
        line(4, &format!("- {}<f>", predicate.name()));
    }
    for words in [
        "Class<f>",
        "NextGreaterThan<f> # f of Binary",
        "NextLessThan<f> # f of Binary",
        "ConvertFromBlock<B, fs, fx, fr, rho>",
        "ConvertToBlock<B, fx, fs, fr, rho>",
        "ConvertToBlockMaxAbsFinite<B, fx, fs, fr, rho_s, rho>",
        "BlockReduceAdd<B, fs, fx, fr, rho>",
        "BlockReduceMultiply<B, fs, fx, fr, rho> # exact up to products of 4096 bits",
        "BlockDotProduct<B, fsx, fx, fsy, fy, fr, rho>",
        "BitwidthOf<f>",
        "PrecisionOf<f>",
        "ExponentBitwidthOf<f>",
        "TrailingSignificandBitwidthOf<f>",
        "ExponentBiasOf<f>",
        "SignednessOf<f>",
        "DomainOf<f>",
        "MaxFiniteOf<f>",
        "MinFiniteOf<f>",
        "MinPositiveOf<f>",
        "MaxSubnormalOf<f>",
        "MinNormalOf<f>",
    ] {
        line(4, &format!("- {words}"));
    }
    line(
        0,
        "Kappas: {} # no operation is approximate: every kappa is 0",
    );
    console.print(format_args!("{text}"))?;
    Ok(0)
}
