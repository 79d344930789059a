//! Enclosures of elementary functions of one f64, by IEEE 754's operations alone.
//!
//! The method: reduce the argument, evaluate Taylor's series, and widen the computed value by a
//! proved bound of its error. Bounds count `u = 2^-53`, the relative error of one operation to
//! nearest. A *correction* is what a series adds to its first term, which is known exactly; its
//! enclosure is relative to the correction itself and keeps its sign. So the sum stays strictly on
//! one side of the first term, where rounding boundaries are (`sin x < x`, `e^x > 1` for x > 0).
//!
//! | value | its error, proved below | half the enclosure |
//! |---|---|---|
//! | `e^x`, 1/16 <= abs x <= 700 | 2.2 u | 2^-50 |
//! | `ln x`, away from 1 | 9 u | 2^-49 |
//! | corrections | 11 u of the correction | 2^-49 of it |
//! | `sin`, `cos`, reduced | 3 u of `r`, and 2^-101 for an x of 24 bits | 2^-50 `r`, 2^-99 |
//! | `erf x`, abs x < 1/2 | 6 u | 2^-49 |
//! | `erfc x`, 1/2 <= x < 12 | 10 u | 2^-49 |
//!
//! The rest is interval arithmetic: `expm1 x` as `e^x - 1` from 1/16 on (at most 2^-46), `tanh x`
//! as `-E / (E + 2)` with `E = expm1(-2x)` from 1/32 on (at most 2^-45), `erf x = 1 - erfc x`.
//! A rounding of an end is at most `u`, and each half is at least `2 u` above its error.
//!
//! The tables hold values of `big/`, each rounded to f64 with an error below `(1 + 2^-5) u`; so an
//! agreement with `big/` says nothing about those values of `big/` themselves. MPFR does.

use super::big::{Float, Interval};
use super::number::{Enclosure, Real};
use std::f64::consts::FRAC_PI_2;
use std::sync::LazyLock;

/// Half an enclosure, relative to the value.
const TIGHT: f64 = power(-50);
const HALF: f64 = power(-49);
/// Below it the correction of `e^x - 1 = x + ...` is a series.
const SMALL: f64 = power(-4);
/// Beyond it `e^x` is only known to be above `2^1000`, or below `2^-1000`.
const FAR: f64 = 700.0;
/// From here on `erfc` is below `e^-144 < 2^-207`.
const ERFC_END: f64 = 12.0;

/// `2^k`, for a normal one.
#[expect(clippy::cast_sign_loss, reason = "biased")]
pub(super) const fn power(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// A number in two parts, the first a multiple of 2^-42.
type Parts = [f64; 2];

struct Tables {
    /// `ln 2`, and `ln 2 / 128`.
    ln_2: [Parts; 2],
    /// `2^(j / 128)`.
    powers: [f64; 128],
    /// By the top 7 bits of a significand `m`: a multiple `r` of 2^-8 near `1/m`, and `-ln r`.
    logarithms: [(f64, Parts); 128],
    /// The first 128 fraction bits of `2/pi`, and the next 128.
    two_over_pi: [u128; 2],
    /// Taylor's coefficients of `e^(x^2) erfc x` at `j / 8`.
    erfcx: Vec<[f64; 14]>,
    /// `2 / sqrt pi`.
    erf_slope: f64,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// From this significand on (its top 7 bits) half of it is used.
const HALVED: usize = 53;

impl Tables {
    #[expect(clippy::cast_precision_loss, reason = "small integers")]
    fn new() -> Self {
        let int = |n: i64| Interval::point(Float::integer(n), 192);
        let low = |x: &Interval| x.ends().expect("bounded").0.clone();
        let parts = |x: &Interval| {
            let x = low(x);
            let high = x.scaled(42).floor().scaled(-42);
            [high.rough(), x.minus(&high).rough()]
        };
        let ln_2 = int(1).ln_2();
        let logarithms = std::array::from_fn(|i| {
            let middle = (1.0 + (i as f64 + 0.5) / 128.0) / if i < HALVED { 1.0 } else { 2.0 };
            // Next to 1 exactly 1, so that nothing cancels.
            let n = if i == 0 || i == 127 {
                256
            } else {
                (256.0 / middle).round() as i64
            };
            let r = Interval::point(Float::integer(n).scaled(-8), 192);
            (n as f64 / 256.0, parts(&-r.ln()))
        });
        // The rounding to f64 of 512 bits' low end; the recurrence loses below 200 of these.
        let wide = |n: i64| Interval::point(Float::integer(n), 512);
        let slope = wide(2) / wide(1).pi().sqrt();
        let erfcx = (0..=96)
            .map(|j| {
                let c = Interval::point(Float::integer(j).scaled(-3), 512);
                let mut g = vec![c.square().exp() * c.erfc()];
                g.push(c.scaled(1) * g[0].clone() - slope.clone());
                for n in 1..13 {
                    let sum = (c.clone() * g[n].clone() + g[n - 1].clone()).scaled(1);
                    g.push(sum / wide(n as i64 + 1));
                }
                std::array::from_fn(|n| low(&g[n]).rough())
            })
            .collect();
        let bits = low(&(wide(2) / wide(1).pi())).scaled(256).floor();
        let (m, e) = bits.odd();
        let bits = m << usize::try_from(e).expect("an integer");
        let word = |x| u128::try_from(x).expect("128 bits");
        Self {
            ln_2: [parts(&ln_2), parts(&ln_2.scaled(-7))],
            powers: std::array::from_fn(|j| {
                let j = Interval::point(Float::integer(j as i64).scaled(-7), 192);
                low(&(j * ln_2.clone()).exp()).rough()
            }),
            logarithms,
            two_over_pi: [
                word(&bits >> 128),
                word(bits & dashu_int::UBig::from(u128::MAX)),
            ],
            erfcx,
            erf_slope: low(&slope).rough(),
        }
    }
}

/// A value with its relative error.
fn relative(value: f64, error: f64) -> Enclosure {
    let reach = value.abs() * error;
    Enclosure::open(value - reach, value + reach)
}

/// A correction, not zero, of which the series' factors may have underflowed.
fn correction(value: f64, negative: bool) -> Enclosure {
    let reach = value.abs() * HALF + f64::MIN_POSITIVE;
    if negative {
        Enclosure::open(value - reach, (value + reach).min(0.0))
    } else {
        Enclosure::open((value - reach).max(0.0), value + reach)
    }
}

/// `c[0] + x (c[1] + x (c[2] + ...))`.
fn horner(x: f64, c: &[f64]) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// `1/(first)!`, `1/(first + 1)!`, ...: each rounded once, since the factorials are f64s.
const fn over_factorials<const N: usize>(first: usize, step: usize, alternating: bool) -> [f64; N] {
    let mut all = [0.0; N];
    let mut i = 0;
    while i < N {
        let (mut product, mut k) = (1.0, 2);
        while k <= first + i * step {
            product *= k as f64;
            k += 1;
        }
        all[i] = if alternating && i % 2 == 0 { -1.0 } else { 1.0 } / product;
        i += 1;
    }
    all
}

/// `e^x` for `|x| <= 700`, with a relative error below 2.2 u.
///
/// `x = k (ln 2)/128 + r`. The first part of `(ln 2)/128` has 35 bits and k has 17, so their
/// product is exact; the second product is below 2^-26 and adds 2^-79; each difference is rounded
/// once, below 2^-8: so r has an error below 2^-60, and `|r| < 0.00272 < 2^-8.5`. The series to
/// `r^5/120` leaves out below `1.01 r^6/720 < 2^-60.6`, and its roundings are below `u 2^-8.4`.
/// The table's error is u, and that of the last sum; together below `2 u + 2^-58`.
fn exp_value(x: f64) -> f64 {
    const SERIES: [f64; 4] = over_factorials(2, 1, false);
    const ROUND: f64 = 1.5 * power(52);
    let tables = &*TABLES;
    let [high, low] = tables.ln_2[1];
    let shifted = x * (128.0 * std::f64::consts::LOG2_E) + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * high) - k * low;
    let p = r + r * r * horner(r, &SERIES);
    let integer = shifted
        .to_bits()
        .wrapping_sub(ROUND.to_bits())
        .cast_signed();
    let t = tables.powers[(integer & 127) as usize];
    (t + t * p) * power((integer >> 7) as i32)
}

pub(super) fn exp(x: f64) -> Enclosure {
    if x.abs() < SMALL {
        Enclosure::point(1.0) + exp_m1(x)
    } else if x > FAR {
        Enclosure::open(power(1000), f64::INFINITY)
    } else if x < -FAR {
        Enclosure::open(0.0, power(-1000))
    } else {
        relative(exp_value(x), TIGHT)
    }
}

/// Below 1/16 `x + x^2 (1/2 + x/6 + ... + x^9/11!)`: the remainder is below `2.1 x^10/12!` of the
/// correction, 2^-67, and the roundings are below 8 u of it.
pub(super) fn exp_m1(x: f64) -> Enclosure {
    const SERIES: [f64; 10] = over_factorials(2, 1, false);
    if x == 0.0 {
        return Enclosure::point(x);
    }
    if x.abs() < SMALL {
        return Enclosure::point(x) + correction(x * x * horner(x, &SERIES), false);
    }
    exp(x) + Enclosure::point(-1.0)
}

/// `ln(1 + z) - z` for `|z| <= 2^-6`, not zero: the series to `z^10/10`. The remainder is below
/// `0.19 z^9` of the correction, 2^-56, and the roundings are below 8 u of it.
fn ln_1p_correction(z: f64) -> f64 {
    const SERIES: [f64; 9] = [
        -1.0 / 2.0,
        1.0 / 3.0,
        -1.0 / 4.0,
        1.0 / 5.0,
        -1.0 / 6.0,
        1.0 / 7.0,
        -1.0 / 8.0,
        1.0 / 9.0,
        -1.0 / 10.0,
    ];
    z * z * horner(z, &SERIES)
}

/// `x = 2^k m`, and `ln x = k ln 2 - ln r + ln(1 + z)` with `z = m r - 1`, rounded once; `|z|` is
/// below 2^-7, since m is within 2^-8 of the middle (2^-9 if halved) and r within 2^-9 of its
/// reciprocal. Next to 1 (k = 0, r = 1) z is exact, and there is only the correction.
///
/// Otherwise `|ln x| > 2^-8`. The sum of the first parts is exact (11 bits times 41 bits, and
/// multiples of 2^-42). Absolute errors: `u 2^-7` each of z and of its sum with the correction
/// and the second parts, `u 2^-11` of these, u of the value of the last sum. Relative to the value
/// below `2 u + 2 u + u`, and 9 u with all that is smaller.
#[expect(clippy::cast_possible_truncation, reason = "11 bits")]
pub(super) fn ln(x: f64) -> Enclosure {
    if x < f64::MIN_POSITIVE {
        return Enclosure::open(f64::NEG_INFINITY, -FAR);
    }
    if x.is_infinite() {
        return Enclosure::open(FAR, f64::INFINITY);
    }
    if x == 1.0 {
        return Enclosure::point(0.0);
    }
    let tables = &*TABLES;
    let bits = x.to_bits();
    let index = (bits >> 45 & 127) as usize;
    let halved = u64::from(index >= HALVED);
    let k = (bits >> 52) as i32 - 1023 + halved as i32;
    let m = f64::from_bits(bits & (u64::MAX >> 12) | (1023 - halved) << 52);
    let (r, [high, low]) = tables.logarithms[index];
    let z = m.mul_add(r, -1.0);
    let c = ln_1p_correction(z);
    if k == 0 && r == 1.0 {
        return Enclosure::point(z) + correction(c, true);
    }
    let [ln_2_high, ln_2_low] = tables.ln_2[0];
    let k = f64::from(k);
    let high = k * ln_2_high + high;
    let low = k * ln_2_low + low;
    relative(high + (z + (low + c)), HALF)
}

/// From 2^-6 on `ln s + ln(1 + d/s)` with `s + d = 1 + x` exactly; `|d/s| <= u`, and its
/// logarithm's square term is below `u^2`.
pub(super) fn ln_1p(x: f64) -> Enclosure {
    if x == 0.0 {
        return Enclosure::point(x);
    }
    if x.abs() <= power(-6) {
        return Enclosure::point(x) + correction(ln_1p_correction(x), true);
    }
    let s = 1.0 + x;
    let shadow = s - 1.0;
    let d = (1.0 - (s - shadow)) + (x - shadow);
    // `1 + x` is infinite, zero or negative.
    if d == 0.0 || !d.is_finite() || s <= 0.0 {
        return ln(s);
    }
    ln(s) + relative(d / s, power(-40))
}

/// `sin r` for `|r| <= 0.79`: the series to `r^17/17!`. The remainder is below `6 r^16/19!` of the
/// correction, 2^-59, and the roundings are below 8 u of it.
fn short_sin(r: f64) -> Enclosure {
    const SERIES: [f64; 8] = over_factorials(3, 2, true);
    if r == 0.0 {
        return Enclosure::point(r);
    }
    let square = r * r;
    Enclosure::point(r) + correction(r * square * horner(square, &SERIES), r > 0.0)
}

/// `cos r` likewise, to `r^16/16!`: `2 r^16/18! < 2^-56`.
fn short_cos(r: f64) -> Enclosure {
    const SERIES: [f64; 8] = over_factorials(2, 2, true);
    if r == 0.0 {
        return Enclosure::point(1.0);
    }
    let square = r * r;
    Enclosure::point(1.0) + correction(square * horner(square, &SERIES), true)
}

/// Sine (`turns` 0) and cosine (1).
///
/// `x = m 2^e` with an odd integer m. The window w of 2/pi that begins at the bit of weight
/// `2^(1-e)` has 128 bits, so `x 2/pi = m w 2^-126` modulo 4, up to an error below `m 2^-126`
/// (from the bits after the window). Multiples of 1/2 of it are split off exactly. `r` is the
/// remainder times pi/2: the conversion, pi/2 and the product have a relative error of u each.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "rounded once; the exponent is in the range"
)]
fn turned(x: f64, turns: u8) -> Enclosure {
    let short = |quarter: u8, r: f64| match quarter % 4 {
        0 => short_sin(r),
        1 => short_cos(r),
        2 => -short_sin(r),
        _ => -short_cos(r),
    };
    if x.abs() <= 0.785 {
        return short(turns, x);
    }
    let bits = x.to_bits();
    let m = bits & (u64::MAX >> 12) | 1 << 52;
    let zeros = m.trailing_zeros();
    let m = u128::from(m >> zeros);
    let shift = (bits >> 52 & 0x7FF) as i32 - 1075 + zeros as i32 + 126;
    if !(0..=256).contains(&shift) {
        return Enclosure::open(-1.0, 1.0);
    }
    let [high, low] = TABLES.two_over_pi;
    let window = match shift {
        256 => low,
        129.. => high << (shift - 128) | low >> (256 - shift),
        _ => high.checked_shr((128 - shift) as u32).unwrap_or(0),
    };
    let turn = m.wrapping_mul(window);
    let quarter = turn.wrapping_add(1 << 125) >> 126;
    let rest = turn.wrapping_sub(quarter << 126).cast_signed();
    let r = rest as f64 * power(-126) * FRAC_PI_2;
    let reach = r.abs() * power(-50) + m as f64 * power(-123);
    let (r, quarter) = if x < 0.0 {
        (-r, (4 - quarter as u8) % 4)
    } else {
        (r, quarter as u8)
    };
    let value = short(quarter + turns, r);
    Enclosure::open(
        (value.low - reach).next_down(),
        (value.high + reach).next_up(),
    )
}

pub(super) fn sin(x: f64) -> Enclosure {
    turned(x, 0)
}

pub(super) fn cos(x: f64) -> Enclosure {
    turned(x, 1)
}

/// Below 1/32 the series to the term of `x^11`, whose terms alternate and decrease: the remainder
/// is below `0.011 x^10` of the correction, 2^-56, and the roundings are below 8 u of it.
pub(super) fn tanh(x: f64) -> Enclosure {
    const SERIES: [f64; 5] = [
        -1.0 / 3.0,
        2.0 / 15.0,
        -17.0 / 315.0,
        62.0 / 2835.0,
        -1382.0 / 155_925.0,
    ];
    if x == 0.0 {
        return Enclosure::point(x);
    }
    if x.abs() < power(-5) {
        let square = x * x;
        return Enclosure::point(x) + correction(x * square * horner(square, &SERIES), x > 0.0);
    }
    let e = exp_m1(-2.0 * x.abs());
    let magnitude = -e / (e + Enclosure::point(2.0));
    if x < 0.0 { -magnitude } else { magnitude }
}

/// Below 1/2 `2/sqrt(pi) x (1 - x^2/3 + ... + x^24/(12! 25))`, whose terms alternate and decrease:
/// the remainder is below `2^-26/(13! 27) < 2^-62`. Errors: u of the factor, below 2 u of the sum,
/// u of each product.
pub(super) fn erf(x: f64) -> Enclosure {
    const SERIES: [f64; 13] = {
        let mut series = over_factorials(0, 1, false);
        let mut n = 0;
        while n < 13 {
            series[n] /= (2 * n + 1) as f64 * if n % 2 == 0 { 1.0 } else { -1.0 };
            n += 1;
        }
        series
    };
    if x == 0.0 {
        return Enclosure::point(x);
    }
    if x.abs() < 0.5 {
        return relative(x * TABLES.erf_slope * horner(x * x, &SERIES), HALF);
    }
    let magnitude = Enclosure::point(1.0) - erfc_tail(x.abs());
    if x < 0.0 { -magnitude } else { magnitude }
}

/// For `x >= 1/2`: `e^(-x^2) g(x)` with `g(x) = 2/sqrt(pi) int_0^inf e^(-t^2 - 2xt) dt`, by
/// Taylor's series of g at a c with `|x - c| = |h| <= 1/16`.
///
/// The n-th coefficient is below `1/(n/2)!` in magnitude (the integral at 0), so the remainder is
/// below `h^14/7! < 2^-68`, 2^-63 of `g > 0.046`. It is also below `g(c)/c^n` (the weight
/// `e^(-t^2 - 2ct)` is dominated by `e^(-2ct)`), so the terms are below `8^-n` of the first, and
/// coefficients and roundings give below 4 u. The square's own rounding error d is exact by a
/// fused operation: `e^(-d)` is `1 - d` up to `d^2 < 2^-90`. With 2.2 u of the exponential and 3 u
/// of the difference and products: below 10 u.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "4 to 96"
)]
fn erfc_tail(x: f64) -> Enclosure {
    if x >= ERFC_END {
        return Enclosure::open(0.0, power(-207));
    }
    let node = (x * 8.0).round();
    let g = horner(x - node / 8.0, &TABLES.erfcx[node as usize]);
    let square = x * x;
    let d = x.mul_add(x, -square);
    relative(exp_value(-square) * (1.0 - d) * g, HALF)
}

pub(super) fn erfc(x: f64) -> Enclosure {
    if x >= 0.5 {
        erfc_tail(x)
    } else if x > -0.5 {
        Enclosure::point(1.0) - erf(x)
    } else {
        Enclosure::point(2.0) - erfc_tail(-x)
    }
}

/// Near the inverse of the error function, by Newton's iteration, which rises to it: nothing is
/// proved.
pub(super) fn erf_inv(x: f64) -> f64 {
    let magnitude = x.abs();
    let mut y = magnitude * 0.88;
    for _ in 0..40 {
        let short = if magnitude < 0.5 {
            magnitude - libm::erf(y)
        } else {
            libm::erfc(y) - (1.0 - magnitude)
        };
        y += short * (y * y).exp() / std::f64::consts::FRAC_2_SQRT_PI;
    }
    if x < 0.0 { -y } else { y }
}

/// At points next to the ends of every reduction and series, the enclosures contain the values of
/// `big/` and are as narrow as the table says.
#[cfg(test)]
mod tests {
    use super::*;

    /// Significands with all 53 bits and with 24.
    fn points() -> Vec<f64> {
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            f64::from_bits(state >> 12 | 1023 << 52)
        };
        let mut points: Vec<f64> = (-400..=10)
            .step_by(4)
            .flat_map(|k| {
                let m = [
                    1.0,
                    1.0 + f64::EPSILON,
                    next(),
                    f64::from(next() as f32),
                    1.99999,
                ];
                m.map(|m| m * power(k))
            })
            .collect();
        let special = [
            0.0625, 0.5, 0.785, 0.03125, 0.015_625, 12.0, 700.0, 1.0, 6.0,
        ];
        for x in special {
            let mut y: f64 = x;
            let mut z: f64 = x;
            for _ in 0..4 {
                points.extend([y, z]);
                y = y.next_up();
                z = z.next_down();
            }
        }
        // Where the tables' indices change, and between.
        for j in 0..250 {
            let j = f64::from(j);
            points.extend([
                j / 128.0,
                (j / 128.0).next_down(),
                (j + 0.5) * std::f64::consts::LN_2 / 128.0,
                j * FRAC_PI_2,
                j * FRAC_PI_2 / 2.0,
                j / 16.0,
                (j / 16.0).next_up(),
                next() * 11.0 - 5.0,
                1.0 + next() * power(-8),
            ]);
        }
        points.retain(|x| *x > power(-410));
        points.extend((11..128).map(|k| next() * power(k)));
        points.extend(points.clone().iter().map(|&x| f64::from(x as f32)));
        points.retain(|x| *x > 0.0);
        points.extend(points.clone().iter().map(|x| -x));
        points
    }

    fn float(x: f64) -> Float {
        let (bits, negative) = (x.abs().to_bits(), x < 0.0);
        let field = i32::try_from(bits >> 52).expect("11 bits");
        let m = bits & (u64::MAX >> 12) | u64::from(field != 0) << 52;
        Float::new(negative, m.into(), i64::from(field.max(1)) - 1075)
    }

    fn check(
        name: &str,
        function: fn(f64) -> Enclosure,
        exact: fn(&Interval) -> Interval,
        domain: impl Fn(f64) -> bool,
        width: i32,
    ) {
        let mut count = 0;
        for x in points().into_iter().filter(|&x| domain(x)) {
            let Enclosure { low, high } = function(x);
            // Beside 1, or x itself, the value needs more bits than elsewhere.
            let inside = [192, 1400].iter().any(|&p| {
                let value = exact(&Interval::point(float(x), p));
                let (from, to) = value.ends().expect("bounded");
                let apart = *from > float(high) || *to < float(low);
                assert!(
                    !apart,
                    "{name}({x:e}): {value:?} is not in [{low:e}, {high:e}]"
                );
                *from >= float(low) && *to <= float(high)
            });
            assert!(inside, "{name}({x:e}) is at an end of [{low:e}, {high:e}]");
            let narrow = (high - low) <= high.abs().max(low.abs()) * power(width);
            assert!(narrow, "{name}({x:e}): [{low:e}, {high:e}]");
            count += 1;
        }
        assert!(count > 1000, "{name}: {count} points");
    }

    #[test]
    fn enclosures_contain_the_values() {
        let moderate = |x: f64| x.abs() < FAR;
        // Multiples of pi/2 are next to zeros: for 24 bits the reduction is precise enough there.
        let single = |x: f64| x == f64::from(x as f32);
        check("exp", exp, Real::exp, moderate, -48);
        check("exp_m1", exp_m1, Real::exp_m1, moderate, -44);
        check("ln", ln, Real::ln, |x| x > 0.0, -47);
        check("ln_1p", ln_1p, Real::ln_1p, |x| x > -1.0, -47);
        check("sin", sin, Real::sin, single, -44);
        check("cos", cos, Real::cos, single, -44);
        check("tanh", tanh, Real::tanh, |x| x.abs() < 300.0, -44);
        check("erf", erf, Real::erf, |x| x.abs() < ERFC_END, -47);
        check("erfc", erfc, Real::erfc, |x| x.abs() < ERFC_END, -47);
    }
}
