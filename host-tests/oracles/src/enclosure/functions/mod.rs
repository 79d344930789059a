//! The functions of one operand: the ends of the domain, the exact cases, the definition.
//!
//! "Transcendental" below relies on the theorem of Lindemann and Weierstrass (`e^a`, and so `ln`,
//! `sin`, `tanh`, ... of an algebraic number that is not one of the listed cases) or of Gelfond and
//! Schneider (`2^a` for an irrational algebraic `a`; `log2 a` where it is irrational; by it
//! `sin pi a` of a rational `a` is algebraic and, by Niven, rational only as listed).

mod error;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod root;
mod trigonometric;

use super::decide::{Maker, both, unary};

pub(super) fn maker(op: &str) -> Option<Maker> {
    Some(match op {
        "exp" => unary(exponential::Exp),
        "exp2" => unary(exponential::Exp2),
        "exp10" => unary(exponential::Exp10),
        "expm1" => unary(exponential::ExpM1),
        "exp2m1" => unary(exponential::Exp2M1),
        "exp10m1" => unary(exponential::Exp10M1),
        "log" => unary(logarithm::Log),
        "log2" => unary(logarithm::Log2),
        "log10" => unary(logarithm::Log10),
        "log1p" => unary(logarithm::Log1P),
        "log2p1" => unary(logarithm::Log2P1),
        "log10p1" => unary(logarithm::Log10P1),
        "logit" => unary(logarithm::Logit),
        "sin" => unary(trigonometric::Sin),
        "cos" => unary(trigonometric::Cos),
        "tan" => unary(trigonometric::Tan),
        "sincos" => both(trigonometric::Sin, trigonometric::Cos),
        "sinpi" => unary(trigonometric::SinPi),
        "cospi" => unary(trigonometric::CosPi),
        "tanpi" => unary(trigonometric::TanPi),
        "asin" => unary(inverse::Asin),
        "acos" => unary(inverse::Acos),
        "atan" => unary(inverse::Atan),
        "asinpi" => unary(inverse::AsinPi),
        "acospi" => unary(inverse::AcosPi),
        "atanpi" => unary(inverse::AtanPi),
        "sinh" => unary(hyperbolic::Sinh),
        "cosh" => unary(hyperbolic::Cosh),
        "tanh" => unary(hyperbolic::Tanh),
        "asinh" => unary(hyperbolic::Asinh),
        "acosh" => unary(hyperbolic::Acosh),
        "atanh" => unary(hyperbolic::Atanh),
        "rsqrt" => unary(root::Rsqrt),
        "cbrt" => unary(root::Cbrt),
        "reciprocal" => unary(root::Reciprocal),
        "erf" => unary(error::Erf),
        "erfc" => unary(error::Erfc),
        "erfinv" => unary(error::Erfinv),
        "tgamma" => unary(error::Tgamma),
        "lgamma" => unary(error::Lgamma),
        _ => return None,
    })
}
