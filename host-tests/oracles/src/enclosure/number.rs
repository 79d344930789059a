//! Enclosures of a real number, with which the definitions of the functions compute.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// An enclosure of one exact real number: either the number itself (a *point*), or an interval
/// whose **open** interior contains it, or the whole line where nothing is known.
///
/// Every operation keeps that property: the ends of a result enclose all possible values of the
/// operation, an inexact end is moved outwards, and a strictly monotone function maps interior to
/// interior. So a rounding boundary that is an *end* of an enclosure is decided: the value is
/// strictly beyond it.
///
/// A function is written once, over this trait. Its two implementations are
/// [`super::number::Enclosure`] on the host's f64 and [`super::big::Interval`] on integers of any
/// length. The first has tables of the second's values; they share no other arithmetic.
pub(super) trait Real:
    Clone
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// An integer, with the precision of `self`.
    fn int(&self, n: i32) -> Self;
    /// A quotient of integers.
    fn ratio(&self, numerator: i128, denominator: i128) -> Self;
    fn pi(&self) -> Self;
    fn ln_2(&self) -> Self;
    fn ln_10(&self) -> Self;

    /// `self * 2^n`.
    fn scaled(&self, n: i32) -> Self;
    fn square(&self) -> Self {
        self.clone() * self.clone()
    }
    /// Whether it is certainly greater than this integer. Only used to choose between formulas that
    /// are both correct.
    fn exceeds(&self, n: i32) -> bool;
    /// For a point: `(k mod 4, r)` with `self = k/2 + r`, `|r| <= 1/4`.
    fn halves(&self) -> (u8, Self);

    fn sqrt(&self) -> Self;
    fn cbrt(&self) -> Self;
    fn exp(&self) -> Self;
    fn exp_m1(&self) -> Self;
    fn ln(&self) -> Self;
    fn ln_1p(&self) -> Self;
    fn sin(&self) -> Self;
    fn cos(&self) -> Self;
    fn tan(&self) -> Self;
    fn asin(&self) -> Self;
    fn acos(&self) -> Self;
    fn atan(&self) -> Self;
    fn sinh(&self) -> Self;
    fn cosh(&self) -> Self;
    fn tanh(&self) -> Self;
    fn asinh(&self) -> Self;
    fn acosh(&self) -> Self;
    fn atanh(&self) -> Self;
    fn erf(&self) -> Self;
    fn erfc(&self) -> Self;
    /// The inverse of the error function, of a point between -1 and 1.
    fn erf_inv(&self) -> Self;
    /// The function at a point.
    fn gamma(&self) -> Self;
    /// The logarithm of the gamma function's magnitude, of a point.
    fn ln_gamma(&self) -> Self;
    /// `self - tanh(self)`.
    fn minus_tanh(&self) -> Self;
    /// `expm1(self) / self`.
    fn exp_m1_over(&self) -> Self;
}

/// An enclosure with ends in f64; the whole line has infinite ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enclosure {
    pub low: f64,
    pub high: f64,
}

impl Enclosure {
    pub const WHOLE: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    #[must_use]
    pub const fn point(x: f64) -> Self {
        Self { low: x, high: x }
    }

    /// An open interval. NaN ends mean the whole line; equal ends are moved apart.
    pub(super) fn open(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() {
            Self::WHOLE
        } else if low >= high {
            Self {
                low: high.next_down(),
                high: low.next_up(),
            }
        } else {
            Self { low, high }
        }
    }
}
