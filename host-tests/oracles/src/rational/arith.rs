//! Addition, subtraction, multiplication, division, square root and fused multiply-add, any
//! operand formats to any result format.

use super::rule::rounding;
use crate::exact::{Exact, Magnitude, Real};
use crate::shape::Shape;
use crate::{Datum, Dyadic, Oracle};
use dashu_int::UBig;
use std::ops::ControlFlow;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.result(0)?;
    let arity = shape.arity();
    if let Some(rule) = unary(shape.op).filter(|_| arity == (1, 1)) {
        let a = shape.operand(0)?;
        return rounding(move |x, fractions| rule(a.decode(x[0])).answer(format, fractions));
    }
    if let Some(rule) = binary(shape.op).filter(|_| arity == (2, 1)) {
        let (a, b) = (shape.operand(0)?, shape.operand(1)?);
        return rounding(move |x, fractions| {
            rule(a.decode(x[0]), b.decode(x[1])).answer(format, fractions)
        });
    }
    if shape.op == "fma" && arity == (3, 1) {
        let (a, b, c) = (shape.operand(0)?, shape.operand(1)?, shape.operand(2)?);
        return rounding(move |x, fractions| {
            fma(a.decode(x[0]), b.decode(x[1]), c.decode(x[2])).answer(format, fractions)
        });
    }
    None
}

fn unary(op: &str) -> Option<fn(Datum) -> Exact> {
    (op == "sqrt").then_some(sqrt)
}

fn binary(op: &str) -> Option<fn(Datum, Datum) -> Exact> {
    Some(match op {
        "add" => add,
        "sub" => |a, b| add(a, negated(b)),
        "mul" => mul,
        "div" => div,
        _ => return None,
    })
}

const INVALID: Exact = Exact::Nan { invalid: true };

pub(super) const fn negated(datum: Datum) -> Datum {
    match datum {
        Datum::Nan { .. } => datum,
        Datum::Infinity { negative } => Datum::Infinity {
            negative: !negative,
        },
        Datum::Finite {
            negative,
            magnitude,
        } => Datum::Finite {
            negative: !negative,
            magnitude,
        },
    }
}

pub(super) fn add(a: Datum, b: Datum) -> Exact {
    use Datum::{Finite, Infinity};
    if let Some(nan) = Exact::propagate(&[a, b]) {
        return nan;
    }
    match (a, b) {
        (Infinity { negative }, Infinity { negative: other }) if negative != other => INVALID,
        (Infinity { negative }, _) | (_, Infinity { negative }) => Exact::Infinite {
            negative,
            by_zero: false,
        },
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
            if m.is_zero() && n.is_zero() && p == q {
                Exact::Zero { negative: p }
            } else {
                Exact::sum(Real::new(p, m).plus(&Real::new(q, n)))
            }
        }
        _ => unreachable!("NaNs are gone"),
    }
}

/// Sign and finite magnitude (`None` for infinity) of a datum that is not a NaN.
fn split(datum: Datum) -> (bool, Option<Dyadic>) {
    match datum {
        Datum::Nan { .. } => unreachable!("NaNs are gone"),
        Datum::Infinity { negative } => (negative, None),
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, Some(magnitude)),
    }
}

/// A product without NaN: the special result, or the exact product of finite factors.
fn product(a: Datum, b: Datum) -> ControlFlow<Exact, (bool, Real)> {
    let ((p, m), (q, n)) = (split(a), split(b));
    let negative = p != q;
    match (m, n) {
        (Some(m), Some(n)) => {
            let product = Real::new(p, m).times(&Real::new(q, n));
            ControlFlow::Continue((negative, product))
        }
        (Some(zero), None) | (None, Some(zero)) if zero.is_zero() => ControlFlow::Break(INVALID),
        _ => ControlFlow::Break(Exact::Infinite {
            negative,
            by_zero: false,
        }),
    }
}

pub(super) fn mul(a: Datum, b: Datum) -> Exact {
    if let Some(nan) = Exact::propagate(&[a, b]) {
        return nan;
    }
    match product(a, b) {
        ControlFlow::Break(special) => special,
        ControlFlow::Continue((negative, zero)) if zero.is_zero() => Exact::Zero { negative },
        ControlFlow::Continue((_, product)) => Exact::value(product.over(1)),
    }
}

pub(super) fn div(a: Datum, b: Datum) -> Exact {
    if let Some(nan) = Exact::propagate(&[a, b]) {
        return nan;
    }
    let ((p, m), (q, n)) = (split(a), split(b));
    let negative = p != q;
    match (m, n) {
        (None, None) => INVALID,
        (None, Some(_)) => Exact::Infinite {
            negative,
            by_zero: false,
        },
        (Some(_), None) => Exact::Zero { negative },
        (Some(m), Some(n)) => match (m.is_zero(), n.is_zero()) {
            (true, true) => INVALID,
            (true, false) => Exact::Zero { negative },
            (false, true) => Exact::Infinite {
                negative,
                by_zero: true,
            },
            (false, false) => Exact::Value {
                negative,
                magnitude: Magnitude::Quotient {
                    numerator: UBig::from(m.m),
                    denominator: UBig::from(n.m),
                    exponent: i64::from(m.e) - i64::from(n.e),
                },
            },
        },
    }
}

pub(super) fn sqrt(a: Datum) -> Exact {
    if let Some(nan) = Exact::propagate(&[a]) {
        return nan;
    }
    match split(a) {
        (negative, Some(zero)) if zero.is_zero() => Exact::Zero { negative },
        (true, _) => INVALID,
        (false, None) => Exact::Infinite {
            negative: false,
            by_zero: false,
        },
        (false, Some(Dyadic { m, e })) => Exact::Value {
            negative: false,
            magnitude: Magnitude::Root {
                radicand: UBig::from(m),
                exponent: e.into(),
            },
        },
    }
}

pub(super) fn fma(a: Datum, b: Datum, c: Datum) -> Exact {
    let zero =
        |datum: Datum| matches!(datum, Datum::Finite { magnitude, .. } if magnitude.is_zero());
    let infinite = |datum: Datum| matches!(datum, Datum::Infinity { .. });
    // For any c, including a quiet NaN.
    if zero(a) && infinite(b) || infinite(a) && zero(b) {
        return INVALID;
    }
    if let Some(nan) = Exact::propagate(&[a, b, c]) {
        return nan;
    }
    let (negative, product) = match product(a, b) {
        ControlFlow::Break(Exact::Infinite { negative, .. }) => {
            return add(Datum::Infinity { negative }, c);
        }
        ControlFlow::Break(other) => return other,
        ControlFlow::Continue(product) => product,
    };
    match split(c) {
        (negative, None) => Exact::Infinite {
            negative,
            by_zero: false,
        },
        (sign, Some(addend)) if product.is_zero() && addend.is_zero() && negative == sign => {
            Exact::Zero { negative }
        }
        (sign, Some(addend)) => Exact::sum(product.plus(&Real::new(sign, addend))),
    }
}
