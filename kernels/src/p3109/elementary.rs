//! The elementary functions of numbers that are finite and not zero, to more bits than projection
//! looks at.
//!
//! Every result is either a dyadic rational, which is recognised before anything is approximated,
//! or no rounding boundary at all (it is irrational, or a third or a sixth), so that the
//! approximation with its last bit set stands for it. Where a result is closer to a short number
//! than the approximation's error, it is derived from that number: a function of a small operand is
//! next to its tangent, and an even one next to 1.

use super::real::Real;

/// `first` times the sum of the products of `factor(1)` to `factor(k)`, for k from 0 on.
fn series<R: Real>(first: R, factor: impl Fn(u32) -> R) -> R {
    let (mut term, mut sum, mut k) = (first, first, 0);
    while !term.is_zero() && term.exponent() > sum.exponent() - R::LAST {
        k += 1;
        term = term.times(&factor(k));
        sum = sum.plus(&term);
    }
    sum
}

/// The sum of `first * square^k / (2 k + 1)`, the signs alternating or not.
fn area_series<R: Real>(first: R, square: R) -> R {
    let (mut power, mut sum, mut k) = (first, first, 1);
    while !power.is_zero() && power.exponent() > sum.exponent() - R::LAST {
        power = power.times(&square);
        k += 2;
        sum = sum.plus(&power.over_small(k));
    }
    sum
}

/// The nearest integer of a number below 2^62, and what is left.
fn split<R: Real>(x: &R) -> (i64, R) {
    let integer = match u32::try_from(x.exponent() + 1) {
        Ok(bits) if bits <= 62 => {
            let magnitude = ((x.high() >> (63 - bits)) as i64 + 1) >> 1;
            if x.is_negative() {
                -magnitude
            } else {
                magnitude
            }
        }
        _ => 0,
    };
    (integer, x.minus(&R::from_small(integer)))
}

pub(super) fn exp<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL_FOR_SQUARE {
        return R::ONE.next_to(!x.is_negative());
    }
    exp_nearly(x).inexact()
}

fn exp_nearly<R: Real>(x: &R) -> R {
    if x.is_zero() {
        return R::ONE;
    }
    if x.exponent() >= R::LARGE {
        return R::ONE.scaled(if x.is_negative() {
            -R::BEYOND
        } else {
            R::BEYOND
        });
    }
    let (k, _) = split(&x.over_nearly(&R::LN_2));
    let rest = x.minus(&R::LN_2.times(&R::from_small(k)));
    let small = rest.scaled(-R::SQUARINGS);
    let mut power = series(R::ONE, |k| small.over_small(k));
    for _ in 0..R::SQUARINGS {
        power = power.times(&power);
    }
    power.scaled(k)
}

/// 2^x, exact for an integer.
pub(super) fn exp2<R: Real>(x: &R) -> R {
    if x.exponent() >= R::LARGE {
        return R::ONE.scaled(if x.is_negative() {
            -R::BEYOND
        } else {
            R::BEYOND
        });
    }
    let (k, rest) = split(x);
    if rest.is_zero() {
        return R::ONE.scaled(k);
    }
    exp(&rest.times(&R::LN_2)).scaled(k)
}

/// e^x - 1, of which the error is relative to the result.
pub(super) fn exp_minus_one<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL_FOR_SQUARE {
        return x.next_to(!x.is_negative());
    }
    exp_minus_one_nearly(x).inexact()
}

fn exp_minus_one_nearly<R: Real>(x: &R) -> R {
    if x.is_zero() {
        return *x;
    }
    if x.exponent() < -1 {
        return series(*x, |k| x.over_small(k + 1));
    }
    exp_nearly(x).minus(&R::ONE)
}

/// ln x of a positive number.
pub(super) fn log<R: Real>(x: &R) -> R {
    if x.is_one() {
        return R::ZERO;
    }
    log_nearly(x).inexact()
}

fn log_nearly<R: Real>(x: &R) -> R {
    let (k, fraction) = root_of_half_to_root_of_two(x);
    let log = two_area_tangents(&fraction.minus(&R::ONE), &fraction.plus(&R::ONE));
    log.plus(&R::LN_2.times(&R::from_small(k)))
}

/// k and x / 2^k, which is from about 0.7 to 1.4.
fn root_of_half_to_root_of_two<R: Real>(x: &R) -> (i64, R) {
    let above = x.high() > 0xB504_F333 << 32;
    let k = x.exponent() + i64::from(above);
    (k, x.scaled(-k))
}

/// ln((d + n) / (d - n)).
fn two_area_tangents<R: Real>(n: &R, d: &R) -> R {
    let z = n.over_nearly(d);
    area_series(z, z.times(&z)).scaled(1)
}

/// log2 x of a positive number, exact for a power of two.
pub(super) fn log2<R: Real>(x: &R) -> R {
    let (k, fraction) = root_of_half_to_root_of_two(x);
    if fraction.is_one() {
        return R::from_small(k);
    }
    let log = log_nearly(&fraction).over_nearly(&R::LN_2);
    log.plus(&R::from_small(k)).inexact()
}

/// ln(1 + x) for x above -1.
pub(super) fn log_one_plus<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL_FOR_SQUARE {
        return x.next_to(x.is_negative());
    }
    log_one_plus_nearly(x).inexact()
}

fn log_one_plus_nearly<R: Real>(x: &R) -> R {
    if x.is_zero() || x.exponent() < -2 {
        two_area_tangents(x, &x.plus(&R::from_small(2)))
    } else {
        log_nearly(&x.plus(&R::ONE))
    }
}

/// ln(1 + e^x).
pub(super) fn softplus<R: Real>(x: &R) -> R {
    let decay = exp_nearly(&x.magnitude().negate());
    let sum = log_one_plus_nearly(&decay);
    if x.is_negative() { sum } else { sum.plus(x) }.inexact()
}

/// An angle in quarter turns: how many there are (only modulo 4), and what is left as an angle in
/// radians, from -pi/4 to pi/4.
struct Turns<R> {
    quadrant: i64,
    rest: R,
}

impl<R: Real> Turns<R> {
    /// Of an angle in radians that is not zero.
    fn of_radians(x: &R) -> Self {
        if x.exponent() < 0 {
            return Self {
                quadrant: 0,
                rest: *x,
            };
        }
        let (quadrant, rest) = x.quarter_turns();
        Self {
            quadrant: if x.is_negative() { -quadrant } else { quadrant },
            rest: rest.times(&R::QUARTER_TURN).negate_if(x.is_negative()),
        }
    }

    /// Of an angle in half turns; and what is left in quarter turns, exactly.
    fn of_half_turns(x: &R) -> (Self, R) {
        let (quadrant, fraction) = split(&x.scaled(1).modulo_four());
        let rest = fraction.times(&R::QUARTER_TURN);
        (Self { quadrant, rest }, fraction)
    }

    fn sine(&self) -> R {
        let sine = if self.quadrant & 1 == 0 {
            sine_series(&self.rest)
        } else {
            cosine_series(&self.rest)
        };
        sine.negate_if(self.quadrant & 2 != 0)
    }

    fn cosine(&self) -> R {
        Self {
            quadrant: self.quadrant + 1,
            ..*self
        }
        .sine()
    }

    /// The tangent, which must not be at a pole.
    fn tangent(&self) -> R {
        let (sine, cosine) = (sine_series(&self.rest), cosine_series(&self.rest));
        if self.quadrant & 1 == 0 {
            sine.over_nearly(&cosine)
        } else {
            cosine.over_nearly(&sine).negate()
        }
    }
}

fn sine_series<R: Real>(x: &R) -> R {
    let square = x.times(x).negate();
    series(*x, |k| square.over_small((2 * k) * (2 * k + 1)))
}

fn cosine_series<R: Real>(x: &R) -> R {
    let square = x.times(x).negate();
    series(R::ONE, |k| square.over_small((2 * k - 1) * (2 * k)))
}

pub(super) fn sin<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(false);
    }
    Turns::of_radians(x).sine().inexact()
}

pub(super) fn cos<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL_FOR_EVEN {
        return R::ONE.next_to(false);
    }
    Turns::of_radians(x).cosine().inexact()
}

pub(super) fn tan<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(true);
    }
    Turns::of_radians(x).tangent().inexact()
}

/// sin(pi x), exact at multiples of 1/2.
pub(super) fn sin_pi<R: Real>(x: &R) -> R {
    let (turns, fraction) = Turns::of_half_turns(x);
    inexact_unless(fraction.is_zero(), turns.sine())
}

/// cos(pi x), exact at multiples of 1/2.
pub(super) fn cos_pi<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL_FOR_EVEN {
        return R::ONE.next_to(false);
    }
    let (turns, fraction) = Turns::of_half_turns(x);
    inexact_unless(fraction.is_zero(), turns.cosine())
}

fn inexact_unless<R: Real>(exact: bool, x: R) -> R {
    if exact { x } else { x.inexact() }
}

/// tan(pi x), exact at multiples of 1/4; an error at a pole is whether the sine is negative there.
pub(super) fn tan_pi<R: Real>(x: &R) -> Result<R, bool> {
    let (turns, fraction) = Turns::of_half_turns(x);
    let odd = turns.quadrant & 1 != 0;
    if fraction.is_zero() {
        return if odd {
            Err(turns.quadrant & 2 != 0)
        } else {
            Ok(R::ZERO)
        };
    }
    if fraction.magnitude().scaled(1).is_one() {
        return Ok(R::ONE.negate_if(fraction.is_negative() != odd));
    }
    Ok(turns.tangent().inexact())
}

/// The arc tangent of a number that is not negative.
fn atan_nearly<R: Real>(t: &R) -> R {
    if t.exponent() >= 0 && !t.is_zero() {
        R::QUARTER_TURN.minus(&atan_to_one(&t.reciprocal()))
    } else {
        atan_to_one(t)
    }
}

/// The arc tangent of a number from 0 to 1.
fn atan_to_one<R: Real>(t: &R) -> R {
    if t.is_zero() {
        return *t;
    }
    let (mut t, mut halvings) = (*t, 0);
    while t.exponent() > -6 {
        let root = R::ONE.plus(&t.times(&t)).root_nearly();
        t = t.over_nearly(&root.plus(&R::ONE));
        halvings += 1;
    }
    area_series(t, t.times(&t).negate()).scaled(halvings)
}

pub(super) fn atan<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(false);
    }
    atan_nearly(&x.magnitude())
        .negate_if(x.is_negative())
        .inexact()
}

/// atan(x) / pi, exact for 1 and -1.
pub(super) fn atan_pi<R: Real>(x: &R) -> R {
    if x.magnitude().is_one() {
        return R::ONE.scaled(-2).negate_if(x.is_negative());
    }
    if x.exponent() > -R::SMALL_FOR_SQUARE {
        return R::HALF.next_to(false).negate_if(x.is_negative());
    }
    let angle = atan_nearly(&x.magnitude()).times(&R::INVERSE_PI);
    angle.negate_if(x.is_negative()).inexact()
}

/// The angle of the point (x, y).
fn angle<R: Real>(y: &R, x: &R) -> R {
    let acute = atan_nearly(&y.over_nearly(x).magnitude());
    let angle = if x.is_negative() {
        R::PI.minus(&acute)
    } else {
        acute
    };
    angle.negate_if(y.is_negative())
}

pub(super) fn atan2<R: Real>(y: &R, x: &R) -> R {
    if !x.is_negative() && y.exponent() - x.exponent() < R::SMALL {
        // Less than the quotient, which is exact or not close to any rounding boundary.
        return y.over(x).next_to(false);
    }
    angle(y, x).inexact()
}

/// The same over pi, exact on the diagonals.
pub(super) fn atan2_pi<R: Real>(y: &R, x: &R) -> R {
    if y.compare_magnitude(x).is_eq() {
        let eighths = if x.is_negative() { 3 } else { 1 };
        return R::from_small(eighths).scaled(-2).negate_if(y.is_negative());
    }
    let ratio = y.exponent() - x.exponent();
    if ratio > -R::SMALL_FOR_SQUARE {
        return R::HALF.next_to(x.is_negative()).negate_if(y.is_negative());
    }
    if ratio < R::SMALL_FOR_SQUARE && x.is_negative() {
        return R::ONE.next_to(false).negate_if(y.is_negative());
    }
    angle(y, x).times(&R::INVERSE_PI).inexact()
}

/// `sqrt(1 - x^2)` for a number between -1 and 1.
fn other_leg<R: Real>(x: &R) -> R {
    let (plus, minus) = (R::ONE.plus(x), R::ONE.minus(x));
    plus.times(&minus).root_nearly()
}

/// The arc sine, not of more than 1.
pub(super) fn asin<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(true);
    }
    asin_nearly(x).inexact()
}

fn asin_nearly<R: Real>(x: &R) -> R {
    if x.magnitude().is_one() {
        return R::QUARTER_TURN.negate_if(x.is_negative());
    }
    atan_nearly(&x.over_nearly(&other_leg(x)).magnitude()).negate_if(x.is_negative())
}

/// asin(x) / pi, exact for 1 and -1.
pub(super) fn asin_pi<R: Real>(x: &R) -> R {
    if x.magnitude().is_one() {
        return R::ONE.scaled(-1).negate_if(x.is_negative());
    }
    asin_nearly(x).times(&R::INVERSE_PI).inexact()
}

/// The arc cosine, not of more than 1; exact for 1.
pub(super) fn acos<R: Real>(x: &R) -> R {
    if x.is_one() {
        return R::ZERO;
    }
    acos_nearly(x).inexact()
}

fn acos_nearly<R: Real>(x: &R) -> R {
    let leg = other_leg(x);
    if leg.is_zero() {
        return R::PI;
    }
    angle(&leg, x)
}

/// acos(x) / pi, exact for 1 and -1.
pub(super) fn acos_pi<R: Real>(x: &R) -> R {
    if x.magnitude().is_one() {
        return if x.is_negative() { R::ONE } else { R::ZERO };
    }
    if x.exponent() < R::SMALL_FOR_SQUARE {
        return R::HALF.next_to(x.is_negative());
    }
    acos_nearly(x).times(&R::INVERSE_PI).inexact()
}

pub(super) fn sinh<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(true);
    }
    let t = exp_minus_one_nearly(&x.magnitude());
    let below = t.over_nearly(&t.plus(&R::ONE));
    t.plus(&below)
        .scaled(-1)
        .negate_if(x.is_negative())
        .inexact()
}

pub(super) fn cosh<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL_FOR_EVEN {
        return R::ONE.next_to(true);
    }
    let power = exp_nearly(&x.magnitude());
    power.plus(&power.reciprocal()).scaled(-1).inexact()
}

pub(super) fn tanh<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(false);
    }
    // 2 / e^128 is below 2^-180.
    if x.exponent() >= 6 {
        return R::ONE.next_to(false).negate_if(x.is_negative());
    }
    let t = exp_minus_one_nearly(&x.magnitude().scaled(1));
    let tangent = t.over_nearly(&t.plus(&R::from_small(2)));
    tangent.negate_if(x.is_negative()).inexact()
}

pub(super) fn asinh<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(false);
    }
    let square = x.times(x);
    let root = square.plus(&R::ONE).root_nearly();
    let above = square.over_nearly(&root.plus(&R::ONE));
    log_one_plus_nearly(&x.magnitude().plus(&above))
        .negate_if(x.is_negative())
        .inexact()
}

/// The area cosine of at least 1; exact for 1.
pub(super) fn acosh<R: Real>(x: &R) -> R {
    let above = x.minus(&R::ONE);
    if above.is_zero() {
        return R::ZERO;
    }
    let root = above.times(&x.plus(&R::ONE)).root_nearly();
    log_one_plus_nearly(&above.plus(&root)).inexact()
}

/// The area tangent between -1 and 1.
pub(super) fn atanh<R: Real>(x: &R) -> R {
    if x.exponent() < R::SMALL {
        return x.next_to(true);
    }
    let t = x.magnitude();
    let ratio = t.scaled(1).over_nearly(&R::ONE.minus(&t));
    log_one_plus_nearly(&ratio)
        .scaled(-1)
        .negate_if(x.is_negative())
        .inexact()
}
