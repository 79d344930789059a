//! The functions of one operand: the ends of the domain, the exact cases, the definition.
//!
//! "Transcendental" below stands on the theorem of Lindemann and Weierstrass (`e^a`, and so
//! `ln`, `sin`, `tanh`, ... of an algebraic number that is not one of the listed cases) or of
//! Gelfond and Schneider (`2^a` for an irrational algebraic `a`; `log2 a` where it is irrational;
//! by it `sin pi a` of a rational `a` is algebraic and, by Niven, rational only as listed).

mod error;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod root;
mod trigonometric;

use super::big::Float;
use super::number::Real;
use super::{Maker, unary};
use crate::oracle::Datum;
use crate::oracle::rational::Exact;

/// A function of one operand.
pub(super) trait Function: Copy + Send + Sync + 'static {
    /// The ends of the domain: zeros, infinities, poles, and what is outside. NaN never comes.
    fn special(self, x: Datum) -> Option<Exact>;

    /// The result where theory knows it without computing: every operand whose value is a dyadic
    /// rational is here. Others may be.
    fn exact(self, _x: &Float) -> Option<Exact> {
        None
    }

    /// The value. An infinity that is not special comes as 2^1000, which has the same place.
    fn value<R: Real>(self, x: &R) -> R;
}

/// `function! { Name; special; exact; |x| value }`
macro_rules! function {
    ($name:ident; $special:expr; $exact:expr; |$x:ident| $value:expr) => {
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl $crate::oracle::real::functions::Function for $name {
            fn special(self, x: $crate::oracle::Datum) -> Option<$crate::oracle::rational::Exact> {
                #[allow(clippy::redundant_closure_call)]
                ($special)(x)
            }
            fn exact(
                self,
                x: &$crate::oracle::real::big::Float,
            ) -> Option<$crate::oracle::rational::Exact> {
                #[allow(clippy::redundant_closure_call)]
                ($exact)(x)
            }
            fn value<R: $crate::oracle::real::number::Real>(self, $x: &R) -> R {
                $value
            }
        }
    };
}
use function;

/// No exact case but the special ones.
fn none(_: &Float) -> Option<Exact> {
    None
}

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
        "sin" => unary(trigonometric::Sin),
        "cos" => unary(trigonometric::Cos),
        "tan" => unary(trigonometric::Tan),
        "sincos" => super::both(trigonometric::Sin, trigonometric::Cos),
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
        "tgamma" => unary(error::Tgamma),
        "lgamma" => unary(error::Lgamma),
        _ => return None,
    })
}
