//! Sums of any number of terms, from the standard's text: `sum`, `dot` and `sumSquare` of IEEE
//! 754-2019 clause 9.4, without any rounding in between.

use crate::exact::{Exact, Magnitude, Real};
use crate::{Answer, Datum, Format};
use dashu_int::{IBig, UBig};

/// A term: a value or a product.
enum Term {
    Nan { invalid: bool },
    Infinite { negative: bool },
    Finite { negative: bool, real: Real },
}

fn term(datum: Datum) -> Term {
    match datum {
        Datum::Nan { signalling } => Term::Nan {
            invalid: signalling,
        },
        Datum::Infinity { negative } => Term::Infinite { negative },
        Datum::Finite {
            negative,
            magnitude,
        } => Term::Finite {
            negative,
            real: Real::new(negative, magnitude),
        },
    }
}

fn product(a: Datum, b: Datum) -> Term {
    match (term(a), term(b)) {
        (Term::Nan { invalid: p }, Term::Nan { invalid: q }) => Term::Nan { invalid: p || q },
        (nan @ Term::Nan { .. }, _) | (_, nan @ Term::Nan { .. }) => nan,
        (Term::Infinite { negative: p }, Term::Infinite { negative: q }) => {
            Term::Infinite { negative: p != q }
        }
        (Term::Infinite { negative: p }, Term::Finite { negative: q, real })
        | (Term::Finite { negative: q, real }, Term::Infinite { negative: p }) => {
            if real.is_zero() {
                Term::Nan { invalid: true }
            } else {
                Term::Infinite { negative: p != q }
            }
        }
        (
            Term::Finite {
                negative: p,
                real: x,
            },
            Term::Finite {
                negative: q,
                real: y,
            },
        ) => Term::Finite {
            negative: p != q,
            real: x.times(&y),
        },
    }
}

/// The sum, of which a quotient or a root can be taken.
enum Total {
    Special(Exact),
    Value(Real),
}

fn total(terms: impl Iterator<Item = Term>) -> Total {
    let (mut nan, mut invalid) = (false, false);
    let mut infinite = [false; 2];
    let mut zeros = [false; 2];
    let mut only_zeros = true;
    let mut sum = Real::integer(0);
    for term in terms {
        match term {
            Term::Nan { invalid: raises } => {
                nan = true;
                invalid |= raises;
            }
            Term::Infinite { negative } => infinite[usize::from(negative)] = true,
            Term::Finite { negative, real } if real.is_zero() => {
                zeros[usize::from(negative)] = true;
            }
            Term::Finite { real, .. } => {
                only_zeros = false;
                sum = sum.plus(&real);
            }
        }
    }
    invalid |= infinite == [true; 2];
    Total::Special(if nan || invalid {
        Exact::Nan { invalid }
    } else if infinite != [false; 2] {
        Exact::Infinite {
            negative: infinite[1],
            by_zero: false,
        }
    } else if only_zeros && zeros != [true; 2] {
        Exact::Zero { negative: zeros[1] }
    } else if sum.is_zero() {
        Exact::Cancelled
    } else {
        return Total::Value(sum);
    })
}

fn answer(total: Total, divisor: u32, result: &'static Format) -> Answer {
    match total {
        Total::Special(exact) => exact,
        Total::Value(sum) => Exact::value(sum.over(divisor)),
    }
    .answer(result, true)
}

/// The sum of these codes of `format`, divided by `divisor`.
#[must_use]
pub fn sum(
    format: &'static Format,
    values: &[u64],
    divisor: u32,
    result: &'static Format,
) -> Answer {
    let terms = values.iter().map(|&bits| term(format.decode(bits)));
    answer(total(terms), divisor, result)
}

/// The sum of the products of these codes of `format`, divided by `divisor`.
#[must_use]
pub fn dot(
    format: &'static Format,
    a: &[u64],
    b: &[u64],
    divisor: u32,
    result: &'static Format,
) -> Answer {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    let terms = pairs.map(|(&a, &b)| product(format.decode(a), format.decode(b)));
    answer(total(terms), divisor, result)
}

/// The square root of the sum of the squares of these codes of `format`.
#[must_use]
pub fn norm(format: &'static Format, values: &[u64], result: &'static Format) -> Answer {
    let data = || values.iter().map(|&bits| format.decode(bits));
    match total(data().map(|x| product(x, x))) {
        Total::Special(exact) => exact.answer(result, true),
        Total::Value(sum) => {
            let Magnitude::Quotient {
                numerator,
                denominator,
                exponent,
            } = sum.over(1).1
            else {
                unreachable!("a sum is a quotient by 1")
            };
            assert_eq!(IBig::from(denominator), IBig::ONE);
            let magnitude = Magnitude::Root {
                radicand: numerator,
                exponent,
            };
            Exact::value((false, magnitude)).answer(result, true)
        }
    }
}

/// The position of `numerator / denominator`, with a sign, among a format's numbers.
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
