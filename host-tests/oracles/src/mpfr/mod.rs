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
    let (from, to) = (shape.operand(0)?, shape.result(0)?);
    let narrow = matches!(to.ty, Ty::F16 | Ty::Bf16);
    // Functions of an f32 may be rounded to a narrower format.
    let covered = match from.ty {
        Ty::F16 | Ty::Bf16 => from.ty == to.ty,
        Ty::F32 => to.ty == Ty::F32 || narrow && shape.operands.len() == 1,
        _ => false,
    };
    if !covered || shape.results.iter().any(|&ty| ty != to.ty) {
        return None;
    }
    let op = shape.op;
    match (shape.operands, shape.results.len()) {
        ([_], 2) if op == "sincos" => {
            let (sine, cosine) = (call::unary("sin")?, call::unary("cos")?);
            rule(move |x| {
                let (number, datum) = (number(from, x[0]), from.decode(x[0]));
                let answer = |value: Cut| value.answer(to, &[datum]);
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
                return activation(shape, from, to);
            };
            rule(move |x| function(&number(from, x[0])).answer(to, &[from.decode(x[0])]))
        }
        ([_, second], 1) if *second == from.ty => {
            let Some(function) = call::binary(op) else {
                return activation(shape, from, to);
            };
            rule(move |x| {
                let data = [from.decode(x[0]), from.decode(x[1])];
                function(&number(from, x[0]), &number(from, x[1])).answer(to, &data)
            })
        }
        ([_, Ty::I32], 1) => {
            let function = call::with_integer(op)?;
            rule(move |x| {
                let n = u32::try_from(x[1])
                    .expect("the upper bits are zero")
                    .cast_signed();
                function(&number(from, x[0]), n).answer(to, &[from.decode(x[0])])
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

fn activation(
    shape: &Shape,
    from: &'static Format,
    format: &'static Format,
) -> Option<Box<dyn Oracle>> {
    let definition = activation::definition(shape)?;
    let gradient = shape.operands.len() == 2;
    rule(move |x| {
        let (datum, grad) = (from.decode(x[0]), from.decode(x[1]));
        if let Datum::Nan { signalling } = datum {
            let invalid = signalling || gradient && matches!(grad, Datum::Nan { signalling: true });
            return Answer::Nan { format, invalid };
        }
        let answer = definition.answer(format, datum, &number(from, x[0]));
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
