//! nextUp, nextDown and nextafter: one step in the ordered list of all values, where the two zeros
//! are one entry.

use super::rule::{fixed, nan, plain};
use crate::shape::Shape;
use crate::{Datum, Format, Oracle};
use std::cmp::Ordering;
use sweep_row::Output;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.homogeneous()?;
    if shape.op == "nextafter" {
        return fixed(move |x| toward(format, x[0], x[1]));
    }
    (shape.arity() == (1, 1)).then_some(())?;
    let step = match shape.op {
        "next_up" => 1,
        "next_down" => -1,
        _ => return None,
    };
    fixed(move |x| next(format, x[0], step))
}

fn toward(format: &'static Format, x: u64, y: u64) -> Output {
    let (from, to) = (format.decode(x), format.decode(y));
    match from.order(to) {
        None => nan(format, from.is_signalling() || to.is_signalling()),
        Some(Ordering::Less) => next(format, x, 1),
        Some(Ordering::Equal) => plain(y),
        Some(Ordering::Greater) => next(format, x, -1),
    }
}

fn next(format: &'static Format, bits: u64, step: i128) -> Output {
    let (negative, code) = match format.decode(bits) {
        Datum::Nan { signalling } => return nan(format, signalling),
        Datum::Infinity { negative } | Datum::Finite { negative, .. } => {
            (negative, format.code(bits))
        }
    };
    // The list's index: zero is entry 0, infinity (or the largest number) the last.
    let last = i128::from(format.infinity().unwrap_or(format.largest));
    let index = if negative {
        -i128::from(code)
    } else {
        i128::from(code)
    };
    let index = (index + step).clamp(-last, last);
    // A step to zero keeps the sign of its start.
    let minus = if index == 0 { negative } else { index < 0 };
    let code = u64::try_from(index.abs()).expect("a code");
    plain(format.signed(minus, code))
}
