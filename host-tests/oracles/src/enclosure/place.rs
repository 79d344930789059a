//! The position of an enclosure among a format's rounding boundaries.

use super::big::{Float, Interval};
use super::elementary::power;
use super::number::Enclosure;
use crate::{Dyadic, Format, Located, Place, Tiny};
use std::cmp::Ordering;

/// An enclosure that can be located.
pub(super) trait Placed {
    /// The position of the value, or `None` if the interior contains a rounding boundary that
    /// matters.
    fn place(&self, format: &'static Format) -> Option<Located>;

    /// The least and the greatest distance that the value can have from the nearest number or
    /// midpoint, in gaps; `None` if it is not in the format's range, or nothing is known.
    fn distance(&self, format: &'static Format) -> Option<[f64; 2]>;
}

/// The distances of `(from, to)` from multiples of 1/2.
fn from_halves(from: f64, to: f64) -> [f64; 2] {
    let [a, b] = [from, to].map(|x| (x - 0.5 * (2.0 * x).round()).abs());
    let crosses = (2.0 * from).floor() + 1.0 < 2.0 * to;
    let straddles = (4.0 * from - 1.0).div_euclid(2.0) != (4.0 * to - 1.0).div_euclid(2.0);
    [
        if crosses { 0.0 } else { a.min(b) },
        if straddles { 0.25 } else { a.max(b) },
    ]
}

/// A value as large as the neighbour that the largest finite number would have above it, or
/// larger.
const fn beyond(format: &'static Format, negative: bool) -> Located {
    Located {
        format,
        negative,
        code: format.largest,
        place: None,
        tiny: Tiny::No,
        fractions: None,
    }
}

/// The position of `(low, high)` in a gap with the midpoint `middle` and the end `end`, from how
/// each end compares with these; the value is above the start of the gap.
fn between(low: [Ordering; 2], high: [Ordering; 2], point: bool) -> Option<Place> {
    match (point, low[0], high[0]) {
        (true, Ordering::Equal, _) => Some(Place::Middle),
        (_, _, Ordering::Less | Ordering::Equal) => Some(Place::Below),
        (_, Ordering::Greater | Ordering::Equal, _) if high[1] != Ordering::Greater => {
            Some(Place::Above)
        }
        _ => None,
    }
}

/// The exponent and the number of units of the gap, from the value's binade.
fn code(format: &Format, binade: i64, m: u64) -> u64 {
    let from_least = u64::try_from(binade - i64::from(format.emin)).expect("not below emin");
    (from_least << (format.precision - 1)) + m
}

impl Placed for Enclosure {
    fn distance(&self, format: &'static Format) -> Option<[f64; 2]> {
        let negative = self.low < 0.0;
        let (low, high) = if negative {
            (-self.high, -self.low)
        } else {
            (self.low, self.high)
        };
        let digits = format.precision - 1;
        let limit = power(format.emin + (1 << (format.bits - format.precision)) - 2);
        if low < 0.0 || high == 0.0 || low >= limit || !low.is_finite() {
            return None;
        }
        let unit = power(exponent(low).max(format.emin) - digits as i32);
        let floor = (low / unit).floor();
        Some(from_halves(low / unit - floor, high / unit - floor))
    }

    fn place(&self, format: &'static Format) -> Option<Located> {
        let negative = self.low < 0.0;
        let (low, high) = if negative {
            (-self.high, -self.low)
        } else {
            (self.low, self.high)
        };
        // A zero is exact, or its sign is unknown.
        if low < 0.0 || high == 0.0 || !low.is_finite() {
            return None;
        }
        let point = low == high;
        let digits = format.precision - 1;
        let exponent_bits = format.bits - format.precision;
        let limit = power(format.emin + (1 << exponent_bits) - 2);
        if low >= limit {
            return Some(beyond(format, negative));
        }
        let binade = exponent(low).max(format.emin);
        // Exact: a power of two multiplies, and the result's last bit is far above f64's least.
        let units_of = |x: f64| x * power(digits as i32 - binade);
        let m = units_of(low) as i64;
        let floor = m as f64;
        let (from, to) = (units_of(low) - floor, units_of(high) - floor);
        let place = if point && from == 0.0 {
            Place::Exact
        } else {
            between(compare(from, 0.5), compare(to, 0.5), point)?
        };
        let m = m.cast_unsigned();
        let mut tiny = Tiny::No;
        if m < 1 << digits {
            tiny = Tiny::Yes;
            if m + 1 == 1 << digits && place == Place::Above {
                tiny = Tiny::Edge(between(compare(from, 0.75), compare(to, 0.75), point)?);
            }
        }
        Some(Located {
            format,
            negative,
            code: code(format, binade.into(), m),
            place: Some(place),
            tiny,
            fractions: None,
        })
    }
}

/// With a midpoint, and with the gap's end.
fn compare(x: f64, middle: f64) -> [Ordering; 2] {
    [x.total_cmp(&middle), x.total_cmp(&1.0)]
}

/// The greatest `k` with `2^k <= x`, or a small number.
fn exponent(x: f64) -> i32 {
    i32::try_from(x.to_bits() >> 52).expect("11 bits") - 1023
}

impl Placed for Interval {
    fn distance(&self, format: &'static Format) -> Option<[f64; 2]> {
        let (low, high) = self.ends()?;
        let negative = low.is_negative();
        let (low, high) = if negative {
            (high.negated(), low.negated())
        } else {
            (low.clone(), high.clone())
        };
        let beyond = Float::of(false, format.magnitude(format.largest + 1));
        if low.is_negative() || high.is_zero() || low >= beyond {
            return None;
        }
        let digits = i64::from(format.precision) - 1;
        let binade = (low.top() - 1).max(i64::from(format.emin));
        let [low, high] = [low, high].map(|end| end.scaled(digits - binade));
        // From the nearest half, so that no bits are lost.
        let nearest = low
            .scaled(2)
            .plus(&Float::integer(1))
            .scaled(-1)
            .floor()
            .scaled(-1);
        let [low, high] = [low, high].map(|end| end.minus(&nearest).rough());
        Some(from_halves(low, high))
    }

    fn place(&self, format: &'static Format) -> Option<Located> {
        let (low, high) = self.ends()?;
        let negative = low.is_negative();
        let (low, high) = if negative {
            (high.negated(), low.negated())
        } else {
            (low.clone(), high.clone())
        };
        if low.is_negative() || high.is_zero() {
            return None;
        }
        let exact = |cut: Dyadic| Float::of(false, cut);
        if low >= exact(format.magnitude(format.largest + 1)) {
            return Some(beyond(format, negative));
        }
        let digits = i64::from(format.precision) - 1;
        let binade = (low.top() - 1).max(i64::from(format.emin));
        let m = low.scaled(digits - binade).floor().small_integer()?;
        let code = code(format, binade, m.unsigned_abs());
        let Dyadic { m, e } = format.magnitude(code);
        let gap = |m: u128, e: i32| {
            let (middle, end) = (
                exact(Dyadic::new(2 * m + 1, e - 1)),
                exact(Dyadic::new(m + 1, e)),
            );
            let against = |x: &Float| [x.cmp(&middle), x.cmp(&end)];
            between(against(&low), against(&high), low == high)
        };
        let place = if low == high && low == exact(Dyadic::new(m, e)) {
            Place::Exact
        } else {
            gap(m, e)?
        };
        let mut tiny = Tiny::No;
        if exact(Dyadic::new(m, e)) < exact(format.least_normal()) {
            tiny = Tiny::Yes;
            let last = format.magnitude(code + 1) == format.least_normal();
            if last && place == Place::Above {
                tiny = Tiny::Edge(gap(2 * m + 1, e - 1)?);
            }
        }
        Some(Located {
            format,
            negative,
            code,
            place: Some(place),
            tiny,
            fractions: None,
        })
    }
}
