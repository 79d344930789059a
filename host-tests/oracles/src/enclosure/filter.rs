//! Interval arithmetic on the host's f64: the filter in front of the integers of any length.
//!
//! Sums, products, quotients and square roots are IEEE 754's, rounded to nearest; an error-free
//! transformation says on which side of the computed number the exact one lies, and that end stays
//! on the computed number. So `1 + t` with a tiny `t > 0` lies in `(1, 1 + 2^-52)`, and 1, which is
//! a rounding boundary, is not inside.
//!
//! `exp`, `exp_m1`, `ln`, `ln_1p`, `sin`, `cos`, `tanh`, `erf` and `erfc` have proved bounds
//! ([`super::elementary`]), and so has what is composed of these with arithmetic: relative errors
//! from 2^-50 to about 2^-43, that is 2^-26 to 2^-19 of an f32's last place. Of four million
//! operands of each of 23 functions of f32, one in all was left open.
//!
//! **The other functions are those of `std` and of the crate `libm`, without a proved bound.**
//! Their measured errors are a few units in the last place. Here each is assumed to have a relative
//! error of at most [`ERROR`] = 2^-40, which is 2^12 such units. The sweep tests this assumption:
//! it gives one input in 64 to [`super::big`], which does not use f64 at all.
//!
//! Where such a function is arbitrarily close to a number that is itself a rounding boundary
//! (`tan x` to `x`, `cosh x` to 1), a relative error decides nothing. There the ends come from the
//! series' first terms, which alternate or have one sign; [`SMALL`] is the limit.

use super::elementary;
use super::number::{Enclosure, Real};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The relative error that a function of the host is assumed to have.
const ERROR: f64 = f64::from_bits((1023 - 40) << 52);
/// A bound of the second term: the relative error of the first term alone.
const TAIL: f64 = f64::from_bits((1023 - 24) << 52);
/// Up to this magnitude `sin`, `tan`, `asin`, `atan`, `sinh`, `tanh`, `asinh`, `atanh` of x are
/// within `x^2/2 < 2^-26` of x, relatively, and `cos`, `cosh` of 1.
const SMALL: f64 = f64::from_bits((1023 - 13) << 52);
/// Up to this magnitude `e^x`, `erfc x` and `expm1(x) / x` are within `2^-24` of 1.
const SMALLER: f64 = f64::from_bits((1023 - 26) << 52);
/// Below this magnitude an error-free transformation may itself underflow.
const EXACT: f64 = f64::from_bits((1023 - 900) << 52);

/// A sum's ends: the f64 below it (or it) and the one above it (or it).
fn add(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    // Knuth's two-sum.
    let shadow = sum - a;
    beside(sum, (a - (sum - shadow)) + (b - shadow))
}

fn mul(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    if product == 0.0 && (a == 0.0 || b == 0.0) {
        (product, product)
    } else if product.abs() > EXACT {
        beside(product, a.mul_add(b, -product))
    } else {
        around(product)
    }
}

fn div(a: f64, b: f64) -> (f64, f64) {
    let quotient = a / b;
    if a == 0.0 || b.is_infinite() && a.is_finite() {
        (quotient, quotient)
    } else if a.abs() > EXACT && quotient.abs() > EXACT {
        // The remainder's sign is the error's, or its opposite for b < 0.
        let rest = (-quotient).mul_add(b, a);
        beside(quotient, if b < 0.0 { -rest } else { rest })
    } else {
        around(quotient)
    }
}

/// A computed number, from the sign of the exact one's distance to it; NaN if that is not known.
fn beside(x: f64, rest: f64) -> (f64, f64) {
    // Without branches, which the processor could not predict. NaN compares false.
    let (down, up) = around(x);
    (
        if rest >= 0.0 { x } else { down },
        if rest <= 0.0 { x } else { up },
    )
}

const fn around(x: f64) -> (f64, f64) {
    (x.next_down(), x.next_up())
}

impl Enclosure {
    /// The enclosure from ends that may be those of a point.
    fn ends(low: f64, high: f64) -> Self {
        if low == high && low.is_finite() {
            Self::point(low)
        } else {
            Self::open(low, high)
        }
    }

    fn is_point(self) -> bool {
        self.low == self.high
    }

    fn is_zero(self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// An increasing function, from its enclosures at the ends.
    fn rising(self, f: impl Fn(f64) -> Self) -> Self {
        let low = f(self.low);
        if self.is_point() {
            low
        } else {
            Self::ends(low.low, f(self.high).high)
        }
    }

    /// An increasing function of the host.
    fn increasing(self, f: impl Fn(f64) -> f64) -> Self {
        let low = f(self.low);
        let high = if self.is_point() { low } else { f(self.high) };
        Self::open(down(low, ERROR), up(high, ERROR))
    }

    /// With ends that the value cannot reach.
    fn within(self, low: f64, high: f64) -> Self {
        Self::open(self.low.max(low), self.high.min(high))
    }

    /// Both hold.
    fn and(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.is_point() => other,
            Some(other) => self.within(other.low, other.high),
            None => self,
        }
    }

    /// The enclosure of a function that has its argument's sign.
    fn signed_as(self, x: Self) -> Self {
        if x.low >= 0.0 {
            self.within(0.0, f64::INFINITY)
        } else if x.high <= 0.0 {
            self.within(f64::NEG_INFINITY, 0.0)
        } else {
            self
        }
    }

    /// An increasing odd function of the host, `x` near zero.
    fn odd(self, f: impl Fn(f64) -> f64, away: bool) -> Self {
        self.increasing(f)
            .signed_as(self)
            .and(self.nearly_x(SMALL, away))
    }

    /// For an odd function with `|f(x)| < |x|`, by less than [`TAIL`], or with `|f(x)| > |x|`.
    /// `None` if the argument is not small enough, or its sign is not known.
    fn nearly_x(self, limit: f64, away: bool) -> Option<Self> {
        if self.is_zero() {
            return Some(self);
        }
        let small = self.magnitude() <= limit && self.magnitude() > EXACT;
        if !small || self.low < 0.0 && self.high > 0.0 {
            return None;
        }
        let Self { low, high } = self;
        let outwards = away == (low >= 0.0);
        Some(if outwards {
            Self::open(low, high + high.abs() * TAIL)
        } else {
            Self::open(low - low.abs() * TAIL, high)
        })
    }

    /// For an increasing function with `f(0) = 1`, within [`TAIL`] of it for small arguments.
    fn nearly_1(self, rising: bool) -> Option<Self> {
        if self.is_zero() {
            return Some(Self::point(1.0));
        }
        if self.magnitude() > SMALLER {
            return None;
        }
        let Self { low, high } = if rising { self } else { -self };
        Some(Self::open(
            if low < 0.0 { 1.0 - TAIL } else { 1.0 },
            if high > 0.0 { 1.0 + TAIL } else { 1.0 },
        ))
    }

    /// For a small argument of known sign: an even function that is 1 at zero, and greater (or
    /// less) elsewhere.
    fn beside_1(self, above: bool) -> Option<Self> {
        if self.is_zero() {
            Some(Self::point(1.0))
        } else if (self.low >= 0.0 || self.high <= 0.0) && self.magnitude() <= SMALL {
            Some(if above {
                Self::open(1.0, 1.0 + TAIL)
            } else {
                Self::open(1.0 - TAIL, 1.0)
            })
        } else {
            None
        }
    }

    /// A function with slopes in [-1, 1], at an argument known only roughly.
    fn gentle(self, f: impl Fn(f64) -> Self) -> Self {
        if self.is_point() {
            return f(self.low);
        }
        let middle = 0.5 * (self.low + self.high);
        let value = f(middle);
        // The ends' distance from the middle is at most their distance from each other.
        let reach = (self.high - self.low).next_up();
        Self::open(
            (value.low - reach).next_down(),
            (value.high + reach).next_up(),
        )
    }
}

/// Below `x` by a relative error. An overflow means a value above every finite f64.
fn down(x: f64, error: f64) -> f64 {
    (x - x.abs() * error).next_down().min(f64::MAX)
}

fn up(x: f64, error: f64) -> f64 {
    (x + x.abs() * error).next_up().max(f64::MIN)
}

impl Add for Enclosure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::ends(add(self.low, other.low).0, add(self.high, other.high).1)
    }
}

impl Neg for Enclosure {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }
}

impl Sub for Enclosure {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// The least and the greatest of four pairs of ends.
fn extremes(all: [(f64, f64); 4]) -> Enclosure {
    if all.iter().any(|(low, high)| low.is_nan() || high.is_nan()) {
        return Enclosure::WHOLE;
    }
    let low = all
        .iter()
        .fold(f64::INFINITY, |least, end| least.min(end.0));
    let high = all
        .iter()
        .fold(f64::NEG_INFINITY, |most, end| most.max(end.1));
    Enclosure::ends(low, high)
}

impl Mul for Enclosure {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let ((a, b), (c, d)) = ((self.low, self.high), (other.low, other.high));
        if self.is_point() && other.is_point() {
            let (low, high) = mul(a, c);
            return Self::ends(low, high);
        }
        if a >= 0.0 && c >= 0.0 {
            return Self::open(mul(a, c).0, mul(b, d).1);
        }
        extremes([mul(a, c), mul(a, d), mul(b, c), mul(b, d)])
    }
}

impl Div for Enclosure {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let ((a, b), (c, d)) = ((self.low, self.high), (other.low, other.high));
        if c <= 0.0 && d >= 0.0 {
            return Self::WHOLE;
        }
        if self.is_point() && other.is_point() {
            let (low, high) = div(a, c);
            return Self::ends(low, high);
        }
        if a >= 0.0 && c > 0.0 {
            return Self::open(div(a, d).0, div(b, c).1);
        }
        extremes([div(a, c), div(a, d), div(b, c), div(b, d)])
    }
}

impl Real for Enclosure {
    fn int(&self, n: i32) -> Self {
        Self::point(n.into())
    }

    #[expect(clippy::cast_precision_loss, reason = "bounded by the error")]
    fn ratio(&self, numerator: i128, denominator: i128) -> Self {
        // Three roundings.
        let value = numerator as f64 / denominator as f64;
        let error = elementary::power(-51);
        Self::open(down(value, error), up(value, error))
    }

    fn pi(&self) -> Self {
        let (low, high) = around(std::f64::consts::PI);
        Self { low, high }
    }

    fn ln_2(&self) -> Self {
        let (low, high) = around(std::f64::consts::LN_2);
        Self { low, high }
    }

    fn ln_10(&self) -> Self {
        let (low, high) = around(std::f64::consts::LN_10);
        Self { low, high }
    }

    fn scaled(&self, n: i32) -> Self {
        *self * Self::point(2_f64.powi(n))
    }

    fn exceeds(&self, n: i32) -> bool {
        self.low > f64::from(n)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 3"
    )]
    fn halves(&self) -> (u8, Self) {
        // Exact: a remainder, and a difference of multiples of its last bit.
        let x = self.low;
        let turn = x.rem_euclid(2.0);
        // A tiny negative x would become 2, and lose its bits.
        if x.abs() <= 0.25 {
            return (0, *self);
        }
        let k = (2.0 * turn).round();
        (k as u8 % 4, Self::point(turn - 0.5 * k))
    }

    fn sqrt(&self) -> Self {
        if self.low < 0.0 {
            return Self::WHOLE;
        }
        let root = |x: f64| {
            let root = x.sqrt();
            if x == 0.0 {
                (root, root)
            } else if x > EXACT {
                beside(root, (-root).mul_add(root, x))
            } else {
                around(root)
            }
        };
        Self::ends(root(self.low).0, root(self.high).1)
    }

    fn cbrt(&self) -> Self {
        self.increasing(f64::cbrt).signed_as(*self)
    }

    fn exp(&self) -> Self {
        self.rising(elementary::exp)
    }

    fn exp_m1(&self) -> Self {
        self.rising(elementary::exp_m1)
    }

    fn ln(&self) -> Self {
        if self.low < 0.0 {
            return Self::WHOLE;
        }
        self.rising(elementary::ln)
    }

    fn ln_1p(&self) -> Self {
        if self.low < -1.0 {
            return Self::WHOLE;
        }
        self.rising(elementary::ln_1p)
    }

    fn sin(&self) -> Self {
        self.gentle(elementary::sin)
    }

    fn cos(&self) -> Self {
        self.gentle(elementary::cos)
    }

    fn tan(&self) -> Self {
        if self.magnitude() < 1.0 {
            // The function increases there.
            self.odd(f64::tan, true)
        } else if self.is_point() {
            self.increasing(f64::tan)
        } else {
            self.sin() / self.cos()
        }
    }

    fn asin(&self) -> Self {
        self.odd(f64::asin, true)
    }

    fn acos(&self) -> Self {
        -self.increasing(|x| -x.acos())
    }

    fn atan(&self) -> Self {
        self.odd(f64::atan, false)
    }

    fn sinh(&self) -> Self {
        self.odd(f64::sinh, true)
    }

    fn cosh(&self) -> Self {
        if self.is_point() {
            self.increasing(f64::cosh).and(self.beside_1(true))
        } else {
            Self::WHOLE
        }
    }

    fn tanh(&self) -> Self {
        self.rising(elementary::tanh)
    }

    fn asinh(&self) -> Self {
        self.odd(f64::asinh, false)
    }

    fn acosh(&self) -> Self {
        self.increasing(f64::acosh)
    }

    fn atanh(&self) -> Self {
        self.odd(f64::atanh, true)
    }

    fn erf(&self) -> Self {
        self.rising(elementary::erf)
    }

    fn erfc(&self) -> Self {
        -self.rising(|x| -elementary::erfc(x))
    }

    fn erf_inv(&self) -> Self {
        // Enlarged until the complements of the ends are on either side of the operand's, which is
        // exact.
        let y = elementary::erf_inv(self.low);
        let rest = if y < 0.0 { -self.low } else { self.low };
        let mut reach = elementary::power(-50);
        while reach < 1.0 {
            let (least, most) = (y.abs() * (1.0 - reach), y.abs() * (1.0 + reach));
            let enclosed = if rest < 0.5 {
                elementary::erf(least).high <= rest && elementary::erf(most).low >= rest
            } else {
                elementary::erfc(least).low >= 1.0 - rest
                    && elementary::erfc(most).high <= 1.0 - rest
            };
            if enclosed {
                let magnitude = Self::open(least, most);
                return if y < 0.0 { -magnitude } else { magnitude };
            }
            reach *= 2.0;
        }
        Self::WHOLE
    }

    fn gamma(&self) -> Self {
        if !self.is_point() {
            return Self::WHOLE;
        }
        let value = libm::tgamma(self.low);
        let error = ERROR * 16.0;
        Self::open(down(value, error), up(value, error))
    }

    fn ln_gamma(&self) -> Self {
        if !self.is_point() {
            return Self::WHOLE;
        }
        let x = self.low;
        let value = libm::lgamma(x);
        // Near its zeros only the absolute error is small.
        let reach = ERROR * 16.0 * (1.0 + x.abs().min(1e4));
        Self::open(down(value - reach, ERROR), up(value + reach, ERROR))
    }

    fn minus_tanh(&self) -> Self {
        let Self { low, high } = *self;
        if !self.is_point() || self.is_zero() {
            return *self - self.tanh();
        }
        let x = low.abs();
        let magnitude = if x < 0.02 {
            // x^3/3 - 2x^5/15 + 17x^7/315.
            let cube = x * x * x / 3.0;
            let value = cube * (1.0 - 0.4 * x * x);
            Self::open(down(value, ERROR), up(value + cube * x * x * x * x, ERROR))
        } else {
            let point = Self::point(x);
            point - point.tanh()
        };
        if high < 0.0 { -magnitude } else { magnitude }
    }

    fn exp_m1_over(&self) -> Self {
        if self.is_zero() || self.magnitude() > SMALLER {
            return self.exp_m1() / *self;
        }
        // 1 + x/2 + ...: between 1 and 1 + x.
        Self::WHOLE.and(self.nearly_1(true))
    }
}
