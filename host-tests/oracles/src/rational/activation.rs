//! The piecewise activations and their gradients.
//!
//! An operand that the contract returns unchanged keeps its bits in every mode.

use super::rule::{fixed, nan, rounding, signalling};
use crate::answer::Answer;
use crate::exact::{Exact, Real};
use crate::finish::output;
use crate::shape::Shape;
use crate::{Datum, Dyadic, Format, Oracle};
use std::cmp::Ordering;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.homogeneous()?;
    match (shape.op, shape.arity()) {
        ("hardtanh", (1, 1)) => hardtanh(format, Bounds::of(shape)?),
        ("relu6", (1, 1)) => hardtanh(format, Bounds::integers(0, 6)),
        ("hardtanh_backward", (2, 1)) => inside(format, Bounds::of(shape)?, NanRule::of(shape)?),
        ("relu6_backward", (2, 1)) => inside(format, Bounds::integers(0, 6), NanRule::of(shape)?),
        ("hardsigmoid", (1, 1)) => {
            rounding(move |x, fractions| hardsigmoid(format, x[0], fractions))
        }
        ("hardswish", (1, 1)) => rounding(move |x, fractions| hardswish(format, x[0], fractions)),
        ("hardsigmoid_backward", (2, 1)) => backward(format, shape, |_, x| {
            let Bounds { min, max } = Bounds::integers(-3, 3);
            // Strictly between: the slope is 1/6.
            if is_inside(x, min, max) {
                Slope::Sixths(Real::integer(1))
            } else {
                Slope::Zero
            }
        }),
        ("hardswish_backward", (2, 1)) => backward(format, shape, |finite, x| {
            let Bounds { min, max } = Bounds::integers(-3, 3);
            if !greater(x, min) {
                Slope::Zero
            } else if !less(x, max) {
                Slope::One
            } else {
                let x = finite.expect("between -3 and 3");
                Slope::Sixths(x.scaled(1).plus(&Real::integer(3)))
            }
        }),
        _ => None,
    }
}

/// Two numbers, infinities among them.
#[derive(Clone, Copy)]
struct Bounds {
    min: Datum,
    max: Datum,
}

impl Bounds {
    fn of(shape: &Shape) -> Option<Self> {
        let number = |name| shape.number(name).map(|(format, bits)| format.decode(bits));
        let (min, max) = (number("min")?, number("max")?);
        // Not NaN, and in order.
        min.order(max).filter(|&order| order != Ordering::Greater)?;
        Some(Self { min, max })
    }

    fn integers(min: i32, max: i32) -> Self {
        let number = |n: i32| Datum::Finite {
            negative: n < 0,
            magnitude: Dyadic::new(n.unsigned_abs().into(), 0),
        };
        Self {
            min: number(min),
            max: number(max),
        }
    }
}

fn less(x: Datum, y: Datum) -> bool {
    x.order(y) == Some(Ordering::Less)
}

fn greater(x: Datum, y: Datum) -> bool {
    less(y, x)
}

fn is_inside(x: Datum, min: Datum, max: Datum) -> bool {
    greater(x, min) && less(x, max)
}

/// The result for a NaN operand of a gradient.
#[derive(Clone, Copy)]
enum NanRule {
    Pass,
    Zero,
    Propagate,
}

impl NanRule {
    fn of(shape: &Shape) -> Option<Self> {
        Some(match shape.choice("nan")? {
            "pass" => Self::Pass,
            "zero" => Self::Zero,
            "propagate" => Self::Propagate,
            _ => return None,
        })
    }

    fn bits(self, format: &Format, grad: u64) -> u64 {
        match self {
            Self::Pass => grad,
            Self::Zero => 0,
            Self::Propagate => nan(format, false).results[0],
        }
    }
}

fn hardtanh(format: &'static Format, Bounds { min, max }: Bounds) -> Option<Box<dyn Oracle>> {
    rounding(move |operands, fractions| {
        let x = format.decode(operands[0]);
        if let Some(invalid) = x.nan() {
            Answer::Nan { format, invalid }
        } else if less(x, min) {
            Exact::from_datum(min).answer(format, fractions)
        } else if greater(x, max) {
            Exact::from_datum(max).answer(format, fractions)
        } else {
            Answer::Fixed(output(operands[0], 0))
        }
    })
}

fn inside(
    format: &'static Format,
    Bounds { min, max }: Bounds,
    rule: NanRule,
) -> Option<Box<dyn Oracle>> {
    fixed(move |operands| {
        let (x, grad) = (format.decode(operands[0]), operands[1]);
        let bits = match x {
            Datum::Nan { .. } => rule.bits(format, grad),
            _ if is_inside(x, min, max) => grad,
            _ => 0,
        };
        output(bits, signalling(&[x]))
    })
}

/// The finite value of a datum.
fn finite(x: Datum) -> Option<Real> {
    match x {
        Datum::Finite {
            negative,
            magnitude,
        } => Some(Real::new(negative, magnitude)),
        _ => None,
    }
}

fn hardsigmoid(format: &'static Format, bits: u64, fractions: bool) -> Answer {
    let x = format.decode(bits);
    if let Some(invalid) = x.nan() {
        return Answer::Nan { format, invalid };
    }
    let Bounds { min, max } = Bounds::integers(-3, 3);
    let exact = if !greater(x, min) {
        Exact::Zero { negative: false }
    } else if !less(x, max) {
        Exact::value(Real::integer(1).over(1))
    } else {
        let x = finite(x).expect("between -3 and 3");
        Exact::value(x.plus(&Real::integer(3)).over(6))
    };
    exact.answer(format, fractions)
}

fn hardswish(format: &'static Format, bits: u64, fractions: bool) -> Answer {
    let x = format.decode(bits);
    if let Some(invalid) = x.nan() {
        return Answer::Nan { format, invalid };
    }
    let Bounds { min, max } = Bounds::integers(-3, 3);
    let exact = if !greater(x, min) {
        Exact::Zero { negative: true }
    } else if !less(x, max) {
        Exact::from_datum(x)
    } else {
        let value = finite(x).expect("between -3 and 3");
        let product = value.times(&value.plus(&Real::integer(3)));
        if product.is_zero() {
            Exact::from_datum(x)
        } else {
            Exact::value(product.over(6))
        }
    };
    exact.answer(format, fractions)
}

/// The slope at an operand.
enum Slope {
    /// The gradient is ignored.
    Zero,
    /// The gradient is copied.
    One,
    /// This many sixths, a factor of the gradient; a zero counts as +0.
    Sixths(Real),
}

fn backward(
    format: &'static Format,
    shape: &Shape,
    slope: fn(Option<Real>, Datum) -> Slope,
) -> Option<Box<dyn Oracle>> {
    let rule = NanRule::of(shape)?;
    rounding(move |operands, fractions| {
        let (x, grad) = (format.decode(operands[0]), operands[1]);
        if x.nan().is_some() {
            return Answer::Fixed(output(rule.bits(format, grad), signalling(&[x])));
        }
        match slope(finite(x), x) {
            Slope::Zero => Answer::Zero {
                format,
                negative: false,
            },
            Slope::One => Answer::Fixed(output(grad, 0)),
            Slope::Sixths(factor) => times(format.decode(grad), &factor).answer(format, fractions),
        }
    })
}

/// `grad * factor / 6`.
fn times(grad: Datum, factor: &Real) -> Exact {
    match grad {
        Datum::Nan { signalling } => Exact::Nan {
            invalid: signalling,
        },
        Datum::Infinity { .. } if factor.is_zero() => Exact::Nan { invalid: true },
        Datum::Infinity { negative } => Exact::Infinite {
            negative: negative != factor.is_negative(),
            by_zero: false,
        },
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let product = Real::new(negative, magnitude).times(factor);
            if product.is_zero() {
                Exact::Zero {
                    negative: negative != factor.is_negative(),
                }
            } else {
                Exact::value(product.over(6))
            }
        }
    }
}
