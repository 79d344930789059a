//! `x^y`, `x^n`, `(1 + x)^n`, `x^(1/n)`.
//!
//! Exact cases of `x^y`, `x = M 2^E` and `y = N 2^F` with odd M and N: by unique factorisation,
//! `x^y` is rational iff `x` is a perfect `2^-F`-th power (if F < 0), and dyadic iff in addition
//! the exponent is not negative or M = 1. A dyadic `m 2^e` with an odd m of more than 64 bits is
//! not a rounding boundary. All other values are irrational, and so not on a rounding boundary.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::number::Real;
use crate::enclosure::pair::{Pair, Parity, absolute, parity, quiet, signalling};
use crate::enclosure::special::{
    INVALID, PLUS_INFINITY, PLUS_ZERO, huge, infinity, is, is_below_zero, is_infinite, is_zero,
    natural, pole, reaches, sign, tiny, value, zero,
};
use crate::exact::Exact;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, SquareRootRem};

/// Also `pown`.
#[derive(Clone, Copy)]
pub(super) struct Pow;
#[derive(Clone, Copy)]
pub(super) struct Compound;
#[derive(Clone, Copy)]
pub(super) struct Rootn;

impl Pair for Pow {
    fn special(self, x: Datum, y: Datum) -> Option<Exact> {
        if let Some(nan) = signalling(x, y) {
            return Some(nan);
        }
        // Both even where the other operand is a quiet NaN.
        if is_zero(y) || is(x, 1) {
            return Some(value(1, 0));
        }
        if let Some(nan) = quiet(x, y) {
            return Some(nan);
        }
        let falls = sign(y);
        if is_infinite(y) {
            return Some(if is(x, -1) {
                value(1, 0)
            } else if reaches(x, 0) == falls {
                PLUS_ZERO
            } else {
                PLUS_INFINITY
            });
        }
        let negative = sign(x) && parity(y) == Parity::Odd;
        if is_zero(x) {
            return Some(if falls {
                pole(negative)
            } else {
                zero(negative)
            });
        }
        if is_infinite(x) {
            return Some(if falls {
                zero(negative)
            } else {
                infinity(negative)
            });
        }
        (is_below_zero(x) && parity(y) == Parity::Neither).then_some(INVALID)
    }

    fn exact(self, x: &Float, y: &Float) -> Option<Exact> {
        let odd = parity_of(y) == Parity::Odd;
        power(x, y, x.is_negative() && odd)
    }

    fn value<R: Real>(self, x: &R, y: &R) -> R {
        let magnitude = (absolute(x).ln() * y.clone()).exp();
        // A negative x only occurs with an integer y.
        let odd = || {
            let (quadrant, _) = y.scaled(-1).halves();
            quadrant % 2 == 1
        };
        if x.exceeds(0) || !odd() {
            magnitude
        } else {
            -magnitude
        }
    }
}

fn parity_of(y: &Float) -> Parity {
    if !y.is_integer() {
        Parity::Neither
    } else if y.scaled(-1).is_integer() {
        Parity::Even
    } else {
        Parity::Odd
    }
}

/// `|x|^y` with a sign, if it is dyadic, or far out of range.
fn power(x: &Float, y: &Float, negative: bool) -> Option<Exact> {
    let (mut m, mut e) = x.odd();
    if m == UBig::ONE && e == 0 {
        return Some(value(if negative { -1 } else { 1 }, 0));
    }
    // With a relative error of 2^-40, so it is far from 1100 where that matters.
    let binary_digits = y.rough() * x.absolute().rough().log2();
    if binary_digits > 1100.0 {
        return Some(huge(negative));
    }
    if binary_digits < -1100.0 {
        return Some(tiny(negative));
    }
    let (mut n, f) = y.odd();
    for _ in f..0 {
        let (root, rest) = m.sqrt_rem();
        if !rest.is_zero() || e % 2 != 0 {
            return None;
        }
        (m, e) = (root, e / 2);
    }
    if f > 0 {
        n <<= usize::try_from(f).ok()?;
    }
    let n = i64::try_from(n).ok()?;
    let e = e.checked_mul(if y.is_negative() { -n } else { n })?;
    if m == UBig::ONE {
        return Some(natural(negative, m, e));
    }
    let length = i64::try_from(m.bit_len()).ok()?;
    if y.is_negative() || (length - 1).checked_mul(n)? > 64 {
        return None;
    }
    Some(natural(negative, m.pow(usize::try_from(n).ok()?), e))
}

impl Pair for Compound {
    fn special(self, x: Datum, n: Datum) -> Option<Exact> {
        if let Some(nan) = signalling(x, n) {
            return Some(nan);
        }
        if x.nan().is_some() {
            return Some(if is_zero(n) {
                value(1, 0)
            } else {
                Exact::Nan { invalid: false }
            });
        }
        let minus_1 = is(x, -1);
        if is_below_zero(x) && reaches(x, 0) && !minus_1 {
            return Some(INVALID);
        }
        if is_zero(n) || is_zero(x) {
            return Some(value(1, 0));
        }
        let falls = sign(n);
        if minus_1 {
            return Some(if falls { pole(false) } else { PLUS_ZERO });
        }
        is_infinite(x).then_some(if falls { PLUS_ZERO } else { PLUS_INFINITY })
    }

    fn exact(self, x: &Float, n: &Float) -> Option<Exact> {
        // The bits of 1 + x that `rough` drops do not matter above 2^-40; below it the power is
        // within range.
        let sum = x.plus(&Float::integer(1));
        if x.top() < -40 {
            dyadic(&sum, n)
        } else {
            power(&sum, n, false)
        }
    }

    fn value<R: Real>(self, x: &R, n: &R) -> R {
        (x.ln_1p() * n.clone()).exp()
    }
}

/// Powers of 1 + x for a tiny x: they have many bits, so at most the first power is on a rounding
/// boundary.
fn dyadic(sum: &Float, n: &Float) -> Option<Exact> {
    (*n == Float::integer(1)).then(|| {
        let (m, e) = sum.odd();
        natural(false, m, e)
    })
}

impl Pair for Rootn {
    fn special(self, x: Datum, n: Datum) -> Option<Exact> {
        if let Some(nan) = signalling(x, n).or_else(|| quiet(x, n)) {
            return Some(nan);
        }
        let odd = parity(n) == Parity::Odd;
        if is_zero(n) || is_below_zero(x) && !odd {
            return Some(INVALID);
        }
        let negative = sign(x) && odd;
        let falls = sign(n);
        if is_zero(x) {
            return Some(if falls {
                pole(negative)
            } else {
                zero(negative)
            });
        }
        is_infinite(x).then_some(if falls {
            zero(negative)
        } else {
            infinity(negative)
        })
    }

    fn exact(self, x: &Float, n: &Float) -> Option<Exact> {
        let (m, e) = x.odd();
        let n = n.small_integer()?;
        if e % n != 0 || n < 0 && m != UBig::ONE {
            return None;
        }
        // m has at most 11 bits, so for a degree above 11 only 1 is a power.
        let root = if m == UBig::ONE {
            m
        } else {
            let degree = usize::try_from(n).ok().filter(|&n| n <= 11)?;
            (3_u32..1 << 11)
                .map(UBig::from)
                .find(|root| root.pow(degree) >= m)
                .filter(|root| root.pow(degree) == m)?
        };
        Some(natural(x.is_negative(), root, e / n))
    }

    fn value<R: Real>(self, x: &R, n: &R) -> R {
        let magnitude = (absolute(x).ln() / n.clone()).exp();
        if x.exceeds(0) { magnitude } else { -magnitude }
    }
}
