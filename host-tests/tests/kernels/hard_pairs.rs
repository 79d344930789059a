//! Pairs of operands whose results are closest to a rounding boundary: the search for those in the hard sets.
//!
//! About one random pair in 2^14 needs more than the first approximation, and one in 2^20 reveals a wrong bit in the tables
//! of the second. The list, `host-tests/core/src/domain/nearest/tables.rs`, holds the 512 closest of 2^26 pairs for each
//! function and format; they are the first inputs of the hard set, so every sweep, golden digest, microcontroller and GPU
//! runs them in every mode.

use host_tests::domain::{Float, SplitMix64};
use host_tests::engine::{Filter, domain};
use host_tests::number;
use host_tests::oracle::{OracleKind, for_row};
use host_tests::row::{Args, Output, RoundingArg, Row, Ty};
use host_tests::rows;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

/// Pairs of each row.
const KEPT: usize = 512;

fn row(name: &str) -> &'static Row {
    rows::all().iter().find(|row| row.name == name).unwrap()
}

/// Each of the pairs is so close that the first approximation does not decide: `atan2` trusts it to 2^-26.
#[test]
fn hard_sets_begin_with_pairs_near_a_rounding_boundary() {
    for (op, function, _) in FUNCTIONS {
        for ty in [Ty::F16, Ty::Bf16] {
            let float = number::float(ty).unwrap();
            let row = row(&format!("{op}.{}", ty.name()));
            let domain = domain(row, false);
            assert_eq!(domain.len(), Some((1 << 16) + KEPT as u64));
            let mut pairs: Vec<_> = (0..KEPT as u64).map(|index| domain.get(index)).collect();
            for &[a, b, _] in &pairs {
                let y = match row.operands[1] {
                    Ty::I32 => f64::from((b as u32).cast_signed()),
                    _ => value(float, b),
                };
                let distance = distance(float, function(value(float, a), y));
                assert!(
                    distance.is_some_and(|distance| distance < 1.0 / f64::from(1 << 26)),
                    "{} of {a:X} and {b:X}: {distance:?}",
                    row.name
                );
            }
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), KEPT, "{}", row.name);
        }
    }
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

/// `atan(q)` is less than `q` by at most `q^3/3`. `atan2` takes it to be next to `q` for ratios below 2^-12; from 2^-11
/// on, there are quotients above a number of 12 bits whose arc tangent is below it. These are all of them up to 2^-9,
/// by the significands of f16.
#[test]
fn quotients_and_their_arc_tangents_on_both_sides_of_a_boundary() {
    let mut pairs = Vec::new();
    for apart in [13, 12, 11, 10] {
        let before = pairs.len();
        for (m, k) in (1024..2048u64).flat_map(|m| (1024..2048).map(move |k| (m, k))) {
            // The quotient's remainder beyond 12 bits is less than the cube says.
            let numerator = (if m < k { 2 * m } else { m }) << 11;
            let rest = u128::from(numerator % k) * u128::from(3 * k * k) << (2 * apart);
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

/// A function in f64, and how its second operand is drawn for a first one, as a number.
type Function = (
    &'static str,
    fn(f64, f64) -> f64,
    fn(f64, &mut SplitMix64) -> f64,
);

/// Uniform in [0, 1).
fn uniform(random: &mut SplitMix64) -> f64 {
    (random.next() >> 11) as f64 / 9_007_199_254_740_992.0
}

/// So that `x^y` is within f16's range.
fn exponent(log2: f64, random: &mut SplitMix64) -> f64 {
    (uniform(random) * 28.0 - 13.0) / log2
}

/// With the magnitude of x, within a factor of 2^12.
fn beside(x: f64, random: &mut SplitMix64) -> f64 {
    let sign = if random.one_in(2) { -1.0 } else { 1.0 };
    sign * x * (uniform(random) * 24.0 - 12.0).exp2()
}

const FUNCTIONS: [Function; 6] = [
    ("atan2", f64::atan2, beside),
    ("atan2pi", |y, x| y.atan2(x) / std::f64::consts::PI, beside),
    ("pow", f64::powf, |x, random| {
        exponent(x.abs().log2(), random)
    }),
    ("pown", f64::powf, |x, random| {
        exponent(x.abs().log2(), random).round()
    }),
    (
        "rootn",
        |x, n| x.powf(1.0 / n),
        |_, random| {
            let n = (uniform(random) * 12.0).exp2().floor() + 2.0;
            if random.one_in(2) { n } else { -n }
        },
    ),
    // Near zero a power of 1 + x is near 1, and is decided without its bits.
    (
        "compound",
        |x, n| {
            if x.abs() < 1.0 / 128.0 {
                f64::NAN
            } else {
                (n * x.ln_1p()).exp()
            }
        },
        |x, random| exponent(x.ln_1p() / std::f64::consts::LN_2, random).round(),
    ),
];

/// The number of a code.
fn value(float: Float, code: u64) -> f64 {
    let (significand, exponent) = float.unpack(code & float.magnitude_mask());
    let magnitude = significand as f64 * f64::from(exponent).exp2();
    if code & float.sign_bit() == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// The code of a normal number, truncated toward zero.
fn code(float: Float, y: f64) -> u64 {
    let bits = y.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1075;
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    (bits >> 63 << (float.bits - 1)) | float.pack(significand.into(), exponent)
}

/// The distance of a normal result to the nearest rounding boundary, relative to the result.
fn distance(float: Float, result: f64) -> Option<f64> {
    let magnitude = result.abs();
    let least = f64::from(float.emin).exp2();
    if !(magnitude >= least && magnitude < f64::from(float.emax()).exp2()) {
        return None;
    }
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    let places = magnitude * f64::from(float.precision as i32 - exponent).exp2();
    let distance = (places - places.round()).abs() / places;
    // Closer than f64 can resolve: usually exact.
    (distance > 1e-14).then_some(distance)
}

fn nearest_of(mut found: Vec<(f64, u64, u64)>) -> Vec<(f64, u64, u64)> {
    found.sort_by(|p, q| p.partial_cmp(q).expect("no NaN"));
    found.dedup_by_key(|found| (found.1, found.2));
    found.truncate(KEPT);
    found
}

#[test]
#[ignore = "the search: 2^26 pairs of each row; it gives the list, and with BLESS=1 writes it"]
fn search() {
    let mut text = String::from(
        "//! Written by the search in `host-tests/tests/kernels/hard_pairs.rs`, with `BLESS=1`.\n\nuse super::Table;\n",
    );
    for (op, function, second) in FUNCTIONS {
        for ty in [Ty::F16, Ty::Bf16] {
            let (float, name) = (number::float(ty).unwrap(), format!("{op}.{}", ty.name()));
            let integer = row(&name).operands[1] == Ty::I32;
            let nearest = (0..1u64 << 10)
                .into_par_iter()
                .map(|part| {
                    let random = &mut SplitMix64::at(0x9A12, part);
                    let mut found = Vec::new();
                    for _ in 0..1 << 16 {
                        let a = random.next() & 0x7FFF;
                        let x = value(float, a);
                        let y = second(x, random);
                        let b = if integer {
                            u64::from((y as i32).cast_unsigned())
                        } else {
                            code(float, y)
                        };
                        let y = if integer {
                            f64::from((b as u32).cast_signed())
                        } else {
                            value(float, b)
                        };
                        if a > float.max || a == 0 || y == 0.0 || y.abs() == 1.0 {
                            continue;
                        }
                        if let Some(distance) = distance(float, function(x, y)) {
                            found.push((distance, a, b));
                        }
                    }
                    nearest_of(found)
                })
                .reduce(Vec::new, |p, q| nearest_of([p, q].concat()));
            println!("{name}: {:e} to {:e}", nearest[0].0, nearest[KEPT - 1].0);
            let table = name.replace('.', "_").to_uppercase();
            text += &format!("\n#[rustfmt::skip]\npub const {table}: Table = [\n");
            for line in nearest.chunks(6) {
                text += "   ";
                for &(_, a, b) in line {
                    let [a, b] =
                        [(0, a), (1, b)].map(|(k, x)| number::hex(row(&name).operands[k], x));
                    write!(text, " (0x{a}, 0x{b}),").unwrap();
                }
                text += "\n";
            }
            text += "];\n";
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/src/domain/nearest/tables.rs");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, text).unwrap();
    } else {
        assert!(
            text == std::fs::read_to_string(file).unwrap(),
            "another list"
        );
    }
}
