//! The reference comparator: integers of any length, dyadics aligned exactly, quotients by
//! cross-multiplication, square roots by squaring the cut.

mod activation;
mod arith;
mod classify;
mod compare;
mod convert;
mod exact;
mod integral;
mod magnitude;
mod minmax;
mod neighbour;
mod parts;
mod real;
pub mod reduce;
mod remainder;
mod scale;
mod search;
mod sign;

pub(super) use exact::Exact;
pub(super) use magnitude::Magnitude;

use super::answer::Answer;
use super::finish::{flag, output};
use super::format::{Datum, Format};
use super::shape::Shape;
use super::{Dyadic, Oracle};
use crate::row::{Operands, Output};
use dashu_int::UBig;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    type Family = fn(&Shape) -> Option<Box<dyn Oracle>>;
    const FAMILIES: [Family; 12] = [
        arith::for_shape,
        convert::for_shape,
        integral::for_shape,
        remainder::for_shape,
        minmax::for_shape,
        compare::for_shape,
        classify::for_shape,
        sign::for_shape,
        neighbour::for_shape,
        parts::for_shape,
        scale::for_shape,
        activation::for_shape,
    ];
    FAMILIES.iter().find_map(|family| family(shape))
}

/// Where `numerator / denominator`, with a sign, lies among a format's numbers.
#[must_use]
pub fn quotient(
    format: &'static Format,
    negative: bool,
    numerator: UBig,
    denominator: UBig,
) -> Answer {
    if numerator.is_zero() {
        return Exact::Zero { negative }.answer(format, false);
    }
    let magnitude = Magnitude::Quotient {
        numerator,
        denominator,
        exponent: 0,
    };
    Exact::value((negative, magnitude)).answer(format, false)
}

/// An oracle that is a function of the operands, and of whether fractions are wanted.
struct ByRule<F>(F);

impl<F: Fn(&Operands, bool) -> Answer + Send + Sync> Oracle for ByRule<F> {
    fn locate(&self, operands: &Operands, fractions: bool) -> Answer {
        self.0(operands, fractions)
    }
}

/// An operation that rounds.
fn rounding(
    rule: impl Fn(&Operands, bool) -> Answer + Send + Sync + 'static,
) -> Option<Box<dyn Oracle>> {
    Some(Box::new(ByRule(rule)))
}

/// An operation that gives the same in every mode.
fn fixed(rule: impl Fn(&Operands) -> Output + Send + Sync + 'static) -> Option<Box<dyn Oracle>> {
    rounding(move |operands, _| Answer::Fixed(rule(operands)))
}

/// The canonical NaN, with invalid or without.
fn nan(format: &Format, invalid: bool) -> Output {
    super::finish::nan(format, invalid)
}

/// Two results without flags.
const fn pair(first: u64, second: u64) -> Output {
    Output {
        results: [first, second],
        flags: 0,
    }
}

/// One result without flags.
const fn plain(bits: u64) -> Output {
    output(bits, 0)
}

fn boolean(value: bool) -> Output {
    plain(value.into())
}

impl Datum {
    /// Whether it is a NaN, and then whether a signalling one.
    pub(super) const fn nan(self) -> Option<bool> {
        match self {
            Self::Nan { signalling } => Some(signalling),
            _ => None,
        }
    }

    pub(super) const fn is_signalling(self) -> bool {
        matches!(self, Self::Nan { signalling: true })
    }

    /// The order of two values that are not NaN, where the two zeros are equal.
    pub(super) fn order(self, other: Self) -> Option<std::cmp::Ordering> {
        Some(self.key()?.cmp(&other.key()?))
    }

    /// A value that orders as the number does.
    fn key(self) -> Option<Key> {
        match self {
            Self::Nan { .. } => None,
            Self::Infinity { negative: true } => Some(Key::MinusInfinity),
            Self::Infinity { negative: false } => Some(Key::PlusInfinity),
            Self::Finite { magnitude, .. } if magnitude.is_zero() => Some(Key::Zero),
            Self::Finite {
                negative: true,
                magnitude,
            } => Some(Key::Negative(std::cmp::Reverse(magnitude))),
            Self::Finite {
                negative: false,
                magnitude,
            } => Some(Key::Positive(magnitude)),
        }
    }

    /// The magnitude, for what is not a NaN.
    pub(super) fn absolute(self) -> Self {
        match self {
            Self::Nan { .. } => self,
            Self::Infinity { .. } => Self::Infinity { negative: false },
            Self::Finite { magnitude, .. } => Self::Finite {
                negative: false,
                magnitude,
            },
        }
    }
}

/// The real line, in order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    MinusInfinity,
    Negative(std::cmp::Reverse<Dyadic>),
    Zero,
    Positive(Dyadic),
    PlusInfinity,
}

/// Invalid if any operand is a signalling NaN.
fn signalling(data: &[Datum]) -> u8 {
    if data.iter().any(|datum| datum.is_signalling()) {
        flag::INVALID
    } else {
        0
    }
}
