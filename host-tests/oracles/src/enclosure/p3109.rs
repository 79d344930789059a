//! Functions of P3109: the exact result among the numbers of a format that is finer than any of its
//! projections.
//!
//! A number at the same position in that format stands for the result: on it, at the midpoint of a
//! gap, or in the middle of one of its halves.

use super::{activation, functions, pairs};
use crate::exact::{Exact, Magnitude};
use crate::shape::{ParamValue, Shape};
use crate::{Answer, Datum, Dyadic, Format, Place, Specials};
use sweep_row::{Operands, Ty};

/// 30 bits: a result has at most 11, and 17 below it decide. Its range is that of the functions of
/// formats with K up to 8 and far beyond that of their results.
static FINE: Format = Format {
    ty: Ty::Bf16,
    bits: 40,
    precision: 30,
    emin: -400,
    largest: (0x3FF << 29) - 1,
    specials: Specials::Ieee,
};

/// The code of a value that the format has.
fn encode(x: Datum) -> u64 {
    let infinity = FINE.infinity().expect("it has one");
    match x {
        Datum::Nan { .. } => FINE.nan().expect("it has one"),
        Datum::Infinity { negative } => FINE.signed(negative, infinity),
        Datum::Finite {
            negative,
            magnitude,
        } if magnitude.is_zero() => FINE.signed(negative, 0),
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let exponent = magnitude.floor_log2();
            let digits = 29 - (exponent - magnitude.e);
            let fraction = (magnitude.m << digits) as u64 - (1 << 29);
            let field = u64::try_from(exponent - FINE.emin + 1).expect("in the range");
            let code = field << 29 | fraction;
            assert_eq!(FINE.magnitude(code), magnitude, "not of the format");
            FINE.signed(negative, code)
        }
    }
}

fn exact(answer: Answer) -> Exact {
    let located = match answer {
        Answer::Nan { .. } => return Exact::Nan { invalid: false },
        Answer::Infinite { negative, .. } => {
            return Exact::Infinite {
                negative,
                by_zero: false,
            };
        }
        Answer::Zero { .. } | Answer::Cancelled { .. } => return Exact::Zero { negative: false },
        Answer::Located(located) => located,
        other => unreachable!("{other:?}"),
    };
    let Dyadic { m, e } = FINE.magnitude(located.code);
    let quarters = match located.place {
        Some(Place::Exact) | None => 0,
        Some(Place::Below) => 1,
        Some(Place::Middle) => 2,
        Some(Place::Above) => 3,
    };
    Exact::Value {
        negative: located.negative,
        magnitude: Magnitude::Quotient {
            numerator: (4 * m + quarters).into(),
            denominator: 1_u8.into(),
            exponent: i64::from(e) - 2,
        },
    }
}

/// A function by the sweep's name, with IEEE 754's special values.
pub(crate) fn function(
    op: &str,
    arity: usize,
) -> Option<impl Fn(&[Datum]) -> Exact + Send + Sync + use<>> {
    // Above this threshold softplus would be its operand.
    let parameters = [
        ("beta", ParamValue::Bits(Ty::F32, 0x3F80_0000)),
        ("threshold", ParamValue::Bits(Ty::F32, 0x7F80_0000)),
    ];
    let maker = match (op, arity) {
        ("softplus", 1) => activation::forward(&Shape {
            op,
            operands: &[FINE.ty],
            results: &[FINE.ty],
            params: &parameters,
        })?,
        (_, 1) => functions::maker(op)?,
        _ => pairs::maker(op)?,
    };
    let oracle = maker([&FINE; 2], true);
    Some(move |x: &[Datum]| {
        let mut operands = Operands::default();
        for (operand, &x) in operands.iter_mut().zip(x) {
            *operand = encode(x);
        }
        exact(oracle.answer(&operands))
    })
}
