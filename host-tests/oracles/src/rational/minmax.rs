//! The eight minimum and maximum operations of IEEE 754-2019, 9.6.

use super::rule::{fixed, nan, plain};
use crate::finish::{flag, output};
use crate::shape::Shape;
use crate::{Datum, Format, Oracle};
use std::cmp::Ordering;
use sweep_row::Output;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.homogeneous()?;
    (shape.arity() == (2, 1)).then_some(())?;
    let (maximum, kind) = match shape.op.split_once('_').unwrap_or((shape.op, "")) {
        ("minimum", kind) => (false, kind),
        ("maximum", kind) => (true, kind),
        _ => return None,
    };
    let (magnitude, number) = match kind {
        "" => (false, false),
        "number" => (false, true),
        "magnitude" => (true, false),
        "magnitude_number" => (true, true),
        _ => return None,
    };
    fixed(move |x| extremum(format, [x[0], x[1]], maximum, magnitude, number))
}

fn extremum(
    format: &'static Format,
    bits: [u64; 2],
    maximum: bool,
    magnitude: bool,
    number: bool,
) -> Output {
    let data = bits.map(|bits| format.decode(bits));
    let invalid = data.iter().any(|datum| datum.is_signalling());
    let flags = if invalid { flag::INVALID } else { 0 };
    match data.map(|datum| datum.nan().is_some()) {
        [false, false] => {}
        [true, false] if number => return output(bits[1], flags),
        [false, true] if number => return output(bits[0], flags),
        _ => return nan(format, invalid),
    }
    let [a, b] = data;
    let by_magnitude = a.absolute().order(b.absolute()).expect("numbers");
    let by_value = a.order(b).expect("numbers").then_with(|| {
        // The same number: only zeros can still differ, and -0 is less than +0.
        is_minus(b).cmp(&is_minus(a))
    });
    let order = if magnitude {
        by_magnitude.then(by_value)
    } else {
        by_value
    };
    let first = if maximum {
        order != Ordering::Less
    } else {
        order != Ordering::Greater
    };
    plain(if first { bits[0] } else { bits[1] })
}

const fn is_minus(datum: Datum) -> bool {
    match datum {
        Datum::Nan { .. } => false,
        Datum::Infinity { negative } | Datum::Finite { negative, .. } => negative,
    }
}
