//! A value's exponent and its parts: logb, ilogb, floor and ceiling of the binary logarithm,
//! frexp and modf.

use super::rule::{fixed, nan, pair, plain};
use crate::answer::integer_bits;
use crate::exact::{Real, encode};
use crate::finish::{flag, infinite, output};
use crate::shape::Shape;
use crate::{Datum, Dyadic, Format, Oracle};
use sweep_inputs::Overflow;
use sweep_row::{Output, Ty};

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    (shape.operands.len() == 1).then_some(())?;
    let same = format.ty;
    let results = shape.results;
    match shape.op {
        "logb" if results == [same] => fixed(move |x| logb(format, x[0])),
        "ilogb" if results == [Ty::I32] => {
            fixed(move |x| exponent(format.decode(x[0]).absolute(), floor))
        }
        "floor_log2" if results == [Ty::I32] => {
            fixed(move |x| exponent(format.decode(x[0]), floor))
        }
        "ceil_log2" if results == [Ty::I32] => {
            fixed(move |x| exponent(format.decode(x[0]), ceiling))
        }
        "frexp" if results == [same, Ty::I32] => fixed(move |x| frexp(format, x[0])),
        "modf" if results == [same, same] => fixed(move |x| modf(format, x[0])),
        _ => None,
    }
}

/// The greatest k with 2^k <= x.
fn floor(x: Dyadic) -> i32 {
    x.floor_log2()
}

/// The least k with x <= 2^k.
fn ceiling(x: Dyadic) -> i32 {
    let k = x.floor_log2();
    if x == Dyadic::power_of_two(k) {
        k
    } else {
        k + 1
    }
}

fn logb(format: &'static Format, bits: u64) -> Output {
    match format.decode(bits) {
        Datum::Nan { signalling } => nan(format, signalling),
        Datum::Infinity { .. } => infinite(format, false, false, Overflow::Ieee),
        Datum::Finite { magnitude, .. } if magnitude.is_zero() => {
            infinite(format, true, true, Overflow::Ieee)
        }
        Datum::Finite { magnitude, .. } => {
            let k = magnitude.floor_log2();
            plain(encode(format, k < 0, Real::integer(k.into())))
        }
    }
}

/// A logarithm as an i32.
fn exponent(datum: Datum, of: fn(Dyadic) -> i32) -> Output {
    let (value, flags) = match datum {
        Datum::Nan { .. } => (i32::MIN, flag::INVALID),
        Datum::Infinity { negative: true } | Datum::Finite { negative: true, .. } => {
            (i32::MIN, flag::INVALID)
        }
        Datum::Infinity { negative: false } => (i32::MAX, flag::INVALID),
        Datum::Finite { magnitude, .. } if magnitude.is_zero() => (i32::MIN, flag::INVALID),
        Datum::Finite { magnitude, .. } => (of(magnitude), 0),
    };
    output(integer_bits(Ty::I32, value.into()), flags)
}

fn frexp(format: &'static Format, bits: u64) -> Output {
    match format.decode(bits) {
        Datum::Nan { signalling } => nan(format, signalling),
        Datum::Finite {
            negative,
            magnitude,
        } if !magnitude.is_zero() => {
            // 2^(k-1) <= |x| < 2^k, so 1/2 <= |x| * 2^-k < 1.
            let k = magnitude.floor_log2() + 1;
            let part = Real::new(negative, magnitude).scaled(-i64::from(k));
            pair(
                encode(format, negative, part),
                integer_bits(Ty::I32, k.into()),
            )
        }
        _ => pair(bits, 0),
    }
}

fn modf(format: &'static Format, bits: u64) -> Output {
    match format.decode(bits) {
        Datum::Nan { signalling } => {
            let nan = nan(format, signalling);
            Output {
                results: [nan.results[0]; 2],
                ..nan
            }
        }
        Datum::Infinity { negative } => pair(format.signed(negative, 0), bits),
        Datum::Finite {
            negative,
            magnitude,
        } => {
            // x = m * 2^e: for e < 0, m = q * 2^-e + r.
            let (whole, rest) = match u32::try_from(-magnitude.e) {
                Ok(digits) => match 1_u128.checked_shl(digits) {
                    Some(unit) => (
                        Dyadic::new(magnitude.m / unit, 0),
                        Dyadic::new(magnitude.m % unit, magnitude.e),
                    ),
                    None => (Dyadic::ZERO, magnitude),
                },
                Err(_) => (magnitude, Dyadic::ZERO),
            };
            let bits = |part| encode(format, negative, Real::new(false, part));
            pair(bits(rest), bits(whole))
        }
    }
}
