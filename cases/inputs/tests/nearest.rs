//! The pairs that hard sets begin with: those whose results are nearest to a rounding boundary, and
//! the search for them.
//!
//! About one random pair in 2^14 needs more than the first approximation, and one in 2^20 reveals a
//! wrong bit in the tables of the second. `src/domain/nearest/tables.rs` holds the 512 nearest of
//! 2^26 pairs for each function and format.

use std::f64::consts::{LN_2, PI};
use std::fmt::Write as _;
use std::path::Path;
use std::thread;
use sweep_inputs::domain::{Domain, Float, Hard, HardCases, Shape, SplitMix64, Target};

/// Pairs of each function and format.
const KEPT: usize = 512;

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

/// Of a root.
fn degree(random: &mut SplitMix64) -> f64 {
    let n = (uniform(random) * 12.0).exp2().floor() + 2.0;
    if random.one_in(2) { n } else { -n }
}

/// With the magnitude of x, within a factor of 2^12.
fn beside(x: f64, random: &mut SplitMix64) -> f64 {
    let sign = if random.one_in(2) { -1.0 } else { 1.0 };
    sign * x * (uniform(random) * 24.0 - 12.0).exp2()
}

const FUNCTIONS: [Function; 6] = [
    ("atan2", f64::atan2, beside),
    ("atan2pi", |y, x| y.atan2(x) / PI, beside),
    ("pow", f64::powf, |x, random| {
        let y = exponent(x.abs().log2(), random);
        match random.below(4) {
            _ if x < 0.0 => y.round(),
            // Powers of roots, some of which are exact.
            0 => (4.0 * y).round() / 4.0,
            _ => y,
        }
    }),
    ("pown", f64::powf, |x, random| {
        exponent(x.abs().log2(), random).round()
    }),
    (
        "rootn",
        |x, n| match (x < 0.0, n % 2.0 != 0.0) {
            (true, true) => -(-x).powf(1.0 / n),
            _ => x.powf(1.0 / n),
        },
        |_, random| degree(random),
    ),
    (
        "compound",
        |x, n| {
            let t = n * x.ln_1p();
            // Next to 1 every power is near a boundary, and decided without its bits.
            if t.abs() < 1.0 / 128.0 {
                f64::NAN
            } else {
                t.exp()
            }
        },
        |x, random| exponent(x.ln_1p() / LN_2, random).round(),
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

/// The functions of integers.
fn takes_integer(op: &str) -> bool {
    matches!(op, "pown" | "rootn" | "compound")
}

/// The second operand's number.
fn second_value(op: &str, float: Float, b: u64) -> f64 {
    if takes_integer(op) {
        f64::from((b as u32).cast_signed())
    } else {
        value(float, b)
    }
}

/// Each of the pairs is close to a boundary, and so close where enough pairs exist that the first
/// approximation, which `atan2` trusts to 2^-26, does not decide.
#[test]
fn hard_sets_begin_with_pairs_near_a_rounding_boundary() {
    for (op, function, _) in FUNCTIONS {
        let bound = match op {
            "atan2" | "atan2pi" => -25,
            "pow" | "rootn" => -24,
            "compound" => -23,
            // Few integers give a result that neither overflows nor vanishes.
            _ => -16,
        };
        for float in [Float::F16, Float::BF16] {
            let second = if takes_integer(op) {
                Shape::Integer {
                    bits: 32,
                    signed: true,
                }
            } else {
                Shape::Float(float)
            };
            let domain = Domain::Hard(Hard {
                cases: HardCases::of(op, 2),
                operands: [Shape::Float(float), second, Shape::Absent],
                target: Target::of(float),
            });
            assert_eq!(domain.len(), Some((1 << 16) + KEPT as u64));
            let mut pairs: Vec<_> = (0..KEPT as u64).map(|index| domain.get(index)).collect();
            for &[a, b, _] in &pairs {
                let result = function(value(float, a), second_value(op, float, b));
                let distance = distance(float, result);
                assert!(
                    distance.is_some_and(|distance| distance < f64::from(bound).exp2()),
                    "{op} of {a:X} and {b:X} in {} bits: {distance:?}",
                    float.precision
                );
            }
            // Few powers of a negative number are numbers.
            let negative = pairs.iter().filter(|pair| pair[0] & 0x8000 != 0).count();
            assert!(
                op == "pow" || (128..384).contains(&negative),
                "{op}: {negative} negative"
            );
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), KEPT, "{op}");
        }
    }
}

/// The nearest of 2^16 random pairs.
fn part(float: Float, (op, function, second): Function, part: u64) -> Vec<(f64, u64, u64)> {
    let random = &mut SplitMix64::at(0x9A12, part);
    let mut found = Vec::new();
    for _ in 0..1 << 16 {
        let a = random.next() & 0xFFFF;
        let x = value(float, a);
        let y = second(x, random);
        let b = if takes_integer(op) {
            u64::from((y as i32).cast_unsigned())
        } else {
            code(float, y)
        };
        let y = second_value(op, float, b);
        if a & 0x7FFF > float.max || a & 0x7FFF == 0 || y == 0.0 || y.abs() == 1.0 {
            continue;
        }
        if let Some(distance) = distance(float, function(x, y)) {
            found.push((distance, a, b));
        }
    }
    nearest_of(found)
}

/// Among 2^26 pairs.
fn search(float: Float, function: Function) -> Vec<(f64, u64, u64)> {
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    thread::scope(|scope| {
        let parts = |from: u64| (from..1 << 10).step_by(threads as usize);
        let run = |from| {
            move || {
                parts(from).fold(Vec::new(), |found, k| {
                    nearest_of([found, part(float, function, k)].concat())
                })
            }
        };
        let all: Vec<_> = (0..threads).map(|from| scope.spawn(run(from))).collect();
        let found: Vec<_> = all.into_iter().map(|one| one.join().unwrap()).collect();
        nearest_of(found.concat())
    })
}

#[test]
#[ignore = "the search, minutes: it gives the list, and with BLESS=1 writes it"]
fn the_search_gives_the_list() {
    let mut text = String::from(
        "//! Written by the search in `cases/inputs/tests/nearest.rs`, with `BLESS=1`.\n\nuse super::Table;\n",
    );
    for function in FUNCTIONS {
        for (float, format) in [(Float::F16, "f16"), (Float::BF16, "bf16")] {
            let name = format!("{}_{format}", function.0);
            let nearest = search(float, function);
            println!("{name}: {:e} to {:e}", nearest[0].0, nearest[KEPT - 1].0);
            let table = name.to_uppercase();
            text += &format!("\n#[rustfmt::skip]\npub const {table}: Table = [\n");
            let width = if takes_integer(function.0) { 8 } else { 4 };
            for line in nearest.chunks(6) {
                text += "   ";
                for &(_, a, b) in line {
                    write!(text, " (0x{a:04X}, 0x{b:0width$X}),").unwrap();
                }
                text += "\n";
            }
            text += "];\n";
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain/nearest/tables.rs");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, text).unwrap();
    } else {
        assert!(
            text == std::fs::read_to_string(file).unwrap(),
            "another list"
        );
    }
}

/// All numbers of a format, in order.
fn numbers(float: Float) -> Vec<f64> {
    let codes = (0..1 << 16).filter(|code| code & float.magnitude_mask() <= float.max);
    let mut all: Vec<_> = codes.map(|code| value(float, code)).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The distance of a sum of two terms to the nearest rounding boundary, relative to the greater
/// one. Below `2^least` boundaries are no closer.
fn of_sum(float: Float, least: i32, most: f64, other: f64) -> f64 {
    let sum = (most + other).abs();
    let exponent = ((sum.to_bits() >> 52) as i32 - 1023).max(least);
    let unit = f64::from(exponent - float.precision as i32).exp2();
    (sum / unit - (sum / unit).round()).abs() * unit / most.abs().max(other)
}

/// What the kernels of these functions rely on, which have one approximation, with an error below
/// 2^-56 of the greatest term: no result of any pair is nearer to a rounding boundary. f64 has an
/// error of some 2^-51 here.
#[test]
#[ignore = "all pairs, minutes"]
fn no_result_of_any_pair_is_nearer() {
    for float in [Float::F16, Float::BF16] {
        let all = numbers(float);
        let first = code(float, 1.0);
        let factors = first..first + (1 << (float.precision - 1));
        let factors: Vec<_> = factors.map(|code| value(float, code)).collect();
        let product = |logarithm: fn(f64) -> f64| {
            let logarithms = all.iter().map(|&y| logarithm(y));
            let of = |l: f64| {
                factors
                    .iter()
                    .map(move |x| of_sum(float, i32::MIN, 0.0, (x * l).abs()))
            };
            logarithms
                .filter(|l| l.is_normal())
                .flat_map(of)
                .fold(1.0, f64::min)
        };
        // Below 2^-26 the product with y itself says on which side it is.
        let tail = |y: f64| {
            if y.abs() < f64::from(-26).exp2() {
                0.0
            } else {
                y.ln_1p()
            }
        };
        // Both below 2^-20 are decided by their sum, to base 2; equal ones are exact there.
        let decided = |x: f64, y: f64| x == y || x.abs().max(y.abs()) < f64::from(-20).exp2();
        let sum = |base_2: bool| {
            let below = |(at, &x): (usize, &f64)| {
                let lesser = all[..=at]
                    .iter()
                    .rev()
                    .filter(move |&&y| !base_2 || !decided(x, y));
                let excess = lesser.map(move |y| match base_2 {
                    true => (y - x).exp2().ln_1p() / LN_2,
                    false => (y - x).exp().ln_1p(),
                });
                let counts = move |&g: &f64| g > 1e-45 && g > x.abs() * 1e-9;
                excess
                    .take_while(counts)
                    .map(|g| of_sum(float, float.emin, x, g))
                    .fold(1.0, f64::min)
            };
            all.iter().enumerate().map(below).fold(1.0, f64::min)
        };
        for (op, least, bound) in [
            ("xlogy", product(f64::ln), -38),
            ("xlog1py", product(tail), -37),
            ("logaddexp", sum(false), -39),
            ("logaddexp2", sum(true), -46),
        ] {
            println!("{op} of {} bits: 2^{:.1}", float.precision, least.log2());
            assert!(least > f64::from(bound).exp2(), "{op}");
        }
    }
}
