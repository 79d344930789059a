//! The elementary functions: one call of MPFR each.

use super::place::place;
use crate::answer::Answer;
use crate::datum::Datum;
use crate::format::Format;
use rug::Float;
use rug::float::{Round, Special};
use rug::ops::PowAssignRound;
use std::cmp::Ordering;

/// A value truncated toward zero.
pub(super) struct Cut {
    value: Float,
    exact: bool,
}

impl Cut {
    pub fn answer(&self, format: &'static Format, operands: &[Datum]) -> Answer {
        let negative = self.value.is_sign_negative();
        let signalling = operands.iter().any(|x| x.is_signalling());
        if signalling || self.value.is_nan() {
            let any = operands.iter().any(|x| x.nan().is_some());
            return Answer::Nan {
                format,
                invalid: signalling || !any,
            };
        }
        if self.value.is_infinite() {
            let by_zero = operands.iter().all(|x| matches!(x, Datum::Finite { .. }));
            return Answer::Infinite {
                format,
                negative,
                by_zero,
            };
        }
        if self.value.is_zero() && self.exact {
            return Answer::Zero { format, negative };
        }
        Answer::Located(place(format, &self.value, self.exact))
    }
}

pub(super) type Unary = Box<dyn Fn(&Float) -> Cut + Send + Sync>;
pub(super) type Binary = Box<dyn Fn(&Float, &Float) -> Cut + Send + Sync>;
pub(super) type WithInteger = Box<dyn Fn(&Float, i32) -> Cut + Send + Sync>;

pub(super) fn unary(op: &str) -> Option<Unary> {
    type Call = fn(&mut Float, Round) -> Ordering;
    let call: Call = match op {
        "exp" => Float::exp_round,
        "exp2" => Float::exp2_round,
        "exp10" => Float::exp10_round,
        "expm1" => Float::exp_m1_round,
        "exp2m1" => Float::exp2_m1_round,
        "exp10m1" => Float::exp10_m1_round,
        "log" => Float::ln_round,
        "log2" => Float::log2_round,
        "log10" => Float::log10_round,
        "log1p" => Float::ln_1p_round,
        "log2p1" => Float::log2_1p_round,
        "log10p1" => Float::log10_1p_round,
        "sin" => Float::sin_round,
        "cos" => Float::cos_round,
        "tan" => Float::tan_round,
        "sinpi" => Float::sin_pi_round,
        "cospi" => Float::cos_pi_round,
        "tanpi" => Float::tan_pi_round,
        "asin" => Float::asin_round,
        "acos" => Float::acos_round,
        "atan" => Float::atan_round,
        "asinpi" => Float::asin_pi_round,
        "acospi" => Float::acos_pi_round,
        "atanpi" => Float::atan_pi_round,
        "sinh" => Float::sinh_round,
        "cosh" => Float::cosh_round,
        "tanh" => Float::tanh_round,
        "asinh" => Float::asinh_round,
        "acosh" => Float::acosh_round,
        "atanh" => Float::atanh_round,
        // MPFR's rec_sqrt(-0) is +infinity; IEEE 754-2019 requires -infinity.
        "rsqrt" => |x, round| {
            if x.is_zero() {
                x.recip_round(round)
            } else {
                x.recip_sqrt_round(round)
            }
        },
        "cbrt" => Float::cbrt_round,
        "reciprocal" => Float::recip_round,
        "erf" => Float::erf_round,
        "erfc" => Float::erfc_round,
        "logit" => |x, round| {
            let wide = Float::with_val(WIDE, &*x);
            let ratio = wide.clone() / (1 - wide);
            *x = ratio;
            x.ln_round(round)
        },
        "tgamma" => Float::gamma_round,
        "lgamma" => |x, round| x.ln_abs_gamma_round(round).1,
        _ => return None,
    };
    Some(Box::new(move |x| {
        let mut value = x.clone();
        let ternary = call(&mut value, Round::Zero);
        cut(value, ternary)
    }))
}

fn cut(value: Float, ternary: Ordering) -> Cut {
    Cut {
        value,
        exact: ternary == Ordering::Equal,
    }
}

/// Bits of the steps of functions that take several.
const WIDE: u32 = 1024;

type Step = fn(&mut Float, Round) -> Ordering;

/// `x` times a logarithm of `y`; +0 where x is 0.
fn product(x: &mut Float, y: &Float, round: Round, logarithm: Step) -> Ordering {
    if x.is_zero() && !y.is_nan() {
        *x = Float::new(WIDE);
        return Ordering::Equal;
    }
    let mut value = Float::with_val(WIDE, y);
    logarithm(&mut value, round);
    value *= &*x;
    *x = value;
    // Exact, or nothing but a number that is not 1 has such a logarithm.
    if x.is_zero() {
        Ordering::Equal
    } else {
        Ordering::Less
    }
}

/// The greater one plus the logarithm of 1 and a power of their difference.
fn sum(x: &mut Float, y: &Float, power: Step, logarithm: Step) -> Ordering {
    let (most, least) = if *x < *y { (y, &*x) } else { (&*x, y) };
    if x.is_nan() || y.is_nan() {
        *x = Float::with_val(WIDE, Special::Nan);
        return Ordering::Equal;
    }
    if least.is_infinite() || most.is_infinite() {
        // A zero as +0.
        *x = Float::with_val(WIDE, most + 0);
        return Ordering::Equal;
    }
    let mut excess = Float::with_val(WIDE, least - most);
    let equal = excess.is_zero();
    power(&mut excess, Round::Up);
    logarithm(&mut excess, Round::Up);
    let (value, ternary) = Float::with_val_round(WIDE, most + &excess, Round::Zero);
    let exact = equal && excess == 1;
    *x = value;
    if exact { ternary } else { Ordering::Less }
}

pub(super) fn binary(op: &str) -> Option<Binary> {
    type Call = fn(&mut Float, &Float, Round) -> Ordering;
    let call: Call = match op {
        "pow" => |x, y, round| x.pow_assign_round(y, round),
        "atan2" => Float::atan2_round,
        "atan2pi" => Float::atan2_pi_round,
        "hypot" => Float::hypot_round,
        "xlogy" => |x, y, round| product(x, y, round, Float::ln_round),
        "xlog1py" => |x, y, round| product(x, y, round, Float::ln_1p_round),
        "logaddexp" => |x, y, _| sum(x, y, Float::exp_round, Float::ln_1p_round),
        "logaddexp2" => |x, y, _| sum(x, y, Float::exp2_round, Float::log2_1p_round),
        _ => return None,
    };
    Some(Box::new(move |x, y| {
        let mut value = x.clone();
        let ternary = call(&mut value, y, Round::Zero);
        cut(value, ternary)
    }))
}

pub(super) fn with_integer(op: &str) -> Option<WithInteger> {
    type Call = fn(&mut Float, i32, Round) -> Ordering;
    let call: Call = match op {
        "pown" => |x, n, round| x.pow_assign_round(n, round),
        "compound" => Float::compound_i_round,
        "rootn" => Float::root_i_round,
        _ => return None,
    };
    Some(Box::new(move |x, n| {
        let mut value = x.clone();
        let ternary = call(&mut value, n, Round::Zero);
        cut(value, ternary)
    }))
}
