//! The second oracle for the functions that are not rational: MPFR.
//!
//! - The elementary functions are each one call of MPFR, which rounds correctly: 64 bits toward
//!   zero, and the ternary value that says whether anything was discarded. That decides every
//!   rounding boundary. Zeros, infinities and NaNs are MPFR's own (which follow IEEE 754-2019 and
//!   C23), except for `rec_sqrt(-0)`.
//! - The activations are enclosures, each end by MPFR in its direction, from 128 bits upwards, of
//!   the plain definitions (`enclosure/` computes with other forms of them). `special.rs` gives
//!   their results at zeros and infinities, and far out, where no precision is enough.
//!
//! The piecewise functions are not here: they are rational.

mod activation;
mod call;
mod enclosure;
mod place;
mod special;

use crate::answer::{Answer, Factor, Scaled};
use crate::datum::Datum;
use crate::dyadic::Dyadic;
use crate::format::Format;
use crate::oracle::{ByRule, Oracle};
use crate::shape::Shape;
use call::Cut;
use rug::Float;
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Operands, Output, RoundingArg, Ty};

/// Bits of a value from one call.
const BITS: u32 = 64;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    let all_of = |types: &[Ty]| types.iter().all(|&ty| ty == format.ty);
    if !matches!(format.ty, Ty::F16 | Ty::Bf16) || !all_of(shape.results) {
        return None;
    }
    let op = shape.op;
    match (shape.operands, shape.results.len()) {
        ([_], 2) if op == "sincos" => {
            let (sine, cosine) = (call::unary("sin")?, call::unary("cos")?);
            rule(move |x| {
                let (number, datum) = (number(format, x[0]), format.decode(x[0]));
                let answer = |value: Cut| value.answer(format, &[datum]);
                match (answer(sine(&number)), answer(cosine(&number))) {
                    (Answer::Located(first), Answer::Located(second)) => {
                        Answer::Two([first, second])
                    }
                    // For zeros and non-finite values: the same in every mode.
                    (first, second) => Answer::Fixed(together(&first, &second)),
                }
            })
        }
        ([_], 1) => {
            let Some(function) = call::unary(op) else {
                return activation(shape, format);
            };
            rule(move |x| function(&number(format, x[0])).answer(format, &[format.decode(x[0])]))
        }
        ([_, second], 1) if *second == format.ty => {
            let Some(function) = call::binary(op) else {
                return activation(shape, format);
            };
            rule(move |x| {
                let data = [format.decode(x[0]), format.decode(x[1])];
                function(&number(format, x[0]), &number(format, x[1])).answer(format, &data)
            })
        }
        ([_, Ty::I32], 1) => {
            let function = call::with_integer(op)?;
            rule(move |x| {
                let n = u32::try_from(x[1])
                    .expect("the upper bits are zero")
                    .cast_signed();
                function(&number(format, x[0]), n).answer(format, &[format.decode(x[0])])
            })
        }
        _ => None,
    }
}

fn together(first: &Answer, second: &Answer) -> Output {
    let fixed =
        |answer: &Answer| answer.output(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee);
    let (first, second) = (fixed(first), fixed(second));
    Output {
        results: [first.results[0], second.results[0]],
        flags: first.flags | second.flags,
    }
}

fn activation(shape: &Shape, format: &'static Format) -> Option<Box<dyn Oracle>> {
    let definition = activation::definition(shape)?;
    let gradient = shape.operands.len() == 2;
    rule(move |x| {
        let (datum, grad) = (format.decode(x[0]), format.decode(x[1]));
        if let Datum::Nan { signalling } = datum {
            let invalid = signalling || gradient && matches!(grad, Datum::Nan { signalling: true });
            return Answer::Nan { format, invalid };
        }
        let answer = definition.answer(format, datum, &number(format, x[0]));
        if !gradient {
            return answer;
        }
        let factor = match answer {
            Answer::Located(located) => Factor::Located(located),
            Answer::Zero { negative, .. } => Factor::Zero { negative },
            Answer::Infinite { negative, .. } => Factor::Infinite { negative },
            Answer::Nan { invalid, .. } => Factor::Nan { invalid },
            other => unreachable!("a derivative is a number: {other:?}"),
        };
        let grad = x[1];
        Answer::Scaled(Scaled {
            format,
            factor,
            grad,
        })
    })
}

fn rule(f: impl Fn(&Operands) -> Answer + Send + Sync + 'static) -> Option<Box<dyn Oracle>> {
    Some(Box::new(ByRule(move |operands: &Operands, _| f(operands))))
}

/// An operand.
fn number(format: &Format, bits: u64) -> Float {
    let signed = |negative: bool, x: Float| if negative { -x } else { x };
    match format.decode(bits) {
        Datum::Nan { .. } => Float::with_val(BITS, rug::float::Special::Nan),
        Datum::Infinity { negative } => signed(
            negative,
            Float::with_val(BITS, rug::float::Special::Infinity),
        ),
        Datum::Finite {
            negative,
            magnitude: Dyadic { m, e },
        } => signed(negative, Float::with_val(BITS, m) << e),
    }
}
