//! The gamma function and the logarithm of its magnitude, which only hosts have: in f64, since next
//! to the logarithm's zeros f32's digits cancel; the logarithm next to 0 and from -8 down in f32,
//! where nothing cancels.
//!
//! Method: Stirling's series of a number of at least 8,
//! `gamma(x) = gamma(x + 8) / (x (x + 1) ... (x + 7))`, and from -8 down the reflection
//! `gamma(-a) = -pi / (a sin(pi a) gamma(a))`; next to 0 their leading terms. Each has a loop of
//! its own ([`Function::CASES`]). The polynomials are series by powers, cut off where terms add
//! less than a tenth of an ulp of f32.

use super::host_only::turns;
use super::{Domain, Format, Function, Host, Log, Machine, Sign, exactly_this};
use core::f64::consts::{LN_2, LOG2_E, PI};

/// The cases: magnitudes below [`TINY`].
const NEXT_TO_0: u32 = 0;
/// Other numbers between -8 and 0.
const NEGATIVE: u32 = 1;
/// Other numbers between 0 and 8.
const POSITIVE: u32 = 2;
/// From 8 on.
const LARGE: u32 = 3;
/// From -8 down.
const FAR_BELOW_0: u32 = 4;

const TINY: f32 = 1.0 / 4096.0;

/// Euler's constant.
const GAMMA: f64 = 0.577_215_664_901_532_9;
/// `ln pi`.
const LN_PI: f64 = 1.144_729_885_849_400_2;
/// `ln(2 pi) / 2`.
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_7;
/// 1.5 * 2^52: a sum with it is rounded to an integer.
const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// Stirling's series, by `1 / z^2`, times `1 / z`.
const STIRLING: [f64; 4] = [-1.0 / 1680.0, 1.0 / 1260.0, -1.0 / 360.0, 1.0 / 12.0];
/// `artanh(s) / s`, by `s^2`.
const ARTANH: [f64; 7] = {
    let mut all = [0.0; 7];
    let mut k = 0;
    while k < 7 {
        all[6 - k] = 1.0 / (2 * k + 1) as f64;
        k += 1;
    }
    all
};
/// `sin(y) / y`, by `y^2`.
const SINE: [f64; 7] = {
    let (mut all, mut term, mut k) = ([0.0; 7], 1.0, 0);
    while k < 7 {
        all[6 - k] = term;
        term /= -(((2 * k + 2) * (2 * k + 3)) as f64);
        k += 1;
    }
    all
};
/// `e^r`.
const POWER: [f64; 9] = {
    let (mut all, mut term, mut k) = ([0.0; 9], 1.0, 0);
    while k < 9 {
        all[8 - k] = term;
        term /= (k + 1) as f64;
        k += 1;
    }
    all
};

/// A polynomial, of which the coefficient of the highest power is first.
#[inline(always)]
fn horner<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    let mut sum = 0.0;
    for (k, c) in coefficients.into_iter().enumerate() {
        sum = if k == 0 { c } else { sum.mul_add(x, c) };
    }
    sum
}

/// The logarithm of a positive normal number; of 0 and infinity, any number.
#[inline(always)]
fn ln(x: f64) -> f64 {
    const ONE: u64 = 1023 << 52;
    const ROOT_OF_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    /// As the bits of `2^52 + n`, an integer n is a number without an instruction that converts it.
    const INTEGER: u64 = 0x4330_0000_0000_0000;
    let k = x.to_bits().wrapping_sub(ROOT_OF_HALF).wrapping_add(ONE) >> 52;
    let m = f64::from_bits(x.to_bits().wrapping_sub(k << 52).wrapping_add(ONE));
    let k = f64::from_bits(k | INTEGER) - (4_503_599_627_370_496.0 + 1023.0);
    let s = (m - 1.0) / (m + 1.0);
    k.mul_add(LN_2, (s + s) * horner(ARTANH, s * s))
}

/// `e^x`, for an x between -700 and 700.
#[inline(always)]
fn exp(x: f64) -> f64 {
    let t = x * LOG2_E;
    let shifted = t + SHIFTER;
    let power = horner(POWER, (t - (shifted - SHIFTER)) * LN_2);
    f64::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// `ln gamma(z)`, for a z of at least 8.
#[inline(always)]
fn stirling(z: f64) -> f64 {
    let w = 1.0 / z;
    let series = w.mul_add(horner(STIRLING, w * w), HALF_LN_2_PI);
    (z - 0.5).mul_add(ln(z), series - z)
}

/// `ln |gamma(x)|`, for a magnitude below [`TINY`] and not 0.
#[inline(always)]
fn next_to_0<F: Format>(x: f32) -> f32 {
    const SCALE: f32 = 4_294_967_296.0;
    const LN_SCALE: f32 = (32.0 * LN_2) as f32;
    // `Log` has none of a subnormal number.
    let subnormal = F::WIDE && x.abs() < f32::MIN_POSITIVE;
    let (a, more) = if subnormal {
        (x.abs() * SCALE, LN_SCALE)
    } else {
        (x.abs(), 0.0)
    };
    x.mul_add(-GAMMA as f32, more - Log::near::<F, _>(Host, a))
}

/// `ln |gamma(-a)|`, for an a of at least 8 that is no integer; of integers, infinity.
#[inline(always)]
fn far_below_0<F: Format>(a: f32) -> f32 {
    let ln = |x| Log::near::<F, _>(Host, x);
    let w = 1.0 / a;
    let rest = w.mul_add(
        (w * w).mul_add(1.0 / 360.0, -1.0 / 12.0),
        (LN_PI - HALF_LN_2_PI) as f32,
    );
    let value = (a + 0.5).mul_add(-ln(a), a + (rest - ln(turns(Host, a, 0, 0.0).abs())));
    if a == a.trunc() { f32::INFINITY } else { value }
}

/// `x (x + 1) ... (x + 7)`: of a number of a 16-bit format, each pair of factors is exact.
#[inline(always)]
fn product(x: f64) -> f64 {
    let t = x * (x + 7.0);
    t * (t + 6.0) * ((t + 10.0) * (t + 12.0))
}

/// `sin(pi a)`, for an a below 2^51; of others, any number.
#[inline(always)]
fn sine(a: f64) -> f64 {
    let shifted = a + SHIFTER;
    let y = (a - (shifted - SHIFTER)) * PI;
    let sine = y * horner(SINE, y * y);
    let odd = shifted.to_bits() << 63;
    f64::from_bits(sine.to_bits() ^ odd)
}

/// The case of a number, as [`Function::of_exponent`] has it.
#[inline(always)]
fn case(x: f32) -> [u32; 3] {
    let case = if x.abs() < TINY {
        NEXT_TO_0
    } else if x >= 8.0 {
        LARGE
    } else if x > 0.0 {
        POSITIVE
    } else if x > -8.0 {
        NEGATIVE
    } else {
        FAR_BELOW_0
    };
    [case, 0, 0]
}

fn is_long([case, ..]: [u32; 3]) -> bool {
    case != NEXT_TO_0
}

/// `ln |gamma(x)|`.
pub struct Lgamma;

impl Function for Lgamma {
    const SIGN: Sign = Sign::Any;
    const ULPS: [u32; 2] = [6, 6];
    const CASES: u32 = 5;

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        if Domain::NoPoles.lacks(x) {
            exactly_this(f32::INFINITY)
        } else if x == 2.0 {
            exactly_this(0.0)
        } else {
            [0.0, f32::INFINITY]
        }
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        Self::on_host::<F>(x, case(x))
    }
    fn of_exponent<F: Format>(x: f32) -> [u32; 3] {
        case(x)
    }
    #[inline(always)]
    fn on_host<F: Format>(operand: f32, [case, ..]: [u32; 3]) -> f32 {
        let x = f64::from(operand);
        let value = match case {
            NEXT_TO_0 => return next_to_0::<F>(operand),
            NEGATIVE => stirling(x + 16.0) - ln((product(x) * product(x + 8.0)).abs()),
            POSITIVE => stirling(x + 8.0) - ln(product(x)),
            LARGE => stirling(x),
            _ => return far_below_0::<F>(operand.abs()),
        };
        if Domain::NoPoles.lacks(operand) {
            f32::INFINITY
        } else if operand == 2.0 {
            0.0
        } else {
            value as f32
        }
    }
    fn is_long(case: [u32; 3]) -> bool {
        is_long(case)
    }
    /// From the first on it is infinite in f16 or, as from the second on, in both formats. From
    /// -128 down a page begins at a pole; numbers between poles, which f16 has up to 1,024, give
    /// other results than the pole, so that no page is taken for flat.
    fn may_be_flat(x: f32) -> bool {
        (4096.0..65536.0).contains(&x) || x > 1e36 || x <= -128.0
    }
}

/// The gamma function.
pub struct Tgamma;

impl Function for Tgamma {
    const SIGN: Sign = Sign::Any;
    const ULPS: [u32; 2] = [1, 1];
    const DOMAIN: Domain = Domain::NoPoles;
    const CASES: u32 = 5;

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        // Next to 0 it is the reciprocal less Euler's constant.
        let reciprocal = 1.0 / x.abs();
        if x < 0.0 && x > -TINY {
            [reciprocal, f32::INFINITY]
        } else if x < TINY && x > 0.0 {
            [0.0, reciprocal]
        } else {
            [0.0, f32::INFINITY]
        }
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        Self::on_host::<F>(x, case(x))
    }
    fn of_exponent<F: Format>(x: f32) -> [u32; 3] {
        case(x)
    }
    #[inline(always)]
    fn on_host<F: Format>(x: f32, [case, ..]: [u32; 3]) -> f32 {
        // There it is infinite, or 0 at the negative number.
        const MOST: f64 = 64.0;
        // Every number between 0 and half of the format's least rounds to one result, in every
        // mode.
        const LEAST: f32 = f32::from_bits(0x100);
        let (x, a) = (f64::from(x), f64::from(x.abs()));
        let value = match case {
            NEXT_TO_0 => x.mul_add(0.989_055_995_327_972_6, 1.0 / x - GAMMA),
            NEGATIVE => exp(stirling(x + 16.0)) / (product(x) * product(x + 8.0)),
            POSITIVE => exp(stirling(x + 8.0)) / product(x),
            LARGE => exp(stirling(if a < MOST { a } else { MOST })),
            _ => -PI / (a * sine(a)) * exp(-stirling(if a < MOST { a } else { MOST })),
        } as f32;
        let magnitude = if value.abs() < LEAST {
            LEAST
        } else {
            value.abs()
        };
        magnitude.copysign(value)
    }
    fn is_long(case: [u32; 3]) -> bool {
        is_long(case)
    }
    /// It is infinite above, and undefined at negative integers: a page from -128 down begins at
    /// one, and is flat if it ends at one.
    fn may_be_flat(x: f32) -> bool {
        x >= 8.0 || x <= -128.0
    }
}
