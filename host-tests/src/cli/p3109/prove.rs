//! `sweep p3109 prove`: the operations over all codes of all formats with K up to 8.
//!
//! What is expected is found without the kernels: the formats are the working group's tables, a
//! result is an f64 and the side of it on which the exact value lies, and projection is a search in
//! the table followed by the report's rules for each rounding and saturation. The functions' values
//! come from the oracles of the sweep: those of bf16, among whose numbers and midpoints all
//! rounding boundaries of these formats are. Sums, products, quotients and roots are f64s whose
//! error is computed exactly.

use super::super::{Console, Outcome};
use bitexact::p3109::{
    self, ExactResult, FormatSpec, Operation, Projection, Revision, RoundingMode, SaturationMode,
};
use half::{bf16, f16};
use oracles::{Answer, Oracle, OracleKind, ParamValue, Place};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::Instant;
use sweep_row::{Operands, Ty};

/// From the working group's public tables.
const VALUES: &str = include_str!("../../../tests/vectors/p3109_values_k3_k8.csv");

const ROUNDINGS: [RoundingMode; 6] = [
    RoundingMode::NearestTiesToEven,
    RoundingMode::NearestTiesToAway,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
    RoundingMode::ToOdd,
];
const SATURATIONS: [SaturationMode; 3] = [
    SaturationMode::SatFinite,
    SaturationMode::SatPropagate,
    SaturationMode::SatNone,
];

/// A format's table.
struct Table {
    spec: FormatSpec,
    /// The value of every code; NaN and infinities as in f64.
    values: Vec<f64>,
    /// How many codes from 0 on are finite values.
    finite: usize,
    /// What would come after the largest value.
    next: f64,
    signed: bool,
    nan: u64,
    infinity: Option<u64>,
    /// The codes of the opposite values of the codes from 1 up to infinity, found by their values.
    opposites: Vec<u64>,
}

impl Table {
    fn new(spec: FormatSpec, precision: i32, values: Vec<f64>) -> Self {
        let finite = values.iter().position(|x| !x.is_finite());
        let finite = finite.unwrap_or(values.len());
        let largest = values[finite - 1];
        let nan = values.iter().position(|x| x.is_nan()).expect("a NaN");
        let infinity = values.iter().position(|x| *x == f64::INFINITY);
        let negative = values.iter().enumerate().filter(|(_, x)| **x < 0.0);
        let by_magnitude: BTreeMap<u64, u64> = negative
            .map(|(code, x)| (x.abs().to_bits(), code as u64))
            .collect();
        Self {
            // Positive numbers are in the order of their bits; so are the formats' codes.
            opposites: by_magnitude.into_values().collect(),
            spec,
            finite,
            next: largest + 2f64.powi(exponent(largest) - precision + 1),
            signed: values.iter().any(|x| *x < 0.0),
            nan: nan as u64,
            infinity: infinity.map(|code| code as u64),
            values,
        }
    }

    fn all() -> Vec<Self> {
        let mut formats: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for line in VALUES.lines().skip(1) {
            let mut fields = line.split(',');
            let mut field = || fields.next().expect("three fields");
            let (name, code, value) = (field(), field(), field());
            let values = formats.entry(name).or_default();
            assert_eq!(code, format!("{:#04x}", values.len()), "{name}");
            values.push(number(value));
        }
        let tables = formats.into_iter().map(|(name, values)| {
            let spec = FormatSpec::from_name(name).expect("a format of the report");
            let precision = name[8..].trim_end_matches(['s', 'u', 'e', 'f']);
            Self::new(spec, precision.parse().expect("P"), values)
        });
        tables.collect()
    }

    fn external() -> [Self; 2] {
        let halves = (0..=u16::MAX).map(|code| f16::from_bits(code).to_f64());
        let bfloats = (0..=u16::MAX).map(|code| bf16::from_bits(code).to_f64());
        // There is no code of NaN between the two infinities but those above the first.
        let table = |spec, precision, values, nan| Self {
            nan,
            ..Self::new(spec, precision, values)
        };
        [
            table(FormatSpec::BINARY16, 11, halves.collect(), 0x7E00),
            table(FormatSpec::BFLOAT16, 8, bfloats.collect(), 0x7FC0),
        ]
    }
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

fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7FF) as i32 - 1023
}

/// An exact result: a sign and a magnitude `near`, which the exact one exceeds, equals or is below.
/// No number of at most 25 bits lies between the two.
#[derive(Clone, Copy, Debug)]
enum Want {
    Nan,
    Infinite(bool),
    Finite {
        negative: bool,
        near: f64,
        side: Ordering,
    },
}

impl Want {
    fn exact(x: f64) -> Self {
        if x.is_nan() {
            Self::Nan
        } else if x.is_infinite() {
            Self::Infinite(x < 0.0)
        } else {
            Self::near(x, 0.0)
        }
    }

    /// x plus a small rest.
    fn near(x: f64, rest: f64) -> Self {
        let side = if x < 0.0 { -rest } else { rest };
        Self::Finite {
            negative: x < 0.0,
            near: x.abs(),
            side: side.partial_cmp(&0.0).expect("a number"),
        }
    }
}

/// Where a magnitude is between two neighbours of a format that has no largest value.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    Exact,
    Below,
    Middle,
    Above,
    /// At the value after the largest, or beyond it.
    Beyond,
}

fn compare(near: f64, side: Ordering, boundary: f64) -> Ordering {
    near.partial_cmp(&boundary).expect("numbers").then(side)
}

impl Table {
    /// The code of the greatest value that is not above, and where the magnitude is.
    fn locate(&self, near: f64, side: Ordering) -> (usize, Gap) {
        let values = &self.values[..self.finite];
        let above = values.partition_point(|x| compare(near, side, *x) != Ordering::Less);
        let low = above - 1;
        let high = values.get(above).copied().unwrap_or(self.next);
        if compare(near, side, high) != Ordering::Less {
            return (low, Gap::Beyond);
        }
        if compare(near, side, values[low]) == Ordering::Equal {
            return (low, Gap::Exact);
        }
        let gap = match compare(near, side, values[low] + (high - values[low]) / 2.0) {
            Ordering::Less => Gap::Below,
            Ordering::Equal => Gap::Middle,
            Ordering::Greater => Gap::Above,
        };
        (low, gap)
    }

    /// The expected codes in all roundings and saturations, in the order of the two lists.
    fn project(&self, want: Want, out: &mut [u64; 18]) {
        let (negative, near, side) = match want {
            Want::Nan => return out.fill(self.nan),
            Want::Infinite(negative) => {
                for (index, code) in out.iter_mut().enumerate() {
                    *code = self.infinite(negative, SATURATIONS[index % 3]);
                }
                return;
            }
            Want::Finite {
                negative,
                near,
                side,
            } => (negative, near, side),
        };
        let (low, gap) = self.locate(near, side);
        for (index, code) in out.iter_mut().enumerate() {
            let (rounding, saturation) = (ROUNDINGS[index / 3], SATURATIONS[index % 3]);
            let odd = low % 2 == 1;
            let away = match rounding {
                _ if gap == Gap::Exact => false,
                RoundingMode::TowardZero => false,
                RoundingMode::TowardPositive => !negative,
                RoundingMode::TowardNegative => negative,
                RoundingMode::ToOdd => !odd,
                RoundingMode::NearestTiesToAway => gap != Gap::Below,
                _ => gap == Gap::Above || (gap == Gap::Middle && odd),
            };
            let rounded = low + usize::from(away);
            let beyond = gap == Gap::Beyond || rounded >= self.finite;
            *code = if negative && !self.signed && (beyond || rounded != 0) {
                self.below_zero(rounding, saturation)
            } else if beyond {
                self.beyond(negative, rounding, saturation)
            } else if negative && rounded != 0 {
                self.opposites[rounded - 1]
            } else {
                rounded as u64
            };
        }
    }

    fn limit(&self, negative: bool) -> u64 {
        match (negative, self.signed) {
            (false, _) => self.finite as u64 - 1,
            (true, true) => self.opposites[self.finite - 2],
            (true, false) => 0,
        }
    }

    fn infinity_or_limit(&self, negative: bool) -> u64 {
        match self.infinity {
            Some(code) if !negative => code,
            Some(_) if self.signed => self.opposites[self.finite - 1],
            _ => self.limit(negative),
        }
    }

    /// An infinite result.
    fn infinite(&self, negative: bool, saturation: SaturationMode) -> u64 {
        match saturation {
            SaturationMode::SatFinite => self.limit(negative),
            SaturationMode::SatNone if negative && !self.signed => self.nan,
            _ => self.infinity_or_limit(negative),
        }
    }

    /// A rounded value below zero, of an unsigned format.
    fn below_zero(&self, rounding: RoundingMode, saturation: SaturationMode) -> u64 {
        match (saturation, rounding) {
            (SaturationMode::SatFinite | SaturationMode::SatPropagate, _) => 0,
            (_, RoundingMode::TowardZero | RoundingMode::TowardPositive) => 0,
            _ => self.nan,
        }
    }

    /// A rounded finite value beyond the range.
    fn beyond(&self, negative: bool, rounding: RoundingMode, saturation: SaturationMode) -> u64 {
        let infinite = saturation == SaturationMode::SatNone
            && match rounding {
                RoundingMode::TowardZero => false,
                RoundingMode::TowardPositive => !negative,
                RoundingMode::TowardNegative => negative,
                RoundingMode::ToOdd => self.signed,
                _ => true,
            };
        if infinite {
            self.infinity_or_limit(negative)
        } else {
            self.limit(negative)
        }
    }
}

/// At -Inf, at zero, at +Inf, and the sweep's name of the function.
const FUNCTIONS: [(Operation, [f64; 3], &str); 27] = {
    use Operation as O;
    use std::f64::consts::{FRAC_PI_2, LN_2};
    const N: f64 = f64::NAN;
    const I: f64 = f64::INFINITY;
    [
        (O::RSqrt, [N, N, 0.0], "rsqrt"),
        (O::Exp, [0.0, 1.0, I], "exp"),
        (O::Exp2, [0.0, 1.0, I], "exp2"),
        (O::Log, [N, -I, I], "log"),
        (O::Log2, [N, -I, I], "log2"),
        (O::LogOnePlus, [N, 0.0, I], "log1p"),
        (O::ExpMinusOne, [-1.0, 0.0, I], "expm1"),
        (O::Sin, [N, 0.0, N], "sin"),
        (O::Cos, [N, 1.0, N], "cos"),
        (O::Tan, [N, 0.0, N], "tan"),
        (O::ArcSin, [N, 0.0, N], "asin"),
        (O::ArcCos, [N, FRAC_PI_2, N], "acos"),
        (O::ArcTan, [-FRAC_PI_2, 0.0, FRAC_PI_2], "atan"),
        (O::Sinh, [-I, 0.0, I], "sinh"),
        (O::Cosh, [I, 1.0, I], "cosh"),
        (O::Tanh, [-1.0, 0.0, 1.0], "tanh"),
        (O::ArcSinh, [-I, 0.0, I], "asinh"),
        (O::ArcCosh, [N, N, I], "acosh"),
        (O::ArcTanh, [N, 0.0, N], "atanh"),
        (O::SinPi, [N, 0.0, N], "sinpi"),
        (O::CosPi, [N, 1.0, N], "cospi"),
        (O::TanPi, [N, 0.0, N], "tanpi"),
        (O::ArcSinPi, [N, 0.0, N], "asinpi"),
        (O::ArcCosPi, [N, 0.5, N], "acospi"),
        (O::ArcTanPi, [-0.5, 0.0, 0.5], "atanpi"),
        (O::Softplus, [0.0, LN_2, I], "softplus"),
        (O::Sqrt, [N, 0.0, I], ""),
    ]
};

const DIRECT: [Operation; 4] = [
    Operation::Convert,
    Operation::Abs,
    Operation::Negate,
    Operation::Recip,
];

fn oracle(name: &str, operands: &[Ty]) -> Box<dyn Oracle> {
    // Above this threshold softplus would be its operand.
    let parameters = [
        ("beta", ParamValue::Bits(Ty::F32, 0x3F80_0000)),
        ("threshold", ParamValue::Bits(Ty::F32, 0x7F80_0000)),
    ];
    let parameters: &[_] = if name == "softplus" { &parameters } else { &[] };
    oracles::for_row(OracleKind::Filter, name, operands, &[Ty::Bf16], parameters)
        .expect("an oracle")
}

/// The bf16 of a value that it holds.
fn to_bf16(x: f64) -> u64 {
    let bits = (x as f32).to_bits();
    assert!(bits & 0xFFFF == 0 && f64::from(x as f32) == x, "{x}");
    u64::from(bits >> 16)
}

fn want(answer: Answer) -> Want {
    let bf16 = |code: u64| f64::from(f32::from_bits((code as u32) << 16));
    match answer {
        Answer::Nan { .. } => Want::Nan,
        Answer::Infinite { negative, .. } => Want::Infinite(negative),
        Answer::Zero { .. } | Answer::Cancelled { .. } => Want::exact(0.0),
        Answer::Located(located) => {
            let (low, high) = (bf16(located.code), bf16(located.code + 1));
            let middle = low + (high - low) / 2.0;
            let near = match located.place {
                // In each half of the gap any number stands for all.
                Some(Place::Exact) => low,
                Some(Place::Below) => low + (middle - low) / 2.0,
                Some(Place::Middle) => middle,
                Some(Place::Above) => middle + (high - middle) / 2.0,
                None => 2f64.powi(200),
            };
            Want::Finite {
                negative: located.negative,
                near,
                side: Ordering::Equal,
            }
        }
        other => unreachable!("{other:?}"),
    }
}

fn of_one(operation: Operation, oracle: Option<&dyn Oracle>, ends: [f64; 3], x: f64) -> Want {
    match operation {
        Operation::Convert => return Want::exact(x),
        Operation::Abs => return Want::exact(x.abs()),
        Operation::Negate => return Want::exact(-x),
        _ => {}
    }
    if x.is_nan() {
        return Want::Nan;
    }
    if x.is_infinite() || x == 0.0 {
        let [below, zero, above] = ends;
        return Want::exact(if x == 0.0 {
            zero
        } else if x < 0.0 {
            below
        } else {
            above
        });
    }
    match operation {
        Operation::Sqrt if x < 0.0 => Want::Nan,
        Operation::Sqrt => Want::near(x.sqrt(), (-x.sqrt()).mul_add(x.sqrt(), x)),
        Operation::Recip => quotient(1.0, x),
        _ => {
            let oracle = oracle.expect("a function");
            let mut operands = Operands::default();
            operands[0] = to_bf16(x);
            match (operation, want(oracle.answer(&operands))) {
                // IEEE's poles.
                (Operation::TanPi, Want::Infinite(_)) => Want::Nan,
                (_, want) => want,
            }
        }
    }
}

fn quotient(x: f64, y: f64) -> Want {
    let q = x / y;
    let rest = (-q).mul_add(y, x);
    Want::near(q, if y < 0.0 { -rest } else { rest })
}

/// x + y without error.
fn sum(x: f64, y: f64) -> Want {
    let (s, error) = two_sum(x, y);
    Want::near(s, error)
}

/// x + y and its error: Knuth's two-sum.
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    let of_y = s - x;
    (s, (x - (s - of_y)) + (y - of_y))
}

const PAIRS: [Operation; 18] = [
    Operation::CopySign,
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Divide,
    Operation::Hypot,
    Operation::ArcTan2,
    Operation::ArcTan2Pi,
    Operation::Minimum,
    Operation::Maximum,
    Operation::MinimumNumber,
    Operation::MaximumNumber,
    Operation::MinimumMagnitude,
    Operation::MaximumMagnitude,
    Operation::MinimumMagnitudeNumber,
    Operation::MaximumMagnitudeNumber,
    Operation::MinimumFinite,
    Operation::MaximumFinite,
];

/// Of two values as f64, whose zero is positive.
fn of_two(operation: Operation, oracle: Option<&dyn Oracle>, x: f64, y: f64) -> Want {
    use Operation as O;
    use std::f64::consts::{FRAC_PI_2, PI};
    let dropped = |test: fn(f64) -> bool| match (test(x), test(y)) {
        (true, false) => Some(y),
        (false, true) => Some(x),
        _ => None,
    };
    let number = match operation {
        O::MinimumNumber
        | O::MaximumNumber
        | O::MinimumMagnitudeNumber
        | O::MaximumMagnitudeNumber => dropped(f64::is_nan),
        O::MinimumFinite | O::MaximumFinite => {
            dropped(f64::is_nan).or_else(|| dropped(f64::is_infinite))
        }
        _ => None,
    };
    if let Some(x) = number {
        return Want::exact(x);
    }
    if x.is_nan() || y.is_nan() {
        return Want::Nan;
    }
    let finite = x.is_finite() && y.is_finite();
    let turns = |x: f64| Want::exact(if operation == O::ArcTan2Pi { x / PI } else { x });
    let by_magnitude = |first: bool, otherwise: f64| match x.abs().partial_cmp(&y.abs()) {
        Some(Ordering::Equal) => otherwise,
        Some(order) if (order == Ordering::Less) == first => x,
        _ => y,
    };
    match operation {
        O::CopySign => Want::exact(if y < 0.0 { -x.abs() } else { x.abs() }),
        O::Add if finite => sum(x, y),
        O::Add => Want::exact(x + y),
        O::Subtract if finite => sum(x, -y),
        O::Subtract => Want::exact(x - y),
        // At most 16 bits.
        O::Multiply => Want::exact(x * y),
        O::Divide if y == 0.0 => Want::Nan,
        O::Divide if !finite || x == 0.0 => Want::exact(x / y),
        O::Divide => quotient(x, y),
        O::Minimum | O::MinimumNumber | O::MinimumFinite => Want::exact(x.min(y)),
        O::Maximum | O::MaximumNumber | O::MaximumFinite => Want::exact(x.max(y)),
        O::MinimumMagnitude | O::MinimumMagnitudeNumber => {
            Want::exact(by_magnitude(true, x.min(y)))
        }
        O::MaximumMagnitude | O::MaximumMagnitudeNumber => {
            Want::exact(by_magnitude(false, x.max(y)))
        }
        O::Hypot if !finite => Want::Infinite(false),
        O::Hypot if x == 0.0 || y == 0.0 => Want::exact(x.abs().max(y.abs())),
        O::ArcTan2 | O::ArcTan2Pi if x == 0.0 && y == 0.0 => Want::Nan,
        O::ArcTan2 | O::ArcTan2Pi if x.is_infinite() && y.is_infinite() => Want::Nan,
        // The first operand is the ordinate.
        O::ArcTan2 | O::ArcTan2Pi if y == f64::INFINITY => Want::exact(0.0),
        O::ArcTan2 | O::ArcTan2Pi if y == f64::NEG_INFINITY => turns(PI),
        O::ArcTan2 | O::ArcTan2Pi if x.is_infinite() => turns(FRAC_PI_2.copysign(x)),
        O::ArcTan2 | O::ArcTan2Pi if x == 0.0 && y > 0.0 => Want::exact(0.0),
        O::ArcTan2 | O::ArcTan2Pi if x == 0.0 => turns(PI),
        O::ArcTan2 | O::ArcTan2Pi if y == 0.0 => turns(FRAC_PI_2.copysign(x)),
        _ => {
            let mut operands = Operands::default();
            (operands[0], operands[1]) = (to_bf16(x), to_bf16(y));
            want(oracle.expect("a function").answer(&operands))
        }
    }
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

/// Compares all projections of one exact result to these formats.
fn judge(
    operation: Operation,
    operands: &[(FormatSpec, u64)],
    want: Want,
    tables: &[&Table],
) -> Tally {
    let exact = ExactResult::of(operation, operands, Revision::Interim4);
    let exact = exact.expect("operands of formats with K up to 8");
    let is_short = SHORT.contains(&operation);
    let mut tally = Tally::default();
    let mut expected = [0; 18];
    for table in tables {
        table.project(want, &mut expected);
        for (index, &expected) in expected.iter().enumerate() {
            let (rounding, saturation) = (ROUNDINGS[index / 3], SATURATIONS[index % 3]);
            let projection = Projection::new(rounding, saturation);
            let mut compare = |got: u64| {
                tally.compared += 1;
                if got != expected {
                    tally.wrong += 1;
                    tally.first.get_or_insert_with(|| {
                        let operands: String = operands
                            .iter()
                            .map(|(format, code)| format!(" {format} {code:X}"))
                            .collect();
                        let (name, format) = (operation.name(), table.spec);
                        format!(
                            "{name}{operands} to {format} {rounding:?} {saturation:?}: \
                             {got:X}, not {expected:X}"
                        )
                    });
                }
            };
            compare(exact.project(table.spec, projection));
            if is_short {
                let got = p3109::evaluate(operation, operands, table.spec, projection);
                compare(got.expect("operands of the operation"));
            }
        }
    }
    tally
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
}

fn decoded(tables: &[Table]) -> Tally {
    let mut tally = Tally::default();
    for table in tables {
        for (code, &value) in table.values.iter().enumerate() {
            tally.compared += 1;
            let got = match table.spec.value(code as u64) {
                Some((negative, integer, exponent)) => {
                    let magnitude = integer as f64 * 2f64.powi(exponent);
                    if negative { -magnitude } else { magnitude }
                }
                None if table.infinity == Some(code as u64) => f64::INFINITY,
                None if table.nan == code as u64 => f64::NAN,
                None => f64::NEG_INFINITY,
            };
            if got.to_bits() != value.to_bits() && !(got.is_nan() && value.is_nan()) {
                tally.wrong += 1;
                let what = format!("decode {} {code:X}: {got}, not {value}", table.spec);
                tally.first.get_or_insert(what);
            }
        }
    }
    tally
}

/// Each distinct value once, with a code that has it.
fn distinct(tables: &[Table]) -> Vec<(f64, (FormatSpec, u64))> {
    let mut values = BTreeMap::new();
    for table in tables {
        for (code, value) in table.values.iter().enumerate() {
            values
                .entry(value.to_bits())
                .or_insert((*value, (table.spec, code as u64)));
        }
    }
    values.into_values().collect()
}

fn unary(operation: Operation, operands: &[(f64, (FormatSpec, u64))], results: &[&Table]) -> Tally {
    let function = FUNCTIONS.iter().find(|(known, ..)| *known == operation);
    let (ends, name) = match function {
        Some((_, ends, name)) => (*ends, *name),
        // Recip; the others have no ends.
        None => ([0.0, f64::NAN, 0.0], ""),
    };
    let oracle = (!name.is_empty()).then(|| oracle(name, &[Ty::Bf16]));
    operands
        .par_iter()
        .map(|&(x, operand)| {
            let want = of_one(operation, oracle.as_deref(), ends, x);
            judge(operation, &[operand], want, results)
        })
        .reduce(Tally::default, Tally::and)
}

fn binary(operation: Operation, fx: &Table, fy: &Table, results: &[&Table]) -> Tally {
    let name = match operation {
        Operation::Hypot => "hypot",
        Operation::ArcTan2 => "atan2",
        Operation::ArcTan2Pi => "atan2pi",
        _ => "",
    };
    let oracle = (!name.is_empty()).then(|| oracle(name, &[Ty::Bf16, Ty::Bf16]));
    // Results of functions are known among the numbers of bf16 only.
    let results: Vec<&Table> = results
        .iter()
        .copied()
        .filter(|table| name.is_empty() || table.spec != FormatSpec::BINARY16)
        .collect();
    (0..fx.values.len())
        .into_par_iter()
        .map(|x| {
            let mut tally = Tally::default();
            for y in 0..fy.values.len() {
                let operands = [(fx.spec, x as u64), (fy.spec, y as u64)];
                let want = of_two(operation, oracle.as_deref(), fx.values[x], fy.values[y]);
                tally = tally.and(judge(operation, &operands, want, &results));
            }
            tally
        })
        .reduce(Tally::default, Tally::and)
}

/// Of three values as f64, whose zero is positive.
fn of_three(operation: Operation, x: f64, y: f64, z: f64) -> Want {
    if x.is_nan() || y.is_nan() || z.is_nan() {
        return Want::Nan;
    }
    let finite = x.is_finite() && y.is_finite() && z.is_finite();
    match operation {
        // The product has at most 16 bits.
        Operation::FMA if finite => sum(x * y, z),
        Operation::FMA => Want::exact(x * y + z),
        Operation::FAA if finite => sum_of_three(x, y, z),
        Operation::FAA => Want::exact(x + y + z),
        _ if y > z => Want::Nan,
        _ => Want::exact(if x < y {
            y
        } else if x > z {
            z
        } else {
            x
        }),
    }
}

/// x + y + z. If the second sum has an error, its terms did not cancel, and the third is next to
/// it.
fn sum_of_three(x: f64, y: f64, z: f64) -> Want {
    let (s, first) = two_sum(x, y);
    let (t, second) = two_sum(s, z);
    let (u, third) = two_sum(t, first);
    Want::near(u, second + third)
}

/// All triples of a format, to the same format.
fn ternary(operation: Operation, table: &Table) -> Tally {
    let (format, values) = (table.spec, &table.values);
    let codes = || 0..values.len();
    codes()
        .into_par_iter()
        .map(|x| {
            let mut tally = Tally::default();
            for (y, z) in codes().flat_map(|y| codes().map(move |z| (y, z))) {
                let operands = [x, y, z].map(|code| (format, code as u64));
                let want = of_three(operation, values[x], values[y], values[z]);
                tally = tally.and(judge(operation, &operands, want, &[table]));
            }
            tally
        })
        .reduce(Tally::default, Tally::and)
}

pub fn run(console: &mut Console) -> Outcome {
    let start = Instant::now();
    let (tables, external) = (Table::all(), Table::external());
    let mut total = Tally::default();
    let tell = |console: &mut Console, what: String, tally: &Tally| {
        let (compared, wrong) = (tally.compared, tally.wrong);
        console.print(format_args!(
            "{what}: {compared} compared, {wrong} differ\n"
        ))?;
        if let Some(first) = &tally.first {
            console.print(format_args!("  first: {first}\n"))?;
        }
        console.flush()
    };

    let tally = decoded(&tables);
    tell(
        console,
        format!("values of {} formats", tables.len()),
        &tally,
    )?;
    total = total.and(tally);

    let operands = distinct(&tables);
    let results: Vec<&Table> = tables.iter().chain(&external).collect();
    let all = FUNCTIONS.iter().map(|(operation, ..)| *operation);
    let among_bf16: Vec<&Table> = tables.iter().chain(&external[1..]).collect();
    for operation in DIRECT.into_iter().chain(all) {
        let exact = DIRECT.contains(&operation) || operation == Operation::Sqrt;
        let results = if exact { &results } else { &among_bf16 };
        let tally = unary(operation, &operands, results);
        let what = format!(
            "{}: {} values (all codes of {} formats), {} result formats",
            operation.name(),
            operands.len(),
            tables.len(),
            results.len()
        );
        tell(console, what, &tally)?;
        total = total.and(tally);
    }
    let unary_seconds = start.elapsed().as_secs_f64();
    let line = format!("operations of one operand: {unary_seconds:.1} s");
    console.print(format_args!("{line}\n"))?;

    let required: Vec<&Table> = tables
        .iter()
        .filter(|table| {
            let name = table.spec.to_string();
            ["Binary8p4se", "Binary8p3se", "Binary4p2sf"].contains(&name.as_str())
        })
        .collect();
    let narrow: Vec<&Table> = tables
        .iter()
        .filter(|table| table.spec.bitwidth() <= 6)
        .collect();
    for operation in PAIRS {
        let mut tally = Tally::default();
        let of_required: Vec<&Table> = required.iter().copied().chain(&external).collect();
        for fx in &required {
            for fy in &required {
                tally = tally.and(binary(operation, fx, fy, &of_required));
            }
        }
        for table in &narrow {
            tally = tally.and(binary(operation, table, table, &[table]));
        }
        let what = format!(
            "{}: all pairs of 9 pairs of formats to {}, and of {} formats to themselves",
            operation.name(),
            of_required.len(),
            narrow.len()
        );
        tell(console, what, &tally)?;
        total = total.and(tally);
    }
    for operation in [Operation::FMA, Operation::FAA, Operation::Clamp] {
        let mut tally = Tally::default();
        let mut formats = 0;
        for table in tables.iter().filter(|table| table.spec.bitwidth() <= 5) {
            formats += 1;
            tally = tally.and(ternary(operation, table));
        }
        let what = format!(
            "{}: all triples of {formats} formats to themselves",
            operation.name()
        );
        tell(console, what, &tally)?;
        total = total.and(tally);
    }
    let seconds = start.elapsed().as_secs_f64();
    tell(console, format!("p3109: {seconds:.1} s"), &total)?;
    Ok(u8::from(total.wrong > 0))
}
