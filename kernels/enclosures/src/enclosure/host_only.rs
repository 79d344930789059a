//! Functions that only hosts have, for their tables: GPUs have no kernels with them.
//!
//! Method: that of a function of the other modules, with another constant; sines and cosines of
//! half turns reduce their operand exactly. A cube root is a guess by the exponent, and two steps
//! by Halley's rational function, each of which triples the digits.

use super::exp::{ALMOST_X, LOW, Power, beside_1, power_less_one, power_less_one_of};
use super::instructions::{at_least, at_most};
use super::inverse::{Acos, Asin, Atan};
use super::log::{BINARY, COMMON, COMMON_OF_2, log_of_one_and_by};
use super::sin::{slope, wave};
use super::trig_reduction::QUARTER;
use super::{Domain, Format, Function, Machine, NONE, Sign, exactly_this, less_than};
use crate::machine::fma;
use core::f64::consts::{FRAC_1_PI, LN_2, LN_10, LOG2_10, LOG2_E, LOG10_E, PI};

/// The functions: each row's kernel, the type, and the bits of its parameters in f32, if it has
/// any.
#[macro_export]
macro_rules! for_each_on_hosts_only {
    ($callback:ident) => {
        $callback! {
            exp10 Exp10 [], exp2m1 Exp2m1 [], exp10m1 Exp10m1 [], log2p1 Log2p1 [], log10p1 Log10p1 [], sinpi Sinpi [],
            cospi Cospi [], tanpi Tanpi [], asinpi Asinpi [], acospi Acospi [], atanpi Atanpi [], cbrt Cbrt [],
            elu Elu [0x3F80_0000], celu Elu [0x3F80_0000], hardsigmoid Ramp [], hardswish RampTimes [],
            lgamma Lgamma [], tgamma Tgamma [],
        }
    };
}
pub use for_each_on_hosts_only;

/// A number and what f32 lacks of it.
const fn split(number: f64) -> [f32; 2] {
    let high = number as f32;
    [high, (number - high as f64) as f32]
}

/// 1.5 * 2^23: a sum with it is rounded to an integer.
const SHIFTER: f32 = 12_582_912.0;

/// `10^x`.
pub struct Exp10;

impl Function for Exp10 {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [8, 10];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        beside_1(x)
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        let [high, low] = const { split(LOG2_10) };
        // Beyond these it is 0 or infinite.
        let most = if F::WIDE { 40.0 } else { 8.0 };
        let x = at_least(at_most(x, most), -most - 2.0);
        let t = x * high;
        let r = fma(x, low, fma(x, high, -t)) * LN_2 as f32;
        Power::new::<F, M>(m, t * F::POWERS, r).value()
    }
}

/// `2^x - 1`.
pub struct Exp2m1;

impl Function for Exp2m1 {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [4, 4];
    const SLOPES: [f32; 2] = [LN_2 as f32; 2];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        [0.0, if x < 0.0 { 1.0 } else { f32::INFINITY }]
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        // There it is infinite in f32.
        let x = at_least(at_most(x, 128.25), LOW);
        let shifted = x + SHIFTER;
        power_less_one_of(shifted, (x - (shifted - SHIFTER)) * LN_2 as f32).abs()
    }
}

/// `10^x - 1`.
pub struct Exp10m1;

impl Function for Exp10m1 {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [4, 4];
    const SLOPES: [f32; 2] = [LN_10 as f32; 2];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        Exp2m1::limits(x)
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        let [high, low] = const { split(LOG2_10) };
        let x = at_least(at_most(x, 38.625), LOW);
        let shifted = fma(x, high, SHIFTER);
        let r = fma(x, low, fma(x, high, SHIFTER - shifted)) * LN_2 as f32;
        power_less_one_of(shifted, r).abs()
    }
}

/// `log2(1 + x)`.
pub struct Log2p1;

impl Function for Log2p1 {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [3, 3];
    const SLOPES: [f32; 2] = [LOG2_E as f32; 2];
    const DOMAIN: Domain = Domain::FromMinus1;

    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        log_of_one_and_by(x, BINARY, 1.0).abs()
    }
    fn may_be_flat(x: f32) -> bool {
        x <= -1.0
    }
}

/// `log10(1 + x)`.
pub struct Log10p1;

impl Function for Log10p1 {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [3, 3];
    const SLOPES: [f32; 2] = [LOG10_E as f32; 2];
    const DOMAIN: Domain = Domain::FromMinus1;

    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        log_of_one_and_by(x, COMMON, f32::from_bits(COMMON_OF_2)).abs()
    }
    fn may_be_flat(x: f32) -> bool {
        x <= -1.0
    }
}

/// The integer next to `2 x`, in the low bits, and what `2 x` is more, exactly. From 2^17 on all
/// numbers of a 16-bit format are even integers, as 0 is.
#[inline(always)]
fn half_turns(x: f32) -> (u32, f32) {
    let twice = if x.abs() < 131_072.0 { x + x } else { 0.0 };
    let shifted = twice + SHIFTER;
    (shifted.to_bits(), twice - (shifted - SHIFTER))
}

/// The angle of which these are the half turns.
#[inline(always)]
fn angle(half_turns: f32) -> f32 {
    let [first, second, _] = QUARTER.map(f32::from_bits);
    fma(half_turns, first, half_turns * second)
}

/// The limits of the sine of `pi x + quarters pi / 2`.
#[inline(always)]
fn limits_of_turns(x: f32, quarters: u32) -> [f32; 2] {
    let (n, rest) = half_turns(x);
    if rest == 0.0 {
        exactly_this((n.wrapping_add(quarters) & 1) as f32)
    } else {
        [0.0, 1.0]
    }
}

/// The sine of `pi x + quarters pi / 2`; this zero if it is one.
#[inline(always)]
pub(super) fn turns<M: Machine>(m: M, x: f32, quarters: u32, zero: f32) -> f32 {
    let (n, rest) = half_turns(x);
    let value = wave(m, (angle(rest), n), quarters);
    if rest == 0.0 && n.wrapping_add(quarters) & 1 == 0 {
        zero
    } else {
        value
    }
}

/// `sin(pi x)`.
pub struct Sinpi;

impl Function for Sinpi {
    const SIGN: Sign = Sign::Any;
    const ULPS: [u32; 2] = [3, 3];
    const SLOPES: [f32; 2] = [PI as f32; 2];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        limits_of_turns(x, 0)
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        turns(m, x, 0, 0.0f32.copysign(x))
    }
    /// From there on all numbers are integers.
    fn may_be_flat(x: f32) -> bool {
        x.abs() >= 1024.0
    }
}

/// `cos(pi x)`.
pub struct Cospi;

impl Function for Cospi {
    const SIGN: Sign = Sign::Any;
    const ULPS: [u32; 2] = [3, 3];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        limits_of_turns(x, 1)
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        turns(m, x, 1, 0.0)
    }
    /// From there on all numbers are even integers.
    fn may_be_flat(x: f32) -> bool {
        x.abs() >= 2048.0
    }
}

/// `tan(pi x)`.
pub struct Tanpi;

impl Function for Tanpi {
    const SIGN: Sign = Sign::Any;
    const ULPS: [u32; 2] = [6, 6];
    const SLOPES: [f32; 2] = [PI as f32; 2];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        let (n, rest) = half_turns(x);
        if rest == 0.0 {
            exactly_this(if n & 1 == 0 { 0.0 } else { f32::INFINITY })
        } else if rest.abs() == 0.5 {
            exactly_this(1.0)
        } else {
            [0.0, f32::INFINITY]
        }
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        let (n, rest) = half_turns(x);
        let value = slope(m, (angle(rest), n));
        // Zeros and infinities alternate in sign, and are odd.
        let (n_of_magnitude, _) = half_turns(x.abs());
        let sign = (n_of_magnitude & 2) << 30 ^ x.to_bits() & 0x8000_0000;
        if rest == 0.0 {
            let magnitude = if n & 1 == 0 { 0.0 } else { f32::INFINITY };
            f32::from_bits(magnitude.to_bits() | sign)
        } else {
            value
        }
    }
    fn may_be_flat(x: f32) -> bool {
        Cospi::may_be_flat(x)
    }
}

/// `arcsin(x) / pi`.
pub struct Asinpi;

impl Function for Asinpi {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [6, 6];
    const SLOPES: [f32; 2] = [FRAC_1_PI as f32; 2];
    const DOMAIN: Domain = Domain::ToMagnitude1;

    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        Asin::near::<F, M>(m, x) * FRAC_1_PI as f32
    }
}

/// `arccos(x) / pi`.
pub struct Acospi;

impl Function for Acospi {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [6, 6];
    const DOMAIN: Domain = Domain::ToMagnitude1;

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        if x < 0.0 { [0.5, 1.0] } else { [0.0, 0.5] }
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        Acos::near::<F, M>(m, x) * FRAC_1_PI as f32
    }
}

/// `arctan(x) / pi`.
pub struct Atanpi;

impl Function for Atanpi {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [5, 5];
    const SLOPES: [f32; 2] = [FRAC_1_PI as f32; 2];

    #[inline(always)]
    fn limits(_: f32) -> [f32; 2] {
        [0.0, 0.5]
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        Atan::near::<F, M>(m, x) * FRAC_1_PI as f32
    }
}

/// The cube root.
pub struct Cbrt;

impl Function for Cbrt {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [2, 2];

    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        // Codes are logarithms, roughly: two thirds of that of 1, and a third. It is off by 4 % at
        // most.
        const TWO_THIRDS: u32 = 0x2A51_19F2;
        const TWO_TO_32: f32 = 4_294_967_296.0;
        const FAR: f32 = TWO_TO_32 * TWO_TO_32;
        // By a cube, so that its multiples and what they differ by are normal.
        let a = x.abs();
        let (scale, back) = if a > FAR {
            (1.0 / (FAR * TWO_TO_32), TWO_TO_32)
        } else if a < 1.0 / FAR {
            (FAR * TWO_TO_32, 1.0 / TWO_TO_32)
        } else {
            (1.0, 1.0)
        };
        let a = if F::WIDE { a * scale } else { a };
        let mut root = f32::from_bits(a.to_bits() / 3 + TWO_THIRDS);
        for _ in 0..2 {
            let cube = root * root * root;
            root = fma(root, (a - cube) / fma(2.0, cube, a), root);
        }
        let root = if F::WIDE { root * back } else { root };
        if a > 0.0 { root } else { NONE }
    }
    fn may_be_flat(_: f32) -> bool {
        false
    }
}

/// x, or `e^x - 1` below 0.
pub struct Elu;

impl Function for Elu {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [2, 2];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        if x < 0.0 {
            [less_than(-x, ALMOST_X), at_most(-x, 1.0)]
        } else {
            exactly_this(x)
        }
    }
    fn limits_decide(x: f32) -> bool {
        x > -ALMOST_X
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        if x < 0.0 {
            power_less_one(at_least(x, LOW)).abs()
        } else {
            x
        }
    }
    /// Above 0 it rises by as much as x.
    fn may_be_flat(x: f32) -> bool {
        x < 0.0
    }
}

/// `(x + 3) / 6` between 0 and 1.
pub struct Ramp;

impl Function for Ramp {
    const SIGN: Sign = Sign::Positive;
    const ULPS: [u32; 2] = [2, 2];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        if x < 0.0 { [0.0, 0.5] } else { [0.5, 1.0] }
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(_: M, x: f32) -> f32 {
        // Beyond that it is exact.
        if x.abs() < 3.0 {
            (x + 3.0) * (1.0 / 6.0)
        } else {
            NONE
        }
    }
}

/// x times that.
pub struct RampTimes;

impl Function for RampTimes {
    const SIGN: Sign = Sign::OfOperand;
    const ULPS: [u32; 2] = [3, 3];

    #[inline(always)]
    fn limits(x: f32) -> [f32; 2] {
        let half = 0.5 * x.abs();
        if x < 0.0 {
            [0.0, half]
        } else if x < 3.0 {
            [half, x]
        } else {
            exactly_this(x)
        }
    }
    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        let ramp = if x < 3.0 {
            Ramp::near::<F, M>(m, x)
        } else {
            1.0
        };
        x.abs() * ramp
    }
    /// It is least at -1.5, and 0 from -3 on.
    fn may_be_flat(x: f32) -> bool {
        x < -2.0
    }
}
