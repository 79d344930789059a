//! Sums of any number of terms, from the standard's text: `sum`, `dot` and `sumSquare` of IEEE
//! 754-2019 clause 9.4, without any rounding in between.

use crate::exact::{Exact, Magnitude, Real};
use crate::{Answer, Datum, Dyadic, Format};
use dashu_int::{IBig, UBig};
use sweep_row::Ty;

fn f32() -> &'static Format {
    Format::of(Ty::F32).expect("it is a format")
}

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

/// The sum of these products times all of these scales, which have a sign as any number has. A scale
/// that is a NaN gives a NaN and raises nothing by itself.
///
/// # Panics
///
/// If a scale is infinite.
#[must_use]
pub fn scaled_dot(pairs: &[(Datum, Datum)], scales: &[Datum], result: &'static Format) -> Answer {
    let mut factor = Real::integer(1);
    for scale in scales {
        match term(*scale) {
            Term::Nan { invalid } => return Exact::Nan { invalid }.answer(result, true),
            Term::Infinite { .. } => panic!("an infinite scale"),
            Term::Finite { real, .. } => factor = factor.times(&real),
        }
    }
    let scaled = |pair: &(Datum, Datum)| match product(pair.0, pair.1) {
        Term::Finite { negative, real } => Term::Finite {
            negative: negative != factor.is_negative(),
            real: real.times(&factor),
        },
        special => special,
    };
    answer(total(pairs.iter().map(scaled)), 1, result)
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

/// What is made of the mean of the squares of some values, or of their deviations from the mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// That mean: a variance.
    Square,
    /// Its square root: a standard deviation.
    Root,
    /// 1 over the square root of its sum with an f32, given as its bits.
    ReciprocalRoot { epsilon: u32 },
}

/// The squares of the deviations of these codes from their mean (or, not `centred`, from 0), added
/// and divided by their number less `missing`: each deviation is a rational. There are at least
/// `missing` and one codes.
///
/// # Panics
///
/// For fewer codes.
#[must_use]
pub fn spread(
    format: &'static Format,
    values: &[u64],
    centred: bool,
    missing: u32,
    of: Spread,
    result: &'static Format,
) -> Answer {
    let terms = || values.iter().map(|&bits| term(format.decode(bits)));
    let count = Real::integer(values.len() as i128);
    let divisor = u32::try_from(values.len()).expect("moderate") - missing;
    assert!(divisor > 0, "too few values");
    let nan = |invalid| Exact::Nan { invalid }.answer(result, true);
    let mut sum = Real::integer(0);
    let (mut infinite, mut is_nan, mut invalid) = (false, false, false);
    for term in terms() {
        match term {
            Term::Nan { invalid: raises } => {
                is_nan = true;
                invalid |= raises;
            }
            Term::Infinite { .. } => infinite = true,
            Term::Finite { real, .. } => sum = sum.plus(&real),
        }
    }
    if is_nan || (infinite && centred) {
        return nan(invalid || (infinite && centred));
    }
    let epsilon = match of {
        Spread::ReciprocalRoot { epsilon } => match term(f32().decode(epsilon.into())) {
            Term::Nan { .. } | Term::Infinite { negative: true } => return nan(false),
            Term::Infinite { .. } => return Exact::Zero { negative: false }.answer(result, true),
            Term::Finite { real, .. } => real,
        },
        Spread::Square | Spread::Root => Real::integer(0),
    };
    if infinite {
        return match of {
            Spread::ReciprocalRoot { .. } => Exact::Zero { negative: false },
            _ => Exact::Infinite {
                negative: false,
                by_zero: false,
            },
        }
        .answer(result, true);
    }
    // n times each deviation, so the squares are n^2 times theirs.
    let minus = sum.times(&Real::integer(if centred { -1 } else { 0 }));
    let mut squares = Real::integer(0);
    for term in terms() {
        if let Term::Finite { real, .. } = term {
            let deviation = real.times(&count).plus(&minus);
            squares = squares.plus(&deviation.times(&deviation));
        }
    }
    let below = count.times(&count).times(&Real::integer(divisor.into()));
    let total = squares.plus(&epsilon.times(&below));
    if total.is_zero() {
        return match of {
            Spread::ReciprocalRoot { .. } => Exact::Infinite {
                negative: false,
                by_zero: true,
            },
            _ => Exact::Zero { negative: false },
        }
        .answer(result, true);
    }
    let (negative, numerator, exponent) = total.into_parts();
    if negative {
        return nan(true);
    }
    let (_, denominator, _) = below.into_parts();
    let degree = 2;
    let magnitude = match of {
        Spread::Square => Magnitude::Quotient {
            numerator,
            denominator,
            exponent,
        },
        Spread::Root => Magnitude::RootOfQuotient {
            numerator,
            denominator,
            exponent,
            degree,
        },
        Spread::ReciprocalRoot { .. } => Magnitude::RootOfQuotient {
            numerator: denominator,
            denominator: numerator,
            exponent: -exponent,
            degree,
        },
    };
    Exact::value((false, magnitude)).answer(result, true)
}

/// 1 over the square root of the sum of two codes of `format`.
#[must_use]
pub fn reciprocal_root_of_sum(format: &'static Format, numbers: [u64; 2]) -> Answer {
    let sum = total(numbers.iter().map(|&bits| term(format.decode(bits))));
    let exact = match sum {
        Total::Special(nan @ Exact::Nan { .. }) => nan,
        Total::Special(Exact::Infinite { negative, .. }) => {
            if negative {
                Exact::Nan { invalid: true }
            } else {
                Exact::Zero { negative }
            }
        }
        Total::Special(_) => Exact::Infinite {
            negative: false,
            by_zero: true,
        },
        Total::Value(sum) => match sum.into_parts() {
            (true, ..) => Exact::Nan { invalid: true },
            (_, denominator, exponent) => Exact::value((
                false,
                Magnitude::RootOfQuotient {
                    numerator: UBig::ONE,
                    denominator,
                    exponent: -exponent,
                    degree: 2,
                },
            )),
        },
    };
    exact.answer(format, false)
}

/// The mean of these codes minus a code of `result`.
#[must_use]
pub fn mean_minus(
    format: &'static Format,
    values: &[u64],
    first: u64,
    result: &'static Format,
) -> Answer {
    let terms = values.iter().map(|&bits| term(format.decode(bits)));
    let count = Datum::Finite {
        negative: false,
        magnitude: Dyadic::new(values.len() as u128, 0),
    };
    let minus = product(result.decode(first ^ result.sign_bit()), count);
    let divisor = u32::try_from(values.len()).expect("moderate");
    answer(total(terms.chain([minus])), divisor, result)
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
