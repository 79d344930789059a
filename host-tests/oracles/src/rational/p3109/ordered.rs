//! P3109's operations that order values or ask for a property of one (4.11 to 4.13, 4.16), case by
//! case on exact values.

use super::{Format, Layout, bias, decode, nan};
use crate::exact::{Exact, Real};
use crate::{Datum, Dyadic};
use std::cmp::Ordering::{self, Equal, Greater, Less};

const NAN: Datum = Datum::Nan { signalling: false };

const fn is_infinite(x: Datum) -> bool {
    matches!(x, Datum::Infinity { .. })
}

/// Below zero.
fn is_negative(x: Datum) -> bool {
    x.order(finite(Dyadic::ZERO)) == Some(Less)
}

const fn finite(magnitude: Dyadic) -> Datum {
    Datum::Finite {
        negative: false,
        magnitude,
    }
}

pub(super) fn copy_sign(x: Datum, y: Datum) -> Datum {
    match (y, is_negative(y)) {
        (Datum::Nan { .. }, _) => NAN,
        (_, true) => super::arith::negated(x.absolute()),
        (_, false) => x.absolute(),
    }
}

/// The ten extrema, by their names: what remains of the operands after the exclusions, in order.
pub(super) fn extremum(op: &str) -> Option<impl Fn(Datum, Datum) -> Datum + Send + Sync + use<>> {
    let (greater, rest) = match (op.strip_prefix("minimum"), op.strip_prefix("maximum")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let (by_magnitude, numbers, finite) = match rest {
        "" => (false, false, false),
        "_number" => (false, true, false),
        "_magnitude" => (true, false, false),
        "_magnitude_number" => (true, true, false),
        "_finite" => (false, true, true),
        _ => return None,
    };
    let exclude = |from: Vec<Datum>, what: fn(&Datum) -> bool| -> Vec<Datum> {
        let kept: Vec<_> = from.iter().copied().filter(|x| !what(x)).collect();
        if kept.is_empty() { from } else { kept }
    };
    Some(move |x: Datum, y: Datum| {
        let mut left = vec![x, y];
        if numbers {
            left = exclude(left, |x| x.nan().is_some());
        }
        if finite {
            left = exclude(left, |x| is_infinite(*x));
        }
        if left.iter().any(|x| x.nan().is_some()) {
            return NAN;
        }
        let by_value = |x: &Datum, y: &Datum| x.order(*y).expect("numbers");
        left.sort_by(|x, y| {
            let first = if by_magnitude {
                by_value(&x.absolute(), &y.absolute())
            } else {
                Equal
            };
            first.then(by_value(x, y))
        });
        left[if greater { left.len() - 1 } else { 0 }]
    })
}

pub(super) fn clamp(x: Datum, low: Datum, high: Datum) -> Datum {
    let Some(bounds) = low.order(high) else {
        return NAN;
    };
    match (bounds, x.order(low), x.order(high)) {
        (Greater, ..) | (_, None, _) => NAN,
        (_, Some(Less), _) => low,
        (_, _, Some(Greater)) => high,
        _ => x,
    }
}

/// The sum of three.
pub(super) fn faa(all: [Datum; 3]) -> Exact {
    if let Some(nan) = Exact::propagate(&all) {
        return nan;
    }
    let mut sum = Real::new(false, Dyadic::ZERO);
    let mut infinities = Vec::new();
    for x in all {
        match x {
            Datum::Finite {
                negative,
                magnitude,
            } => sum = sum.plus(&Real::new(negative, magnitude)),
            _ => infinities.push(is_negative(x)),
        }
    }
    match infinities[..] {
        [] => Exact::sum(sum),
        [negative, ..] if infinities.iter().all(|other| *other == negative) => Exact::Infinite {
            negative,
            by_zero: false,
        },
        _ => Exact::Nan { invalid: true },
    }
}

/// The orders of two numbers for which a comparison holds, and whether it holds for a NaN before
/// and after something.
pub(super) fn comparison(op: &str) -> Option<impl Fn(Datum, Datum) -> bool + Send + Sync + use<>> {
    let orders: &[Ordering] = match op {
        "compare_less" => &[Less],
        "compare_less_equal" | "total_order" => &[Less, Equal],
        "compare_equal" => &[Equal],
        "compare_greater" => &[Greater],
        "compare_greater_equal" => &[Greater, Equal],
        _ => return None,
    };
    let total = op == "total_order";
    Some(move |x: Datum, y: Datum| match x.order(y) {
        Some(order) => orders.contains(&order),
        // NaN is the first.
        None => total && x.nan().is_some(),
    })
}

/// The class by its place in the report's list: NaN, then from -Inf to Inf.
pub(super) fn class(format: Format, x: Datum) -> u64 {
    let (negative, magnitude) = match x {
        Datum::Nan { .. } => return 0,
        Datum::Infinity { negative } => return if negative { 1 } else { 7 },
        Datum::Finite { magnitude, .. } if magnitude.is_zero() => return 4,
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, magnitude),
    };
    let normal = magnitude >= Dyadic::power_of_two(1 - bias(format));
    match (negative, normal) {
        (true, true) => 2,
        (true, false) => 3,
        (false, false) => 5,
        (false, true) => 6,
    }
}

pub(super) fn predicate(op: &str) -> Option<fn(Format, Datum) -> bool> {
    Some(match op {
        "is_zero" => |_, x| x.order(finite(Dyadic::ZERO)) == Some(Equal),
        "is_one" => |_, x| x.order(finite(Dyadic::power_of_two(0))) == Some(Equal),
        "is_nan" => |_, x| x.nan().is_some(),
        "is_infinite" => |_, x| is_infinite(x),
        "is_finite" => |_, x| matches!(x, Datum::Finite { .. }),
        "is_sign_minus" => |_, x| is_negative(x),
        "is_normal" => |format, x| matches!(class(format, x), 2 | 6),
        "is_subnormal" => |format, x| matches!(class(format, x), 3 | 5),
        _ => return None,
    })
}

/// The next value up or down, from all values of the format in order. External formats have none.
pub(super) fn neighbour(
    op: &str,
    format: Format,
) -> Option<impl Fn(u64) -> u64 + Send + Sync + use<>> {
    let up = match op {
        "next_greater_than" => true,
        "next_less_than" => false,
        _ => return None,
    };
    let mut values: Vec<(Datum, u64)> = Vec::new();
    if format.layout != Layout::External {
        let codes = (0..1 << format.bits).map(|code| (decode(format, code), code));
        values = codes.filter(|(x, _)| x.nan().is_none()).collect();
        values.sort_by(|(x, _), (y, _)| x.order(*y).expect("numbers"));
    }
    Some(move |word: u64| {
        let x = decode(format, word);
        // How many values are not beyond x.
        let place = match up {
            true => {
                values.partition_point(|(y, _)| y.order(x).is_some_and(|order| order != Greater))
            }
            false => values.partition_point(|(y, _)| y.order(x) == Some(Less)),
        };
        let next = match (x.nan(), up) {
            (Some(_), _) => None,
            (None, true) => values.get(place),
            (None, false) => place.checked_sub(1).and_then(|place| values.get(place)),
        };
        next.map_or(nan(format), |(_, code)| *code)
    })
}
