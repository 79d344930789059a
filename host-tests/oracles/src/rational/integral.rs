//! Rounding to an integral value of the same format, and to an integer type.

use super::rule::rounding;
use crate::answer::{Answer, Integer, Integral, Mxint8, Outside, out_of_range, range};
use crate::exact::{Exact, Real, among_integers, encode};
use crate::finish::output;
use crate::shape::Shape;
use crate::{Datum, Format, Oracle, Place};
use sweep_row::Ty;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    match (shape.op, shape.arity()) {
        ("round_to_integral", (1, 1)) => {
            let format = shape.homogeneous()?;
            rounding(move |x, fraction| to_integral(format, x[0], fraction))
        }
        ("to_int", (1, 1)) => {
            let (from, to) = (shape.operand(0)?, shape.results[0]);
            range(to)?;
            rounding(move |x, fraction| to_int(from, to, x[0], fraction))
        }
        (op, (1, 1)) if shape.results == [Ty::Mxint8] => {
            let (from, to) = (shape.operand(0)?, Mxint8::of(op)?);
            rounding(move |x, fraction| to_mxint8(from, &to, x[0], fraction))
        }
        _ => None,
    }
}

fn to_integral(format: &'static Format, bits: u64, fraction: bool) -> Answer {
    let Datum::Finite {
        negative,
        magnitude,
    } = format.decode(bits)
    else {
        return match format.decode(bits) {
            Datum::Nan { signalling } => Answer::Nan {
                format,
                invalid: signalling,
            },
            Datum::Infinity { negative } => Answer::Infinite {
                format,
                negative,
                by_zero: false,
            },
            Datum::Finite { .. } => unreachable!("matched above"),
        };
    };
    // A dyadic with this exponent is an integer.
    if magnitude.is_zero() || magnitude.e >= 0 {
        return Answer::Fixed(output(bits, 0));
    }
    let (_, value) = Real::new(negative, magnitude).over(1);
    let (lower, place, fraction) =
        among_integers(&value, fraction).expect("with a negative exponent it is below 2^53");
    let bits = |n: u64| encode(format, negative, Real::integer(n.into()));
    let low = bits(lower);
    // A value that is integral needs no upper neighbour (the format might not have it).
    let high = if place == Place::Exact {
        low
    } else {
        bits(lower + 1)
    };
    let odd = lower % 2 == 1;
    Answer::Integral(Integral {
        negative,
        neighbours: [low, high],
        odd,
        place,
        fraction,
    })
}

/// The multiple of 2^-6 is the integer next to 2^6 times the value.
fn to_mxint8(from: &'static Format, to: &Mxint8, bits: u64, fraction: bool) -> Answer {
    let (negative, magnitude) = match from.decode(bits) {
        Datum::Nan { .. } => return Mxint8::nan(),
        Datum::Infinity { negative } => return to.clamped(negative),
        Datum::Finite { magnitude, .. } if magnitude.is_zero() => {
            return Answer::Fixed(output(0, 0));
        }
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, magnitude),
    };
    let (_, scaled) = Real::new(negative, magnitude).scaled(6).over(1);
    match among_integers(&scaled, fraction) {
        None => to.clamped(negative),
        Some((lower, place, fraction)) => Answer::Integer(Integer {
            ty: Ty::Mxint8,
            outside: to.outside(),
            negative,
            lower,
            place,
            fraction,
        }),
    }
}

fn to_int(from: &'static Format, ty: Ty, bits: u64, fraction: bool) -> Answer {
    match Exact::from_datum(from.decode(bits)) {
        Exact::Nan { .. } => out_of_range(ty, false),
        Exact::Infinite { negative, .. } => out_of_range(ty, negative),
        Exact::Zero { .. } | Exact::Cancelled => Answer::Fixed(output(0, 0)),
        Exact::Value {
            negative,
            magnitude,
        } => match among_integers(&magnitude, fraction) {
            None => out_of_range(ty, negative),
            Some((lower, place, fraction)) => Answer::Integer(Integer {
                ty,
                outside: Outside::Invalid,
                negative,
                lower,
                place,
                fraction,
            }),
        },
    }
}
