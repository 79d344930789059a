//! P3109's functions: IEEE 754's, by enclosures, and where they differ (4.9 and 4.10).

use crate::enclosure;
use crate::exact::Exact;
use crate::{Datum, Dyadic};

const NAN: Exact = Exact::Nan { invalid: false };

fn is_zero(x: Datum) -> bool {
    matches!(x, Datum::Finite { magnitude, .. } if magnitude.is_zero())
}

fn is_nan(x: Datum) -> bool {
    x.nan().is_some()
}

/// The sweep's name of a function of one operand.
fn of_one(op: &str) -> Option<&'static str> {
    Some(match op {
        "rsqrt" => "rsqrt",
        "exp" => "exp",
        "exp2" => "exp2",
        "log" => "log",
        "log2" => "log2",
        "log_one_plus" => "log1p",
        "exp_minus_one" => "expm1",
        "sin" => "sin",
        "cos" => "cos",
        "tan" => "tan",
        "arc_sin" => "asin",
        "arc_cos" => "acos",
        "arc_tan" => "atan",
        "sinh" => "sinh",
        "cosh" => "cosh",
        "tanh" => "tanh",
        "arc_sinh" => "asinh",
        "arc_cosh" => "acosh",
        "arc_tanh" => "atanh",
        "sin_pi" => "sinpi",
        "cos_pi" => "cospi",
        "tan_pi" => "tanpi",
        "arc_sin_pi" => "asinpi",
        "arc_cos_pi" => "acospi",
        "arc_tan_pi" => "atanpi",
        "softplus" => "softplus",
        _ => return None,
    })
}

/// Whether it is one of the functions.
pub(super) fn is_one(op: &str) -> bool {
    of_one(op).is_some() || of_two(op).is_some()
}

/// The sweep's name of a function of two operands.
fn of_two(op: &str) -> Option<&'static str> {
    Some(match op {
        "hypot" => "hypot",
        "arc_tan2" => "atan2",
        "arc_tan2_pi" => "atan2pi",
        _ => return None,
    })
}

/// A function of one operand; `revised` are the rules of July 2026.
pub(super) fn unary(
    op: &str,
    revised: bool,
) -> Option<impl Fn(Datum) -> Exact + Send + Sync + use<>> {
    let name = of_one(op)?;
    let function = enclosure::p3109::function(name, 1)?;
    Some(move |x| match (name, function(&[x])) {
        ("rsqrt", _) if is_zero(x) => NAN,
        // An infinite result of a finite operand is a pole.
        ("tanpi", Exact::Infinite { .. }) if !revised => NAN,
        (_, result) => result,
    })
}

/// Hypot, ArcTan2 and ArcTan2Pi.
pub(super) fn binary(
    op: &str,
    revised: bool,
) -> Option<impl Fn(Datum, Datum) -> Exact + Send + Sync + use<>> {
    let name = of_two(op)?;
    let function = enclosure::p3109::function(name, 2)?;
    let one = Datum::Finite {
        negative: false,
        magnitude: Dyadic::power_of_two(0),
    };
    let infinite = |x| matches!(x, Datum::Infinity { .. });
    let angle = name != "hypot";
    Some(move |y: Datum, x: Datum| match (y, x) {
        _ if is_nan(x) || is_nan(y) => NAN,
        _ if angle && (is_zero(x) && is_zero(y) || infinite(x) && infinite(y)) => NAN,
        // By the letter pi for any y.
        (_, Datum::Infinity { negative: true }) if angle && !revised => function(&[one, x]),
        _ => function(&[y, x]),
    })
}
