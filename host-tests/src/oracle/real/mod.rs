//! The comparators for functions whose values are not rational.
//!
//! An operation supplies an **enclosure** of its exact value, an interval that provably contains
//! it. If no cut of the format is inside, the value's place is known. If one is, the enclosure is
//! made again with twice the digits: 64, 128, ... An exact case would never be decided this way;
//! these are recognised by theory, and each function's file lists them with the theorem.
//!
//! | file | what it is |
//! |---|---|
//! | `number.rs` | what an enclosure is, and what definitions compute with |
//! | `filter.rs` | enclosures in the host's f64 |
//! | `big/` | enclosures on integers of any length, the reference |
//! | `place.rs` | an enclosure among a format's cuts |
//! | `special.rs` | the ends of the domains |
//! | `functions/`, `pairs/`, `activation/` | the functions: each once, over either kind of enclosure |
//!
//! [`OracleKind::Real`] uses `big/` alone; [`OracleKind::Filter`] tries the f64 enclosure first,
//! which decides almost every input at a hundredth of the cost. The sweep asks `Filter` for every
//! input and `Real` for one in 64.
//!
//! [`OracleKind::Real`]: super::OracleKind::Real
//! [`OracleKind::Filter`]: super::OracleKind::Filter

mod activation;
mod big;
mod filter;
mod functions;
mod number;
mod pairs;
mod place;
mod special;

use super::answer::Answer;
use super::finish::{flag, output};
use super::format::{Datum, Format};
use super::located::Located;
use super::shape::Shape;
use super::{Dyadic, Oracle};
use crate::row::{Operands, Output, Ty};
use big::{Float, Interval};
use filter::Enclosure;
use functions::Function;
use pairs::Pair;
use place::Placed;

/// Makes an oracle for a format; with the filter, or without.
type Maker = Box<dyn FnOnce(&'static Format, bool) -> Box<dyn Oracle>>;

pub(super) fn for_shape(shape: &Shape, filter: bool) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    // The filter's cuts and products are f64s.
    if !matches!(format.ty, Ty::F16 | Ty::Bf16) {
        return None;
    }
    if shape.results.iter().any(|&ty| ty != format.ty) {
        return None;
    }
    let second = shape.operands.get(1).copied();
    let maker = match (shape.arity(), second) {
        ((1, 1 | 2), _) => functions::maker(shape.op).or_else(|| activation::forward(shape))?,
        ((2, 1), Some(Ty::I32)) => pairs::with_integer(shape.op)?,
        ((2, 1), Some(ty)) if ty == format.ty => {
            pairs::maker(shape.op).or_else(|| activation::backward(shape))?
        }
        _ => return None,
    };
    let two_results = shape.op == "sincos";
    (shape.results.len() == 1 + usize::from(two_results)).then(|| maker(format, filter))
}

struct ByRule<F>(F);

impl<F: Fn(&Operands) -> Answer + Send + Sync> Oracle for ByRule<F> {
    fn locate(&self, operands: &Operands, _: bool) -> Answer {
        self.0(operands)
    }
}

/// Precisions to try.
const PRECISIONS: [usize; 7] = [64, 128, 256, 512, 1024, 2048, 4096];

/// Places a value that is no cut.
///
/// # Panics
///
/// If it is not decided at the greatest precision: then it is an exact case that the theory
/// lacks.
fn settle(format: &'static Format, value: impl Fn(usize) -> Interval) -> Located {
    PRECISIONS
        .iter()
        .find_map(|&p| value(p).place(format))
        .expect("an exact case that the theory lacks")
}

/// A finite datum as a point; an infinity as 2^1000.
fn parts(x: Datum) -> (bool, Dyadic) {
    match x {
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, magnitude),
        Datum::Infinity { negative } => (negative, Dyadic::power_of_two(1000)),
        Datum::Nan { .. } => unreachable!("NaNs are answered before"),
    }
}

/// For up to 53 digits and a moderate exponent.
#[expect(clippy::cast_precision_loss, reason = "53 digits")]
fn to_f64((negative, magnitude): (bool, Dyadic)) -> f64 {
    debug_assert!(magnitude.m < 1 << 53, "more digits than f64 has");
    let value = magnitude.m as f64 * 2_f64.powi(magnitude.e);
    if negative { -value } else { value }
}

fn to_float((negative, magnitude): (bool, Dyadic)) -> Float {
    Float::of(negative, magnitude)
}

/// The answer of a function of one operand.
fn answer<F: Function>(format: &'static Format, filter: bool, function: F, x: Datum) -> Answer {
    if let Datum::Nan { signalling } = x {
        return Answer::Nan {
            format,
            invalid: signalling,
        };
    }
    if let Some(exact) = function.special(x) {
        return exact.answer(format, false);
    }
    let x = parts(x);
    if filter {
        let value = function.value(&Enclosure::point(to_f64(x)));
        if let Some(located) = value.place(format) {
            return Answer::Located(located);
        }
    }
    let x = to_float(x);
    if let Some(exact) = function.exact(&x) {
        return exact.answer(format, false);
    }
    Answer::Located(settle(format, |p| {
        function.value(&Interval::point(x.clone(), p))
    }))
}

fn unary<F: Function>(function: F) -> Maker {
    Box::new(move |format, filter| {
        Box::new(ByRule(move |operands: &Operands| {
            answer(format, filter, function, format.decode(operands[0]))
        }))
    })
}

/// Two functions of one operand, with both results and the union of the flags.
fn both<F: Function, G: Function>(first: F, second: G) -> Maker {
    Box::new(move |format, filter| {
        Box::new(ByRule(move |operands: &Operands| {
            let x = format.decode(operands[0]);
            let parts = (
                answer(format, filter, first, x),
                answer(format, filter, second, x),
            );
            match parts {
                (Answer::Located(first), Answer::Located(second)) => Answer::Two([first, second]),
                // NaNs, and at zero: the same in every mode.
                (first, second) => Answer::Fixed(pair_of(&first, &second)),
            }
        }))
    })
}

fn pair_of(first: &Answer, second: &Answer) -> Output {
    use crate::row::RoundingArg;
    use bitexact::{Overflow, Rounding};
    let fixed =
        |answer: &Answer| answer.output(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee);
    let (first, second) = (fixed(first), fixed(second));
    debug_assert_eq!((first.flags | second.flags) & !flag::INVALID, 0, "exact");
    Output {
        results: [first.results[0], second.results[0]],
        flags: output(0, first.flags | second.flags).flags,
    }
}

/// The answer of a function of two operands.
fn answer_pair<P: Pair>(
    format: &'static Format,
    filter: bool,
    pair: P,
    x: Datum,
    y: Datum,
) -> Answer {
    if let Some(exact) = pair.special(x, y) {
        return exact.answer(format, false);
    }
    let (x, y) = (parts(x), parts(y));
    if filter {
        let point = |part| Enclosure::point(to_f64(part));
        let value = pair.value(&point(x), &point(y));
        if let Some(located) = value.place(format) {
            return Answer::Located(located);
        }
    }
    let (x, y) = (to_float(x), to_float(y));
    if let Some(exact) = pair.exact(&x, &y) {
        return exact.answer(format, false);
    }
    Answer::Located(settle(format, |p| {
        let point = |x: &Float| Interval::point(x.clone(), p);
        pair.value(&point(&x), &point(&y))
    }))
}

/// A function of two operands of the format.
fn binary<P: Pair>(pair: P) -> Maker {
    Box::new(move |format, filter| {
        Box::new(ByRule(move |operands: &Operands| {
            let (x, y) = (format.decode(operands[0]), format.decode(operands[1]));
            answer_pair(format, filter, pair, x, y)
        }))
    })
}

/// A function of an operand and an i32.
fn binary_with_integer<P: Pair>(pair: P) -> Maker {
    Box::new(move |format, filter| {
        Box::new(ByRule(move |operands: &Operands| {
            let x = format.decode(operands[0]);
            let bits = u32::try_from(operands[1]).expect("the upper bits are zero");
            let n = bits.cast_signed();
            let n = Datum::Finite {
                negative: n < 0,
                magnitude: Dyadic::new(n.unsigned_abs().into(), 0),
            };
            answer_pair(format, filter, pair, x, n)
        }))
    })
}

/// The product of two numbers of a format: of at most 11 digits each, so an f64.
pub(super) fn product(format: &'static Format, x: Datum, y: Datum) -> Answer {
    let nan = |invalid| Answer::Nan { format, invalid };
    if x.nan().is_some() || y.nan().is_some() {
        return nan(x.is_signalling() || y.is_signalling());
    }
    let negative = special::sign(x) != special::sign(y);
    let zero = special::is_zero(x) || special::is_zero(y);
    if special::is_infinite(x) || special::is_infinite(y) {
        return if zero {
            nan(true)
        } else {
            special::infinity(negative).answer(format, false)
        };
    }
    if zero {
        return special::zero(negative).answer(format, false);
    }
    let value = to_f64(parts(x)) * to_f64(parts(y));
    let located = Enclosure::point(value).place(format);
    Answer::Located(located.expect("a point has a place"))
}
