//! The second oracle for the functions that are not rational: MPFR.
//!
//! - The elementary functions are each one call of MPFR, which rounds correctly: 64 digits toward
//!   zero, and the ternary value that says whether digits were cut off. That decides every cut. Zeros,
//!   infinities and NaNs are MPFR's own (that follow IEEE 754-2019 and C23), but for `rec_sqrt(-0)`.
//! - The activations are enclosures, each end by MPFR in its direction, from 128 digits upwards, of the
//!   plain definitions (`real/` computes with other forms of them). Zeros, infinities and NaNs of
//!   these are tabled once, in `real/`; so are the asymptotes' far ends, which no precision reaches.
//!
//! The piecewise functions are not here: they are rational.

mod activation;
mod enclosure;

use super::answer::{Answer, Factor, Scaled};
use super::format::{Datum, Format};
use super::located::{Located, Place, Tiny};
use super::real;
use super::shape::Shape;
use super::{Dyadic, Oracle};
use crate::row::Operands;
use rug::float::Round;
use rug::ops::PowAssignRound;
use rug::{Float, Integer};
use std::cmp::Ordering;

/// Digits of a value that one call gives.
const DIGITS: u32 = 64;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    // Also the shapes that are covered, and the parameters' ranges.
    let reference = real::for_shape(shape, false)?;
    let op = shape.op;
    if op == "sincos" {
        let (sine, cosine) = (unary("sin")?, unary("cos")?);
        return rule(move |x| {
            let number = number(format, x[0]);
            let parts = (sine(&number), cosine(&number));
            match [parts.0, parts.1].map(|value| value.answer(format, &[format.decode(x[0])])) {
                [Answer::Located(first), Answer::Located(second)] => Answer::Two([first, second]),
                _ => reference.answer(x),
            }
        });
    }
    if let Some(function) = unary(op) {
        return rule(move |x| {
            function(&number(format, x[0])).answer(format, &[format.decode(x[0])])
        });
    }
    if let Some(function) = binary(op) {
        return rule(move |x| {
            let data = [format.decode(x[0]), format.decode(x[1])];
            function(&number(format, x[0]), &number(format, x[1])).answer(format, &data)
        });
    }
    if let Some(function) = with_integer(op) {
        return rule(move |x| {
            let n = u32::try_from(x[1])
                .expect("the upper bits are zero")
                .cast_signed();
            function(&number(format, x[0]), n).answer(format, &[format.decode(x[0])])
        });
    }
    let definition = activation::definition(shape)?;
    let gradient = op.ends_with("_backward");
    rule(move |x| {
        let known = || reference.answer(x);
        let Datum::Finite { magnitude, .. } = format.decode(x[0]) else {
            return known();
        };
        if magnitude.is_zero() || definition.is_far(magnitude) {
            return known();
        }
        if gradient && matches!(format.decode(x[1]), Datum::Nan { .. }) {
            return known();
        }
        let Some(located) = definition.place(format, &number(format, x[0])) else {
            panic!("{} digits do not decide", activation::MOST);
        };
        if gradient {
            let (factor, grad) = (Factor::Located(located), x[1]);
            Answer::Scaled(Scaled {
                format,
                factor,
                grad,
            })
        } else {
            Answer::Located(located)
        }
    })
}

struct ByRule<F>(F);

impl<F: Fn(&Operands) -> Answer + Send + Sync> Oracle for ByRule<F> {
    fn locate(&self, operands: &Operands, _: bool) -> Answer {
        self.0(operands)
    }
}

fn rule(f: impl Fn(&Operands) -> Answer + Send + Sync + 'static) -> Option<Box<dyn Oracle>> {
    Some(Box::new(ByRule(f)))
}

/// An operand.
fn number(format: &Format, bits: u64) -> Float {
    let signed = |negative: bool, x: Float| if negative { -x } else { x };
    match format.decode(bits) {
        Datum::Nan { .. } => Float::with_val(DIGITS, rug::float::Special::Nan),
        Datum::Infinity { negative } => signed(
            negative,
            Float::with_val(DIGITS, rug::float::Special::Infinity),
        ),
        Datum::Finite {
            negative,
            magnitude: Dyadic { m, e },
        } => signed(negative, Float::with_val(DIGITS, m) << e),
    }
}

/// A value cut off toward zero.
struct Cut {
    value: Float,
    exact: bool,
}

impl Cut {
    fn answer(&self, format: &'static Format, operands: &[Datum]) -> Answer {
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

/// The place of a value of which `value` is the part that is not cut off.
fn place(format: &'static Format, value: &Float, exact: bool) -> Located {
    let negative = value.is_sign_negative();
    let digits = i64::from(format.precision) - 1;
    let emin = i64::from(format.emin);
    let (m, e) = value.to_integer_exp().expect("finite");
    let (m, e) = (m.abs(), i64::from(e));
    let top = i64::from(m.significant_bits()) + e - 1;
    let located = |code, place, tiny| Located {
        format,
        negative,
        code,
        place,
        tiny,
        fractions: None,
    };
    if m == 0 || top < emin - digits - 4 {
        return located(0, Some(Place::Below), Tiny::Yes);
    }
    let largest = Format::magnitude(format, format.largest);
    if top > i64::from(largest.floor_log2()) {
        return located(format.largest, None, Tiny::No);
    }
    // In units of 2^-8 of the gap, with what is below as the ternary value says.
    let gap = top.max(emin) - digits;
    let low = gap - 8 - e;
    let (units, rest) = if low <= 0 {
        (m << u32::try_from(-low).expect("moderate"), false)
    } else {
        let low = u32::try_from(low).expect("moderate");
        let units = Integer::from(&m >> low);
        let rest = Integer::from(&units << low) != m;
        (units, rest)
    };
    let units = units.to_u64().expect("at most 19 digits");
    let inexact = rest || !exact;
    let (number, part) = (units >> 8, units & 0xFF);
    let code = (u64::try_from(gap - (emin - digits)).expect("not below") << digits) + number;
    let half = |part: u64, middle: u64| match part.cmp(&middle) {
        Ordering::Less => Place::Below,
        Ordering::Equal if !inexact => Place::Middle,
        _ => Place::Above,
    };
    let at = if part == 0 && !inexact {
        Place::Exact
    } else {
        half(part, 128)
    };
    let tiny = if number >> digits != 0 {
        Tiny::No
    } else if number + 1 == 1 << digits && at == Place::Above {
        Tiny::Edge(half(part, 192))
    } else {
        Tiny::Yes
    };
    located(code, Some(at), tiny)
}

type Unary = Box<dyn Fn(&Float) -> Cut + Send + Sync>;
type Binary = Box<dyn Fn(&Float, &Float) -> Cut + Send + Sync>;
type WithInteger = Box<dyn Fn(&Float, i32) -> Cut + Send + Sync>;

fn unary(op: &str) -> Option<Unary> {
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
        // MPFR's rec_sqrt(-0) is +infinity; IEEE 754-2019 has -infinity.
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

fn binary(op: &str) -> Option<Binary> {
    type Call = fn(&mut Float, &Float, Round) -> Ordering;
    let call: Call = match op {
        "pow" => |x, y, round| x.pow_assign_round(y, round),
        "atan2" => Float::atan2_round,
        "atan2pi" => Float::atan2_pi_round,
        "hypot" => Float::hypot_round,
        _ => return None,
    };
    Some(Box::new(move |x, y| {
        let mut value = x.clone();
        let ternary = call(&mut value, y, Round::Zero);
        cut(value, ternary)
    }))
}

fn with_integer(op: &str) -> Option<WithInteger> {
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
