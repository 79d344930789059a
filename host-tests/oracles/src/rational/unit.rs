//! The orders of matrix units, from their description, by integers of any length.
//!
//! A term is an exact number and the exponent that its fields have: that of a product is the sum of
//! its factors', whether its significand is below 2 or not, and that of a subnormal number is the
//! format's least. All terms are cut at `2^(E - F)`, for the greatest exponent E of those that are
//! not zero, and added; the total is cut, or rounded, to the result.

use crate::{Datum, Dyadic, Format};
use dashu_int::IBig;
use sweep_row::Ty;

/// What one instruction does with its products and its accumulator.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Products of a step.
    pub terms: usize,
    /// F, the fraction bits that terms keep below E.
    pub fraction: i32,
    /// The least E: it shows only in sums of products that are below f32's normal numbers.
    pub least: i32,
    pub result: Result,
    pub accumulator: Accumulator,
}

/// How a total becomes the next accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Result {
    /// Cut to so many bits, in an f32.
    Cut(i32),
    /// Rounded to f16, to nearest, ties to even.
    Half,
}

/// What a step does with the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accumulator {
    /// It is one of the terms.
    Term,
    /// The products of 2 steps are added from zero, first those with a place of 0 or 1 of four, and
    /// it is added by an addition of f32, to nearest.
    After,
}

const NAN: u64 = 0x7FFF_FFFF;

fn format(ty: Ty) -> &'static Format {
    Format::of(ty).expect("it is a format")
}

/// A finite number: `m * 2^e`, and the exponent of its fields.
#[derive(Clone)]
struct Number {
    m: IBig,
    e: i32,
    field: i32,
}

enum Term {
    Nan,
    Infinite(bool),
    Number(Number),
}

fn term(format: &'static Format, bits: u64) -> Term {
    match format.decode(bits) {
        Datum::Nan { .. } => Term::Nan,
        Datum::Infinity { negative } => Term::Infinite(negative),
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let Dyadic { m, e } = magnitude;
            let least = format.least_normal().floor_log2();
            let field = if magnitude.is_zero() {
                least
            } else {
                magnitude.floor_log2().max(least)
            };
            let m = if negative { -IBig::from(m) } else { m.into() };
            Term::Number(Number { m, e, field })
        }
    }
}

fn product(a: Term, b: Term) -> Term {
    match (a, b) {
        (Term::Nan, _) | (_, Term::Nan) => Term::Nan,
        (Term::Infinite(p), Term::Infinite(q)) => Term::Infinite(p != q),
        (Term::Infinite(p), Term::Number(n)) | (Term::Number(n), Term::Infinite(p)) => {
            if n.m == IBig::ZERO {
                Term::Nan
            } else {
                Term::Infinite(p != (n.m < IBig::ZERO))
            }
        }
        (Term::Number(a), Term::Number(b)) => Term::Number(Number {
            m: a.m * b.m,
            e: a.e + b.e,
            field: a.field + b.field,
        }),
    }
}

/// `m * 2^e` in units of `2^unit`, cut toward zero.
fn cut(m: &IBig, e: i32, unit: i32) -> IBig {
    let places = e - unit;
    let two = IBig::from(2);
    if places >= 0 {
        m * two.pow(places as usize)
    } else {
        m / two.pow(-places as usize)
    }
}

/// The exponent of the leading bit.
fn leading(m: &IBig) -> i32 {
    let magnitude = if *m < IBig::ZERO { -m } else { m.clone() };
    let mut bits = 0;
    let mut rest = magnitude;
    while rest > IBig::ZERO {
        rest /= IBig::from(2);
        bits += 1;
    }
    bits - 1
}

/// The code of `m * 2^e` with at most `digits` bits, toward zero or to nearest, in a format of these
/// ends.
fn coded(m: &IBig, e: i32, digits: i32, ty: Ty, nearest: bool) -> u64 {
    let (emin, emax, stored, bias) = match ty {
        Ty::F16 => (-14, 15, 10, 15),
        _ => (-126, 127, 23, 127),
    };
    if *m == IBig::ZERO {
        return 0;
    }
    let sign = u64::from(*m < IBig::ZERO) << (if ty == Ty::F16 { 15 } else { 31 });
    let magnitude = if *m < IBig::ZERO { -m } else { m.clone() };
    let top = (leading(&magnitude) + e).max(emin);
    let unit = top - (digits - 1);
    let mut kept = cut(&magnitude, e, unit);
    if nearest {
        // What is cut off, twice, beside the unit.
        let unit_below = unit.min(e);
        let rest = cut(&magnitude, e, unit_below) - cut(&kept, unit, unit_below);
        let whole = cut(&IBig::ONE, unit, unit_below);
        let twice = rest * IBig::from(2);
        let odd = &kept - (&kept / IBig::from(2)) * IBig::from(2) == IBig::ONE;
        if twice > whole || twice == whole && odd {
            kept += IBig::ONE;
        }
    }
    if kept == IBig::ZERO {
        return 0;
    }
    let top = leading(&kept) + unit;
    if top > emax {
        return sign | ((emax + bias + 1) as u64) << stored;
    }
    let lowest = top.max(emin) - stored;
    let code: u64 = cut(&kept, unit, lowest).try_into().expect("it fits");
    let field = (top.max(emin) + bias - 1) as u64;
    sign | ((field << stored) + code)
}

/// One step from this accumulator.
fn aligned(unit: &Unit, terms: Vec<Term>) -> u64 {
    let half = unit.result == Result::Half;
    let (mut infinite, mut numbers) = ([false; 2], Vec::new());
    for term in terms {
        match term {
            Term::Nan => return if half { 0x7FFF } else { NAN },
            Term::Infinite(negative) => infinite[usize::from(negative)] = true,
            Term::Number(n) if n.m == IBig::ZERO => {}
            Term::Number(n) => numbers.push(n),
        }
    }
    match (infinite, half) {
        ([true, true], true) => return 0x7FFF,
        ([true, true], false) => return NAN,
        ([true, false], true) => return 0x7C00,
        ([false, true], true) => return 0xFC00,
        ([true, false], false) => return 0x7F80_0000,
        ([false, true], false) => return 0xFF80_0000,
        _ => {}
    }
    let Some(greatest) = numbers.iter().map(|n| n.field).max() else {
        return 0;
    };
    let greatest = greatest.max(unit.least);
    let below = greatest - unit.fraction;
    let mut total = IBig::ZERO;
    for n in &numbers {
        total += cut(&n.m, n.e, below);
    }
    match unit.result {
        Result::Cut(digits) => coded(&total, below, digits, Ty::F32, false),
        Result::Half => coded(&total, below, 11, Ty::F16, true),
    }
}

/// The sum of two f32, to nearest, ties to even.
fn plus(a: u64, b: u64) -> u64 {
    let single = format(Ty::F32);
    match (term(single, a), term(single, b)) {
        (Term::Nan, _) | (_, Term::Nan) => NAN,
        (Term::Infinite(p), Term::Infinite(q)) if p != q => NAN,
        (Term::Infinite(p), _) | (_, Term::Infinite(p)) => 0x7F80_0000 | u64::from(p) << 31,
        (Term::Number(x), Term::Number(y)) => {
            if a == 1 << 31 && b == 1 << 31 {
                return a;
            }
            let unit = x.e.min(y.e);
            let sum = cut(&x.m, x.e, unit) + cut(&y.m, y.e, unit);
            coded(&sum, unit, 24, Ty::F32, true)
        }
    }
}

/// The accumulator after one step, of as many operands as it has, codes of these formats.
#[must_use]
pub fn step(unit: &Unit, [of_a, of_b]: [Ty; 2], a: &[u64], b: &[u64], c: u64) -> u64 {
    let products = |places: &dyn Fn(usize) -> bool| -> Vec<Term> {
        let here = (0..a.len()).filter(|k| places(*k));
        here.map(|k| product(term(format(of_a), a[k]), term(format(of_b), b[k])))
            .collect()
    };
    let of_c = match unit.result {
        Result::Half => format(Ty::F16),
        Result::Cut(_) => format(Ty::F32),
    };
    match unit.accumulator {
        Accumulator::Term => {
            let mut terms = products(&|_| true);
            terms.push(term(of_c, c));
            aligned(unit, terms)
        }
        Accumulator::After => {
            let first = aligned(unit, products(&|k| k % 4 < 2));
            let mut terms = products(&|k| k % 4 >= 2);
            terms.push(term(of_c, first));
            plus(aligned(unit, terms), c)
        }
    }
}

/// The accumulator after all steps, k ascending, from +0; the last step is filled with zeros.
#[must_use]
pub fn dot(unit: &Unit, formats: [Ty; 2], a: &[u64], b: &[u64]) -> u64 {
    let mut c = 0;
    for (a, b) in a.chunks(unit.terms).zip(b.chunks(unit.terms)) {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        a.resize(unit.terms, 0);
        b.resize(unit.terms, 0);
        c = step(unit, formats, &a, &b, c);
    }
    c
}

/// The units that the description has with figures of their own, by name, with the formats of their
/// operands.
pub const UNITS: &[(&str, Ty, Unit)] = &[
    ("hopper-bf16/1", Ty::Bf16, HOPPER),
    ("hopper-f16/1", Ty::F16, HOPPER),
    ("hopper-e4m3-wgmma/1", Ty::E4m3fn, unit(32, 13, 14)),
    ("hopper-e5m2-wgmma/1", Ty::E5m2, unit(32, 13, 14)),
    ("ampere-bf16/1", Ty::Bf16, unit(8, 24, 24)),
    ("ampere-f16/1", Ty::F16, unit(8, 24, 24)),
    ("volta-f16/1", Ty::F16, unit(4, 23, 24)),
    (
        "hopper-e4m3-mma/1",
        Ty::E4m3fn,
        Unit {
            terms: 32,
            accumulator: Accumulator::After,
            ..HOPPER
        },
    ),
    (
        "hopper-f16-f16/1",
        Ty::F16,
        Unit {
            result: Result::Half,
            ..HOPPER
        },
    ),
];

/// Of 16-bit operands. The least E was read from results of an H200.
const HOPPER: Unit = Unit {
    least: -133,
    ..unit(16, 25, 24)
};

const fn unit(terms: usize, fraction: i32, digits: i32) -> Unit {
    Unit {
        terms,
        fraction,
        least: i32::MIN,
        result: Result::Cut(digits),
        accumulator: Accumulator::Term,
    }
}

#[cfg(test)]
mod tests {
    use super::{UNITS, dot, step};
    use sweep_row::Ty;

    fn named(name: &str) -> &'static super::Unit {
        &UNITS
            .iter()
            .find(|unit| unit.0 == name)
            .expect("it is there")
            .2
    }

    /// By hand: bf16 1.0 is 0x3F80, 2^-8 is 0x3B80, the largest 0x7F7F.
    #[test]
    fn steps_by_hand() {
        let hopper = named("hopper-bf16/1");
        let at = |a: &[u64], b: &[u64], c| step(hopper, [Ty::Bf16; 2], a, b, c);
        // 1 * 1 + 2 * 3.
        assert_eq!(at(&[0x3F80, 0x4000], &[0x3F80, 0x4040], 0), 0x40E0_0000);
        // 1 + 2^-25 is cut to 24 bits.
        assert_eq!(at(&[0x3F80, 0x3300], &[0x3F80, 0x3F80], 0), 0x3F80_0000);
        // 1 - 2^-25: the term stays, and the result is the number below 1.
        assert_eq!(at(&[0x3F80, 0xB300], &[0x3F80, 0x3F80], 0), 0x3F7F_FFFF);
        // 1 - 2^-26: the term is cut to zero.
        assert_eq!(at(&[0x3F80, 0xB280], &[0x3F80, 0x3F80], 0), 0x3F80_0000);
        // Zero times huge takes no part: 2^-100 stays.
        assert_eq!(at(&[0x0000, 0x0D80], &[0x7F7F, 0x3F80], 0), 0x0D80_0000);
        // -0 - 0 is +0; NaN, infinities.
        assert_eq!(at(&[0x8000], &[0x3F80], 0x8000_0000), 0);
        assert_eq!(at(&[0x7F80], &[0x0000], 0), 0x7FFF_FFFF);
        assert_eq!(at(&[0x7F80, 0xFF80], &[0x3F80, 0x3F80], 0), 0x7FFF_FFFF);
        assert_eq!(at(&[0x7F7F], &[0x4000], 0), 0x7F80_0000);
        assert_eq!(at(&[0x7F80], &[0xBF80], 0), 0xFF80_0000);
        // 2^-148 - 2^-149 (1 + 2^-6 + 2^-14) + 2^-155 is just below 2^-149. E is at least -133: so
        // the second term is cut at 2^-158, and the sum is 2^-149.
        assert_eq!(
            at(&[0x1A80, 0x9A01, 0x1780], &[0x1A80, 0x1A81, 0x1A00], 0),
            1
        );
        // 2^-74 squared is subnormal, and its half times that is the least number.
        assert_eq!(at(&[0x1A80], &[0x1A80], 0), 2);
        assert_eq!(at(&[0x1A80], &[0x1A00], 0), 1);
        assert_eq!(at(&[0x1A00], &[0x1A00], 0), 0);
    }

    #[test]
    fn tails_are_filled_with_zeros() {
        let hopper = named("hopper-bf16/1");
        let ones = [0x3F80; 17];
        assert_eq!(dot(hopper, [Ty::Bf16; 2], &ones, &ones), 0x4188_0000);
    }
}
