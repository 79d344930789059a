//! P3109's operations on codes: the exact result of the values, and projection as Interim Report
//! 4.0 says it (4.7.3 to 4.7.5), by comparisons with the values of a format's codes.

mod functions;
mod ordered;

use super::arith;
use super::rule::{boolean, fixed, plain};
use crate::exact::{Exact, Magnitude, last_not_above};
use crate::shape::{ParamValue, Shape};
use crate::{Datum, Dyadic, Oracle};
use std::cmp::Ordering;
use std::sync::OnceLock;
use sweep_row::Output;
use sweep_row::p3109::{Format, Layout, Projection, formats};

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let op = shape.op.strip_prefix("p3109_")?;
    let word = |name: &str| {
        let found = shape.params.iter().find(|(key, _)| *key == name);
        match found {
            Some((_, ParamValue::Bits(_, bits))) => Some(*bits),
            _ => None,
        }
    };
    let (operands, result) = formats(word("formats")?, shape.operands.len())?;
    let Some(result) = result else {
        return query(op, &operands);
    };
    let projection = Projection::of_number(word("projection")?)?;
    let rule = Operation::named(op, operands.len(), projection.revised)?;
    let kinds = operands.clone();
    let value = move |x: &[u64]| {
        let operands = kinds.iter().copied().zip(x.iter().copied());
        plain(rule.exact(operands).project(result, projection))
    };
    match operands[..] {
        // Functions have operands of at most 8 bits.
        [f] if functions::is_one(op) => {
            if f.bits > 8 {
                return None;
            }
            // Many inputs have the same code.
            let codes = OnceLock::new();
            fixed(move |x| {
                let all: &Vec<Output> =
                    codes.get_or_init(|| (0..1 << f.bits).map(|code| value(&[code])).collect());
                all[(x[0] & ((1 << f.bits) - 1)) as usize]
            })
        }
        [f, g] if f.bits.max(g.bits) > 8 && functions::is_one(op) => None,
        _ => fixed(move |x| value(&x[..])),
    }
}

type Rule = Box<dyn Fn(&[Datum]) -> Exact + Send + Sync>;

/// An operation that is rounded.
pub struct Operation(Rule);

impl Operation {
    /// The operation of this many operands, by the name of its row without `p3109_`; `revised` are
    /// the rules of July 2026.
    #[must_use]
    pub fn named(op: &str, arity: usize, revised: bool) -> Option<Self> {
        let rule: Option<Rule> = match arity {
            1 => functions::unary(op, revised)
                .map(|rule| Box::new(move |x: &[Datum]| rule(x[0])) as Rule)
                .or_else(|| unary(op).map(|rule| Box::new(move |x: &[Datum]| rule(x[0])) as Rule)),
            2 => functions::binary(op, revised)
                .map(|rule| Box::new(move |x: &[Datum]| rule(x[0], x[1])) as Rule)
                .or_else(|| {
                    binary(op).map(|rule| Box::new(move |x: &[Datum]| rule(x[0], x[1])) as Rule)
                }),
            _ => {
                ternary(op).map(|rule| Box::new(move |x: &[Datum]| rule(x[0], x[1], x[2])) as Rule)
            }
        };
        rule.map(Self)
    }

    /// Its exact result for these codes.
    #[must_use]
    pub fn exact(&self, operands: impl IntoIterator<Item = (Format, u64)>) -> ExactResult {
        let mut values = [Datum::Infinity { negative: false }; 3];
        for (value, (format, code)) in values.iter_mut().zip(operands) {
            *value = decode(format, code);
        }
        ExactResult((self.0)(&values))
    }
}

/// An exact result.
pub struct ExactResult(Exact);

impl ExactResult {
    /// Its code in a format.
    #[must_use]
    pub fn project(&self, format: Format, projection: Projection) -> u64 {
        project(format, projection, &self.0)
    }
}

/// What rounds nothing.
fn query(op: &str, operands: &[Format]) -> Option<Box<dyn Oracle>> {
    match *operands {
        [f] if op == "class" => fixed(move |x| plain(ordered::class(f, decode(f, x[0])))),
        [f] => {
            if let Some(holds) = ordered::predicate(op) {
                return fixed(move |x| boolean(holds(f, decode(f, x[0]))));
            }
            let next = ordered::neighbour(op, f)?;
            fixed(move |x| plain(next(x[0])))
        }
        [f, g] => {
            let holds = ordered::comparison(op)?;
            fixed(move |x| boolean(holds(decode(f, x[0]), decode(g, x[1]))))
        }
        _ => None,
    }
}

fn unary(op: &str) -> Option<fn(Datum) -> Exact> {
    Some(match op {
        "convert" => Exact::from_datum,
        "abs" => |x| Exact::from_datum(x.absolute()),
        "negate" => |x| Exact::from_datum(arith::negated(x)),
        "sqrt" => arith::sqrt,
        "recip" => |x| {
            let one = Datum::Finite {
                negative: false,
                magnitude: Dyadic::power_of_two(0),
            };
            arith::div(one, x)
        },
        _ => return None,
    })
}

type Binary = Box<dyn Fn(Datum, Datum) -> Exact + Send + Sync>;

fn binary(op: &str) -> Option<Binary> {
    if let Some(select) = ordered::extremum(op) {
        return Some(Box::new(move |x, y| Exact::from_datum(select(x, y))));
    }
    let rule: fn(Datum, Datum) -> Exact = match op {
        "add" => arith::add,
        "subtract" => |x, y| arith::add(x, arith::negated(y)),
        "multiply" => arith::mul,
        // An infinity over zero is NaN too; IEEE 754 divides by zero exactly.
        "divide" => |x, y| match y {
            Datum::Finite { magnitude, .. } if magnitude.is_zero() => Exact::Nan { invalid: true },
            _ => arith::div(x, y),
        },
        "copy_sign" => |x, y| Exact::from_datum(ordered::copy_sign(x, y)),
        _ => return None,
    };
    Some(Box::new(rule))
}

fn ternary(op: &str) -> Option<fn(Datum, Datum, Datum) -> Exact> {
    Some(match op {
        "fma" => arith::fma,
        "faa" => |x, y, z| ordered::faa([x, y, z]),
        "clamp" => |x, low, high| Exact::from_datum(ordered::clamp(x, low, high)),
        _ => return None,
    })
}

/// 2^(K-P-1), in unsigned formats 2^(K-P); external formats have one less.
fn bias(format: Format) -> i32 {
    let width = format.bits - format.precision + u32::from(!format.signed);
    (1 << (width - 1)) - i32::from(format.layout == Layout::External)
}

/// The sign's bit; in unsigned formats, what would be the next code.
fn half(format: Format) -> u64 {
    1 << (format.bits - u32::from(format.signed))
}

/// The code of the largest finite value.
fn max_finite(format: Format) -> u64 {
    match (format.layout, format.signed) {
        (Layout::External, _) => infinity(format).expect("there is one") - 1,
        (Layout::Extended, true) => half(format) - 2,
        (Layout::Finite, true) => half(format) - 1,
        (Layout::Extended, false) => half(format) - 3,
        (Layout::Finite, false) => half(format) - 2,
    }
}

fn infinity(format: Format) -> Option<u64> {
    match (format.layout, format.signed) {
        (Layout::Finite, _) => None,
        (Layout::Extended, true) => Some(half(format) - 1),
        (Layout::Extended, false) => Some(half(format) - 2),
        // The exponent's bits.
        (Layout::External, _) => Some(half(format) - (1 << (format.precision - 1))),
    }
}

fn nan(format: Format) -> u64 {
    match (format.layout, format.signed) {
        // Quiet: the significand's highest bit.
        (Layout::External, _) => {
            infinity(format).expect("there is one") | 1 << (format.precision - 2)
        }
        (_, true) => half(format),
        (_, false) => half(format) - 1,
    }
}

/// The value of a magnitude's code in a format without a largest value.
fn magnitude(format: Format, code: u64) -> Dyadic {
    let fraction_bits = format.precision - 1;
    let (field, fraction) = (code >> fraction_bits, code & ((1 << fraction_bits) - 1));
    let least = 1 - bias(format) - fraction_bits as i32;
    match i32::try_from(field).expect("a short field") {
        0 => Dyadic::new(fraction.into(), least),
        field => Dyadic::new(u128::from(fraction | 1 << fraction_bits), least + field - 1),
    }
}

/// The value of a code in the low bits.
#[must_use]
pub fn decode(format: Format, word: u64) -> Datum {
    let code = word & ((1 << format.bits) - 1);
    let external = format.layout == Layout::External;
    let negative = format.signed && code >= half(format);
    let rest = if negative { code - half(format) } else { code };
    let is_nan = if external {
        infinity(format).is_some_and(|least| rest > least)
    } else {
        code == nan(format)
    };
    if is_nan {
        Datum::Nan { signalling: false }
    } else if infinity(format) == Some(rest) {
        Datum::Infinity { negative }
    } else {
        // There is one zero.
        Datum::Finite {
            negative: negative && rest != 0,
            magnitude: magnitude(format, rest),
        }
    }
}

fn signed(format: Format, negative: bool, code: u64) -> u64 {
    if negative && code != 0 {
        code + half(format)
    } else {
        code
    }
}

fn project(format: Format, projection: Projection, exact: &Exact) -> u64 {
    match exact {
        Exact::Nan { .. } | Exact::Infinite { by_zero: true, .. } => nan(format),
        Exact::Infinite { negative, .. } => infinite(format, projection, *negative),
        Exact::Zero { .. } | Exact::Cancelled => 0,
        Exact::Value {
            negative,
            magnitude,
        } => round(format, projection, *negative, magnitude),
    }
}

fn limit(format: Format, negative: bool) -> u64 {
    match (negative, format.signed) {
        (true, false) => 0,
        _ => signed(format, negative, max_finite(format)),
    }
}

/// An infinity, or what `finite` says where the format has none.
fn infinity_or(format: Format, negative: bool, finite: u64) -> u64 {
    match infinity(format) {
        _ if negative && !format.signed => nan(format),
        Some(code) => signed(format, negative, code),
        None => finite,
    }
}

/// What a finite format has for an infinity under SatNone: the limit, since July 2026 NaN.
fn unsaturated(format: Format, projection: Projection, negative: bool) -> u64 {
    let finite = if projection.revised {
        nan(format)
    } else {
        limit(format, negative)
    };
    infinity_or(format, negative, finite)
}

/// An infinite result.
fn infinite(format: Format, projection: Projection, negative: bool) -> u64 {
    let limit = limit(format, negative);
    match projection.saturation {
        "SatPropagate" if negative && !format.signed => limit,
        "SatPropagate" => infinity_or(format, negative, limit),
        "SatNone" => unsaturated(format, projection, negative),
        _ => limit,
    }
}

/// A rounded finite value outside of the range.
fn beyond(format: Format, projection: Projection, negative: bool) -> u64 {
    let limit = limit(format, negative);
    match (projection.saturation, projection.rounding) {
        ("SatFinite" | "SatPropagate", _) | (_, "TowardZero") => limit,
        (_, "TowardPositive") if negative => limit,
        (_, "TowardNegative") if !negative => limit,
        // The largest finite code of an unsigned extended format is odd.
        (_, "ToOdd") if !negative && !format.signed && !projection.revised => limit,
        _ => unsaturated(format, projection, negative),
    }
}

fn round(format: Format, projection: Projection, negative: bool, value: &Magnitude) -> u64 {
    let largest = max_finite(format);
    let above = |code: u64| value.compare(magnitude(format, code)) == Ordering::Less;
    let code = last_not_above(hint(format, value), largest + 1, above);
    if code > largest {
        return beyond(format, projection, negative);
    }
    let rounded = code
        + u64::from(goes_up(
            projection,
            negative,
            code,
            magnitude(format, code),
            value,
        ));
    let lost = negative && !format.signed && rounded != 0;
    if lost || rounded > largest {
        beyond(format, projection, negative)
    } else {
        signed(format, negative, rounded)
    }
}

/// Whether a value goes to the number after `low`, which is the greatest that is not above it.
fn goes_up(
    projection: Projection,
    negative: bool,
    code: u64,
    low: Dyadic,
    value: &Magnitude,
) -> bool {
    if value.compare(low) == Ordering::Equal {
        return false;
    }
    let odd = code % 2 == 1;
    // The order of the value's fraction of the gap and t * 2^-bits.
    let against =
        |t: u128, bits: u32| value.compare(Dyadic::new((low.m << bits) + t, low.e - bits as i32));
    // The fraction's first bits.
    let first = |bits: u32| {
        let last = (1 << bits) - 1;
        last_not_above(last / 2, last, |t| {
            against(t.into(), bits) == Ordering::Less
        })
    };
    let (bits, random) = (projection.random.0, u64::from(projection.random.1));
    match projection.rounding {
        "TowardZero" => false,
        "TowardPositive" => !negative,
        "TowardNegative" => negative,
        "ToOdd" => !odd,
        "NearestTiesToAway" => against(1, 1) != Ordering::Less,
        "NearestTiesToEven" => match against(1, 1) {
            Ordering::Less => false,
            Ordering::Equal => odd,
            Ordering::Greater => true,
        },
        "StochasticA" => first(bits) + random >= 1 << bits,
        "StochasticB" => first(bits + 1) + 2 * random + 1 >= 2 << bits,
        _ => {
            let down = first(bits);
            let up = match against(u128::from(2 * down + 1), bits + 1) {
                Ordering::Less => false,
                Ordering::Equal => down % 2 == 1,
                Ordering::Greater => true,
            };
            down + u64::from(up) + random >= 1 << bits
        }
    }
}

/// A code near the value's.
#[expect(clippy::cast_sign_loss, reason = "a hint")]
fn hint(format: Format, value: &Magnitude) -> u64 {
    let (_, exponent) = value.hint();
    let field = exponent + i64::from(bias(format));
    (field.max(0) as u64) << (format.precision - 1)
}
