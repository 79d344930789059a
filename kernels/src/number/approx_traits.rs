//! The traits of `approx`.

use super::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, for_floats,
};
use crate::arith::{abs, compare, compare_quiet_equal, is_infinite, is_nan, mul, scalbn, sub};
use crate::convert::convert;
use crate::format::Arithmetic;
use crate::rounded::{ModeType, Rounded};
use crate::{Mode, Rounding};
use approx::{AbsDiffEq, RelativeEq, UlpsEq};
use core::cmp::Ordering;

const UP: Mode = Mode::ieee(Rounding::TowardPositive);
const DOWN: Mode = Mode::ieee(Rounding::TowardZero);

/// |a - b| as an f32, rounded up; NaN if either is.
fn distance<F: Arithmetic>(a: F, b: F) -> f32 {
    if compare(a, b) == Some(Ordering::Less) {
        sub(b, a, UP)
    } else {
        sub(a, b, UP)
    }
}

fn at_most(a: f32, b: f32) -> bool {
    matches!(compare(a, b), Some(Ordering::Less | Ordering::Equal))
}

/// A bound is a number of the same format, so a difference that is rounded up exceeds it where the
/// exact one does.
fn absolute<F: Arithmetic>(a: F, b: F, bound: F) -> bool {
    compare_quiet_equal(a, b) || at_most(distance(a, b), convert(bound, DOWN))
}

fn relative<F: Arithmetic>(a: F, b: F, bound: F, factor: F) -> bool {
    if compare_quiet_equal(a, b) {
        return true;
    }
    if is_infinite(a) || is_infinite(b) {
        return false;
    }
    let (x, y) = (abs(a), abs(b));
    let larger = if compare(x, y) == Some(Ordering::Less) {
        y
    } else {
        x
    };
    absolute(a, b, bound) || at_most(distance(a, b), mul(larger, factor, DOWN))
}

fn steps<F: Arithmetic>(a: F, b: F, bound: F, most: u32) -> bool {
    let (x, y) = (a.to_bits(), b.to_bits());
    absolute(a, b, bound)
        || (!is_nan(a) && !is_nan(b) && (x ^ y) & F::SIGN == 0 && x.abs_diff(y) <= u64::from(most))
}

/// The distance from 1 to the next larger value.
fn epsilon<F: Arithmetic>() -> F {
    let one = F::from_bits((F::BIAS as u64) << (F::PRECISION - 1));
    scalbn(one, 1 - F::PRECISION as i32, DOWN)
}

macro_rules! near {
    ($([$($generics:tt)*] $ty:ty, |$x:ident| $value:expr, $new:expr;)*) => { $(
        /// Whether the exact difference is at most `epsilon`; equal infinities are, a NaN is not.
        impl<$($generics)*> AbsDiffEq for $ty {
            type Epsilon = Self;

            fn default_epsilon() -> Self {
                $new(epsilon())
            }

            fn abs_diff_eq(&self, other: &Self, bound: Self) -> bool {
                let value = |$x: Self| $value;
                absolute(value(*self), value(*other), value(bound))
            }
        }

        /// Whether the difference is at most `epsilon`, or `max_relative` times the larger
        /// magnitude (the difference rounded up and the product rounded toward zero, to `f32`).
        impl<$($generics)*> RelativeEq for $ty {
            fn default_max_relative() -> Self {
                $new(epsilon())
            }

            fn relative_eq(&self, other: &Self, bound: Self, factor: Self) -> bool {
                let value = |$x: Self| $value;
                relative(value(*self), value(*other), value(bound), value(factor))
            }
        }

        /// Whether the difference is at most `epsilon`, or the signs are equal and the codes differ
        /// by `max_ulps` at most.
        impl<$($generics)*> UlpsEq for $ty {
            fn default_max_ulps() -> u32 {
                4
            }

            fn ulps_eq(&self, other: &Self, bound: Self, most: u32) -> bool {
                let value = |$x: Self| $value;
                steps(value(*self), value(*other), value(bound), most)
            }
        }
    )* };
}
near! {
    [F: Arithmetic, M: ModeType] Rounded<F, M>, |x| x.get(), Self::new;
}

macro_rules! floats {
    ($($ty:ident)*) => {
        near! { $([] $ty, |x| x, core::convert::identity;)* }
    };
}
for_floats!(floats);
