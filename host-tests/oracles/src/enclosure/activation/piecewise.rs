//! relu, hardshrink, threshold, and the gradients that copy the upstream gradient.
//!
//! An operand that is returned unchanged keeps its bits in every mode; a zero result is +0.

use super::parameter::Parameter;
use crate::answer::Answer;
use crate::enclosure::decide::Maker;
use crate::exact::Exact;
use crate::finish::{self, flag, output};
use crate::oracle::ByRule;
use crate::shape::Shape;
use crate::{Datum, Format, Located};
use std::cmp::Ordering;
use sweep_row::Operands;

const ZERO: Datum = Datum::Finite {
    negative: false,
    magnitude: crate::Dyadic::ZERO,
};

fn greater(x: Datum, y: Datum) -> bool {
    x.order(y) == Some(Ordering::Greater)
}

fn negated(x: Datum) -> Datum {
    match x {
        Datum::Finite {
            negative,
            magnitude,
        } => Datum::Finite {
            negative: !negative,
            magnitude,
        },
        Datum::Infinity { negative } => Datum::Infinity {
            negative: !negative,
        },
        Datum::Nan { .. } => x,
    }
}

/// The result for an operand that is not a NaN.
#[derive(Clone, Copy)]
enum Piece {
    /// The operand; in a gradient, the upstream one.
    Moved,
    Zero,
    /// This parameter, rounded.
    Value(Parameter),
    /// The upstream gradient times this, rounded.
    Times(Parameter),
}

type Rule = Box<dyn Fn(Datum) -> Piece + Send + Sync>;

fn rule(op: &str, shape: &Shape) -> Option<Rule> {
    let parameter = |name| Parameter::number(shape, name);
    let zero_unless = |moved: Box<dyn Fn(Datum) -> bool + Send + Sync>| -> Rule {
        Box::new(move |x| if moved(x) { Piece::Moved } else { Piece::Zero })
    };
    Some(match op {
        // -0 stays, as in relu6.
        "relu" => zero_unless(Box::new(|x| !greater(ZERO, x))),
        "relu_backward" => zero_unless(Box::new(|x| greater(x, ZERO))),
        "hardshrink" | "hardshrink_backward" | "softshrink_backward" => {
            let lambd = parameter("lambd")?;
            if lambd.0 < 0.0 {
                return None;
            }
            let (lambd, other) = (lambd.datum(), negated(lambd.datum()));
            zero_unless(Box::new(move |x| greater(x, lambd) || greater(other, x)))
        }
        "threshold" => {
            let (threshold, value) = (
                parameter("threshold")?.datum(),
                Parameter::of(shape, "value")?,
            );
            Box::new(move |x| {
                if greater(x, threshold) {
                    Piece::Moved
                } else {
                    Piece::Value(value)
                }
            })
        }
        "threshold_backward" => {
            let threshold = parameter("threshold")?.datum();
            zero_unless(Box::new(move |x| greater(x, threshold)))
        }
        "leaky_relu_backward" => {
            let slope = Parameter::of(shape, "negative_slope")?;
            Box::new(move |x| {
                if greater(x, ZERO) {
                    Piece::Moved
                } else {
                    Piece::Times(slope)
                }
            })
        }
        _ => return None,
    })
}

pub(super) fn forward(shape: &Shape) -> Option<Maker> {
    shape.homogeneous()?;
    let rule = rule(shape.op, shape)?;
    Some(Box::new(move |[_, format], _| {
        Box::new(ByRule(move |operands: &Operands, _| {
            let x = format.decode(operands[0]);
            if let Some(invalid) = x.nan() {
                return Answer::Nan { format, invalid };
            }
            match rule(x) {
                Piece::Moved => Answer::Fixed(output(operands[0], 0)),
                Piece::Zero => Answer::Fixed(output(0, 0)),
                Piece::Value(value) => Exact::from_datum(value.datum()).answer(format, false),
                Piece::Times(_) => unreachable!("a gradient"),
            }
        }))
    }))
}

#[derive(Clone, Copy)]
enum NanRule {
    Pass,
    Zero,
    Propagate,
}

pub(super) fn backward(shape: &Shape) -> Option<Maker> {
    let rule = rule(shape.op, shape)?;
    let nan = match shape.choice("nan")? {
        "pass" => NanRule::Pass,
        "zero" => NanRule::Zero,
        "propagate" => NanRule::Propagate,
        _ => return None,
    };
    Some(Box::new(move |[_, format], _| {
        Box::new(ByRule(move |operands: &Operands, _| {
            let (x, grad) = (format.decode(operands[0]), operands[1]);
            if let Some(signalling) = x.nan() {
                let bits = match nan {
                    NanRule::Pass => grad,
                    NanRule::Zero => 0,
                    NanRule::Propagate => finish::nan(format, false).results[0],
                };
                let flags = if signalling { flag::INVALID } else { 0 };
                return Answer::Fixed(output(bits, flags));
            }
            match rule(x) {
                Piece::Moved => Answer::Fixed(output(grad, 0)),
                Piece::Zero => Answer::Fixed(output(0, 0)),
                Piece::Times(slope) => times(format, format.decode(grad), slope),
                Piece::Value(_) => unreachable!("not a gradient"),
            }
        }))
    }))
}

/// The exact product, of at most 11 and 24 bits.
fn times(format: &'static Format, grad: Datum, slope: Parameter) -> Answer {
    let negative = |sign: bool| sign != slope.is_negative();
    match grad {
        _ if slope.0.is_nan() => Answer::Nan {
            format,
            invalid: grad.is_signalling() || slope.datum().is_signalling(),
        },
        Datum::Nan { signalling } => Answer::Nan {
            format,
            invalid: signalling,
        },
        Datum::Infinity { .. } if slope.0 == 0.0 => Answer::Nan {
            format,
            invalid: true,
        },
        Datum::Infinity { negative: sign } => Answer::Infinite {
            format,
            negative: negative(sign),
            by_zero: false,
        },
        Datum::Finite {
            negative: sign,
            magnitude,
        } => {
            if slope.is_infinite() {
                return if magnitude.is_zero() {
                    Answer::Nan {
                        format,
                        invalid: true,
                    }
                } else {
                    Answer::Infinite {
                        format,
                        negative: negative(sign),
                        by_zero: false,
                    }
                };
            }
            if magnitude.is_zero() || slope.0 == 0.0 {
                return Answer::Zero {
                    format,
                    negative: negative(sign),
                };
            }
            let Datum::Finite {
                magnitude: factor, ..
            } = slope.datum()
            else {
                unreachable!("not finite");
            };
            Answer::Located(Located::product(format, negative(sign), magnitude, factor))
        }
    }
}
