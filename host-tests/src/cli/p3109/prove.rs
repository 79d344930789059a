//! `sweep p3109 prove`: the operations over all codes of all formats with K up to 8.
//!
//! The oracle's values of all codes must be those of the working group's tables; what is expected
//! of the kernels is then the oracle's, which shares nothing with them.

use super::super::{Console, Outcome};
use bitexact::p3109::{
    self, ExactResult, FormatSpec, Operation, Projection, Revision, RoundingMode, SaturationMode,
};
use oracles::{Datum, p3109 as oracle};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Instant;
use sweep_row::p3109::Format;

/// From the working group's public tables.
const VALUES: &str = include_str!("../../../tests/vectors/p3109_values_k3_k8.csv");

const ROUNDINGS: [(RoundingMode, &str); 6] = [
    (RoundingMode::NearestTiesToEven, "NearestTiesToEven"),
    (RoundingMode::NearestTiesToAway, "NearestTiesToAway"),
    (RoundingMode::TowardPositive, "TowardPositive"),
    (RoundingMode::TowardNegative, "TowardNegative"),
    (RoundingMode::TowardZero, "TowardZero"),
    (RoundingMode::ToOdd, "ToOdd"),
];
const SATURATIONS: [(SaturationMode, &str); 3] = [
    (SaturationMode::SatFinite, "SatFinite"),
    (SaturationMode::SatPropagate, "SatPropagate"),
    (SaturationMode::SatNone, "SatNone"),
];

/// A format, for the kernels and for the oracle.
#[derive(Clone, Copy)]
struct Both(FormatSpec, Format);

impl Both {
    fn named(name: &str) -> Self {
        let spec = FormatSpec::from_name(name).expect("a format of the report");
        Self(spec, Format::named(name).expect("a format of the report"))
    }
}

/// A format with K up to 8, and the values of its codes; NaN and infinities as in f64.
struct Table {
    format: Both,
    values: Vec<f64>,
}

fn tables() -> Vec<Table> {
    let mut formats: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for line in VALUES.lines().skip(1) {
        let mut fields = line.split(',');
        let mut field = || fields.next().expect("three fields");
        let (name, code, value) = (field(), field(), field());
        let values = formats.entry(name).or_default();
        assert_eq!(code, format!("{:#04x}", values.len()), "{name}");
        values.push(number(value));
    }
    let table = |(name, values)| Table {
        format: Both::named(name),
        values,
    };
    formats.into_iter().map(table).collect()
}

/// A C99 hexadecimal number of at most 53 bits.
fn number(text: &str) -> f64 {
    match text {
        "NaN" => return f64::NAN,
        "Inf" => return f64::INFINITY,
        "-Inf" => return f64::NEG_INFINITY,
        _ => {}
    }
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits = magnitude.strip_prefix("0x").expect("hexadecimal");
    let (digits, exponent) = digits.split_once('p').expect("an exponent");
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let integer = u64::from_str_radix(&format!("{whole}{fraction}"), 16).expect("digits");
    let exponent: i32 = exponent.parse().expect("an exponent");
    let value = integer as f64 * 2f64.powi(exponent - 4 * fraction.len() as i32);
    if negative { -value } else { value }
}

fn signed(negative: bool, magnitude: f64) -> f64 {
    if negative { -magnitude } else { magnitude }
}

/// What was compared, and what differed.
#[derive(Default)]
struct Tally {
    compared: u64,
    wrong: u64,
    first: Option<String>,
}

impl Tally {
    fn and(self, other: Self) -> Self {
        Self {
            compared: self.compared + other.compared,
            wrong: self.wrong + other.wrong,
            first: self.first.or(other.first),
        }
    }

    fn compare(&mut self, matches: bool, what: impl FnOnce() -> String) {
        self.compared += 1;
        if !matches {
            self.wrong += 1;
            self.first.get_or_insert_with(what);
        }
    }
}

/// The oracle's values of all codes against the tables, and the kernels' of finite ones.
fn decoded(tables: &[Table]) -> Tally {
    let mut tally = Tally::default();
    for Table { format, values } in tables {
        for (code, &value) in values.iter().enumerate() {
            let known = match oracle::decode(format.1, code as u64) {
                Datum::Nan { .. } => f64::NAN,
                Datum::Infinity { negative } => signed(negative, f64::INFINITY),
                Datum::Finite {
                    negative,
                    magnitude,
                } => signed(negative, magnitude.m as f64 * 2f64.powi(magnitude.e)),
            };
            let same = |x: f64| x.to_bits() == value.to_bits() || x.is_nan() && value.is_nan();
            let got = match format.0.value(code as u64) {
                Some((negative, m, e)) => signed(negative, m as f64 * 2f64.powi(e)),
                // A special value: which one, the operations show.
                None if !value.is_finite() => known,
                None => f64::NAN,
            };
            tally.compare(same(known) && same(got), || {
                format!("decode {} {code:X}: {got}, not {value}", format.0)
            });
        }
    }
    tally
}

/// Each distinct value once, by a code that has it.
fn distinct(tables: &[Table]) -> Vec<(Both, u64)> {
    let mut values = BTreeMap::new();
    for Table { format, values: of } in tables {
        for (code, value) in of.iter().enumerate() {
            values
                .entry(value.to_bits())
                .or_insert((*format, code as u64));
        }
    }
    values.into_values().collect()
}

/// What `evaluate` computes without the wide values, so that both ways are compared.
const SHORT: [Operation; 10] = [
    Operation::Convert,
    Operation::Abs,
    Operation::Negate,
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Divide,
    Operation::FMA,
    Operation::Sqrt,
    Operation::Recip,
];

/// The name of an operation's row: `arc_tan2_pi` of `ArcTan2Pi`.
fn row(operation: Operation) -> String {
    let mut name = String::new();
    let mut before = 'A';
    for letter in operation.name().chars() {
        if letter.is_uppercase() && !before.is_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
        before = letter;
    }
    name
}

/// Compares an operation at these operands in all projections to these formats.
fn judge(
    operation: Operation,
    oracle: &oracle::Operation,
    operands: &[(Both, u64)],
    results: &[Both],
) -> Tally {
    let of_kernel: Vec<_> = operands
        .iter()
        .map(|(both, code)| (both.0, *code))
        .collect();
    let found = ExactResult::of(operation, &of_kernel, Revision::Interim4);
    let found = found.expect("operands of formats with K up to 8");
    let expected = oracle.exact(operands.iter().map(|(both, code)| (both.1, *code)));
    let mut tally = Tally::default();
    for &Both(spec, format) in results {
        for (rounding, of_rounding) in ROUNDINGS {
            for (saturation, of_saturation) in SATURATIONS {
                let projection = Projection::new(rounding, saturation);
                let expected = expected.project(
                    format,
                    sweep_row::p3109::Projection {
                        rounding: of_rounding,
                        saturation: of_saturation,
                        random: (0, 0),
                        revised: false,
                    },
                );
                let mut compare = |got: u64| {
                    tally.compare(got == expected, || {
                        let operands = of_kernel.iter().map(|(f, code)| format!(" {f} {code:X}"));
                        format!(
                            "{}{} to {spec} {of_rounding} {of_saturation}: {got:X}, not {expected:X}",
                            operation.name(),
                            operands.collect::<String>()
                        )
                    });
                };
                compare(found.project(spec, projection));
                if SHORT.contains(&operation) {
                    let got = p3109::evaluate(operation, &of_kernel, spec, projection);
                    compare(got.expect("operands of the operation"));
                }
            }
        }
    }
    tally
}

/// [`judge`] for all codes of these operands.
fn all_codes(
    operation: Operation,
    oracle: &oracle::Operation,
    operands: &[&Table],
    results: &[Both],
) -> Tally {
    let sizes: Vec<usize> = operands.iter().map(|table| table.values.len()).collect();
    (0..sizes.iter().product())
        .into_par_iter()
        .map(|mut at: usize| {
            let code = |(table, size): (&&Table, &usize)| {
                let code = at % size;
                at /= size;
                (table.format, code as u64)
            };
            let operands: Vec<_> = operands.iter().zip(&sizes).map(code).collect();
            judge(operation, oracle, &operands, results)
        })
        .reduce(Tally::default, Tally::and)
}

pub fn run(console: &mut Console) -> Outcome {
    let start = Instant::now();
    let tables = tables();
    let formats: Vec<Both> = tables.iter().map(|table| table.format).collect();
    let external = ["binary16", "BFloat16"].map(Both::named);
    let mut total = Tally::default();
    let mut tell = |console: &mut Console, what: String, tally: Tally| {
        let (compared, wrong) = (tally.compared, tally.wrong);
        console.print(format_args!(
            "{what}: {compared} compared, {wrong} differ\n"
        ))?;
        if let Some(first) = &tally.first {
            console.print(format_args!("  first: {first}\n"))?;
        }
        total = std::mem::take(&mut total).and(tally);
        console.flush()
    };
    let what = format!("values of {} formats", tables.len());
    tell(console, what, decoded(&tables))?;

    let of_arity = |arity: usize| {
        let all = Operation::ALL.iter().copied();
        all.filter(move |operation| operation.arity() == arity)
            .filter_map(move |operation| {
                let oracle = oracle::Operation::named(&row(operation), arity, false)?;
                Some((operation, oracle))
            })
    };
    let operands = distinct(&tables);
    let results = [&formats[..], &external].concat();
    for (operation, oracle) in of_arity(1) {
        let tally = operands
            .par_iter()
            .map(|&operand| judge(operation, &oracle, &[operand], &results))
            .reduce(Tally::default, Tally::and);
        let what = format!(
            "{}: {} values (all codes of {} formats), {} result formats",
            operation.name(),
            operands.len(),
            tables.len(),
            results.len()
        );
        tell(console, what, tally)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    console.print(format_args!("operations of one operand: {seconds:.1} s\n"))?;

    let required: Vec<&Table> = ["Binary8p4se", "Binary8p3se", "Binary4p2sf"]
        .map(|name| {
            tables
                .iter()
                .find(|table| table.format.0.to_string() == name)
        })
        .into_iter()
        .flatten()
        .collect();
    let of_required: Vec<Both> = required.iter().map(|table| table.format).collect();
    let of_required = [&of_required[..], &external].concat();
    let narrow = |most: u32| {
        let narrow = tables.iter();
        narrow.filter(move |table| table.format.0.bitwidth() <= most)
    };
    for (operation, oracle) in of_arity(2) {
        let mut tally = Tally::default();
        for x in &required {
            for y in &required {
                tally = tally.and(all_codes(operation, &oracle, &[x, y], &of_required));
            }
        }
        for table in narrow(6) {
            let operands = [table; 2];
            tally = tally.and(all_codes(operation, &oracle, &operands, &[table.format]));
        }
        let what = format!(
            "{}: all pairs of 9 pairs of formats to {}, and of {} formats to themselves",
            operation.name(),
            of_required.len(),
            narrow(6).count()
        );
        tell(console, what, tally)?;
    }
    for (operation, oracle) in of_arity(3) {
        let tally = narrow(5).fold(Tally::default(), |tally, table| {
            let operands = [table; 3];
            tally.and(all_codes(operation, &oracle, &operands, &[table.format]))
        });
        let what = format!(
            "{}: all triples of {} formats to themselves",
            operation.name(),
            narrow(5).count()
        );
        tell(console, what, tally)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let (compared, wrong) = (total.compared, total.wrong);
    console.print(format_args!(
        "p3109: {seconds:.1} s: {compared} compared, {wrong} differ\n"
    ))?;
    Ok(u8::from(wrong > 0))
}
