//! Classes and predicates of one operand, from its value.

use super::rule::{boolean, fixed, plain};
use crate::shape::Shape;
use crate::{Datum, Format, Oracle};
use sweep_row::Ty;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    (shape.arity() == (1, 1)).then_some(())?;
    if shape.op == "classify" && shape.results == [Ty::Class] {
        return fixed(move |x| plain(class(format, format.decode(x[0]))));
    }
    (shape.results == [Ty::Bool]).then_some(())?;
    if shape.op == "is_sign_minus" {
        return fixed(move |x| boolean(x[0] >= format.sign_bit()));
    }
    // Each predicate is a set of classes.
    let classes: &'static [u64] = match shape.op {
        "is_normal" => &[3, 8],
        "is_finite" => &[3, 4, 5, 6, 7, 8],
        "is_zero" => &[5, 6],
        "is_subnormal" => &[4, 7],
        "is_infinite" => &[2, 9],
        "is_nan" => &[0, 1],
        "is_signaling" => &[0],
        "is_canonical" => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        _ => return None,
    };
    fixed(move |x| boolean(classes.contains(&class(format, format.decode(x[0])))))
}

/// The number of the class, in the order of clause 5.7.2.
fn class(format: &Format, datum: Datum) -> u64 {
    let (negative, positive) = match datum {
        Datum::Nan { signalling: true } => return 0,
        Datum::Nan { signalling: false } => return 1,
        Datum::Infinity { .. } => (2, 9),
        Datum::Finite { magnitude, .. } if magnitude.is_zero() => (5, 6),
        Datum::Finite { magnitude, .. } if magnitude < format.least_normal() => (4, 7),
        Datum::Finite { .. } => (3, 8),
    };
    match datum {
        Datum::Infinity { negative: true } | Datum::Finite { negative: true, .. } => negative,
        _ => positive,
    }
}
