//! The exact remainders, and the floored quotient and remainder: both operands as integers on one
//! grid, divided with remainder.

use super::arith::div;
use super::rule::{nan, rounding};
use crate::answer::{Answer, integer_bits};
use crate::exact::{Exact, Real, encode};
use crate::finish::output;
use crate::shape::Shape;
use crate::{Datum, Dyadic, Format, Oracle};
use dashu_int::ops::{DivRem, DivRemEuclid};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;
use sweep_row::{Output, Ty};

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    (shape.operand(1)? == format && shape.result(0)? == format).then_some(())?;
    match (shape.op, shape.results) {
        ("floor_divide", [_]) => {
            return rounding(move |x, fractions| {
                floored(format.decode(x[0]), format.decode(x[1]))
                    .0
                    .answer(format, fractions)
            });
        }
        ("floor_remainder", [_]) => {
            return rounding(move |x, fractions| {
                floored(format.decode(x[0]), format.decode(x[1]))
                    .1
                    .answer(format, fractions)
            });
        }
        _ => {}
    }
    let nearest = match (shape.op, shape.results) {
        ("remainder", [_]) => true,
        ("remquo", [_, Ty::I32]) => true,
        ("fmod", [_]) => false,
        _ => return None,
    };
    let quotient = shape.op == "remquo";
    rounding(move |x, _| {
        let (first, second) = remainder(format, x[0], x[1], nearest);
        let second = if quotient { second } else { 0 };
        Answer::Fixed(Output {
            results: [first.results[0], second],
            ..first
        })
    })
}

/// The floor of the quotient, and what is left of x after it.
fn floored(x: Datum, y: Datum) -> (Exact, Exact) {
    const INVALID: Exact = Exact::Nan { invalid: true };
    use Datum::{Finite, Infinity};
    let propagated = || Exact::propagate(&[x, y]);
    if let (Some(quotient), Some(remainder)) = (propagated(), propagated()) {
        return (quotient, remainder);
    }
    match (x, y) {
        // With the quotient's sign, and divide by zero; zero by zero is invalid.
        (_, Finite { magnitude, .. }) if magnitude.is_zero() => (div(x, y), INVALID),
        (Infinity { .. }, _) => (INVALID, INVALID),
        (
            Finite {
                negative: p,
                magnitude,
            },
            Finite { negative: q, .. } | Infinity { negative: q },
        ) if magnitude.is_zero() => (
            Exact::Zero { negative: p != q },
            Exact::Zero { negative: q },
        ),
        (Finite { negative: p, .. }, Infinity { negative: q }) if p == q => {
            (Exact::Zero { negative: false }, Exact::from_datum(x))
        }
        (Finite { .. }, Infinity { .. }) => (
            Exact::value(Real::integer(-1).over(1)),
            Exact::from_datum(y),
        ),
        (
            Finite {
                negative: p,
                magnitude: m,
            },
            Finite {
                negative: q,
                magnitude: n,
            },
        ) => {
            let grid = m.e.min(n.e);
            let on_grid = |negative: bool, d: Dyadic| {
                let places = usize::try_from(d.e - grid).expect("the lesser exponent");
                let magnitude = IBig::from(d.m) << places;
                if negative { -magnitude } else { magnitude }
            };
            // By a positive divisor, which Euclid's division floors: x / y = -x / -y.
            let (quotient, rest) = on_grid(p != q, m).div_rem_euclid(on_grid(false, n));
            let negative = quotient < IBig::ZERO;
            let (_, magnitude) = quotient.into_parts();
            let quotient = if magnitude.is_zero() {
                Exact::Zero { negative: false }
            } else {
                let (_, magnitude) = Real::natural(magnitude, 0).over(1);
                Exact::Value {
                    negative,
                    magnitude,
                }
            };
            let remainder = if rest.is_zero() {
                Exact::Zero { negative: q }
            } else {
                let (_, magnitude) = Real::natural(rest, grid).over(1);
                Exact::Value {
                    negative: q,
                    magnitude,
                }
            };
            (quotient, remainder)
        }
        _ => unreachable!("NaNs are gone"),
    }
}

/// The remainder, and the quotient's sign with its low 31 bits as an i32.
fn remainder(format: &'static Format, x: u64, y: u64, nearest: bool) -> (Output, u64) {
    let (a, b) = (format.decode(x), format.decode(y));
    if a.nan().is_some() || b.nan().is_some() {
        return (nan(format, a.is_signalling() || b.is_signalling()), 0);
    }
    match (a, b) {
        (Datum::Infinity { .. }, _) => (nan(format, true), 0),
        (_, Datum::Finite { magnitude, .. }) if magnitude.is_zero() => (nan(format, true), 0),
        (_, Datum::Infinity { .. }) => (output(x, 0), 0),
        (
            Datum::Finite {
                negative,
                magnitude: m,
            },
            Datum::Finite {
                negative: other,
                magnitude: n,
            },
        ) => {
            let grid = m.e.min(n.e);
            let on_grid = |d: Dyadic| {
                UBig::from(d.m) << usize::try_from(d.e - grid).expect("the lesser exponent")
            };
            let (m, n) = (on_grid(m), on_grid(n));
            let (quotient, rest) = (&m).div_rem(&n);
            let odd = &quotient % 2_u8 == 1;
            // |x| - quotient*|y| is nearer to the next multiple, or as near and that is even.
            let next = nearest
                && match (&rest << 1).cmp(&n) {
                    Ordering::Less => false,
                    Ordering::Equal => odd,
                    Ordering::Greater => true,
                };
            let (flipped, rest) = if next {
                (true, n - rest)
            } else {
                (false, rest)
            };
            let quotient = if next { quotient + 1_u8 } else { quotient };
            // A zero keeps the sign of x.
            let sign = if rest.is_zero() {
                negative
            } else {
                negative != flipped
            };
            let bits = encode(format, sign, Real::natural(rest, grid));
            let low = u32::try_from(quotient & UBig::from(0x7FFF_FFFF_u32)).expect("31 bits");
            let low = if negative == other {
                i128::from(low)
            } else {
                -i128::from(low)
            };
            (output(bits, 0), integer_bits(Ty::I32, low))
        }
        _ => unreachable!("NaNs are gone"),
    }
}
