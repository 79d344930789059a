//! From the definition of a function to the position of its value.

use super::big::{Float, Interval};
use super::elementary::power;
use super::function::Function;
use super::number::Enclosure;
use super::pair::Pair;
use super::place::Placed;
use crate::answer::Answer;
use crate::datum::Datum;
use crate::dyadic::Dyadic;
use crate::exact::{Exact, Magnitude};
use crate::finish::{flag, output};
use crate::format::Format;
use crate::located::Located;
use crate::oracle::{ByRule, Oracle};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{Operands, Output, RoundingArg};

/// Makes an oracle for the formats of the operands and of the results, with or without the filter.
pub(super) type Maker = Box<dyn FnOnce([&'static Format; 2], bool) -> Box<dyn Oracle>>;

/// Precisions to try.
const PRECISIONS: [usize; 7] = [64, 128, 256, 512, 1024, 2048, 4096];

/// Locates a value that is not on a rounding boundary.
///
/// # Panics
///
/// If it is not decided at the greatest precision; then it is an exact case that the theory does
/// not list.
fn settle(format: &'static Format, value: impl Fn(usize) -> Interval) -> Located {
    PRECISIONS
        .iter()
        .find_map(|&p| value(p).place(format))
        .expect("an exact case that the theory lacks")
}

/// A finite datum as a point; an infinity as 2^1000.
pub(super) fn parts(x: Datum) -> (bool, Dyadic) {
    match x {
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, magnitude),
        Datum::Infinity { negative } => (negative, Dyadic::power_of_two(1000)),
        Datum::Nan { .. } => unreachable!("NaNs are answered before"),
    }
}

/// For up to 53 bits and a moderate exponent.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "53 bits"
)]
pub(super) fn to_f64((negative, magnitude): (bool, Dyadic)) -> f64 {
    debug_assert!(magnitude.m < 1 << 53, "more bits than f64 has");
    let value = magnitude.m as u64 as f64 * power(magnitude.e);
    if negative { -value } else { value }
}

fn to_float((negative, magnitude): (bool, Dyadic)) -> Float {
    Float::of(negative, magnitude)
}

/// A value of which only the neighbourhood is known, as an enclosure.
fn beside(exact: &Exact) -> Option<Enclosure> {
    let &Exact::Value {
        negative,
        magnitude: Magnitude::Beside { base, above },
    } = exact
    else {
        return None;
    };
    (base.m < 1 << 53).then(|| {
        let base = to_f64((false, base));
        let value = if above {
            Enclosure::open(base, base.next_up())
        } else {
            Enclosure::open(base.next_down(), base)
        };
        if negative { -value } else { value }
    })
}

/// The answer of a function of one operand.
pub(super) fn answer<F: Function>(
    format: &'static Format,
    filter: bool,
    function: F,
    x: Datum,
) -> Answer {
    if let Datum::Nan { signalling } = x {
        return Answer::Nan {
            format,
            invalid: signalling,
        };
    }
    if let Some(exact) = function.special(x) {
        return match beside(&exact).and_then(|value| value.place(format)) {
            Some(located) if filter => Answer::Located(located),
            _ => exact.answer(format, false),
        };
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

/// A function of one operand.
struct Unary<F> {
    function: F,
    from: &'static Format,
    to: &'static Format,
    filter: bool,
}

impl<F: Function> Oracle for Unary<F> {
    fn locate(&self, operands: &Operands, _: bool) -> Answer {
        let x = self.from.decode(operands[0]);
        answer(self.to, self.filter, self.function, x)
    }

    fn distance(&self, operands: &Operands) -> Option<f64> {
        let x = self.from.decode(operands[0]);
        if x.nan().is_some() || self.function.special(x).is_some() {
            return None;
        }
        if self.filter {
            let value = self.function.value(&Enclosure::point(to_f64(parts(x))));
            return value.distance(self.to).map(|[least, _]| least);
        }
        let x = to_float(parts(x));
        PRECISIONS.iter().find_map(|&p| {
            let value = self.function.value(&Interval::point(x.clone(), p));
            let [least, most] = value.distance(self.to)?;
            (most > 0.0 && most - least < most / 1024.0).then_some(least)
        })
    }
}

pub(super) fn unary<F: Function>(function: F) -> Maker {
    Box::new(move |[from, to], filter| {
        Box::new(Unary {
            function,
            from,
            to,
            filter,
        })
    })
}

/// Two functions of one operand, with both results and the union of the flags.
pub(super) fn both<F: Function, G: Function>(first: F, second: G) -> Maker {
    Box::new(move |[from, to], filter| {
        Box::new(ByRule(move |operands: &Operands, _| {
            let x = from.decode(operands[0]);
            let parts = (answer(to, filter, first, x), answer(to, filter, second, x));
            match parts {
                (Answer::Located(first), Answer::Located(second)) => Answer::Two([first, second]),
                // NaNs, and at zero: the same in every mode.
                (first, second) => Answer::Fixed(pair_of(&first, &second)),
            }
        }))
    })
}

fn pair_of(first: &Answer, second: &Answer) -> Output {
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
pub(super) fn binary<P: Pair>(pair: P) -> Maker {
    Box::new(move |[from, to], filter| {
        Box::new(ByRule(move |operands: &Operands, _| {
            let (x, y) = (from.decode(operands[0]), from.decode(operands[1]));
            answer_pair(to, filter, pair, x, y)
        }))
    })
}

/// A function of an operand and an i32.
pub(super) fn binary_with_integer<P: Pair>(pair: P) -> Maker {
    Box::new(move |[from, to], filter| {
        Box::new(ByRule(move |operands: &Operands, _| {
            let x = from.decode(operands[0]);
            let bits = u32::try_from(operands[1]).expect("the upper bits are zero");
            let n = bits.cast_signed();
            let n = Datum::Finite {
                negative: n < 0,
                magnitude: Dyadic::new(n.unsigned_abs().into(), 0),
            };
            answer_pair(to, filter, pair, x, n)
        }))
    })
}
