//! Format to format, integer to format, E8M0 scale to format, and multiplication by a power of
//! two.

use super::rule::{fixed, plain, rounding};
use crate::answer::range;
use crate::exact::{Exact, Real};
use crate::shape::Shape;
use crate::{Datum, Dyadic, Oracle};
use sweep_row::Ty;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    match (shape.op, shape.arity()) {
        ("convert", (1, 1)) => {
            let (from, to) = (shape.operand(0)?, shape.result(0)?);
            rounding(move |x, fractions| Exact::from_datum(from.decode(x[0])).answer(to, fractions))
        }
        ("from_int", (1, 1)) => {
            let (from, to) = (shape.operands[0], shape.result(0)?);
            range(from)?;
            rounding(move |x, fractions| {
                let value = integer(from, x[0]);
                let exact = if value == 0 {
                    Exact::Zero { negative: false }
                } else {
                    Exact::value(Real::integer(value).over(1))
                };
                exact.answer(to, fractions)
            })
        }
        ("scalbn", (2, 1)) => {
            let (from, to) = (shape.operand(0)?, shape.result(0)?);
            (shape.operands[1] == Ty::I32).then_some(())?;
            rounding(move |x, fractions| {
                let n = i64::try_from(integer(Ty::I32, x[1])).expect("32 bits");
                let exact = match from.decode(x[0]) {
                    Datum::Finite {
                        negative,
                        magnitude,
                    } if !magnitude.is_zero() => {
                        Exact::value(Real::new(negative, magnitude).scaled(n).over(1))
                    }
                    special => Exact::from_datum(special),
                };
                exact.answer(to, fractions)
            })
        }
        ("e8m0_decode", (1, 1)) => {
            let to = shape.result(0)?;
            (shape.operands[0] == Ty::E8m0).then_some(())?;
            rounding(move |x, fractions| {
                let exact = scale(x[0]).map_or(Exact::Nan { invalid: false }, |k| {
                    Exact::value(Real::new(false, Dyadic::power_of_two(k)).over(1))
                });
                exact.answer(to, fractions)
            })
        }
        ("mxint8_decode", (1, 1)) => {
            let to = shape.result(0)?;
            (shape.operands[0] == Ty::Mxint8).then_some(())?;
            rounding(move |x, fractions| {
                let n = integer(Ty::I8, x[0]);
                let exact = if n == 0 {
                    Exact::Zero { negative: false }
                } else {
                    Exact::value(Real::integer(n).scaled(-6).over(1))
                };
                exact.answer(to, fractions)
            })
        }
        ("e8m0_reciprocal", (1, 1))
            if shape.operands == [Ty::E8m0] && shape.results == [Ty::E8m0] =>
        {
            fixed(|x| {
                // The byte whose scale is 2^-k: there is one for each scale.
                let reciprocal =
                    scale(x[0]).and_then(|k| (0..=254).find(|&byte| scale(byte) == Some(-k)));
                plain(reciprocal.unwrap_or(0xFF))
            })
        }
        _ => None,
    }
}

/// The exponent of an E8M0 scale, `None` for NaN.
fn scale(byte: u64) -> Option<i32> {
    let byte = i32::try_from(byte).expect("a byte");
    (byte != 0xFF).then_some(byte - 127)
}

/// The value of an integer's bits.
pub(super) fn integer(ty: Ty, bits: u64) -> i128 {
    let (least, greatest) = range(ty).expect("an integer type");
    let value = i128::from(bits);
    if value > greatest {
        value - (greatest - least + 1)
    } else {
        value
    }
}
